// @ts-check
/** The answer to a game that seems to lack some tiles, or to continue beyond the picture: no more were laid. */

import { el } from "../lib/dom.js";
import { say } from "../lib/words.js";

const ABOUT_MORE_TILES = new Set(["tiles_lacking", "beyond_the_picture"]);

/**
 * Create a button with this answer for a problem of missing tiles; none for other problems.
 *
 * @param {View} view
 * @param {AnyProblem} anyProblem
 */
export function allHere(view, { code }) {
  if (!ABOUT_MORE_TILES.has(code) || !view.session?.mayCorrect) return "";
  const count = view.report.board.tiles.length;
  return el(
    "button",
    {
      type: "button",
      class: "square",
      onclick: () => view.guard(() => view.session.correct({ kind: "tiles_in_play", count })),
    },
    say("no-more-tiles"),
  );
}
