/** Entering the contents of spots: one, or all at one place of the photo. */

import { button, el } from "../lib/dom.js";
import { labelled } from "../lib/fields.js";
import { openSheet, settle } from "../lib/sheet.js";
import { likelihood, say } from "../lib/words.js";
import { isPiece, pieceOf, playerOf, spotName, valueName } from "./spot_names.js";

const TYPED_FROM = 12;

/** Open the sheet of some spots; all its changes are one step. */
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
  const dialog = openSheet(
    say("which-spot"),
    form,
    el(
      "div",
      { class: "sheet-actions" },
      button("check", say("set-spots"), () => send(), { class: "primary" }),
      doubtful.length ? button("check", say("right-as-it-is"), confirm) : null,
    ),
  );
  const send = () =>
    settle(dialog, () => {
      const told = spotChanges(form, spots);
      const changes = form.elements["whole-piece"]?.checked ? told.map(asPiece) : told;
      return changes.length ? session.correct(...changes) : null;
    });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });
}

/** Create a field for the contents of a spot: a number if there are many choices, else a list. Empty: unknown. */
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

const options = ({ kind, value }, choices) =>
  choices.map((own) => el("option", { value: own, selected: own === value }, valueName(kind, own)));

/** Return the pieces already on the table that the spot may be a part of, apart from one that begins there. */
function inGroups(report, spot) {
  const there = new Set(
    report.board.spots
      .filter((own) => own.kind === spot.kind && playerOf(own) === playerOf(spot))
      .map(({ value }) => value),
  );
  const pieces = spot.choices.filter((value) => isPiece({ value }));
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

function wholePiece(piece) {
  const whole = el("input", { type: "checkbox", name: "whole-piece", id: "whole-piece", checked: true });
  return el(
    "label",
    { class: "switch", for: "whole-piece" },
    whole,
    el("span", {}, say("whole-piece", { n: piece.length })),
  );
}

/** Extend a change to the whole piece on a spot; a change to unknown stays with the spot alone. */
const asPiece = (change) => (change.value === null ? change : { ...change, kind: "piece" });

/** Return the corrections that a form with these fields asks for: only differences. */
export function spotChanges(form, spots) {
  return spots
    .map((spot) => ({ spot, value: told(form, spot) }))
    .filter(({ spot, value }) => value !== spot.value)
    .map(({ spot, value }) => ({ kind: "spot", id: spot.id, value }));
}

/** Return the value as one of the choices; a number outside them is sent as it is, and refused. */
function told(form, { id, choices }) {
  const text = form.elements[id].value.trim();
  if (text === "") return null;
  return choices.find((own) => String(own) === text) ?? Number(text);
}

/** Create buttons for the reading's alternatives that fill the field. */
function others(report, spot) {
  if (!spot.alternatives.length) return null;
  const fill = (value, event) => (event.target.closest("form").elements[spot.id].value = String(value));
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
