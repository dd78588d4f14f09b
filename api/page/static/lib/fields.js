// @ts-check
/** Labelled form fields, and rows for players: their colour, and their points on the score track. */

import { badge, COLOURS, colourName } from "./colours.js";
import { el, part } from "./dom.js";
import { namesOf } from "./store.js";
import { say, sayOr } from "./words.js";

/** Maximum number of characters of a player's name. */
export const NAME_MOST = 40;
/** What an input of points accepts. */
export const POINTS = { type: "number", min: 0, max: 9999, inputmode: "numeric" };

/**
 * @param {string} id
 * @param {string} label
 * @param {Child} input
 */
export const labelled = (id, label, input) => el("div", { class: "field" }, el("label", { for: id }, label), input);

/**
 * Create an input under its label.
 *
 * @param {string} name
 * @param {string} label
 * @param {Attributes<HTMLInputElement>} attributes
 */
export function field(name, label, attributes) {
  return labelled(name, label, el("input", { id: name, name, ...attributes }));
}

/**
 * Create a choice of rule sets, one of them selected.
 *
 * @param {Api.RuleSet[]} rules
 * @param {string | null | undefined} chosen
 */
export function ruleSets(rules, chosen) {
  const options = rules.map(({ name }) =>
    el("option", { value: name, selected: name === chosen }, sayOr(`rules-${name}`, name)),
  );
  return labelled("rules", say("which-rules"), el("select", { id: "rules", name: "rules" }, options));
}

const RULED_BOXES = ["river2", "inns", "traders", "abbot", "abbey", "siege", "hills", "monasteries"];

/**
 * Create a choice for each box: rules played, or tiles alone; `chosen` has a report's form.
 *
 * @param {BoxRules} [chosen]
 */
export function boxRules(chosen = {}) {
  const hint = el("p", { class: "quiet" }, say("box-rules-hint"));
  return el(
    "details",
    { class: "box-rules", open: Object.keys(chosen).length > 0 },
    el("summary", {}, say("box-rules")),
    hint,
    RULED_BOXES.map((box) => {
      const options = ["", "on", "off"].map((answer) =>
        el(
          "option",
          { value: answer, selected: answer === answerOf(chosen, box) },
          say(`box-rules-${answer || "unsaid"}`),
        ),
      );
      return labelled(
        `box-rules-${box}`,
        sayOr(`box-${box}`, box),
        el("select", { id: `box-rules-${box}`, name: `box-rules-${box}` }, options),
      );
    }),
  );
}

/**
 * @param {BoxRules} chosen
 * @param {string} box
 */
const answerOf = (chosen, box) => (box in chosen ? (chosen[box] ? "on" : "off") : "");

/**
 * Return the differences between the fields of `boxRules` and `chosen`: boxes, each with true, false, or null for unset.
 *
 * @param {HTMLFormElement} form
 * @param {BoxRules} [chosen]
 * @returns {[string, boolean | null][]}
 */
export function boxChoices(form, chosen = {}) {
  /** @type {[string, string][]} */
  const said = RULED_BOXES.map((box) => [box, control(form, `box-rules-${box}`).value]);
  return said
    .filter(([box, answer]) => answer !== answerOf(chosen, box))
    .map(([box, answer]) => [box, answer ? answer === "on" : null]);
}

/**
 * Create a player's row; `more` are attributes of the name's input.
 *
 * @param {string} player
 * @param {string} [name]
 * @param {string | number} [track]
 * @param {Attributes<HTMLInputElement>} [more]
 */
export function playerRow(player, name = "", track = "", more = {}) {
  return el(
    "div",
    { class: "player-row", "data-player": player },
    badge(player),
    field(`name-${player}`, say("name-of", { colour: colourName(player) }), {
      value: name,
      maxlength: NAME_MOST,
      ...suggested(player),
      ...more,
    }),
    pointsField(`track-${player}`, say("track-of", { colour: colourName(player) }), { value: track }),
  );
}

/**
 * Return the attributes of a name's input that offers the names of earlier games, this colour's first.
 *
 * @param {string} player
 * @returns {Attributes<HTMLInputElement>}
 */
export function suggested(player) {
  const id = `names-of-${player}`;
  document.getElementById(id)?.remove();
  const options = namesOf(player).map((name) => el("option", { value: name }));
  document.body.append(el("datalist", { id }, options));
  return { autocomplete: "off", list: id };
}

/**
 * Create a field for points, with room for an error.
 *
 * @param {string} name
 * @param {string} label
 * @param {Attributes<HTMLInputElement>} attributes
 */
export function pointsField(name, label, attributes) {
  const input = el("input", { id: name, name, ...POINTS, ...attributes });
  const made = labelled(name, label, input);
  made.append(pointsError(input));
  return made;
}

/**
 * The place of a field's error for `checkPoints`.
 *
 * @param {HTMLInputElement} input
 */
export function pointsError(input) {
  const error = el("p", { class: "field-error", id: `${input.id}-error`, role: "alert" });
  input.setAttribute("aria-describedby", error.id);
  return error;
}

/**
 * Show the errors beside each field of points; returns whether all are valid.
 *
 * @param {HTMLFormElement} form
 */
export function checkPoints(form) {
  /** @type {NodeListOf<HTMLInputElement>} */
  const inputs = form.querySelectorAll('input[name^="track-"]');
  const wrong = [...inputs].filter((input) => {
    const key = wrongWith(input);
    part(`${input.id}-error`).textContent = key ? say(key) : "";
    input.setAttribute("aria-invalid", String(Boolean(key)));
    return key;
  });
  wrong[0]?.focus();
  return !wrong.length;
}

/** @param {HTMLInputElement} hTMLInputElement */
function wrongWith({ value, validity }) {
  if (validity.badInput || !/^-?\d*$/.test(value)) return "points-no-number";
  if (value.startsWith("-")) return "points-negative";
  return Number(value) > POINTS.max ? "points-too-many" : null;
}

/**
 * Create a control that adds a row for another colour.
 *
 * @param {string[]} players
 * @param {(colour: string) => Node} row
 */
export function anotherPlayer(players, row) {
  const others = COLOURS.filter((colour) => !players.includes(colour));
  const select = el(
    "select",
    {
      id: "another",
      onchange: () => {
        select.closest(".field")?.before(row(select.value));
        select.selectedOptions[0].remove();
        select.value = "";
      },
    },
    el("option", { value: "" }, "–"),
    others.map((colour) => el("option", { value: colour }, colourName(colour))),
  );
  return labelled("another", say("another-player"), select);
}

/**
 * Return the control of a form with a name.
 *
 * @param {HTMLFormElement} form
 * @param {string} name
 */
export const control = (form, name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));

/**
 * Return the contents of a form field as one line.
 *
 * @param {HTMLFormElement} form
 * @param {string} name
 */
export const textOf = (form, name) => control(form, name).value.trim().replace(/\s+/g, " ");
