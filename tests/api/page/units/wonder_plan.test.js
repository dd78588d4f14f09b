import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "./page.js";

const { WonderPlan } = await load("wonders/wonder_plan.js");
const { squaresOn } = await load("wonders/wonder_place.js");

/** A wonder of three squares in a row: a city on the first, a road through the second to the wonder on the third. */
const PLAN = {
  id: "WH/x",
  squares: [
    [0, 0],
    [0, 1],
    [0, 2],
  ],
  wonder: [[0, 2]],
  monastery: null,
  cities: [{ edges: ["0,0 N"], squares: [], coats: 1, walled: false }],
  roads: [{ edges: ["0,1 N"], squares: [], into: ["wonder"], closed: false }],
  inferred: [],
};
const edge = (square, side) => ({ square, side });

test("the edges are those without a square beside them", () => {
  const plan = new WonderPlan(PLAN);
  assert.equal(plan.edges.length, 8);
  assert.deepEqual(
    plan.edges.filter(({ square }) => square === 1).map(({ side }) => side),
    ["N", "S"],
  );
});

test("what is read is written in the same form", () => {
  assert.deepEqual(new WonderPlan(PLAN).entry(), PLAN);
});

test("an edge turns from field to road to city to field", () => {
  const plan = new WonderPlan(PLAN);
  assert.deepEqual(
    [1, 2, 3].map(() => plan.turn(edge(2, "E"))),
    ["road", "city", "field"],
  );
  assert.deepEqual(plan.entry(), PLAN);
});

test("joined ends are one feature with the squares between them, and undo parts them", () => {
  const plan = new WonderPlan(PLAN);
  plan.turn(edge(2, "S"));
  plan.turn(edge(2, "S"));
  assert.equal(plan.join(edge(0, "N"), edge(2, "S")), "joined");
  assert.deepEqual([...plan.feature(edge(0, "N")).squares].sort(), [0, 1, 2]);
  assert.equal(plan.join(edge(0, "N"), edge(1, "N")), null);
  plan.undo();
  assert.equal(plan.features.length, 3);
  plan.redo();
  assert.equal(plan.features.length, 2);
});

test("the squares of ends are fixed, others are covered and uncovered", () => {
  const plan = new WonderPlan(PLAN);
  const city = plan.feature(edge(0, "N"));
  assert.equal(plan.cover(city, 0), false);
  assert.equal(plan.cover(city, 1), true);
  assert.deepEqual(plan.entry().cities[0].squares, [[0, 1]]);
});

test("the wonder stands on one square at least, its marker on the first", () => {
  const plan = new WonderPlan(PLAN);
  assert.equal(plan.stand(2), false);
  plan.stand(1);
  plan.mark(1);
  assert.deepEqual(plan.entry().wonder, [
    [0, 1],
    [0, 2],
  ]);
});

test("without a monastery no road leads into one", () => {
  const plan = new WonderPlan(PLAN);
  plan.build(0);
  const road = plan.feature(edge(1, "N"));
  plan.set(road, "into", new Set(["wonder", "monastery"]));
  plan.build(null);
  assert.deepEqual(plan.entry().roads[0].into, ["wonder"]);
});

test("a wonder that is turned covers the squares beside its first one", () => {
  assert.deepEqual(squaresOn(PLAN, [5, 5], 0), [
    [5, 5],
    [5, 6],
    [5, 7],
  ]);
  assert.deepEqual(
    squaresOn(PLAN, [5, 5], 1).map((own) => own.map((at) => at + 0)),
    [
      [5, 5],
      [6, 5],
      [7, 5],
    ],
  );
});
