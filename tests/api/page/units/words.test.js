import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "./page.js";

const { knows, likelihood, list, number, percent, say, sayOr, signed } = await load("lib/words.js");

test("a text of a key that nobody wrote is the key", () => {
  assert.equal(say("no-such-text"), "no-such-text");
  assert.equal(knows("no-such-text"), false);
  assert.equal(sayOr("no-such-text", "instead"), "instead");
});

test("a message with a number takes the form of its plural", () => {
  assert.notEqual(say("tiles", { n: 1 }).replace("1", ""), say("tiles", { n: 2 }).replace("2", ""));
  assert.match(say("tiles", { n: 2 }), /2/);
});

test("a share that is not exact is never 0 or 100 percent", () => {
  assert.equal(percent(0.999), say("percent-more", { n: 99 }));
  assert.equal(percent(0.001), say("percent-less", { n: 1 }));
  assert.equal(percent(1), say("percent-exactly", { n: 100 }));
  assert.equal(percent(0), say("percent-exactly", { n: 0 }));
});

test("a likelihood promises no certainty", () => {
  assert.equal(likelihood(1), percent(0.9999));
  assert.equal(likelihood(0), percent(0.0001));
});

test("changes have a sign, and a minus that is one", () => {
  assert.deepEqual([signed(3), signed(0), signed(-3)], ["+3", "+0", "−3"]);
});

test("numbers and lists are written as in the language", () => {
  assert.equal(number(12345), "12,345");
  assert.equal(list(["a", "b", "c"]), "a, b, and c");
});
