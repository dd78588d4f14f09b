// @ts-nocheck
/** Handing in photos for an event: those of a new table, or further ones of a table. */

import { button, el } from "../lib/dom.js";
import { anotherPlayer, checkPoints, field, labelled, playerRow, textOf } from "../lib/fields.js";
import { ownWonders } from "../lib/own_wonders.js";
import { uploadBar } from "../lib/progress.js";
import { openSheet, settle } from "../lib/sheet.js";
import { list, say } from "../lib/words.js";
import { placeOf } from "./event_list.js";
import { awaited, namesIn, pairingAt, playersAt } from "./event_roster.js";
import { groupedByName, matcher, PATTERN } from "./table_names.js";

const USUAL = ["red", "blue", "green", "yellow", "black"];
const PLACE_MOST = 40;
/** Maximum number of tables that are listed by name. */
const NAMED_MOST = 4;
let last = null;

/**
 * Ask for photos, the number of their table, and its players, or for photos of several tables. `onTable` gets the table
 * as added, `onTables` several tables to be sent. `dropped` are files that are chosen already, each table's by its name.
 *
 * @param {EventSession} session
 * @param {{ onTable: OnTable, onTables: (tables: { name: string, form: FormData }[]) => unknown }} acts
 * @param {FileList | null} [dropped]
 * @param {Api.PairingDocument | null} [pairing] the table of the roster that was pressed
 */
export function openAddTable(session, { onTable, onTables }, dropped = null, pairing = null) {
  const { round, table } = pairing ?? nextPlace(session);
  const title = say(session.mayDecide ? "add-table" : "hand-in");
  const form = el(
    "form",
    { class: "table-form" },
    photosField(),
    el(
      "label",
      { class: "switch", id: "each", hidden: true },
      el("input", { type: "checkbox", name: "each", role: "switch" }),
      el("span", {}, say("table-each")),
    ),
    el("p", { id: "groups", role: "status" }),
    el(
      "div",
      { class: "pair" },
      field("round", say("round-is"), { value: round, maxlength: PLACE_MOST, autocomplete: "off" }),
      field("table", say("table-is"), { value: table, maxlength: PLACE_MOST, required: true, autocomplete: "off" }),
    ),
    el("p", { id: "paired", role: "status" }),
    contestField(session.tables),
    gameField(),
    patternField(),
    players(session),
    actions("plus", title),
  );
  form.elements.photos.addEventListener("change", () => choose(form));
  form.addEventListener("input", () => tell(form));
  for (const name of ["round", "table"])
    form.elements[name].addEventListener("input", () => seat(form, session.roster));
  seat(form, session.roster);
  opened(title, form, async (onProgress) => {
    const groups = groupsOf(form).map((group) => ({ name: placeOf(group), form: tableForm(form, group) }));
    last = {
      round: textOf(form, "round"),
      game: form.elements.game.value,
      colours: rowsOf(form).filter((colour) => textOf(form, `name-${colour}`)),
    };
    if (form.elements.each.checked) onTables(groups);
    else onTable(await session.add(groups[0].form, onProgress));
  });
  if (!dropped) return;
  form.elements.photos.files = dropped;
  choose(form, dropped.length > 1);
}

/**
 * Take the photos that were chosen as those of several tables if their names or their number say so.
 *
 * @param {HTMLFormElement} form
 * @param {boolean} [several]
 */
function choose(form, several = false) {
  const { photos, each } = form.elements;
  each.checked = true;
  const named = groupsOf(form).filter(({ photos }) => photos.length > 1 || matcher(PATTERN)?.(photos[0].name).table);
  form.querySelector("#each").hidden = photos.files.length < 2;
  each.checked = photos.files.length > 1 && (several || named.length > 1 || photos.files.length > photosMost());
  tell(form);
}

/**
 * Say how the photos are divided into tables, and if there are too many of one. The players of several tables are named
 * beside them, not here.
 *
 * @param {HTMLFormElement} form
 */
function tell(form) {
  const { photos, each, pattern } = form.elements;
  const groups = groupsOf(form);
  const crowded = groups.filter((group) => tooMany(group.photos.length));
  const wrong = crowded.length ? `${placeOf(crowded[0])}: ${tooMany(crowded[0].photos.length)}` : "";
  const names = groups.map(placeOf);
  const shown = names.length > NAMED_MOST ? [names[0], names[1], "…", names.at(-1)] : names;
  const told = say("tables-found", { n: groups.length, photos: photos.files.length, names: shown.join(", ") });
  form.querySelector(".table-players-asked").hidden = each.checked;
  pattern.closest(".field").hidden = !each.checked;
  pattern.setCustomValidity(!each.checked || matcher(pattern.value) ? "" : say("pattern-wrong"));
  photos.setCustomValidity(wrong);
  form.querySelector("#groups").textContent = wrong || (each.checked ? told : "");
  form.querySelector("#groups").classList.toggle("problem", Boolean(wrong));
}

/**
 * Return the tables of the form, each with its photos.
 *
 * @param {HTMLFormElement} form
 */
function groupsOf(form) {
  const [files, round, table] = [[...form.elements.photos.files], textOf(form, "round"), textOf(form, "table")];
  if (!form.elements.each.checked) return [{ contest: "", round, table, photos: files }];
  return groupedByName(files, form.elements.pattern.value, round, (n) => placeAfter(table, n));
}

/** Ask for the pattern of the files' names. */
function patternField() {
  const made = field("pattern", say("table-pattern"), { value: PATTERN, autocomplete: "off", spellcheck: "false" });
  made.hidden = true;
  return made;
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
    if (!each) photos.setCustomValidity(tooMany(photos.files.length));
    if (!form.reportValidity()) return;
    const bar = uploadBar();
    form.append(bar.element);
    settle(dialog, () => send(bar.tell).finally(() => bar.element.remove()));
  });
  form.elements.photos.addEventListener("change", ({ target }) => target.setCustomValidity(""));
  form.elements.photos.focus();
}

/** @param {number} n */
const tooMany = (n) => (n > photosMost() ? say("photos-too-many", { n: photosMost() }) : "");

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

/** @param {EventSession} session */
function players(session) {
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
      namesIn(session).map((name) => el("option", { value: name })),
    ),
    colours.map(row),
    anotherPlayer(colours, row),
  );
}

/**
 * Name the players whom the roster puts at the table, and fill in those with a colour.
 *
 * @param {HTMLFormElement} form
 * @param {Api.PairingDocument[]} roster
 */
function seat(form, roster) {
  const pairing = pairingAt(roster, textOf(form, "round"), textOf(form, "table"));
  form.querySelector("#paired").textContent = pairing ? say("paired", { players: list(playersAt(pairing)) }) : "";
  for (const [colour, name] of Object.entries(pairing?.names ?? {})) {
    const input = form.elements[`name-${colour}`];
    if (input) input.value = name;
  }
  if (!pairing?.players.length) return;
  const others = [...form.querySelectorAll("#known-players option")].map(({ value }) => value);
  const names = [...new Set([...pairing.players, ...others])].map((name) => el("option", { value: name }));
  form.querySelector("#known-players").replaceChildren(...names);
}

/**
 * Return the next table of the roster, else the round being added and the number after the highest of its tables.
 *
 * @param {EventSession} session
 */
function nextPlace(session) {
  const [{ tables }, next] = [session, awaited(session)];
  if (next.length) return next.find(({ round }) => round === last?.round) ?? next[0];
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
 * Return the form of a table.
 *
 * @param {HTMLFormElement} form
 * @param {{ contest: string, round: string, table: string, photos: File[] }} group
 */
function tableForm(form, { contest, round, table, photos }) {
  const sent = formWith(form, photos);
  sent.append("round", round);
  sent.append("table", table);
  if (contest || form.elements.contest) sent.append("contest", contest || form.elements.contest.value);
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
