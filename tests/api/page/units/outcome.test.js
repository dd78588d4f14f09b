import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "./page.js";

const { hasSpots, isTrackOpen, isWhole, leaders, pointsOf, shareOf } = await load("report/outcome.js");

function reportOf(total, { problems = [], doubtful = false, confidence = null } = {}) {
  return {
    board: { tiles: [], meeples: [], problems },
    doubtful,
    scores: { total, final_scoring: { red: 7, blue: 7 }, confidence },
  };
}

test("points are totals only if all of them are known", () => {
  const part = reportOf({ red: 30, blue: null });
  assert.equal(isWhole(part), false);
  assert.deepEqual(pointsOf(part), { red: 7, blue: 7 });
  assert.deepEqual(pointsOf(reportOf({ red: 30, blue: 20 })), { red: 30, blue: 20 });
});

test("nobody leads while points are missing, and all with the most points do", () => {
  assert.deepEqual(leaders(reportOf({ red: 30, blue: null })), []);
  assert.deepEqual(leaders(reportOf({ red: 30, blue: 30, grey: 1 })), ["red", "blue"]);
});

test("nobody leads on a board that contradicts the rules or is cut off", () => {
  for (const code of ["too_many_meeples", "beyond_the_picture", "track_not_sure"])
    assert.deepEqual(leaders(reportOf({ red: 3, blue: 1 }, { problems: [{ code }] })), [], code);
  assert.equal(isTrackOpen(reportOf({ red: 3 }, { problems: [{ code: "track_stranger" }] })), true);
});

test("a share that would look like certainty is not shown", () => {
  assert.equal(shareOf(reportOf({ red: 3 }, { doubtful: true, confidence: 0.8 })), 0.8);
  assert.equal(shareOf(reportOf({ red: 3 }, { doubtful: true, confidence: 0.97 })), null);
  assert.equal(shareOf(reportOf({ red: 3 }, { doubtful: false, confidence: 0.8 })), null);
});

test("a printed board has spots", () => {
  assert.equal(hasSpots(reportOf({})), false);
  assert.equal(hasSpots({ board: { spots: [], problems: [] } }), true);
});
