import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "./page.js";

const { WIDTH, Watcher } = await load("game/watcher.js");

const HEIGHT = 120;
const STEP = 150;

/** A stream of numbers from 0 to 1, the same in each run. */
function dice(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A table with a board: a picture by its brightness at x, y. */
const SPOTS = Array.from({ length: WIDTH * HEIGHT }, dice(3));
const table = (x, y) => {
  const isBoard = x > 40 && x < 110 && y > 30 && y < 90;
  return isBoard ? 70 + 110 * SPOTS[Math.floor(y / 3) * WIDTH + Math.floor(x / 3)] : 120;
};

/** The same picture with something on it. */
const within = (x, y, [left, top, right, bottom]) => x >= left && x < right && y >= top && y < bottom;
const put = (picture, box, value) => (x, y) => (within(x, y, box) ? value : picture(x, y));
const TILE = [110, 50, 118, 58];
const MEEPLE = [60, 50, 63, 53];
const arm = (picture, reach) => put(picture, [WIDTH - reach, 48, WIDTH, 66], 200);

/** A camera over a table: shows pictures for some time, and lists when and why photos were taken. */
class Film {
  #noise = dice(7);

  constructor() {
    this.watcher = new Watcher(HEIGHT);
    this.at = 0;
    this.taken = [];
    this.states = new Set();
  }

  show(picture, duration = 1500, light = () => 1) {
    this.states.clear();
    for (const end = this.at + duration; this.at < end; this.at += STEP) {
      const gain = light(this.at);
      const grey = Float32Array.from({ length: WIDTH * HEIGHT }, (_, at) => {
        const noise = 4 * (this.#noise() - 0.5);
        return Math.max(0, Math.min(255, gain * picture(at % WIDTH, Math.floor(at / WIDTH)) + noise));
      });
      const { state, take, nudged } = this.watcher.see(grey, this.at);
      this.states.add(state);
      if (take) this.taken.push({ at: this.at, nudged });
    }
    return this.taken.splice(0);
  }

  /** A hand comes, and what it leaves is another picture. */
  change(before, after) {
    for (const [picture, reach] of [
      [before, 20],
      [before, 60],
      [after, 60],
      [after, 20],
    ])
      this.show(arm(picture, reach), STEP);
    assert.deepEqual(this.taken, []);
  }
}

const begun = () => {
  const film = new Film();
  assert.equal(film.show(table).length, 1);
  return film;
};

test("the first quiet picture is taken, and no other while nothing happens", () => {
  assert.deepEqual(begun().show(table, 6_000), []);
});

test("one photo follows each tile and each meeple, none a hand", () => {
  const film = begun();
  const [laid, set] = [put(table, TILE, 60), put(put(table, TILE, 60), MEEPLE, 40)];
  for (const [before, after] of [
    [table, laid],
    [laid, set],
    [set, laid],
  ]) {
    film.change(before, after);
    assert.deepEqual(
      film.show(after).map(({ nudged }) => nudged),
      [false],
    );
  }
});

test("a hand that changes nothing leaves no photo", () => {
  const film = begun();
  film.change(table, table);
  assert.deepEqual(film.show(table), []);
});

test("a hand that rests over the table is waited for, a thing that lies there is not", () => {
  const film = begun();
  film.show(arm(table, 60), STEP);
  assert.deepEqual(film.show(arm(table, 70), 4000), []);
  assert.ok(film.states.has("reached"));
  assert.equal(film.show(put(table, TILE, 60)).length, 1);
  assert.equal(film.show(arm(put(table, TILE, 60), 30), 8000).length, 1);
});

test("a thing put down at the border hides one short turn, a hand that comes back every one", () => {
  const film = begun();
  const [cup, laid] = [put(table, [0, 90, 16, 120], 30), put(put(table, [0, 90, 16, 120], 30), TILE, 60)];
  film.change(table, cup);
  assert.deepEqual(film.show(cup, 3000), []);
  film.change(cup, laid);
  assert.equal(film.show(laid, 3000).length, 1);
  for (const reach of [60, 64, 60, 57]) {
    assert.deepEqual(film.show(arm(laid, reach), 3000), []);
    film.show(arm(laid, reach + 12), STEP);
  }
});

test("an arm over most of a small board is no nudge", () => {
  const film = begun();
  const covered = put(table, [30, 20, WIDTH, 80], 200);
  film.show(covered, STEP);
  assert.deepEqual(film.show(covered, 4000), []);
});

test("neither slow nor sudden changes of light are motion", () => {
  const film = begun();
  assert.deepEqual(
    film.show(table, 12_000, (at) => 1 - 0.25 * Math.sin(at / 2000)),
    [],
  );
  assert.deepEqual(
    film.show(table, 3000, () => 0.7),
    [],
  );
});

test("a lamp that flickers in one corner does not blind it for ever", () => {
  const film = begun();
  const lamp = (x, y) =>
    within(x, y, [0, 0, 12, 12]) ? table(x, y) * (Math.floor(film.at / STEP) % 2 ? 1 : 1.2) : table(x, y);
  film.show(lamp, 24_000);
  film.change(lamp, put(lamp, TILE, 60));
  assert.equal(film.show(put(lamp, TILE, 60)).length, 1);
});

test("a nudge is told from a move", () => {
  const film = begun();
  const moved = (x, y) => table(x + 3, y + 2);
  assert.deepEqual(
    film.show(moved).map(({ nudged }) => nudged),
    [true],
  );
  film.change(moved, put(moved, TILE, 60));
  assert.deepEqual(
    film.show(put(moved, TILE, 60)).map(({ nudged }) => nudged),
    [false],
  );
});

test("after a sleep it looks again, and takes what has changed", () => {
  const film = begun();
  film.at += 60_000;
  assert.deepEqual(film.show(table), []);
  film.at += 60_000;
  assert.equal(film.show(put(table, TILE, 60)).length, 1);
});

test("a photo can be asked for", () => {
  const film = begun();
  film.watcher.renew();
  assert.equal(film.show(table).length, 1);
});
