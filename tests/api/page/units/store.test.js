import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { load } from "./page.js";

const store = await load("lib/store.js");
const { forgetKey, keep, key } = await load("lib/key.js");
const own = await load("lib/own_wonders.js");

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

test("new facts about a reading leave its token, and put it first", () => {
  store.remember({ id: "a", token: "t", created: "1", scores: null });
  store.remember({ id: "b", token: "u", created: "2", scores: null });
  store.remember({ id: "a", scores: { red: 3 } });
  assert.deepEqual(
    store.remembered().map(({ id }) => id),
    ["a", "b"],
  );
  assert.equal(store.tokenOf("a"), "t");
  store.forget("a");
  assert.equal(store.tokenOf("a"), null);
});

test("what is no list of readings is an empty one", () => {
  for (const text of ["{}", "[", "7"]) {
    localStorage.setItem("wondertally.readings", text);
    assert.deepEqual(store.remembered(), [], text);
  }
});

test("an event's name stays when only its token is stored again", () => {
  store.rememberEvent("e", "t", "Cup");
  store.rememberEvent("e", "u");
  const [event] = store.rememberedEvents();
  assert.equal(event.name, "Cup");
  assert.equal(store.eventToken("e"), "u");
  store.forgetEvent("e");
  assert.equal(store.eventToken("e"), null);
});

test("events of an early version are tokens alone", () => {
  localStorage.setItem("wondertally.events", '{"e":"t"}');
  assert.equal(store.eventToken("e"), "t");
});

test("a token for handing in lasts as long as the window", () => {
  store.rememberHandIn("e", "h");
  assert.equal(store.handInToken("e"), "h");
  assert.equal(localStorage.getItem("wondertally.hand-in"), null);
});

test("a key is kept for the window, on request for the device, and forgotten in both", () => {
  keep("secret", false);
  assert.equal(localStorage.getItem("wondertally.key"), null);
  keep("secret", true);
  assert.equal(localStorage.getItem("wondertally.key"), "secret");
  assert.equal(sessionStorage.getItem("wondertally.key"), null);
  forgetKey();
  assert.equal(key(), null);
});

test("wonders of this browser are files, whatever else is stored", () => {
  localStorage.setItem("wondertally.wonders", '{"WH/a":"file","WH/b":3}');
  assert.deepEqual(own.ownWonders(), { "WH/a": "file" });
  own.keepOwnWonder("WH/c", "other");
  own.forgetOwnWonder("WH/a");
  assert.deepEqual(own.ownWonders(), { "WH/c": "other" });
});
