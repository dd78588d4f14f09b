/** The page's words in its language, handed over by the server: texts, or forms by plural category. */

const words = JSON.parse(document.getElementById("words").textContent);

/** The page's language. */
export const language = document.documentElement.lang;

const plurals = new Intl.PluralRules(language);
const numbers = new Intl.NumberFormat(language);
const shares = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 });
const lists = new Intl.ListFormat(language);
const times = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });

/** A text with its slots filled; `n` picks the plural form. */
export function say(key, slots = {}) {
  const forms = words[key];
  if (forms === undefined) return key;
  const text = typeof forms === "string" ? forms : (forms[plurals.select(slots.n)] ?? forms.other);
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in slots ? told(slots[name]) : whole));
}

/** Whether there is such a text. */
export const knows = (key) => key in words;

/** A text if there is one, else what is given. */
export const sayOr = (key, otherwise) => (knows(key) ? say(key) : otherwise);

export const number = (value) => numbers.format(value);
export const percent = (share) => shares.format(share);
export const list = (parts) => lists.format(parts);
export const time = (iso) => times.format(new Date(iso));

/** A number with its sign, as a change. */
export const signed = (value) => (value < 0 ? `−${number(-value)}` : `+${number(value)}`);

function told(value) {
  return typeof value === "number" ? number(value) : value;
}
