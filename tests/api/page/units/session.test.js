import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { load } from "./page.js";

const { Session } = await load("report/session.js");
const { ApiError, errorWords } = await load("lib/api.js");
const { say } = await load("lib/words.js");

let requests;
const answers = new Map();
globalThis.fetch = async (path, { method = "GET", body } = {}) => {
  requests.push({ method, path, body: body && JSON.parse(body) });
  const queue = answers.get(`${method} ${path}`);
  const { status = 200, json } = queue.length > 1 ? queue.shift() : queue[0];
  return new Response(JSON.stringify(json), { status });
};

const PATH = "/v1/readings/abc";
const REPORT = { names: {}, board: { tiles: [] }, scores: { total: { red: 9 }, final_scoring: { red: 9 } } };
const reading = (version, more = {}) => ({
  status: "done",
  version,
  created: "2026-01-01",
  report: REPORT,
  photos: [],
  ...more,
});

beforeEach(() => {
  requests = [];
  answers.clear();
  localStorage.clear();
});

async function opened(version = 1) {
  answers.set(`GET ${PATH}`, [{ json: reading(version) }]);
  const session = new Session("abc", "token");
  await session.follow(() => {});
  return session;
}

test("a reading is followed until it is done", async () => {
  answers.set(`GET ${PATH}`, [{ json: { status: "reading" } }, { json: reading(1) }]);
  const seen = [];
  await new Session("abc", "token").follow(({ status }) => seen.push(status));
  assert.deepEqual(seen, ["reading", "done"]);
});

test("a change names the version that it was made on", async () => {
  const session = await opened(4);
  answers.set(`PATCH ${PATH}`, [{ json: reading(5) }]);
  let changed = 0;
  session.addEventListener("change", () => changed++);
  await session.correct({ kind: "no_tile", row: 0, col: 1 });
  const { body } = requests.at(-1);
  assert.deepEqual(body, { corrections: [{ kind: "no_tile", row: 0, col: 1 }], version: 4 });
  assert.deepEqual([session.reading.version, changed], [5, 1]);
});

test("a change that came too late loads the state of others, and says who made it", async () => {
  const session = await opened(1);
  answers.set(`PATCH ${PATH}`, [{ status: 409, json: { error: { code: "conflict", text: "Too late." } } }]);
  answers.set(`GET ${PATH}`, [{ json: reading(2) }]);
  const act = { what: "corrected", who: "Ana", corrections: [{ kind: "tile", row: 0, col: 0 }] };
  answers.set(`GET ${PATH}/history`, [{ json: { changes: [act] } }]);
  await assert.rejects(
    session.change({ undo: true }),
    (error) => error instanceof ApiError && /Ana/.test(error.message),
  );
  assert.equal(session.reading.version, 2);
});

test("an explanation is fetched once for each version", async () => {
  const session = await opened();
  const path = `${PATH}/explanation?feature=city%201`;
  answers.set(`GET ${path}`, [{ json: { features: [{ id: "city 1" }] } }]);
  await session.feature("city 1");
  await session.feature("city 1");
  assert.equal(requests.filter((own) => own.path === path).length, 1);
});

test("a server that cannot be reached is an error with a code", async () => {
  answers.set(`GET ${PATH}`, []);
  await assert.rejects(
    new Session("abc", "token").follow(() => {}),
    { code: "offline" },
  );
});

test("an error names its place in a file", () => {
  const error = { code: "no-such-code", text: "Wrong.", details: { line: 3, column: 4 } };
  assert.equal(errorWords(error), "Wrong.");
  assert.equal(
    errorWords(error, "error-offline"),
    say("error-where", { error: say("error-offline"), place: say("place-line", { line: 3, column: 4 }) }),
  );
});
