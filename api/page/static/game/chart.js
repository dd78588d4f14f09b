// @ts-check
/** A picture of the score over the turns: a stair for each player. */

import { paint, who } from "../lib/colours.js";
import { svg } from "../lib/dom.js";
import { list, number, say } from "../lib/words.js";

/** Size of the picture in its own units. Geometry of the picture, like all below. */
const WIDTH = 400;
const HEIGHT = 190;
/** Room for the numbers on the left, and for the points at the end of each line. */
const LEFT = 34;
const RIGHT = 46;
const TOP = 12;
const BOTTOM = 26;
/** Minimum distance of two numbers at the ends of lines. */
const APART = 17;

/**
 * Draw the points after each turn.
 *
 * @param {Named} named
 * @param {string[]} players
 * @param {{ [colour: string]: number }[]} points after each turn, from the start on
 * @param {number[]} steps round numbers between two marks
 */
export function chart(named, players, points, steps) {
  const most = Math.max(5, ...points.flatMap((own) => Object.values(own)));
  const last = Math.max(1, points.length - 1);
  /** @param {number} turn */
  const x = (turn) => LEFT + (turn / last) * (WIDTH - LEFT - RIGHT);
  /** @param {number} value */
  const y = (value) => HEIGHT - BOTTOM - (value / most) * (HEIGHT - TOP - BOTTOM);
  const end = /** @type {{ [colour: string]: number }} */ (points.at(-1));
  const words = players.map((colour) => `${who(named, colour)} ${number(end[colour])}`);
  return svg(
    "svg",
    {
      class: "game-chart",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: "img",
      "aria-label": say("game-chart", { players: list(words), n: points.length - 1 }),
    },
    marksOf(most, 4, steps).map((value) => [
      svg("path", { class: "game-line", d: `M${LEFT} ${y(value)}H${WIDTH - RIGHT}` }),
      svg("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, number(value)),
    ]),
    marksOf(last, 8, steps).map((turn) =>
      svg("text", { x: x(turn), y: HEIGHT - 6, "text-anchor": "middle" }, number(turn)),
    ),
    players.flatMap((colour) => {
      const d = points.map((own, turn) => (turn ? `H${x(turn)}V${y(own[colour])}` : `M${x(0)} ${y(own[colour])}`));
      const stair = d.join("");
      return [
        svg("path", { class: "game-casing", d: stair }),
        svg("path", { class: "game-stair", d: stair, stroke: paint(colour), "data-player": colour }),
      ];
    }),
    labels(players, end, x(last), y),
  );
}

/**
 * Return the round numbers up to the most, about as many as `count`.
 *
 * @param {number} most
 * @param {number} count
 * @param {number[]} steps
 */
function marksOf(most, count, steps) {
  const step = steps.find((own) => most / own <= count) ?? most;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, number) => number * step);
}

/**
 * Write the points at the end of each line, none over another.
 *
 * @param {string[]} players
 * @param {{ [colour: string]: number }} end
 * @param {number} x
 * @param {(value: number) => number} y
 */
function labels(players, end, x, y) {
  let free = Number.POSITIVE_INFINITY;
  const from = [...players].sort((one, other) => end[one] - end[other]);
  return from.map((colour) => {
    const at = Math.min(y(end[colour]), free);
    free = at - APART;
    return svg(
      "text",
      { class: "game-end", x: x + 14, y: at + 4 },
      svg("tspan", { fill: paint(colour) }, "● "),
      number(end[colour]),
    );
  });
}
