/** The score table: the players with their totals, then every entry, wonders first. */

import { ink, paint, who } from "./colours.js";
import { el, icon } from "./dom.js";
import { reasonOf, ruleOf, sumOf } from "./said.js";
import { number, say, sayOr } from "./words.js";

const ICONS = { discs: "goods", card: "lines", district: "city", natural_resource: "garden", monument: "wonder", green: "field" };

/** The totals, the best first; a column for the score track where anybody has points there. */
export function totals(report) {
  const { final_scoring, on_track, total } = report.scores;
  const tracked = Object.values(on_track).some((points) => points !== null);
  const players = ranked(report);
  const head = el("tr", {}, el("th", { scope: "col" }, say("player")),
    tracked ? [el("th", { scope: "col" }, say("on-track")), el("th", { scope: "col" }, say("on-board"))] : null,
    el("th", { scope: "col" }, tracked ? say("total") : say("points")));
  const rows = players.map((player) => el("tr", { "data-player": player },
    el("th", { scope: "row" }, badge(player), el("span", { class: "player-name" }, who(report, player))),
    tracked ? [cell(on_track[player]), cell(final_scoring[player])] : null,
    el("td", { class: "big" }, tracked ? told(total[player]) : number(final_scoring[player]))));
  return el("table", { class: "totals" }, el("caption", { class: "hidden" }, say("final-scoring")), el("thead", {}, head), el("tbody", {}, rows));
}

/** Every player's entries; each is a button that shows its feature. */
export function entries(report, onFeature) {
  return ranked(report).map((player) => {
    const own = sorted(report, report.scores.entries.filter((entry) => entry.player === player && (entry.points || !entry.feature)));
    const without = (report.scores.nothing ?? []).filter((one) => one.player === player);
    const items = [...own.map((entry) => el("li", {}, line(report, entry, onFeature))), ...without.map((one) => el("li", {}, emptyLine(report, one, onFeature)))];
    return el("section", { class: "player" }, el("h3", {}, badge(player), el("span", { class: "player-name" }, who(report, player)),
      el("span", { class: "sum" }, number(report.scores.final_scoring[player]))),
    items.length ? el("ul", { class: "rows" }, items) : el("p", { class: "quiet" }, say("no-entries")));
  });
}

/** The players, the best first. */
export function ranked({ scores: { total, final_scoring } }) {
  const points = (player) => total[player] ?? final_scoring[player];
  return Object.keys(final_scoring).sort((a, b) => points(b) - points(a));
}

/** The icon of a kind of what scores. */
export const iconOf = (kind) => ICONS[kind] ?? kind;

/** A disc in a player's colour. */
export function badge(player) {
  const disc = el("span", { class: "badge", "aria-hidden": "true" });
  disc.style.background = paint(player);
  disc.style.color = ink(player);
  return disc;
}

/** What a feature is called: its kind and its name on the board; of a wonder its own name. */
export function featureName({ board }, { kind, id, tiles: [[row, col]] }) {
  const wonder = kind === "wonder" && board.tiles.find((tile) => tile.row === row && tile.col === col);
  return `${wonder ? sayOr(`wonder-${wonder.tile.replace("WH/", "")}`, wonder.tile) : sayOr(`kind-${kind}`, kind)} ${id}`;
}

function line(report, entry, onFeature) {
  const feature = report.features.find((other) => other.id === entry.feature);
  const words = [icon(iconOf(feature?.kind ?? "goods")), el("span", { class: "what" }, el("b", {}, ruleOf(entry), feature ? el("small", {}, feature.spots ? "" : ` ${feature.id}`) : null),
    el("span", { class: "sum-words" }, sumOf(report, entry))), el("span", { class: "points" }, number(entry.points))];
  return feature ? el("button", { type: "button", class: "row", "data-feature": feature.id, onclick: () => onFeature(feature) }, words)
    : el("div", { class: "row" }, words);
}

/** Pieces that bring nothing: 0, and why. */
function emptyLine(report, nothing, onFeature) {
  const feature = report.features.find((other) => other.id === nothing.feature);
  const words = [icon(iconOf(feature?.kind ?? "goods")), el("span", { class: "what" }, el("b", {}, feature ? featureName(report, feature) : say("lies-there")),
    el("span", { class: "sum-words" }, reasonOf(report, nothing))), el("span", { class: "points" }, number(0))];
  return feature ? el("button", { type: "button", class: "row", "data-feature": feature.id, onclick: () => onFeature(feature) }, words)
    : el("div", { class: "row" }, words);
}

function sorted(report, own) {
  const wonder = (entry) => entry.rule.startsWith("wonder.");
  return [...own.filter(wonder), ...own.filter((entry) => !wonder(entry)).sort((a, b) => b.points - a.points)];
}

const cell = (points) => el("td", {}, told(points));
const told = (points) => (points === null || points === undefined ? "–" : number(points));
