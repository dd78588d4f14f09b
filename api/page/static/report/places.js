/** Names of parts of tiles and of squares. */

import { say, sayOr } from "../lib/words.js";

const SIDES = { N: "north", E: "east", S: "south", W: "west" };

/** Name a place: `road:N` as "road to the north"; a half-edge (`field:NL`) by its corner; `field:2` by its number. */
export function placeName(place) {
  const [kind, where] = place.split(":");
  const name = sayOr(`kind-${kind}`, kind);
  if (!where) return name;
  if (/^\d+$/.test(where)) return `${name} ${where}`;
  const sides = where.length === 1 ? SIDES[where] : corner(where);
  return say("place", { what: name, where: say(`side-${sides}`) });
}

/** Name a side. */
export const sideName = (side) => say(`side-${SIDES[side] ?? side}`);

/** Name a square by row and column, counted from 1 from the top left tile. */
export const squareName = ({ board }, square) => say("square", numbered(square, originOf(board)));

/** Name a row or column of a report. */
export const lineName = ({ board }, { axis, index }) =>
  say(`line-${axis}`, { index: index - originOf(board)[axis === "row" ? "row" : "col"] + 1 });

/** Name the first and last square of a run of a row or column. */
export function runName({ board }, { axis }, { first, last }) {
  const start = originOf(board)[axis === "row" ? "col" : "row"];
  return say(`run-${axis}`, { first: first - start + 1, last: last - start + 1 });
}

/** Return the first row and column that hold a tile; a printed board has its own. */
export function originOf({ tiles = [] }) {
  const least = (axis) => (tiles.length ? Math.min(...tiles.map((tile) => tile[axis])) : 0);
  return { row: least("row"), col: least("col") };
}

/** Return the row and column among a spot's values, if it is a square, as people count them. */
export const squareNumbers = ({ board }, { row, col }) =>
  row === undefined || col === undefined ? {} : numbered([row, col], originOf(board));

const numbered = ([row, col], origin) => ({ row: row - origin.row + 1, col: col - origin.col + 1 });

/** Name the corner of a half-edge between two sides: NL is at the north-west, NR at the north-east. */
function corner([side, half]) {
  const around = "NESW";
  const other = around[(around.indexOf(side) + (half === "L" ? 3 : 1)) % 4];
  const [vertical, across] = "NS".includes(side) ? [side, other] : [other, side];
  return `${SIDES[vertical]}-${SIDES[across]}`;
}
