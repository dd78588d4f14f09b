// @ts-check
/** Warnings about a board: no pieces on it, tiles beyond the picture, and contradictions. */

import { el, icon } from "../lib/dom.js";
import { say } from "../lib/words.js";
import { addPhotoButton } from "../report/add_photo.js";
import { contradictions, cutOff, isBare, overSupply } from "../report/outcome.js";
import { squareName } from "../report/places.js";
import { problemOf } from "../report/said.js";
import { tileAnswer } from "./all_here.js";

/**
 * Create the card that stands in place of the points of a board without pieces; none for other boards.
 *
 * @param {View} view
 */
export const bareWarning = (view) =>
  isBare(view.report) ? [warning("bare", el("p", {}, say("no-pieces")), morePhotos(view))] : [];

/** @param {View} view */
const morePhotos = (view) =>
  view.session?.owned && view.report.photo ? addPhotoButton(view, say("add-a-photo")) : null;

/**
 * Create a card for each of the others.
 *
 * @param {View} view
 */
export function warnings(view) {
  const { report } = view;
  return [
    ...(view.asksAboutBorder ? [] : cutOff(report)).map((problem) =>
      warning(
        "cut-off",
        el("p", {}, problemOf(report, problem)),
        el("div", { class: "warning-acts" }, morePhotos(view), tileAnswer(view, problem)),
      ),
    ),
    ...[...contradictions(report), ...overSupply(report)].map((problem) =>
      warning(
        "contradiction",
        el("p", {}, problemOf(report, problem)),
        squares(view, /** @type {Api.Problem} */ (problem)),
      ),
    ),
  ];
}

/**
 * Whether a problem is shown there.
 *
 * @param {Api.Report} report
 * @param {Api.Problem} problem
 */
export const isWarning = (report, problem) =>
  [...cutOff(report), ...contradictions(report), ...overSupply(report)].includes(problem);

/**
 * @param {string} name
 * @param {...Child} own
 */
function warning(name, ...own) {
  return el("section", { class: `card warning ${name}` }, icon("question"), el("div", {}, own));
}

/**
 * @param {View} view
 * @param {Api.Problem} problem
 */
function squares(view, { tiles }) {
  return el(
    "div",
    { class: "warning-acts" },
    tiles.map((square) =>
      el(
        "button",
        { type: "button", class: "square", onclick: () => view.chooseSquare(square) },
        squareName(view.report, square),
      ),
    ),
  );
}
