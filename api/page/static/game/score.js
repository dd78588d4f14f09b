// @ts-check
/** The running score, large enough to read across a table. */

import { asTyped, badge, nameTag, paint, who } from "../lib/colours.js";
import { el, icon } from "../lib/dom.js";
import { redraw } from "../lib/redraw.js";
import { list, number, say } from "../lib/words.js";

/**
 * The score at the last photo, or the total of a game that is over.
 *
 * @typedef {object} Standing
 * @property {string[]} players in turn order
 * @property {{ [colour: string]: string }} names
 * @property {boolean} isOver
 * @property {{ [colour: string]: number } | null} points the likeliest, null if unknown
 * @property {{ [colour: string]: number[] } | null} ranges
 * @property {number | null} left tiles to draw
 */

/**
 * Show the points of every player and who leads.
 *
 * @param {HTMLElement} root
 * @param {HTMLElement} lead
 * @param {Standing} standing
 */
export function drawScore(root, lead, standing) {
  const leaders = leadersOf(standing);
  redraw(
    root,
    standing.players.map((colour) => row(standing, colour, leaders.includes(colour))),
  );
  const left = standing.left === null ? "" : say("game-left", { n: standing.left });
  const own = standing.isOver ? "" : `${leadWords(standing, leaders)} ${left}`.trim();
  const [{ "data-typed": isTyped }, words] = asTyped(own);
  lead.toggleAttribute("data-typed", isTyped);
  lead.textContent = words;
}

/**
 * Return the players with most points; none while nobody has any.
 *
 * @param {Standing} standing
 */
export function leadersOf({ players, points }) {
  const most = points ? Math.max(...players.map((colour) => points[colour])) : 0;
  return most > 0 ? players.filter((colour) => points?.[colour] === most) : [];
}

/**
 * @param {Standing} standing
 * @param {string} colour
 * @param {boolean} leads
 */
function row(standing, colour, leads) {
  const { points, ranges } = standing;
  const [low, high] = ranges?.[colour] ?? [0, 0];
  const item = el(
    "li",
    { class: leads ? "game-player leads" : "game-player", "data-player": colour, "data-key": colour },
    badge(colour),
    nameTag(standing, colour),
    leads ? icon("wonder") : null,
    el(
      "span",
      { class: "game-points" },
      el("b", {}, points ? number(points[colour]) : "–"),
      low < high
        ? el(
            "details",
            { class: "game-range", id: `range-${colour}` },
            el("summary", {}, say("game-unsettled")),
            say("game-range", { low, high }),
          )
        : null,
    ),
  );
  item.style.setProperty("--own", paint(colour));
  return item;
}

/**
 * @param {Standing} standing
 * @param {string[]} leaders
 */
function leadWords(standing, leaders) {
  const { players, points } = standing;
  if (!leaders.length || !points) return "";
  const names = leaders.map((colour) => who(standing, colour));
  if (names.length > 1) return say("game-tied", { players: list(names) });
  const second = Math.max(...players.filter((colour) => colour !== leaders[0]).map((colour) => points[colour]));
  return say("game-leads", { player: names[0], n: points[leaders[0]] - second });
}
