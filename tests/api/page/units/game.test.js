import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "./page.js";

globalThis.addEventListener = () => {};
document.addEventListener = () => {};
globalThis.navigator ??= {};

const { Sender } = await load("game/sender.js");
const { cutAround } = await load("game/cut.js");
const { boardSquares, drawnTiles, pointsOver, turnsOf } = await load("game/story.js");

const SIZE = { width: 1600, height: 1200 };
/** A camera straight above: a tile is 50 pixels wide, and square 0,0 begins at 400, 300 of a photo cut at 100, 50. */
const SEEN = {
  cut: { x: 100, y: 50, width: 1000, height: 800 },
  width: 500,
  height: 400,
  view: [25, 0, 150, 0, 25, 125, 0, 0, 1],
};
const SQUARES = [
  [0, 0],
  [1, 2],
];

test("the board is cut out with room for the tiles that may have come since", () => {
  assert.deepEqual(cutAround(SIZE, SEEN, SQUARES, 0), { x: 300, y: 200, width: 350, height: 300 });
  assert.deepEqual(cutAround(SIZE, SEEN, SQUARES, 1), { x: 250, y: 150, width: 450, height: 400 });
});

test("the whole picture is sent without a board, or if the board fills it", () => {
  const whole = { x: 0, y: 0, ...SIZE };
  assert.deepEqual(cutAround(SIZE, null, SQUARES, 0), whole);
  assert.deepEqual(cutAround(SIZE, SEEN, [], 0), whole);
  assert.deepEqual(cutAround(SIZE, SEEN, SQUARES, 30), whole);
});

test("a part beyond the picture's border ends there", () => {
  assert.deepEqual(cutAround(SIZE, SEEN, SQUARES, 5), { x: 50, y: 0, width: 850, height: 750 });
});

test("the squares of a board are read from its notation", () => {
  assert.deepEqual(boardSquares("@-1,0 -2(WH/alhambra#2)1/D1.3V0?? red^0,0=cS boxes:base=1"), [
    [-1, 2],
    [0, 0],
    [0, 4],
    [0, 5],
  ]);
  assert.equal(drawnTiles("D1(WH/alhambra#0)1??"), 2);
  assert.deepEqual(boardSquares("-"), []);
});

const move = (player, scores, pieces = [], back = []) => ({
  player,
  tiles: [{ row: 1, col: 2 }],
  pieces,
  back,
  scores: scores.map(([who, points]) => ({ player: who, points })),
  text: "lays",
});
const PIECE = { colour: "red", kind: "meeple", tile: [1, 2], on: "city:N" };
const MOVES = {
  log: [
    { kind: "move", stretch: 0, move: 0, text: "lays" },
    { kind: "points", stretch: 0, move: 0, text: "finishes" },
  ],
  stretches: [
    {
      photos: [0, 1],
      moves: [{ ...move("red", [["red", 4]], [PIECE], [PIECE]), assumed: true }, move("blue", [["red", 2]])],
      settled: false,
    },
    { photos: [1, 3], moves: [move("red", [], [PIECE], [PIECE])], settled: true },
  ],
};

test("turns are numbered over all photos, with the photo that shows each first", () => {
  const turns = turnsOf(MOVES);
  assert.deepEqual(
    turns.map(({ number, before, photo, onTurn, isAssumed, isOpen, lines }) => [
      number,
      before,
      photo,
      onTurn,
      isAssumed,
      isOpen,
      ...lines,
    ]),
    [
      [1, 0, 1, "red", true, true, "finishes"],
      [2, 0, 1, "red", false, true, "lays"],
      [3, 1, 3, "red", false, false, "lays"],
    ],
  );
});

test("points follow the turns, and at each photo its score, which a person may have typed", () => {
  const score = (photo, red, blue) => ({ photo, points: null, likeliest: { red, blue } });
  const turns = turnsOf(MOVES);
  assert.deepEqual(
    pointsOver([score(0, 1, 0), score(1, 9, 2), score(2, 9, 2), score(3, 9, 2), score(4, 9, 5)], turns),
    [
      { red: 1, blue: 0 },
      { red: 5, blue: 0 },
      { red: 9, blue: 2 },
      { red: 9, blue: 5 },
    ],
  );
});

/** Send one photo, which is refused first; returns the sender once it waits or has ended. */
async function refused(code, status) {
  const answers = [Object.assign(new Error(code), { code, status })];
  const sender = new Sender(`game of ${code}`, async () => {
    if (answers.length) throw answers.pop();
  });
  const ended = sender.add({ id: code, game: sender.game, taken: 0 });
  while (!sender.error) await new Promise((resolve) => setTimeout(resolve));
  return { sender, ended };
}

test("a photo stays until the server has it, whatever passes", async () => {
  for (const [code, status] of [
    ["offline", 0],
    ["storage_full", 503],
    ["models_missing", 503],
    ["internal_error", 500],
    ["too_many_requests", 429],
    ["upload_too_slow", 408],
    ["bad_field", 422],
    ["conflict", 409],
    ["key_wanted", 401],
    ["not_yours", 403],
    ["not_found", 404],
  ]) {
    const { sender, ended } = await refused(code, status);
    assert.equal(sender.waiting, 1, code);
    sender.run(); // as when the page is looked at again
    await ended;
    assert.deepEqual([sender.waiting, sender.error], [0, null], code);
  }
});

test("a photo that the server never takes is dropped, and says so", async () => {
  const { sender, ended } = await refused("not_an_image", 415);
  await ended;
  assert.deepEqual([sender.waiting, sender.error?.code], [0, "not_an_image"]);
});
