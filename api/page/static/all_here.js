/** What a person may say of a game that seems to lack some tiles: that no more were laid. */

import { el } from "./dom.js";
import { say } from "./words.js";

/** A button that says so beside the problem of lacking tiles; none beside others. */
export function allHere(view, { code }) {
  if (code !== "tiles_lacking" || !view.session?.mayCorrect) return "";
  const count = view.report.board.tiles.length;
  return el("button", { type: "button", class: "square", onclick: () => view.guard(() => view.session.correct({ kind: "tiles_in_play", count })) }, say("no-more-tiles"));
}
