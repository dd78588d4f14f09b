import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "./page.js";

const { fragmentOf, sharedBoard } = await load("report/fragment.js");
const { named, startsAnew } = await load("lib/send.js");
const report = {
  board: { notation: "D0V0/-U1 red^1,1=rN", tiles: [1, 2, 3], meeples: [], problems: [] },
  names: { red: "Ána" },
  scores: { on_track: { red: 12, blue: null } },
  rules: { edition: "c2", tiles_in_play: 3, players: ["red"] },
};

test("a shared board is read as it was written, without what is not known", async () => {
  const shared = await sharedBoard(await fragmentOf(report));
  assert.deepEqual(shared, { notation: report.board.notation, names: { red: "Ána" }, track: { red: 12 }, rules: "c2" });
});

test("a fragment needs no escapes in an address", async () => {
  assert.match(await fragmentOf(report), /^1\.[\w-]+$/);
});

test("facts that differ from the board are shared", async () => {
  const rules = { ...report.rules, tiles_in_play: 72, player_count: 4, goods: { wine: { red: 1 } } };
  const shared = await sharedBoard(await fragmentOf({ ...report, rules }));
  assert.deepEqual([shared.tiles_in_play, shared.player_count, shared.goods], [72, 4, { wine: { red: 1 } }]);
});

test("what is no shared board is none", async () => {
  for (const text of ["", "1.", "2.abc", "1.%%%", "1.AAAA"]) assert.equal(await sharedBoard(text), null, text);
});

test("a name is sent once, for the first of its colours", () => {
  assert.deepEqual(named({ red: "Ana", blue: "Bo", green: "Ana" }), ["red=Ana", "blue=Bo"]);
});

test("only corrections of the board are lost by a further photo", () => {
  const after = (...kinds) => startsAnew({ reading: { corrections: kinds.map((kind) => ({ kind })) } });
  assert.deepEqual([after(), after("player", "track", "goods"), after("track", "meeple")], [false, false, true]);
});
