import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "./page.js";

const { candidates, drawing, edge, fits, wanted } = await load("lib/catalogue.js");
const { Squares } = await load("tiles/squares.js");

const tile = (id, [N, E, S, W], more = {}) => ({
  id,
  edges: { N, E, S, W },
  symmetry: 4,
  box: "base",
  count: 1,
  ...more,
});
const TILES = [
  tile("straight", ["field", "road", "field", "road"], { symmetry: 2, count: 8 }),
  tile("cap", ["city", "field", "field", "field"], { count: 5 }),
  tile("strange", ["road", "field", "field", "field"], { box: "inns", count: 9 }),
];
const laid = (row, col, id, turns, more = {}) => ({ row, col, tile: id, turns, alternatives: [], ...more });
const squaresOf = (...tiles) => new Squares({ board: { tiles, meeples: [] }, features: [] });

test("an edge turns clockwise with its tile", () => {
  assert.deepEqual(
    [..."NESW"].map((side) => edge(TILES[1], 1, side)),
    ["field", "city", "field", "field"],
  );
});

test("a square takes the edges that its neighbours show it", () => {
  const squares = squaresOf(laid(0, 0, "straight", 0), laid(1, 1, "cap", 0));
  assert.deepEqual(wanted(TILES, squares, [0, 1]), { W: "road", S: "city" });
});

test("every candidate fits, those of the reading first, then common before rare", () => {
  const squares = squaresOf(laid(0, 0, "straight", 0));
  const found = candidates(TILES, squares, [0, 1]);
  assert.deepEqual(
    found.map(({ tile: { id }, turns }) => [id, turns]),
    [
      ["straight", 0],
      ["strange", 3],
    ],
  );
  for (const { tile: own, turns } of found) assert.ok(fits(own, turns, { W: "road" }));
  const read = squaresOf(
    laid(0, 0, "straight", 0),
    laid(0, 1, null, 0, { alternatives: [{ tile: "strange", turns: 3, probability: 0.4 }] }),
  );
  assert.equal(candidates(TILES, read, [0, 1])[0].tile.id, "strange");
});

test("the address of a drawing has a square only for a wonder", () => {
  assert.equal(drawing("WH/a b", 1), "/v1/tiles/drawing.svg?tile=WH%2Fa%20b&turns=1");
  assert.match(drawing("x", 0, 0), /&square=0$/);
});

test("a drawn board has the same margin on all sides", () => {
  const corners_px = [
    [60, 60],
    [180, 60],
    [180, 180],
    [60, 180],
  ];
  const squares = squaresOf(laid(-3, 2, "cap", 0, { corners_px }), laid(-3, 3, "cap", 0));
  assert.deepEqual(squares.size, { width: 360, height: 240 });
  assert.deepEqual(squares.at([240, 120]), [-3, 3]);
  assert.equal(squares.at([2000, 2000]), null);
});

test("a square that no photo shows is extrapolated from the nearest one", () => {
  const corners_px = [
    [100, 100],
    [200, 100],
    [200, 200],
    [100, 200],
  ];
  const squares = squaresOf(laid(0, 0, "cap", 0, { corners_px }), laid(0, 1, "cap", 0));
  assert.deepEqual(squares.quad([0, 1]), [
    [200, 100],
    [300, 100],
    [300, 200],
    [200, 200],
  ]);
  assert.deepEqual(squaresOf(laid(0, 0, "cap", 1, { corners_px })).quad([0, 0])[1], corners_px[0]);
});
