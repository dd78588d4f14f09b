import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "./page.js";

const { cutSides } = await load("report/retake.js");
const WIDTH = 100;
const HEIGHT = 80;

/** A board of tiles of 10 px, its first at (left, top) px, that the photo shows too little of at `cut` tiles. */
function view(squares, cut, [left, top]) {
  const tiles = squares.map(([row, col]) => ({ row, col }));
  const problems = cut.length ? [{ code: "beyond_the_picture", tiles: cut }] : [];
  const quad = ([row, col]) =>
    [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ].map(([x, y]) => [left + 10 * (col + x), top + 10 * (row + y)]);
  const tile = ([row, col]) => tiles.find((each) => each.row === row && each.col === col);
  return { report: { board: { tiles, problems }, photo: { width: WIDTH, height: HEIGHT } }, squares: { tile, quad } };
}

const ROW = [
  [0, 0],
  [0, 1],
];

test("a board whose photo shows all of it has no side to show", () => {
  assert.deepEqual(cutSides(view(ROW, [], [40, 40])), []);
});

test("a tile beside the border lies at the sides that its free squares leave by", () => {
  assert.deepEqual(cutSides(view(ROW, [[0, 0]], [2, 40])), ["left"]);
  assert.deepEqual(cutSides(view(ROW, [[0, 0]], [2, 3])), ["left", "top"]);
});

test("a tile too far away to see past it lies at the nearest side, though the picture does not cut it", () => {
  assert.deepEqual(cutSides(view(ROW, [[0, 1]], [40, 15])), ["top"]);
});
