/** What parts of tiles and squares are called in words. */

import { say, sayOr } from "./words.js";

const SIDES = { N: "north", E: "east", S: "south", W: "west" };

/** `road:N` as "road to the north"; a half-edge (`field:NL`) by its corner; `field:2` by its number. */
export function placeName(place) {
  const [kind, where] = place.split(":");
  const name = sayOr(`kind-${kind}`, kind);
  if (!where) return name;
  if (/^\d+$/.test(where)) return `${name} ${where}`;
  const sides = where.length === 1 ? SIDES[where] : corner(where);
  return say("place", { what: name, where: say(`side-${sides}`) });
}

/** A side in words. */
export const sideName = (side) => say(`side-${SIDES[side] ?? side}`);

/** A square in words. */
export const squareName = ([row, col]) => say("square", { row, col });

/** A half-edge lies by the corner between two sides: NL by the north-west, NR by the north-east. */
function corner([side, half]) {
  const around = "NESW";
  const other = around[(around.indexOf(side) + (half === "L" ? 3 : 1)) % 4];
  const [vertical, across] = "NS".includes(side) ? [side, other] : [other, side];
  return `${SIDES[vertical]}-${SIDES[across]}`;
}
