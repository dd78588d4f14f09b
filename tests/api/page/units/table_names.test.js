import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { load } from "./page.js";

const { groupedByName, matcher, PATTERN } = await load("event/table_names.js");
const cases = JSON.parse(readFileSync(new URL("../../batch/patterns.json", import.meta.url), "utf-8"));

test("a pattern takes what it takes in a batch", () => {
  for (const [pattern, file, [event, round, table]] of cases)
    assert.deepEqual(matcher(pattern)(file), { event, round, table }, `${pattern} ${file}`);
  for (const pattern of ["{event}", "{table}{table}", "{table}-{seat}", "plain"]) assert.equal(matcher(pattern), null);
});

test("photos whose names fit no table are tables of their own, under names that are free", () => {
  const files = ["r1-t2-a.jpg", "one.jpg", "r1-t2-b.jpg", "two.jpg"].map((name) => ({ name }));
  const groups = groupedByName(files, PATTERN, "1", (n) => String(n + 1));
  assert.deepEqual(
    groups.map(({ round, table, photos }) => [round, table, photos.map(({ name }) => name)]),
    [
      ["1", "2", ["r1-t2-a.jpg", "r1-t2-b.jpg"]],
      ["1", "1", ["one.jpg"]],
      ["1", "3", ["two.jpg"]],
    ],
  );
});
