// @ts-check
/** Advice for a better photo if this one shows too little, and one tap to take it again. */

import { el, icon } from "../lib/dom.js";
import { uploadBar } from "../lib/progress.js";
import { sendPhotos } from "../lib/send.js";
import { list, say } from "../lib/words.js";

const CUT = "beyond_the_picture";
const SIDES = ["left", "right", "top", "bottom"];
const BESIDE = [
  [-1, 0],
  [0, 1],
  [1, 0],
  [0, -1],
];

/**
 * Return the sides at which the photo shows too little of the board, as words' keys: `left`, `right`, `top`, `bottom`.
 *
 * A tile too far away to see past it lies near one of the sides, though the picture does not cut it.
 *
 * @param {{ report: Api.Report, squares: Squares }} given
 */
export function cutSides({ report, squares }) {
  const cut = report.board.problems?.find(({ code }) => code === CUT);
  if (!cut || !report.photo) return [];
  const { width, height } = report.photo;
  const found = new Set(
    cut.tiles
      .flatMap(([row, col]) => {
        const free = BESIDE.map(([down, right]) => [row + down, col + right]).filter((square) => !squares.tile(square));
        const sides = free.map((square) => sideOf(squares.quad(square), width, height));
        const outside = sides.filter(({ out }) => out > 0);
        return outside.length ? outside : sides.sort((one, other) => other.out - one.out).slice(0, 1);
      })
      .map(({ side }) => side),
  );
  return SIDES.filter((side) => found.has(side));
}

/**
 * Return the side of the picture nearest to a quad, and by how many pixels the quad extends out of it.
 *
 * @param {Point[]} quad
 * @param {number} width
 * @param {number} height
 */
function sideOf(quad, width, height) {
  const [across, down] = [0, 1].map((axis) => quad.map((point) => point[axis]));
  /** @type {{ [side: string]: number }} */
  const out = {
    left: -Math.min(...across),
    right: Math.max(...across) - width,
    top: -Math.min(...down),
    bottom: Math.max(...down) - height,
  };
  const side = SIDES.reduce((most, each) => (out[each] > out[most] ? each : most));
  return { side, out: out[side] };
}

/**
 * Advise the owner of a reading on a board that is cut off; null if it is not.
 *
 * @param {AnyView} view
 */
export function retakeTip(view) {
  const sides = "squares" in view && view.session.owned ? cutSides(view) : [];
  if (!sides.length) return null;
  const words = say("retake-cut", { sides: list(sides.map((side) => say(`retake-${side}`))) });
  return tip(words, { rules: view.report.rules.edition }, (error) => view.tell(error.message, true));
}

/**
 * Let people take a photo again that could not be read.
 *
 * @param {(error: Error) => unknown} onError
 */
export const failedTip = (onError) => tip("", {}, onError);

/**
 * @param {string} words
 * @param {{ [name: string]: string | null | undefined }} fields
 * @param {(error: Error) => unknown} onError
 */
function tip(words, fields, onError) {
  const progress = el("div", {});
  const input = el("input", {
    class: "hidden",
    type: "file",
    accept: "image/*",
    capture: "environment",
    onchange: async ({ target }) => {
      const bar = uploadBar();
      progress.replaceChildren(bar.element);
      try {
        await sendPhotos([...(target.files ?? [])], bar.tell, fields);
      } catch (error) {
        progress.replaceChildren();
        onError(error);
      }
      target.value = "";
    },
  });
  return el(
    "div",
    { class: "retake" },
    words ? el("p", {}, words) : null,
    el("label", { class: "button primary" }, icon("camera"), el("span", {}, say("retake")), input),
    progress,
  );
}
