// @ts-nocheck
/** The page for enrolling a game's empty boards: start with a photo or a file, continue, save, share. */

import { BoardWork } from "../boards/board_work.js";
import { ApiError, call, upload } from "../lib/api.js";
import { colourName } from "../lib/colours.js";
import { button, el, icon } from "../lib/dom.js";
import { key, withKey } from "../lib/key.js";
import { askKey } from "../lib/key_sheet.js";
import { openLanguages } from "../lib/page.js";
import { choices, confirmDelete } from "../lib/sheet.js";
import { list, say, sayOr } from "../lib/words.js";

/** @type {{ [name: string]: string }} */
const REFUSED = { local_only: "teach-local-only", key_wanted: "teach-key-wanted", wrong_key: "teach-key-wanted" };
const game = document.getElementById("main").dataset.game;
const path = `/v1/boards/${game}`,
  shapesPath = `/v1/tile-shapes/${game}`;
const place = document.getElementById("boards");

/** @param {string} name */
function boardName(name) {
  const [kind, colour] = name.split("-");
  return sayOr(
    `boards-picture-${name}`,
    colour ? say(`boards-picture-${kind}-of`, { colour: colourName(colour) }) : name,
  );
}

openLanguages();
guard(drawHome);

/**
 * Run an action, and report errors.
 *
 * @param {() => unknown} action
 */
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

/** @param {...Node} kept */
async function drawHome(...kept) {
  const state = await call("GET", path);
  document.body.classList.remove("at-work");
  const shown = state.refused ? refusal(state.refused) : offers(state);
  place.replaceChildren(
    el("section", { class: "card boards-home" }, kept, shown),
    state.refused ? "" : typed(state),
    state.refused || state.shapes === null ? "" : tiles(state),
    downloads(state),
    state.refused || !state.steps ? "" : button("undo", say("boards-undo"), () => guard(undo)),
  );
}

/** Undo the last change of what is enrolled, whoever made it and by whatever means. */
async function undo() {
  await withKey(() => call("POST", `${path}/file/undo`));
  await drawHome(said("boards-undone"));
}

/**
 * Explain why the server refuses enrolments, with a field for a key if one would help.
 *
 * @param {string} code
 */
function refusal(code) {
  const enter = button(
    "key",
    say("enter-key"),
    () => guard(async () => (await askKey(code === "wrong_key")) && drawHome()),
    { class: "primary" },
  );
  return [el("p", { class: "refused", role: "note" }, say(REFUSED[code])), code === "local_only" ? null : enter];
}

/** @param {Api.GameBoards} state */
function offers(state) {
  const boards = state.boards.filter(({ wanted, begun }) => wanted || begun);
  return [
    el("p", {}, say("boards-about")),
    el(
      "ol",
      { class: "boards-steps" },
      ["clear", "card", "photo"].map((step) => el("li", {}, say(`boards-how-${step}`))),
    ),
    left(state),
    ...state.facts.filter(({ kind }) => kind === "choice").map(sideOf),
    el(
      "ul",
      { class: "boards-list" },
      boards.map((board) => row(board, boards.length > 1)),
    ),
    el("p", { class: "quiet" }, say("boards-file-hint")),
    fileButton("share", "boards-open-file", ".zip", (file) => takeFile(file)),
  ];
}

/**
 * Describe a copy that needs more than one board: list all that is missing, or say that nothing is.
 *
 * @param {Api.GameBoards} gameBoards
 */
function left({ boards, facts }) {
  if (!facts.length) return null;
  const things = boards.filter(({ wanted, kept }) => wanted && !kept).map(({ name }) => boardName(name));
  return things.length
    ? el(
        "div",
        { class: "boards-left" },
        el("b", {}, say("boards-left")),
        el(
          "ul",
          { class: "boards-missing" },
          things.map((thing) => el("li", {}, thing)),
        ),
      )
    : el("p", { class: "learnt boards-left" }, icon("check"), el("span", {}, say("boards-nothing-left")));
}

/**
 * Group the numbers to type by topic.
 *
 * @param {Api.GameFact[]} facts
 */
function groups(facts) {
  const found = new Map();
  for (const fact of facts) if (fact.kind === "number") found.set(fact.words, [...(found.get(fact.words) ?? []), fact]);
  return found;
}

/**
 * Ask for the side that is played, which decides the boards to enrol.
 *
 * @param {Api.GameFact} gameFact
 */
const sideOf = ({ key: name, words, value, choices: sides }) =>
  choices(
    name,
    say(`boards-fact-${words}`),
    sides.map((side) => ({ value: side, label: say(`boards-fact-${words}-${side}`) })),
    value ?? sides[0],
    (side) =>
      guard(async () => {
        await tell({ [name]: side });
        await drawHome();
      }),
  );

/** @param {object} values */
const tell = (values) => withKey(() => call("PATCH", path, { body: { values } }));

/**
 * Create the fields typed beside the boards: all at once, each saved as it is typed.
 *
 * @param {Api.GameBoards} gameBoards
 */
function typed({ facts }) {
  const switches = facts.filter(({ kind }) => kind === "switch");
  const sections = [...groups(facts)].map(([words, own]) =>
    el(
      "section",
      { class: "card boards-home", "data-facts": words },
      el("h2", {}, say(`boards-fact-${words}`)),
      el("p", { class: "quiet" }, say(`boards-fact-${words}-hint`)),
      switches.map(switchOf),
      el("div", { class: "boards-facts" }, own.map(numberOf)),
    ),
  );
  return sections.length ? el("div", { class: "boards-typed" }, sections) : "";
}

/** @param {Api.GameFact} gameFact */
const switchOf = ({ key: name, words, value }) =>
  el(
    "label",
    { class: "switch", for: name },
    el("input", {
      type: "checkbox",
      id: name,
      name,
      checked: value,
      onchange: ({ target }) =>
        guard(async () => {
          await tell({ [name]: target.checked });
          await drawHome();
        }),
    }),
    el("span", {}, say(`boards-fact-${words}`)),
  );

/** @param {Api.GameFact} gameFact */
function numberOf({ key: name, of, name: called, value }) {
  /** @param {{ target: HTMLInputElement }} given */
  const changed = ({ target }) =>
    target.checkValidity()
      ? guard(async () => {
          const state = await tell({ [name]: target.value === "" ? null : Number(target.value) });
          place.querySelector(".boards-left")?.replaceWith(left(state));
        })
      : target.reportValidity();
  /** @param {KeyboardEvent & { target: HTMLInputElement }} event */
  const onkeydown = (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    const fields = [...place.querySelectorAll(".boards-facts input")];
    (fields[fields.indexOf(event.target) + 1] ?? event.target).focus();
    if (document.activeElement === event.target) event.target.blur();
  };
  return el(
    "label",
    {},
    el("span", {}, sayOr(of, called)),
    el("input", {
      name,
      type: "number",
      inputmode: "numeric",
      enterkeyhint: "next",
      min: 0,
      max: 99,
      step: 1,
      value: value ?? "",
      onchange: changed,
      onkeydown,
    }),
  );
}

/**
 * @param {Api.GameBoard} gameBoard
 * @param {boolean} named
 */
function row({ name, kept, begun }, named) {
  const state = begun ? "begun" : kept ? "kept" : "new";
  return el(
    "li",
    { "data-board": name },
    el(
      "span",
      { class: "what" },
      named ? el("b", {}, boardName(name)) : null,
      el("small", {}, say(`boards-state-${state}`)),
    ),
    begun ? button("next", say("boards-go-on"), () => guard(() => work(name)), { class: "primary large" }) : null,
    fileButton(
      "camera",
      begun ? "boards-another-photo" : "boards-photo",
      "image/*",
      (file) => begin(name, file),
      begun ? "" : "primary large",
    ),
    begun
      ? button("bin", say("boards-drop"), () =>
          confirmDelete(say("boards-drop-about"), async () => {
            await withKey(() => call("DELETE", `${path}/${name}/draft`));
            await drawHome();
          }),
        )
      : null,
  );
}

/**
 * Show the tiles' shapes, which no board shows: how many are known, and a link to draw them.
 *
 * @param {Api.GameBoards} gameBoards
 */
function tiles({ shapes, shapes_begun: begun }) {
  const drop = () =>
    confirmDelete(say("boards-shapes-drop-about"), async () => {
      await withKey(() => call("DELETE", `${shapesPath}/draft`));
      await drawHome();
    });
  return el(
    "section",
    { class: "card boards-home", "data-shapes": String(shapes) },
    el("h2", {}, say("boards-shapes")),
    el("p", {}, say("boards-shapes-about", { n: shapes })),
    begun ? el("p", { class: "quiet" }, say("boards-shapes-begun")) : null,
    el(
      "div",
      { class: "boards-tools" },
      button(
        begun ? "next" : "pen",
        say(begun ? "boards-go-on" : shapes ? "boards-shapes-change" : "boards-shapes-draw"),
        () => guard(drawTiles),
        { class: begun ? "primary" : "" },
      ),
      begun ? button("bin", say("boards-drop"), drop) : null,
    ),
  );
}

async function drawTiles() {
  const { ShapeWork } = await import("../boards/tile_shapes.js");
  /** @param {Api.TileShapes} tileShapes */
  const kept = ({ kept: shapes }) => guard(() => drawHome(said("boards-shapes-kept", { n: shapes.length })));
  const own = new ShapeWork(shapesPath, { guard, leave: () => guard(drawHome), kept, fileButton });
  document.body.classList.add("at-work");
  place.replaceChildren(own.element);
  await own.open();
}

/** @param {Api.GameBoards} gameBoards */
function downloads({ boards, missing, facts, pieces }) {
  if (!boards.some(({ kept }) => kept)) return "";
  const read = !boards.some(({ wanted, kept }) => wanted && !kept);
  return el(
    "section",
    { class: "card boards-home" },
    el("h2", {}, say("boards-in-force")),
    read ? el("p", {}, say("boards-read-now")) : null,
    facts.length ? el("p", { class: "quiet" }, say("boards-pieces", { n: pieces.length })) : null,
    missing.length && !(facts.length && !read)
      ? [
          el("p", {}, say("boards-still-missing")),
          el(
            "ul",
            { class: "boards-missing" },
            missing.map((words) => el("li", {}, words)),
          ),
        ]
      : null,
    button("download", say("boards-download"), () => guard(download)),
    read ? el("a", { class: "button", href: "/" }, icon("camera"), el("span", {}, say("boards-to-photo"))) : null,
  );
}

/**
 * @param {string} name
 * @param {string} words
 * @param {string} accept
 * @param {(file: File) => unknown} act
 * @param {string} [looks]
 */
function fileButton(name, words, accept, act, looks = "") {
  const input = el("input", {
    class: "hidden",
    type: "file",
    accept,
    onchange: () => {
      const [file] = input.files;
      input.value = "";
      if (file) guard(() => act(file));
    },
  });
  return el("label", { class: `button ${looks}` }, icon(name), el("span", {}, say(words)), input);
}

/**
 * @param {string} name
 * @param {File} file
 */
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

/** @param {string} name */
async function work(name) {
  const own = new BoardWork(`${path}/${name}`, {
    guard,
    leave: () => guard(drawHome),
    /** @param {Api.TileShapes} answer */
    kept: (answer) => guard(() => drawHome(done(answer))),
  });
  document.body.classList.add("at-work");
  place.replaceChildren(own.element);
  await own.open();
}

/**
 * @param {string} words
 * @param {object} [values]
 */
const said = (words, values) =>
  el("p", { class: "learnt", role: "status" }, icon("check"), el("span", {}, say(words, values)));

/** @param {Api.BoardsKept} boardsKept */
const done = ({ boards }) => said("boards-kept", { boards: list(boards.map(boardName)), n: boards.length });

/**
 * Send or fetch data that is not JSON, with the key if there is one. Throws ApiError.
 *
 * @param {string} method
 * @param {string} address
 * @param {Blob} body
 */
async function plain(method, address, body) {
  const answer = await fetch(address, { method, body, headers: key() ? { "X-API-Key": key() } : {} });
  if (answer.ok) return answer;
  const { error } = await answer.json();
  throw new ApiError(error.code, error.text, answer.status, error.details);
}

/** @param {File} file */
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
