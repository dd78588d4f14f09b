// @ts-check
/** The roster of an event: who plays at which table of which round, and the tables of it without a photo. */

import { button, el } from "../lib/dom.js";
import { labelled } from "../lib/fields.js";
import { openSheet, settle } from "../lib/sheet.js";
import { list, say } from "../lib/words.js";
import { placeOf } from "./event_list.js";

/**
 * Ask for a roster as a CSV, from a file or typed; `onSaved` gets words for its contents.
 *
 * @param {EventSession} session
 * @param {(words: string) => unknown} onSaved
 */
export function openRoster(session, onSaved) {
  const attributes = { id: "roster-csv", name: "roster-csv", rows: 8, spellcheck: "false" };
  const typed = el("textarea", attributes, written(session.roster));
  const file = el("input", { id: "roster-file", type: "file", accept: ".csv,.txt,text/csv" });
  file.addEventListener("change", async () => {
    typed.value = (await file.files?.[0]?.text()) ?? "";
  });
  const form = el(
    "form",
    { class: "table-form" },
    el("p", { class: "quiet" }, say("roster-hint")),
    el("pre", { class: "quiet" }, `${say("roster-heading")}\n1,1,Ana,Ben`),
    labelled("roster-file", say("roster-file"), file),
    labelled("roster-csv", say("roster"), typed),
    el("div", { class: "sheet-actions" }, button("check", say("save"), null, { type: "submit", class: "primary" })),
  );
  const dialog = openSheet(say("roster"), form);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    settle(dialog, async () => {
      await session.putRoster(typed.value);
      onSaved(counted(session.roster));
    });
  });
}

/**
 * State the numbers of rounds, tables and players of a roster.
 *
 * @param {Api.PairingDocument[]} roster
 */
function counted(roster) {
  const rounds = new Set(roster.map(({ contest, round }) => JSON.stringify([contest, round]))).size;
  const players = new Set(roster.flatMap(playersAt)).size;
  return say("roster-saved", { rounds, tables: roster.length, players });
}

/**
 * Write a roster as a CSV, to be changed.
 *
 * @param {Api.PairingDocument[]} roster
 */
function written(roster) {
  if (!roster.length) return "";
  const colours = [...new Set(roster.flatMap(({ names }) => Object.keys(names)))];
  const most = Math.max(...roster.map(({ players }) => players.length));
  const players = Array.from({ length: most }, (_, at) => `player ${at + 1}`);
  const lines = roster.map((own) => [
    own.contest,
    own.round,
    own.table,
    ...colours.map((colour) => own.names[colour] ?? ""),
    ...players.map((_, at) => own.players[at] ?? ""),
  ]);
  return [["event", "round", "table", ...colours, ...players], ...lines]
    .map((line) => line.map(cell).join())
    .join("\n");
}

/** @param {string} text */
const cell = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/**
 * Return the players of a table of the roster: those with a colour first.
 *
 * @param {Api.PairingDocument} pairing
 */
export const playersAt = ({ names, players }) => [...Object.values(names), ...players];

/**
 * Return the names of all players of an event, those who have not played yet too, in order.
 *
 * @param {EventSession} session
 */
export function namesIn({ event, tables, roster }) {
  const names = [
    ...roster.flatMap(playersAt),
    ...event.standings.map(({ player }) => player),
    ...tables.flatMap(({ scores }) => scores.map(({ name }) => name ?? "")),
  ];
  return [...new Set(names)].filter(Boolean).sort();
}

/**
 * Return the tables of the roster that have no photo yet.
 *
 * @param {EventSession} session
 */
export function awaited({ roster, tables }) {
  const there = new Set(tables.map(placeKey));
  return roster.filter((pairing) => !there.has(placeKey(pairing)));
}

/**
 * Return the table of the roster in a round.
 *
 * @param {Api.PairingDocument[]} roster
 * @param {string} round
 * @param {string} table
 */
export const pairingAt = (roster, round, table) => roster.find((own) => own.round === round && own.table === table);

/**
 * Return the players whom the roster puts at a table; none if it has no such table.
 *
 * @param {Api.PairingDocument[]} roster
 * @param {Pick<Api.TableDocument, "contest" | "round" | "table">} table
 */
export function seatedAt(roster, table) {
  const pairing = roster.find((own) => placeKey(own) === placeKey(table));
  return pairing ? playersAt(pairing) : [];
}

/**
 * List the tables without a photo as buttons; `onPairing` gets the one that is pressed.
 *
 * @param {EventSession} session
 * @param {(pairing: Api.PairingDocument) => unknown} onPairing
 */
export const awaitedList = (session, onPairing) =>
  awaited(session).map((pairing) =>
    el(
      "li",
      {},
      el(
        "button",
        {
          type: "button",
          class: "row",
          "data-key": placeKey(pairing),
          disabled: !session.event.may_add,
          onclick: () => onPairing(pairing),
        },
        el(
          "span",
          { class: "what" },
          el("b", {}, placeOf({ ...pairing, photos: [] })),
          el("small", {}, list(playersAt(pairing))),
        ),
        el("span", { class: "state" }, say("no-photo-yet")),
      ),
    ),
  );

/**
 * Return the rounds of an event, those of the roster too, in their order.
 *
 * @param {EventSession} session
 */
export const roundsOf = ({ roster, tables }) =>
  [...new Set([...roster, ...tables].map(({ round }) => round))]
    .filter(Boolean)
    .sort((one, other) => one.localeCompare(other, undefined, { numeric: true }));

/** @param {{ contest: string, round: string, table: string }} place */
const placeKey = ({ contest, round, table }) => JSON.stringify([contest, round, table]);
