/** What no photo shows: a card that asks for it, and a table of all players in which it is typed. */

import { badge, who } from "./colours.js";
import { button, el, icon } from "./dom.js";
import { labelled } from "./fields.js";
import { openSheet, settle } from "./sheet.js";
import { cellName, playerOf, spotName } from "./spot_names.js";
import { spotChanges, spotField } from "./spot_sheet.js";
import { say } from "./words.js";

/** The spots that a person types: those that no photo shows, and those that none of these photos shows. */
export const typedSpots = (report) => report.board.spots.filter((spot) => spot.typed || (!spot.outline_px && (spot.value === null || spot.set_by_person)));

/** The card; nothing where there is nothing to type. */
export function typedCard(report, onOpen) {
  const spots = typedSpots(report);
  const asked = new Set(report.doubts.filter(({ instead }) => instead === null).map(({ spot }) => spot));
  const open = spots.filter(({ id }) => asked.has(id)).length;
  if (!spots.length) return [];
  return [icon("pen"), el("p", {}, open ? say("to-be-typed", { n: open }) : say("all-typed")),
    button("pen", say("type-them"), onOpen, open ? { class: "primary" } : {})];
}

/** Opens the table; what is changed in it is set in one step. */
export function openTyped(view) {
  const { report, session } = view;
  const spots = typedSpots(report);
  const form = el("form", { class: "typed-form" }, tables(report, spots));
  const dialog = openSheet(say("typed-title"), el("p", { class: "quiet" }, say("typed-hint")), form,
    el("div", { class: "sheet-actions" }, button("check", say("save"), () => send(), { class: "primary" }), button("bin", say("rest-is-nothing"), () => fillRest(form, spots))));
  dialog.classList.add("wide");
  const send = () => settle(dialog, () => {
    const changes = spotChanges(form, spots);
    return changes.length ? session.correct(...changes) : null;
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });
}

/** Says of all that is left empty that nothing is there. */
function fillRest(form, spots) {
  for (const { id, choices } of spots) if (form.elements[id].value === "") form.elements[id].value = String(choices[0]);
}

/** For each kind, what every player has: a row for each thing, a column for each player; the rest as single fields. */
function tables(report, spots) {
  const { players } = report.rules;
  const inTable = (spot) => players.includes(playerOf(spot)) && cellName(report, spot) !== null;
  const rows = grouped(report, spots.filter(inTable));
  const others = spots.filter((spot) => !inTable(spot));
  return [rows.size ? table(report, players, rows) : null, ...others.map((spot) => labelled(spot.id, spotName(report, spot), spotField(spot)))];
}

function grouped(report, spots) {
  const rows = new Map();
  for (const spot of spots) rows.set(cellName(report, spot), [...(rows.get(cellName(report, spot)) ?? []), spot]);
  return rows;
}

function table(report, players, rows) {
  const head = players.map((player) => el("th", { scope: "col" }, badge(player), el("span", { class: "player-name" }, who(report, player))));
  const cell = (spot) => el("td", {}, spot ? spotField(spot, { "aria-label": spotName(report, spot) }) : null);
  return el("div", { class: "scrolled" }, el("table", { class: "typed" }, el("thead", {}, el("tr", {}, el("td", {}), head)),
    el("tbody", {}, [...rows].map(([name, own]) => el("tr", {}, el("th", { scope: "row" }, name), players.map((player) => cell(own.find((spot) => playerOf(spot) === player))))))));
}
