/** The page where the empty boards of a game are shown: begun with a photo or a file, gone on with, kept, handed on. */

import { BoardWork } from "./board_work.js";
import { ApiError, call, upload } from "./api.js";
import { button, el, icon } from "./dom.js";
import { key, withKey } from "./key.js";
import { askKey } from "./key_sheet.js";
import { openLanguages } from "./page.js";
import { confirmDelete } from "./sheet.js";
import { list, say, sayOr } from "./words.js";

const REFUSED = { local_only: "teach-local-only", key_wanted: "teach-key-wanted", wrong_key: "teach-key-wanted" };
const game = document.getElementById("main").dataset.game;
const path = `/v1/boards/${game}`;
const place = document.getElementById("boards");
const boardName = (name) => sayOr(`boards-picture-${name}`, name);

openLanguages();
guard(drawHome);

/** Does something, and says what went wrong. */
async function guard(action) {
  const problem = document.getElementById("problem");
  problem.textContent = "";
  try {
    await action();
  } catch (error) {
    problem.textContent = error.message;
    problem.scrollIntoView({ block: "center" });
  }
}

async function drawHome(...kept) {
  const state = await call("GET", path);
  document.body.classList.remove("at-work");
  place.replaceChildren(el("section", { class: "card boards-home" }, kept, state.refused ? refusal(state.refused) : offers(state)), downloads(state));
}

/** Why the server may not be shown anything, and a field for a key where that helps. */
function refusal(code) {
  const enter = button("key", say("enter-key"), () => guard(async () => (await askKey(code === "wrong_key")) && drawHome()), { class: "primary" });
  return [el("p", { class: "refused", role: "note" }, say(REFUSED[code])), code === "local_only" ? null : enter];
}

function offers({ boards }) {
  return [el("p", {}, say("boards-about")), el("ol", { class: "boards-steps" }, ["clear", "card", "photo"].map((step) => el("li", {}, say(`boards-how-${step}`)))),
    el("ul", { class: "boards-list" }, boards.map((board) => row(board, boards.length > 1))),
    el("p", { class: "quiet" }, say("boards-file-hint")),
    fileButton("share", "boards-open-file", ".zip", (file) => takeFile(file))];
}

function row({ name, kept, begun }, named) {
  const state = begun ? "begun" : kept ? "kept" : "new";
  return el("li", { "data-board": name }, el("span", { class: "what" }, named ? el("b", {}, boardName(name)) : null, el("small", {}, say(`boards-state-${state}`))),
    begun ? button("next", say("boards-go-on"), () => guard(() => work(name)), { class: "primary large" }) : null,
    fileButton("camera", begun ? "boards-another-photo" : "boards-photo", "image/*", (file) => begin(name, file), begun ? "" : "primary large"),
    begun ? button("bin", say("boards-drop"), () => confirmDelete(say("boards-drop-about"), async () => {
      await withKey(() => call("DELETE", `${path}/${name}/draft`));
      await drawHome();
    })) : null);
}

function downloads({ boards, missing }) {
  if (!boards.some(({ kept }) => kept)) return "";
  return el("section", { class: "card boards-home" }, el("h2", {}, say("boards-in-force")), el("p", {}, say("boards-read-now")),
    missing.length ? [el("p", {}, say("boards-still-missing")), el("ul", { class: "boards-missing" }, missing.map((words) => el("li", {}, words)))] : null,
    button("download", say("boards-download"), () => guard(download)));
}

function fileButton(name, words, accept, act, looks = "") {
  const input = el("input", { class: "hidden", type: "file", accept, onchange: () => {
    const [file] = input.files;
    input.value = "";
    if (file) guard(() => act(file));
  } });
  return el("label", { class: `button ${looks}` }, icon(name), el("span", {}, say(words)), input);
}

async function begin(name, file) {
  const form = new FormData();
  form.append("photo", file);
  place.replaceChildren(el("p", { role: "status", class: "card" }, say("boards-reading")));
  try {
    await withKey(() => upload(form, () => {}, `${path}/${name}/photo`));
  } catch (error) {
    await drawHome();
    throw error;
  }
  await work(name);
}

async function work(name) {
  const own = new BoardWork(`${path}/${name}`, { guard, leave: () => guard(drawHome), kept: (answer) => guard(() => drawHome(done(answer))) });
  document.body.classList.add("at-work");
  place.replaceChildren(own.element);
  await own.open();
}

const done = ({ boards }) => el("p", { class: "learnt", role: "status" }, icon("check"), el("span", {}, say("boards-kept", { boards: list(boards.map(boardName)), n: boards.length })));

/** What is sent or got that is no JSON, with the key where there is one. Throws ApiError. */
async function plain(method, address, body) {
  const answer = await fetch(address, { method, body, headers: key() ? { "X-API-Key": key() } : {} });
  if (answer.ok) return answer;
  const { error } = await answer.json();
  throw new ApiError(error.code, error.text, answer.status, error.details);
}

async function takeFile(file) {
  const answer = await withKey(() => plain("PUT", `${path}/file`, file));
  await drawHome(done(await answer.json()));
}

async function download() {
  const answer = await withKey(() => plain("GET", `${path}/file`));
  const href = URL.createObjectURL(await answer.blob());
  el("a", { href, download: `${game}.board.zip` }).click();
  URL.revokeObjectURL(href);
}
