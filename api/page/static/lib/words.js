// @ts-check
/** The page's words in its language, supplied by the server. */

/** @type {{ [key: string]: Tree }} */
const words = JSON.parse(document.getElementById("words")?.textContent ?? "{}");

/** The page's language. */
export const language = document.documentElement.lang;

const plurals = new Intl.PluralRules(language);
const numbers = new Intl.NumberFormat(language);
const lists = new Intl.ListFormat(language);
const times = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });

/**
 * Return a text with its slots filled.
 *
 * @param {string} key
 * @param {Slots} [slots]
 * @returns {string}
 */
export function say(key, slots = {}) {
  return key in words ? told(words[key], slots) : key;
}

/**
 * Whether there is a text of that name.
 *
 * @param {string} key
 */
export const knows = (key) => key in words;

/**
 * Return a text if there is one, else the fallback.
 *
 * @param {string} key
 * @param {string} otherwise
 */
export const sayOr = (key, otherwise) => (knows(key) ? say(key) : otherwise);

/** @param {number} value */
export const number = (value) => numbers.format(value);
/** @param {string[]} parts */
export const list = (parts) => lists.format(parts);
/** @param {string} iso */
export const time = (iso) => times.format(new Date(iso));

/**
 * Format a share in percent; never 100 or 0 unless exact.
 *
 * @param {number} share
 */
export function percent(share) {
  if (share > 0 && share < 0.01) return say("percent-less", { n: 1 });
  if (share > 0.99 && share < 1) return say("percent-more", { n: 99 });
  return say("percent-exactly", { n: Math.round(share * 100) });
}

/**
 * Format a probability: never 100 %, even if it was rounded to 1, and never 0.
 *
 * @param {number} probability
 */
export const likelihood = (probability) => percent(Math.min(Math.max(probability, 1e-9), 1 - 1e-9));

/**
 * Format a number with its sign, as a change.
 *
 * @param {number} value
 */
export const signed = (value) => (value < 0 ? `−${number(-value)}` : `+${number(value)}`);

/**
 * Return a tree in the form of `api/page/phrases.py`; an empty value is the case `blank`.
 *
 * @param {Tree} tree
 * @param {Slots} slots
 * @returns {string}
 */
function told(tree, slots) {
  if (typeof tree === "string") return tree;
  if (Array.isArray(tree)) return tree.map((part) => told(part, slots)).join("");
  if ("m" in tree) return say(tree.m, slots);
  if ("v" in tree) return shown(slots[tree.v]);
  const value = slots[tree.s];
  const picked =
    tree.c[value === "" ? "blank" : String(value)] ??
    (typeof value === "number" ? tree.c[plurals.select(value)] : undefined);
  return told(picked ?? tree.c[tree.d], slots);
}

/** @param {string | number | null | undefined} value */
function shown(value) {
  return typeof value === "number" ? number(value) : String(value ?? "");
}
