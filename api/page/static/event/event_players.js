// @ts-check
/** Names and points on the score track, typed at the desk beside their table. */

import { badge, colourName } from "../lib/colours.js";
import { button, el } from "../lib/dom.js";
import { field, textOf } from "../lib/fields.js";
import { say } from "../lib/words.js";
import { hasSpots } from "../report/outcome.js";

const NAME_MOST = 40;
const TRACK_MOST = 9999;

/**
 * Create the form; `seated` are the players at the table, offered alone if they are known, and `onSave` gets the
 * resulting corrections.
 *
 * @param {AnyReport} report
 * @param {string[]} seated
 * @param {(corrections: Correction[]) => unknown} onSave
 */
export function playersForm(report, seated, onSave) {
  const colours = report.rules.players;
  if (!colours.length) return null;
  const tracked = !hasSpots(report);
  const form = el(
    "form",
    { class: "table-players", id: "typed-players" },
    el(
      "fieldset",
      {},
      el("legend", {}, say(tracked ? "names-and-track" : "players")),
      colours.map((colour) => row(report, colour, tracked, seated.length ? "seated-players" : "event-players")),
    ),
    el(
      "datalist",
      { id: "seated-players" },
      seated.map((value) => el("option", { value })),
    ),
    button("check", say("save"), null, { type: "submit" }),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    onSave(changes(report, form, tracked));
  });
  return form;
}

/**
 * @param {AnyReport} report
 * @param {string} colour
 * @param {boolean} tracked
 * @param {string} list
 */
function row(report, colour, tracked, list) {
  const name = field(nameField(colour), say("name-of", { colour: colourName(colour) }), {
    value: report.names?.[colour] ?? "",
    maxlength: NAME_MOST,
    autocomplete: "off",
    list,
  });
  const track = tracked
    ? field(trackField(colour), say("track-of", { colour: colourName(colour) }), {
        type: "number",
        min: 0,
        max: TRACK_MOST,
        inputmode: "numeric",
        value: report.scores.on_track[colour] ?? "",
      })
    : null;
  return el("div", { class: "player-row" }, badge(colour), name, track);
}

/**
 * Return the differences from the report, as corrections of the reading.
 *
 * @param {AnyReport} report
 * @param {HTMLFormElement} form
 * @param {boolean} tracked
 */
function changes(report, form, tracked) {
  /** @param {string} colour */
  const points = (colour) =>
    textOf(form, trackField(colour)) === "" ? null : Number(textOf(form, trackField(colour)));
  const colours = report.rules.players;
  const names = colours.filter((colour) => textOf(form, nameField(colour)) !== (report.names?.[colour] ?? ""));
  const tracks = tracked ? colours.filter((colour) => points(colour) !== (report.scores.on_track[colour] ?? null)) : [];
  return [
    ...names.map((colour) => ({ kind: "player", colour, name: textOf(form, nameField(colour)) || null })),
    ...tracks.map((colour) => ({ kind: "track", colour, points: points(colour) })),
  ];
}

/** @param {string} colour */
const nameField = (colour) => `typed-name-${colour}`;
/** @param {string} colour */
const trackField = (colour) => `typed-track-${colour}`;
