import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { load } from "./page.js";

const { KEY, ScorePad } = await load("report/score_pad.js");

beforeEach(() => localStorage.clear());

test("points stay on the track, and a step that changes nothing is none", () => {
  const pad = new ScorePad();
  pad.toggle("red");
  assert.equal(pad.add("red", -3), false);
  assert.equal(pad.add("red", 12000), true);
  assert.equal(pad.points("red"), 9999);
  assert.equal(pad.add("red", 1), false);
});

test("undo takes back the last step of a colour that plays", () => {
  const pad = new ScorePad();
  for (const colour of ["red", "blue"]) pad.toggle(colour);
  pad.add("red", 5);
  pad.add("blue", 3);
  pad.toggle("blue");
  assert.deepEqual(pad.undo(), { colour: "red", by: 5 });
  assert.equal(pad.points("blue"), 3);
  assert.equal(pad.undo(), null);
});

test("a colour that returns has its name and points again", () => {
  const pad = new ScorePad();
  pad.toggle("red");
  pad.name("red", "Ana");
  pad.add("red", 4);
  pad.toggle("red");
  pad.toggle("red");
  assert.deepEqual(pad.players, [{ colour: "red", name: "Ana" }]);
  assert.equal(pad.points("red"), 4);
});

test("two pads of one browser keep one game", () => {
  const [one, other] = [new ScorePad(), new ScorePad()];
  one.toggle("red");
  other.add("red", 2);
  one.add("red", 3);
  assert.equal(one.points("red"), 5);
});

test("what is no game is none", () => {
  for (const text of [
    "{",
    '{"players":1}',
    '{"players":[{}],"steps":[]}',
    '{"players":[],"steps":[{"colour":"red","by":0.5}]}',
  ]) {
    localStorage.setItem(KEY, text);
    assert.deepEqual(new ScorePad().players, [], text);
  }
});

test("a game that cannot be kept lasts as long as the page", () => {
  const pad = new ScorePad();
  localStorage.isFull = true;
  pad.toggle("red");
  pad.add("red", 7);
  assert.equal(pad.points("red"), 7);
  assert.equal(pad.isAlone, true);
});
