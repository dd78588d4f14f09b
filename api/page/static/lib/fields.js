/** Labelled form fields, and rows for players: their colour, and their points on the score track. */

import { badge, COLOURS, colourName } from "./colours.js";
import { el } from "./dom.js";
import { say, sayOr } from "./words.js";

export const labelled = (id, label, input) => el("div", { class: "field" }, el("label", { for: id }, label), input);

/** Create an input under its label. */
export function field(name, label, attributes) {
  return labelled(name, label, el("input", { id: name, name, ...attributes }));
}

/** Create a choice of rule sets, one of them selected. */
export function ruleSets(rules, chosen) {
  const options = rules.map(({ name }) =>
    el("option", { value: name, selected: name === chosen }, sayOr(`rules-${name}`, name)),
  );
  return labelled("rules", say("which-rules"), el("select", { id: "rules", name: "rules" }, options));
}

const RULED_BOXES = ["rivers", "inns", "traders", "abbot"];

/** Create a choice for each box: rules played, or tiles alone; `chosen` has a report's form. */
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

const answerOf = (chosen, box) => (box in chosen ? (chosen[box] ? "on" : "off") : "");

/** Return the differences between the fields of `boxRules` and `chosen`: boxes, each with true, false, or null for unset. */
export function boxChoices(form, chosen = {}) {
  const said = RULED_BOXES.map((box) => [box, form.elements[`box-rules-${box}`].value]);
  return said
    .filter(([box, answer]) => answer !== answerOf(chosen, box))
    .map(([box, answer]) => [box, answer ? answer === "on" : null]);
}

/** Create a player's row; `more` are attributes of the name's input. */
export function playerRow(player, name = "", track = "", more = {}) {
  return el(
    "div",
    { class: "player-row", "data-player": player },
    badge(player),
    field(`name-${player}`, say("name-of", { colour: colourName(player) }), {
      value: name,
      maxlength: 40,
      autocomplete: "off",
      ...more,
    }),
    pointsField(`track-${player}`, say("track-of", { colour: colourName(player) }), track),
  );
}

/** Create a field for points, with room for an error. */
function pointsField(name, label, value) {
  const input = el("input", { id: name, name, type: "number", min: 0, max: 9999, inputmode: "numeric", value });
  const made = labelled(name, label, input);
  made.append(pointsError(input));
  return made;
}

/** The place of a field's error for `checkPoints`. */
export function pointsError(input) {
  const error = el("p", { class: "field-error", id: `${input.id}-error`, role: "alert" });
  input.setAttribute("aria-describedby", error.id);
  return error;
}

/** Show the errors beside each field of points; returns whether all are valid. */
export function checkPoints(form) {
  const wrong = [...form.querySelectorAll('input[name^="track-"]')].filter((input) => {
    const key = wrongWith(input);
    document.getElementById(`${input.id}-error`).textContent = key ? say(key) : "";
    input.setAttribute("aria-invalid", String(Boolean(key)));
    return key;
  });
  wrong[0]?.focus();
  return !wrong.length;
}

function wrongWith({ value, validity }) {
  if (validity.badInput || !/^-?\d*$/.test(value)) return "points-no-number";
  if (value.startsWith("-")) return "points-negative";
  return Number(value) > 9999 ? "points-too-many" : null;
}

/** Create a control that adds a row for another colour. */
export function anotherPlayer(players, row) {
  const others = COLOURS.filter((colour) => !players.includes(colour));
  const select = el(
    "select",
    {
      id: "another",
      onchange: () => {
        select.closest(".field").before(row(select.value));
        select.selectedOptions[0].remove();
        select.value = "";
      },
    },
    el("option", { value: "" }, "–"),
    others.map((colour) => el("option", { value: colour }, colourName(colour))),
  );
  return labelled("another", say("another-player"), select);
}

/** Return the contents of a form field as one line. */
export const textOf = (form, name) => form.elements[name].value.trim().replace(/\s+/g, " ");
