import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "./page.js";

const { lineName, originOf, placeName, runName, sideName, squareName, squareNumbers, valueNumbers } =
  await load("report/places.js");
const { say } = await load("lib/words.js");
const tile = (row, col) => ({ row, col });
const report = { board: { tiles: [tile(-2, 3), tile(-1, 1)] } };

test("the origin is the first row and column that hold a tile, whichever tiles these are", () => {
  assert.deepEqual(originOf(report.board), { row: -2, col: 1 });
  assert.deepEqual(originOf({ tiles: [] }), { row: 0, col: 0 });
});

test("a printed board counts its squares itself", () => {
  const printed = { board: { spots: [] } };
  assert.deepEqual(valueNumbers(printed, { row: 2, col: 4 }), { row: 3, col: 5 });
  assert.deepEqual(valueNumbers(printed, { player: "red" }), {});
});

test("squares, lines and runs are counted from one at the first tile", () => {
  assert.deepEqual(squareNumbers(report, [-1, 3]), { row: 2, col: 3 });
  assert.equal(squareName(report, [-1, 3]), say("square", { row: 2, col: 3 }));
  assert.equal(lineName(report, { axis: "row", index: -1 }), say("line-row", { index: 2 }));
  assert.equal(lineName(report, { axis: "column", index: 3 }), say("line-column", { index: 3 }));
  assert.equal(runName(report, { axis: "row" }, { first: 1, last: 3 }), say("run-row", { first: 1, last: 3 }));
  assert.equal(runName(report, { axis: "column" }, { first: -2, last: -1 }), say("run-column", { first: 1, last: 2 }));
});

test("a half-edge is named by the corner that it lies at", () => {
  const corner = (side) => say("place", { what: say("kind-field"), where: say(`side-${side}`) });
  assert.equal(placeName("field:NL"), corner("north-west"));
  assert.equal(placeName("field:NR"), corner("north-east"));
  assert.equal(placeName("field:EL"), corner("north-east"));
  assert.equal(placeName("field:WR"), corner("north-west"));
});

test("a place without a side, with a number, or with a side", () => {
  assert.equal(placeName("monastery"), say("kind-monastery"));
  assert.equal(placeName("field:2"), `${say("kind-field")} 2`);
  assert.equal(placeName("road:S"), say("place", { what: say("kind-road"), where: sideName("S") }));
});
