// @ts-check
/** Entering the contents of spots: one, or all at one place of the photo. */

import { button, el } from "../lib/dom.js";
import { control, labelled } from "../lib/fields.js";
import { openSheet, settle, showEither } from "../lib/sheet.js";
import { likelihood, say } from "../lib/words.js";
import { isPiece, pieceOf, playerOf, spotName, valueName } from "./spot_names.js";

const TYPED_FROM = 12;

/**
 * Open the sheet of some spots; all its changes are one step.
 *
 * @param {SpotView} view
 * @param {Api.SpotState[]} spots
 */
export function openSpots(view, spots) {
  const { report, session } = view;
  const piece = spots.length === 1 ? pieceOf(report, spots[0]) : [];
  const form = el(
    "form",
    { class: "spot-form" },
    spots.map((spot) => labelled(spot.id, spotName(report, spot), spotField(spot, {}, report))),
    spots.map((spot) => others(report, spot)),
    piece.length > 1 ? wholePiece(piece) : null,
  );
  const doubtful = (piece.length > 1 ? piece : spots).filter((spot) => spot.doubtful && spot.value !== null);
  const confirm = () =>
    settle(dialog, () => session.correct(...doubtful.map(({ id }) => ({ kind: "confirm_spot", id }))));
  const primary = { class: "primary" };
  const change = button("check", say("set-spots"), () => send(), primary);
  const right = doubtful.length ? button("check", say("right-as-it-is"), confirm, primary) : null;
  showEither(right, change, false);
  form.addEventListener("input", () => showEither(right, change, true));
  const dialog = openSheet(say("which-spot"), form, el("div", { class: "sheet-actions" }, change, right));
  const send = () =>
    settle(dialog, () => {
      const told = spotChanges(form, spots);
      const changes = control(form, "whole-piece")?.checked ? told.map(asPiece) : told;
      return changes.length ? session.correct(...changes) : null;
    });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });
}

/**
 * Create a field for the contents of a spot: a number if there are many choices, else a list. Empty: unknown.
 *
 * @param {Api.SpotState} spot
 * @param {{ [name: string]: string }} [more]
 * @param {Api.SpotReport | null} [report]
 */
export function spotField(spot, more = {}, report = null) {
  const { id, value, choices } = spot;
  if (choices.length > TYPED_FROM && choices.every((own) => typeof own === "number")) {
    const [least, most] = [Math.min(...choices), Math.max(...choices)];
    return el("input", {
      id,
      name: id,
      type: "number",
      inputmode: "numeric",
      min: least,
      max: most,
      value: value ?? "",
      ...more,
    });
  }
  return el(
    "select",
    { id, name: id, ...more },
    el("option", { value: "", selected: value === null }, "–"),
    report && choices.some((own) => isPiece({ value: own })) ? inGroups(report, spot) : options(spot, choices),
  );
}

/**
 * @param {Api.SpotState} spotState
 * @param {(string | number)[]} choices
 */
const options = ({ kind, value }, choices) =>
  choices.map((own) => el("option", { value: own, selected: own === value }, valueName(kind, own)));

/**
 * Return the pieces already on the table that the spot may be a part of, apart from one that begins there.
 *
 * @param {Api.SpotReport} report
 * @param {Api.SpotState} spot
 */
function inGroups(report, spot) {
  const there = new Set(
    report.board.spots
      .filter((own) => own.kind === spot.kind && playerOf(own) === playerOf(spot))
      .map(({ value }) => value),
  );
  const pieces = spot.choices.filter((value) => isPiece({ value }));
  /**
   * @param {string} key
   * @param {(string | number)[]} own
   */
  const group = (key, own) => (own.length ? el("optgroup", { label: say(key) }, options(spot, own)) : null);
  return [
    ...options(
      spot,
      spot.choices.filter((value) => !pieces.includes(value)),
    ),
    group(
      "pieces-there",
      pieces.filter((value) => there.has(value)),
    ),
    group(
      "pieces-new",
      pieces.filter((value) => !there.has(value)),
    ),
  ];
}

/** @param {Api.SpotState[]} piece */
function wholePiece(piece) {
  const whole = el("input", { type: "checkbox", name: "whole-piece", id: "whole-piece", checked: true });
  return el(
    "label",
    { class: "switch", for: "whole-piece" },
    whole,
    el("span", {}, say("whole-piece", { n: piece.length })),
  );
}

/**
 * Extend a change to the whole piece on a spot; a change to unknown stays with the spot alone.
 *
 * @param {SpotChange} change
 */
const asPiece = (change) => (change.value === null ? change : { ...change, kind: "piece" });

/**
 * Return the corrections that a form with these fields asks for: only differences.
 *
 * @param {HTMLFormElement} form
 * @param {Api.SpotState[]} spots
 */
export function spotChanges(form, spots) {
  return spots
    .map((spot) => ({ spot, value: told(form, spot) }))
    .filter(({ spot, value }) => value !== spot.value)
    .map(({ spot, value }) => ({ kind: "spot", id: spot.id, value }));
}

/**
 * Return the value as one of the choices; a number outside them is sent as it is, and refused.
 *
 * @param {HTMLFormElement} form
 * @param {Api.SpotState} spotState
 */
function told(form, { id, choices }) {
  const text = control(form, id).value.trim();
  if (text === "") return null;
  return choices.find((own) => String(own) === text) ?? Number(text);
}

/**
 * Create buttons for the reading's alternatives that fill the field.
 *
 * @param {Api.SpotReport} report
 * @param {Api.SpotState} spot
 */
function others(report, spot) {
  if (!spot.alternatives?.length) return null;
  /**
   * @param {string | number} value
   * @param {{ currentTarget: HTMLButtonElement }} event
   */
  const fill = (value, event) =>
    (control(/** @type {HTMLFormElement} */ (event.currentTarget.form), spot.id).value = String(value));
  return el(
    "p",
    { class: "others" },
    el("span", { class: "quiet" }, say("may-be-instead", { spot: spotName(report, spot) })),
    spot.alternatives.map(({ value, probability }) =>
      el(
        "button",
        { type: "button", class: "chip", onclick: (event) => fill(value, event) },
        el("b", {}, valueName(spot.kind, value)),
        el("small", {}, likelihood(probability)),
      ),
    ),
  );
}
