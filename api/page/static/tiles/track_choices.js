// @ts-check
/** A player's possible points on the score track, if the photo leaves them open: one tap selects them. */

import { who } from "../lib/colours.js";
import { el } from "../lib/dom.js";
import { number, say } from "../lib/words.js";
import { openTable } from "./table_sheet.js";

/**
 * Create buttons for the points that a problem of the score board leaves open, and one to type others; else none.
 *
 * @param {View} view
 * @param {Api.Problem} problem
 */
export function trackChoices(view, { code, values }) {
  if (!code.startsWith("track_") || !view.session?.mayCorrect) return [];
  const { points, others = "", spaces = "" } = values ?? {};
  const player = String(values?.player);
  const open =
    code === "track_laps_unknown"
      ? `${points}, ${others}`
      : ["track_not_sure", "track_stranger"].includes(code)
        ? spaces
        : "";
  const choices = [...new Set(String(open).split(", ").filter(Boolean).map(Number))];
  /** @param {number} chosen */
  const set = (chosen) => view.guard(() => view.session.correct({ kind: "track", colour: player, points: chosen }));
  return [
    ...choices.map((chosen) =>
      el(
        "button",
        {
          type: "button",
          class: "square",
          "aria-label": say("track-is", { colour: who(view.report, player), points: chosen }),
          onclick: () => set(chosen),
        },
        number(chosen),
      ),
    ),
    el(
      "button",
      { type: "button", class: "square", onclick: () => view.guard(() => openTable(view)) },
      say("track-other"),
    ),
  ];
}
