import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "./page.js";

const { apart, box, distance, grown, inside, median, path, projection } = await load("lib/geometry.js");
const SQUARE = [
  [0, 0],
  [10, 0],
  [10, 10],
  [0, 10],
];
const SEEN_OBLIQUELY = [
  [2, 1],
  [9, 2],
  [12, 11],
  [1, 8],
];

test("a projection maps the corners of the unit square to those of the quad", () => {
  const at = projection(SEEN_OBLIQUELY);
  for (const [index, [x, y]] of [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ].entries()) {
    const [px, py] = at(x, y);
    assert.ok(Math.hypot(px - SEEN_OBLIQUELY[index][0], py - SEEN_OBLIQUELY[index][1]) < 1e-9);
  }
});

test("a projection keeps straight lines straight", () => {
  const at = projection(SEEN_OBLIQUELY);
  const [[ax, ay], [bx, by], [cx, cy]] = [at(0, 0), at(0.3, 0.3), at(1, 1)];
  assert.ok(Math.abs((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)) < 1e-9);
});

test("growing a square moves each side by the share", () => {
  assert.deepEqual(grown(SQUARE, 0.1), [
    [-1, -1],
    [11, -1],
    [11, 11],
    [-1, 11],
  ]);
});

test("a point in a hole is outside", () => {
  const hole = [
    [4, 4],
    [6, 4],
    [6, 6],
    [4, 6],
  ];
  assert.equal(inside([SQUARE, hole], [2, 2]), true);
  assert.equal(inside([SQUARE, hole], [5, 5]), false);
  assert.equal(inside([SQUARE], [11, 5]), false);
});

test("the distance is that of the nearest line, beyond its ends that of the end", () => {
  assert.equal(distance([SQUARE], [5, 2]), 2);
  assert.equal(distance([SQUARE], [13, 14]), 5);
});

test("boxes, paths, medians and distances of points", () => {
  assert.deepEqual(box(SEEN_OBLIQUELY), { x: 1, y: 1, width: 11, height: 10 });
  assert.equal(path([SQUARE]), "M0 0L10 0L10 10L0 10Z");
  assert.equal(median([9, 1, 5]), 5);
  assert.equal(apart([0, 0], [3, 4]), 5);
});
