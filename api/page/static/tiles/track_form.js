// @ts-check
/** The points on the score track in the result itself: a field for each player, or a photo of the score board. */

import { badge, nameTag, who } from "../lib/colours.js";
import { button, el, find } from "../lib/dom.js";
import { anotherPlayer, checkPoints, control, pointsError } from "../lib/fields.js";
import { busy } from "../lib/sheet.js";
import { say } from "../lib/words.js";
import { addPhotoButton } from "../report/add_photo.js";
import { hasSpots, isTrackOpen, isWhole, openTrack } from "../report/outcome.js";
import { problemOf } from "../report/said.js";
import { ScorePad } from "../report/score_pad.js";
import { trackChoices } from "./track_choices.js";

/** Problems that have questions of their own, asked one by one. */
const ASKED = ["track_laps_unknown", "track_not_sure"];
const MOST = 9999;

/**
 * Create the form; nothing for visitors who cannot edit, and for a board without players. `added` are colours that
 * somebody has added and not saved yet.
 *
 * @param {View} view
 * @param {string[]} added
 */
export function trackForm(view, added) {
  const { report, session } = view;
  if (!session?.mayCorrect || hasSpots(report) || !report.rules.players.length) return [];
  const told = el("p", { class: "sheet-error", role: "alert" });
  const players = [...new Set([...report.rules.players, ...added])];
  /** @param {string} player */
  const row = (player) => pointsRow(report, player);
  const form = el(
    "form",
    { class: "track-form", novalidate: true },
    el("p", { class: "quiet" }, say("track-hint")),
    /** @type {Api.Problem[]} */ (openTrack(report))
      .filter(({ code }) => !ASKED.includes(code))
      .map((problem) => el("p", { class: "track-open" }, problemOf(report, problem), " ", trackChoices(view, problem))),
    keptPoints(report, row),
    players.map(row),
    anotherPlayer(players, row),
    button("check", say("add-up"), null, { type: "submit", class: "primary" }),
    told,
    otherWays(view),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(view, form, told);
  });
  return [
    el(
      "details",
      { class: "track", id: "track-fold", open: isTrackOpen(report) },
      el("summary", {}, el("h2", {}, say("track-points"))),
      form,
    ),
  ];
}

/**
 * Return the colours that a form has rows for.
 *
 * @param {HTMLElement} root
 */
export const rowsOf = (root) =>
  [.../** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(".points-row"))].map(
    ({ dataset: { player = "" } }) => player,
  );

/**
 * Offer the points kept on this device during the game by one tap; nothing if they belong to another game.
 *
 * @param {Api.Report} report
 * @param {(player: string) => Node} row
 */
function keptPoints(report, row) {
  const pad = new ScorePad();
  if (
    !isTrackOpen(report) ||
    !report.rules.players.length ||
    !report.rules.players.every((player) => pad.plays(player))
  )
    return null;
  return button("lines", say("take-kept"), ({ currentTarget: { form } }) => {
    const own = /** @type {HTMLFormElement} */ (form);
    for (const { colour } of pad.players) {
      if (!control(own, `track-${colour}`)) find(own, "#another").closest(".field")?.before(row(colour));
      control(own, `track-${colour}`).value = String(pad.points(colour));
    }
  });
}

/**
 * @param {Api.Report} report
 * @param {string} player
 */
function pointsRow(report, player) {
  const name = `track-${player}`;
  const id = `points-of-${player}`;
  const label = el("label", { for: id }, badge(player), nameTag(report, player));
  const input = el("input", {
    id,
    name,
    type: "number",
    min: 0,
    max: MOST,
    inputmode: "numeric",
    autocomplete: "off",
    value: report.scores.on_track[player] ?? "",
    placeholder: "–",
  });
  /** @param {number} by */
  const step = (by) => () => {
    input.value = String(Math.min(MOST, Math.max(0, (Number(input.value) || 0) + by)));
    input.dispatchEvent(new Event("input", { bubbles: true }));
  };
  /**
   * @param {number} by
   * @param {string} sign
   * @param {string} words
   */
  const stepper = (by, sign, words) =>
    el(
      "button",
      {
        type: "button",
        class: "stepper",
        "aria-label": say(words, { player: who(report, player) }),
        onclick: step(by),
      },
      sign,
    );
  return el(
    "div",
    { class: "points-row field", "data-player": player },
    label,
    el("span", { class: "steppers" }, stepper(-1, "−", "one-less"), input, stepper(1, "+", "one-more")),
    pointsError(input),
  );
}

/**
 * Save everything typed as one step: a reading left as it is counts as confirmed.
 *
 * @param {View} view
 * @param {HTMLFormElement} form
 * @param {HTMLElement} told
 */
async function send(view, form, told) {
  told.textContent = "";
  if (!checkPoints(form)) return;
  const { report } = view;
  const asked = new Set(openTrack(report).map(({ values }) => values?.player));
  const rows = rowsOf(form).map((player) => ({ player, text: control(form, `track-${player}`).value }));
  const points = rows.map(({ player, text }) => ({ player, own: text === "" ? null : Number(text) }));
  const changed = points.filter(
    ({ player, own }) => own !== (report.scores.on_track[player] ?? null) || (own !== null && asked.has(player)),
  );
  if (!changed.length) {
    told.textContent = say(isWhole(report) ? "nothing-changed" : "track-empty");
    return;
  }
  const corrections = changed.map(({ player, own }) => ({ kind: "track", colour: player, points: own }));
  await busy(form, () => view.session.correct(...corrections)).catch((error) => {
    told.textContent = error.message;
  });
}

/**
 * Offer a photo of the score board; if it is in the photo already and was not read, state the reason.
 *
 * @param {View} view
 */
function otherWays(view) {
  const { report, session } = view;
  if (!report.photo) return null;
  const why = el("p", { class: "quiet", role: "status" });
  const show = () => {
    why.textContent = say("track-not-found");
    view.viewer?.fit();
  };
  return el(
    "div",
    { class: "other-ways" },
    report.track ? el("p", { class: "quiet" }, say("track-read")) : button("gallery", say("track-in-photo"), show),
    session.owned ? addPhotoButton(view, say("add-track-photo")) : null,
    why,
  );
}
