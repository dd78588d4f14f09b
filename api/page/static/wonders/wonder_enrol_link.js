// @ts-check
/** The link from a wonder of a reading to enrolling its copy. */

import { button } from "../lib/dom.js";
import { say } from "../lib/words.js";

/**
 * Create a button that enrols the wonder on a square of a view; null if there is none. `before` runs on its press.
 *
 * @param {AnyView} view
 * @param {Square | null} square
 * @param {() => unknown} [before]
 */
export function teachButton(view, square, before = () => {}) {
  const tile = square && view.session && "squares" in view && view.squares.tile(square);
  if (!tile || tile.square === null || tile.square === undefined) return null;
  const teach = async () =>
    (await import("./wonder_enrol_sheet.js")).teachReadWonder(/** @type {View} */ (view), tile.tile ?? "");
  return button(
    "hat",
    say("teach-copy"),
    () => {
      before();
      return view.guard(teach);
    },
    { class: "teach-copy" },
  );
}
