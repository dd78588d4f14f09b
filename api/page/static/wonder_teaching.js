/** The way from a wonder of a reading to teaching its copy. */

import { button } from "./dom.js";
import { say } from "./words.js";

/** A button that teaches the wonder on a square of a view; null where none lies. `before` is done as it is pressed. */
export function teachButton(view, square, before = () => {}) {
  const tile = square && view.session && view.squares?.tile(square);
  if (!tile || tile.square === null || tile.square === undefined) return null;
  const teach = async () => (await import("./wonder_teach.js")).teachReadWonder(view, tile.tile);
  return button("hat", say("teach-copy"), () => {
    before();
    return view.guard(teach);
  }, { class: "teach-copy" });
}
