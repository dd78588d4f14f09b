// @ts-check
/** An event's tables and its standings as lists. */

import { badge, colourName } from "../lib/colours.js";
import { el } from "../lib/dom.js";
import { likelihood, list, number, say } from "../lib/words.js";
import { SURE_SHARE } from "../report/outcome.js";

/** The states that need a person, the most urgent first. */
export const OPEN = ["failed", "doubtful", "sure"];

/**
 * Name a table by its place in the event, or else by its photo.
 *
 * @param {{ contest: string, round: string, table: string, photos: string[] }} tableDocument
 */
export function placeOf({ contest, round, table, photos }) {
  const parts = [contest, round && say("round", { round }), table && say("table-named", { table })].filter(Boolean);
  return parts.length ? parts.join(" · ") : photos[0];
}

/**
 * List the tables as buttons, in the server's order.
 *
 * @param {Api.TableDocument[]} tables
 * @param {number | null} current
 * @param {OnTable} onTable
 */
export function tableList(tables, current, onTable) {
  return tables.map((table) =>
    el(
      "li",
      {},
      el(
        "button",
        {
          type: "button",
          class: `row state-${table.state}`,
          "data-table": table.id,
          "aria-current": table.id === current ? "true" : null,
          onclick: () => onTable(table),
        },
        el("span", { class: "what" }, el("b", {}, placeOf(table)), el("small", {}, summary(table))),
        stateChip(table),
      ),
    ),
  );
}

/**
 * Name a state, for a doubtful table with its probability.
 *
 * @param {Api.TableDocument} tableDocument
 */
export function stateChip({ state, confidence }) {
  const share =
    state === "doubtful" && confidence !== null && confidence <= SURE_SHARE ? ` ${likelihood(confidence)}` : "";
  return el("span", { class: `state state-${state}` }, say(`state-${state}`) + share);
}

/**
 * List the players with their points.
 *
 * @param {Api.TableDocument} tableDocument
 */
export function scoreList({ scores }) {
  return el(
    "ul",
    { class: "table-scores" },
    scores.map(({ colour, name, points }) =>
      el("li", {}, badge(colour), el("span", {}, name || colourName(colour)), el("b", {}, number(points))),
    ),
  );
}

/**
 * Create the standings, a table for each contest, and below them the tables without a winner yet.
 *
 * @param {Pick<Api.EventDocument, "standings">} eventDocument
 * @param {Api.TableDocument[]} tables
 */
export function standingTables({ standings }, tables) {
  const contests = [...new Set(standings.map(({ contest }) => contest))];
  const open = tables.filter(({ scores, whole }) => scores.length && !whole && scores.every(({ name }) => name));
  const told = open.length
    ? [el("p", { class: "quiet standings-open" }, say("standings-open", { tables: list(open.map(placeOf)) }))]
    : [];
  return [
    ...contests.map((contest) =>
      el(
        "table",
        { class: "totals standings" },
        el("caption", { class: contests.length > 1 ? null : "hidden" }, contest || say("standings")),
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            ["place-of", "player", "wins", "points"].map((key) => el("th", { scope: "col" }, say(key))),
          ),
        ),
        el("tbody", {}, standings.filter((own) => own.contest === contest).map(standingRow)),
      ),
    ),
    ...told,
  ];
}

/**
 * Count the tables in each state.
 *
 * @param {Api.EventDocument} eventDocument
 */
export const countsOf = ({ counts }) =>
  list(
    Object.entries(counts)
      .filter(([, n]) => n)
      .map(([state, n]) => `${number(n)} ${say(`state-${state}`)}`),
  );

/** @param {Api.TableDocument} tableDocument */
function summary({ scores, photos, reason, whole }) {
  if (reason) return reason;
  const best = scores
    .filter(({ place }) => place === 1 || !whole)
    .map(({ name, colour, points }) => `${name || colourName(colour)} ${number(points)}`);
  return best.length ? list(best) : photos.join(" ");
}

/** @param {Api.PlayerStanding} playerStanding */
function standingRow({ place, player, wins, points, doubtful_tables }) {
  return el(
    "tr",
    { "data-player": player, class: doubtful_tables ? "doubtful" : null },
    el("td", {}, number(place)),
    el("th", { scope: "row" }, player),
    el("td", {}, number(wins)),
    el("td", { class: "points" }, number(points)),
  );
}
