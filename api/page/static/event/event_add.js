// @ts-nocheck
/** Handing in photos for an event: those of a new table, or further ones of a table. */

import { button, el } from "../lib/dom.js";
import { anotherPlayer, checkPoints, field, labelled, playerRow, textOf } from "../lib/fields.js";
import { ownWonders } from "../lib/own_wonders.js";
import { uploadBar } from "../lib/progress.js";
import { openSheet, settle } from "../lib/sheet.js";
import { say } from "../lib/words.js";

const USUAL = ["red", "blue", "green", "yellow", "black"];
const PLACE_MOST = 40;
let last = null;

/**
 * Ask for a table's photos, its number and its players; `onTable` gets the table as added.
 *
 * @param {EventSession} session
 * @param {OnTable} onTable
 */
export function openAddTable(session, onTable) {
  const { round, table } = nextPlace(session.tables);
  const title = say(session.mayDecide ? "add-table" : "hand-in");
  const form = el(
    "form",
    { class: "table-form" },
    photosField(),
    el(
      "label",
      { class: "switch", id: "each", hidden: true },
      el("input", { type: "checkbox", name: "each", role: "switch", onchange: ({ target }) => each(target.form) }),
      el("span", {}, say("table-each")),
    ),
    el(
      "div",
      { class: "pair" },
      field("round", say("round-is"), { value: round, maxlength: PLACE_MOST, autocomplete: "off" }),
      field("table", say("table-is"), { value: table, maxlength: PLACE_MOST, required: true, autocomplete: "off" }),
    ),
    contestField(session.tables),
    gameField(),
    players(session),
    actions("plus", title),
  );
  form.elements.photos.addEventListener("change", ({ target: { files } }) => {
    form.querySelector("#each").hidden = files.length < 2;
    form.elements.each.checked = files.length > photosMost();
    each(form);
  });
  opened(title, form, async (onProgress) => {
    const files = [...form.elements.photos.files];
    const groups = form.elements.each.checked ? files.map((file) => [file]) : [files];
    let added = null;
    for (const [number, photos] of groups.entries())
      added = await session.add(tableForm(form, photos, number), (share) =>
        onProgress(share === null ? null : (number + share) / groups.length),
      );
    last = {
      round: added.round,
      game: form.elements.game.value,
      colours: rowsOf(form).filter((colour) => textOf(form, `name-${colour}`)),
    };
    onTable(added);
  });
}

/**
 * Hide the players while each photo is a table of its own: they are named beside their tables.
 *
 * @param {HTMLFormElement} form
 */
function each(form) {
  form.querySelector(".table-players-asked").hidden = form.elements.each.checked;
}

/** The maximum number of photos of one table. */
const photosMost = () => Number(document.getElementById("event").dataset.photos);

/**
 * Ask for further photos of an existing table.
 *
 * @param {EventSession} session
 * @param {Api.TableDocument} table
 * @param {string} title
 * @param {OnTable} onTable
 */
export function openAddPhotos(session, table, title, onTable) {
  const form = el(
    "form",
    { class: "table-form" },
    el("p", {}, title),
    photosField(),
    table.reading ? null : gameField(),
    table.reading ? el("p", { class: "quiet" }, say("add-photos-hint")) : null,
    actions("camera", say("add-photos")),
  );
  opened(say("add-photos"), form, async (onProgress) =>
    onTable(await session.addPhotos(table, formWith(form), onProgress)),
  );
}

/**
 * @param {string} title
 * @param {HTMLFormElement} form
 * @param {(onProgress: (share: number) => unknown) => Promise<unknown>} send
 */
function opened(title, form, send) {
  const dialog = openSheet(title, form);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!checkPoints(form)) return;
    const { photos, each } = form.elements;
    const most = photosMost();
    photos.setCustomValidity(!each?.checked && photos.files.length > most ? say("photos-too-many", { n: most }) : "");
    if (!form.reportValidity()) return;
    const bar = uploadBar();
    form.append(bar.element);
    settle(dialog, () => send(bar.tell).finally(() => bar.element.remove()));
  });
  form.addEventListener("change", () => form.elements.photos.setCustomValidity(""));
  form.elements.photos.focus();
}

function photosField() {
  const input = el("input", {
    id: "photos-of-table",
    name: "photos",
    type: "file",
    accept: "image/*",
    multiple: true,
    required: true,
    "aria-describedby": "photos-hint",
  });
  const hint = el("p", { class: "quiet", id: "photos-hint" }, say("several-photos"));
  return el("div", { class: "field" }, el("label", { for: "photos-of-table" }, say("table-photos")), input, hint);
}

/**
 * @param {string} name
 * @param {string} words
 */
const actions = (name, words) =>
  el("div", { class: "sheet-actions" }, button(name, words, null, { type: "submit", class: "primary" }));

/**
 * Ask for the contest, if the event has several.
 *
 * @param {Api.TableDocument[]} tables
 */
function contestField(tables) {
  const contests = [...new Set(tables.map(({ contest }) => contest))];
  if (contests.length < 2) return null;
  return labelled(
    "contest",
    say("contest-is"),
    el(
      "select",
      { id: "contest", name: "contest" },
      contests.map((name) => el("option", { value: name }, name || "–")),
    ),
  );
}

/** Ask for the game, by default that of the previous table. Score track points are typed only for Carcassonne. */
function gameField() {
  const games = Object.entries(JSON.parse(document.getElementById("event").dataset.games));
  const options = [["", say("recognise-game")], ...games].map(([name, title]) =>
    el("option", { value: name, selected: name === (last?.game ?? "") }, title),
  );
  /** @param {{ target: HTMLSelectElement }} given */
  const tracks = ({ target }) => {
    for (const input of target.form.querySelectorAll('[name^="track-"]'))
      input.closest(".field").hidden = hasSpots(target.value);
  };
  return labelled("game", say("which-game"), el("select", { id: "game", name: "game", onchange: tracks }, options));
}

/** @param {string} game */
const hasSpots = (game) => !["", "carcassonne"].includes(game);

/** @param {EventSession} eventSession */
function players({ event, tables }) {
  const names = new Set([
    ...event.standings.map(({ player }) => player),
    ...tables.flatMap(({ scores }) => scores.map(({ name }) => name)),
  ]);
  /** @param {string} colour */
  const row = (colour) => {
    const made = playerRow(colour, "", "", { list: "known-players" });
    const game = document.getElementById("game")?.value ?? last?.game ?? "";
    made.querySelector('[name^="track-"]').closest(".field").hidden = hasSpots(game);
    return made;
  };
  const colours = last?.colours.length ? last.colours : USUAL;
  return el(
    "fieldset",
    { class: "table-players-asked" },
    el("legend", {}, say("players")),
    el("p", { class: "quiet" }, say("track-hint")),
    el(
      "datalist",
      { id: "known-players" },
      [...names]
        .filter(Boolean)
        .sort()
        .map((name) => el("option", { value: name })),
    ),
    colours.map(row),
    anotherPlayer(colours, row),
  );
}

/**
 * Return the round being added, and the number after the highest of its tables.
 *
 * @param {Api.TableDocument[]} tables
 */
function nextPlace(tables) {
  const newest = tables.reduce((one, other) => (one && one.id > other.id ? one : other), null);
  const round = last?.round ?? newest?.round ?? "1";
  const numbers = tables.filter((own) => own.round === round).map(({ table }) => table);
  if (!numbers.every((own) => /^\d{1,6}$/.test(own))) return { round, table: "" };
  return { round, table: String(Math.max(0, ...numbers.map(Number)) + 1) };
}

/** @param {HTMLFormElement} form */
const rowsOf = (form) => [...form.querySelectorAll(".player-row")].map((row) => row.dataset.player);

/**
 * @param {HTMLFormElement} form
 * @param {File[]} [photos]
 */
function formWith(form, photos = [...form.elements.photos.files]) {
  const sent = new FormData();
  for (const file of photos) sent.append("photo", file);
  if (form.elements.game?.value) sent.append("game", form.elements.game.value);
  for (const file of Object.values(ownWonders())) sent.append("wonder", file);
  return sent;
}

/**
 * Return the form of a table; of several, each with one photo, the `number`th from 0 on.
 *
 * @param {HTMLFormElement} form
 * @param {File[]} photos
 * @param {number} number
 */
function tableForm(form, photos, number) {
  const sent = formWith(form, photos);
  sent.append("round", textOf(form, "round"));
  sent.append("table", placeAfter(textOf(form, "table"), number));
  if (form.elements.contest) sent.append("contest", form.elements.contest.value);
  if (form.elements.each.checked) return sent;
  for (const colour of rowsOf(form)) {
    const [name, points] = [textOf(form, `name-${colour}`), textOf(form, `track-${colour}`)];
    if (name) sent.append("player", `${colour}=${name}`);
    if (points && !hasSpots(form.elements.game.value)) sent.append("track", `${colour}=${points}`);
  }
  return sent;
}

/**
 * Return the name of a later table: the number counts on, a word gets a number.
 *
 * @param {string} first
 * @param {number} number
 */
const placeAfter = (first, number) =>
  /^\d+$/.test(first) ? String(Number(first) + number) : number ? `${first} ${number + 1}` : first;
