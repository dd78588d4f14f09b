// @ts-check
/** Names of parts of tiles and of squares. */

import { say, sayOr } from "../lib/words.js";

/** @type {{ [name: string]: string }} */
const SIDES = { N: "north", E: "east", S: "south", W: "west" };

/**
 * Name a place: `road:N` as "road to the north"; a half-edge (`field:NL`) by its corner; `field:2` by its number.
 *
 * @param {string} place
 */
export function placeName(place) {
  const [kind, where] = place.split(":");
  const name = sayOr(`kind-${kind}`, kind);
  if (!where) return name;
  if (/^\d+$/.test(where)) return `${name} ${where}`;
  const sides = where.length === 1 ? SIDES[where] : corner(where);
  return say("place", { what: name, where: say(`side-${sides}`) });
}

/**
 * Name a side.
 *
 * @param {string} side
 */
export const sideName = (side) => say(`side-${SIDES[side] ?? side}`);

/**
 * Name a square by row and column, counted from 1 from the top left tile.
 *
 * @param {{ board: AnyBoard }} given
 * @param {Square} square
 */
export const squareName = (given, square) => say("square", squareNumbers(given, square));

/**
 * Return the row and column of a square as people count them.
 *
 * @param {{ board: AnyBoard }} given
 * @param {Square} square
 */
export const squareNumbers = ({ board }, [row, col]) => {
  const origin = originOf(board);
  return { row: row - origin.row + 1, col: col - origin.col + 1 };
};

/**
 * Name a row or column of a report.
 *
 * @param {{ board: AnyBoard }} given
 * @param {{ axis: string, index: number }} otherGiven
 */
export const lineName = ({ board }, { axis, index }) =>
  say(`line-${axis}`, { index: index - originOf(board)[axis === "row" ? "row" : "col"] + 1 });

/**
 * Name the first and last square of a run of a row or column.
 *
 * @param {{ board: AnyBoard }} given
 * @param {Api.Line} line
 * @param {Api.Run} run
 */
export function runName({ board }, { axis }, { first, last }) {
  const start = originOf(board)[axis === "row" ? "col" : "row"];
  return say(`run-${axis}`, { first: first - start + 1, last: last - start + 1 });
}

/**
 * Return the first row and column that hold a tile; a printed board has its own.
 *
 * @param {AnyBoard} board
 */
export function originOf(board) {
  const tiles = "tiles" in board ? board.tiles : [];
  /** @param {"row" | "col"} axis */
  const least = (axis) => (tiles.length ? Math.min(...tiles.map((tile) => tile[axis])) : 0);
  return { row: least("row"), col: least("col") };
}

/**
 * Return the row and column among a spot's values, if it is a square, as people count them.
 *
 * @param {{ board: AnyBoard }} given
 * @param {{ [name: string]: string | number | undefined }} values
 */
export const valueNumbers = (given, { row, col }) =>
  row === undefined || col === undefined ? {} : squareNumbers(given, [Number(row), Number(col)]);

/**
 * Name the corner of a half-edge between two sides: NL is at the north-west, NR at the north-east.
 *
 * @param {string} given
 */
function corner([side, half]) {
  const around = "NESW";
  const other = around[(around.indexOf(side) + (half === "L" ? 3 : 1)) % 4];
  const [vertical, across] = "NS".includes(side) ? [side, other] : [other, side];
  return `${SIDES[vertical]}-${SIDES[across]}`;
}
