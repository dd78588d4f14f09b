// @ts-check
/**
 * The answer to a problem of the number of tiles: no more were laid where some seem to be missing, and as many base games
 * lie here as there seem to be.
 */

import { el } from "../lib/dom.js";
import { say } from "../lib/words.js";

const ABOUT_MORE_TILES = new Set(["tiles_lacking", "beyond_the_picture"]);

/**
 * Create a button with the answer to a problem of the number of tiles; none for other problems.
 *
 * @param {View} view
 * @param {AnyProblem} problem
 */
export function tileAnswer(view, problem) {
  const [words, correction] = answerTo(view, problem);
  if (!correction || !view.session?.mayCorrect) return "";
  const onclick = () => view.guard(() => view.session.correct(correction));
  return el("button", { type: "button", class: "square", onclick }, words);
}

/**
 * Return the words of an answer and its correction, if there are any.
 *
 * @param {View} view
 * @param {AnyProblem} problem
 * @returns {[string, Correction?]}
 */
function answerTo(view, { code, values = {} }) {
  if (ABOUT_MORE_TILES.has(code))
    return [say("no-more-tiles"), { kind: "tiles_in_play", count: view.report.board.tiles.length }];
  if (code !== "several_base_games") return [""];
  return [say("base-games-lie-here", { games: values.games }), { kind: "boxes", box: "base", count: values.games }];
}
