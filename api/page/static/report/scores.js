// @ts-check
/** The score table: the players with their totals, then every entry, wonders first. */

import { badge, nameTag, who } from "../lib/colours.js";
import { el, icon } from "../lib/dom.js";
import { list, number, say, sayOr } from "../lib/words.js";
import { hasSpots, isWhole, leaders, pointsOf } from "./outcome.js";
import { reasonOf, ruleOf, sumOf } from "./said.js";

/** @type {{ [name: string]: string }} */
const ICONS = {
  discs: "goods",
  card: "lines",
  district: "city",
  natural_resource: "garden",
  monument: "wonder",
  green: "field",
};

/**
 * List the totals, the best first; with the score track if known, and with sums only if all of it is known.
 *
 * @param {AnyReport} report
 */
export function totals(report) {
  const { final_scoring, on_track } = report.scores;
  const points = pointsOf(report);
  if (!Object.keys(points).length) return "";
  const first = leaders(report);
  const tracked = Object.values(on_track).some((own) => own !== null);
  const whole = tracked && isWhole(report);
  const words = [
    "player",
    tracked && "on-track",
    whole && "on-board",
    whole ? "total" : tracked ? "on-board" : "points",
  ].filter((word) => word !== false);
  const head = el(
    "tr",
    {},
    words.map((word) => el("th", { scope: "col" }, say(word))),
  );
  const rows = ranked(report).map((player) =>
    el(
      "tr",
      { "data-player": player, class: first.includes(player) ? "leads" : null },
      el("th", { scope: "row" }, badge(player), nameTag(report, player)),
      tracked ? cell(on_track[player]) : null,
      whole ? cell(final_scoring[player]) : null,
      el("td", { class: "big" }, told(points[player])),
    ),
  );
  return el(
    "table",
    { class: "totals" },
    el("caption", { class: "hidden" }, title(report)),
    el("thead", {}, head),
    el("tbody", {}, rows),
  );
}

/**
 * The title of the points: all of them, or the final scoring alone.
 *
 * @param {AnyReport} report
 */
export const title = (report) => say(isWhole(report) || hasSpots(report) ? "result" : "final-scoring");

/**
 * Name the winner, or a tie; empty while anything is in doubt.
 *
 * @param {AnyReport} report
 */
export function verdict(report) {
  const first = report.doubtful ? [] : leaders(report);
  if (!first.length) return [];
  const names = list(first.map((player) => who(report, player)));
  return [el("p", { class: "winner" }, icon("wonder"), say(first.length > 1 ? "tied" : "won-by", { who: names }))];
}

/**
 * List every player's entries; each is a button that shows its feature.
 *
 * @param {AnyReport} report
 * @param {(feature: AnyFeature) => unknown} onFeature
 */
export function entries(report, onFeature) {
  return ranked(report).map((player) => {
    const own = sorted(
      report.scores.entries.filter((entry) => entry.player === player && (entry.points || !entry.feature)),
    );
    const without = (("nothing" in report.scores && report.scores.nothing) || []).filter(
      (one) => one.player === player,
    );
    const items = [
      ...own.map((entry) => el("li", {}, line(report, entry, onFeature))),
      ...without.map((one) => el("li", {}, emptyLine(report, one, onFeature))),
    ];
    return el(
      "section",
      { class: "player" },
      el(
        "h3",
        {},
        badge(player),
        nameTag(report, player),
        el("span", { class: "sum" }, number(report.scores.final_scoring[player])),
      ),
      items.length ? el("ul", { class: "rows" }, items) : el("p", { class: "quiet" }, say("no-entries")),
    );
  });
}

/**
 * Return the players, the best first.
 *
 * @param {AnyReport} report
 */
export function ranked(report) {
  const points = pointsOf(report);
  return Object.keys(points).sort((a, b) => Number(points[b]) - Number(points[a]));
}

/**
 * The icon of a kind of scoring item.
 *
 * @param {string} kind
 */
export const iconOf = (kind) => ICONS[kind] ?? kind;

/**
 * The label that distinguishes a feature from others of its kind, in any reading of the table; its number in old
 * reports.
 *
 * @param {{ name?: string, id: string }} given
 */
export const labelOf = ({ name, id }) => name || id;

/**
 * Name a feature: its kind and its name on the board; a wonder by its own name.
 *
 * @param {AnyReport} anyReport
 * @param {AnyFeature} feature
 */
export function featureName({ board }, feature) {
  const {
    kind,
    tiles: [[row, col]],
  } = feature;
  const tiles = kind === "wonder" && "tiles" in board ? board.tiles : [];
  const wonder = tiles.find((tile) => tile.row === row && tile.col === col);
  return `${wonder?.tile ? sayOr(`wonder-${wonder.tile.replace("WH/", "")}`, wonder.tile) : sayOr(`kind-${kind}`, kind)} ${labelOf(feature)}`;
}

/**
 * List the points of a feature by player, or state that it brings none.
 *
 * @param {AnyReport} report
 * @param {AnyFeature} feature
 */
export function points(report, feature) {
  const own = report.scores.entries.filter((entry) => entry.feature === feature.id && entry.points);
  return own.length
    ? el(
        "ul",
        { class: "grants" },
        own.map((entry) =>
          el(
            "li",
            {},
            el("span", { class: "points" }, number(entry.points)),
            el("span", {}, el("b", {}, `${who(report, entry.player)}: `), ruleOf(entry)),
            el("small", {}, sumOf(report, entry)),
          ),
        ),
      )
    : null;
}

/**
 * Return the colours of the players who score a feature.
 *
 * @param {AnyReport} report
 * @param {AnyFeature} feature
 */
export function owners(report, feature) {
  return report.scores.entries.filter((entry) => entry.feature === feature.id).map((entry) => entry.player);
}

/**
 * @param {AnyReport} report
 * @param {Api.Entry} entry
 * @param {(feature: AnyFeature) => unknown} onFeature
 */
function line(report, entry, onFeature) {
  const feature = report.features.find((other) => other.id === entry.feature);
  const words = [
    icon(iconOf(feature?.kind ?? "goods")),
    el(
      "span",
      { class: "what" },
      el("b", {}, ruleOf(entry), feature ? el("small", {}, "spots" in feature ? "" : ` ${labelOf(feature)}`) : null),
      el("span", { class: "sum-words" }, sumOf(report, entry)),
    ),
    el("span", { class: "points" }, number(entry.points)),
  ];
  return feature
    ? el(
        "button",
        { type: "button", class: "row", "data-feature": feature.id, onclick: () => onFeature(feature) },
        words,
      )
    : el("div", { class: "row" }, words);
}

/**
 * List pieces that score nothing: 0, with the reason.
 *
 * @param {AnyReport} report
 * @param {Api.Nothing} nothing
 * @param {(feature: AnyFeature) => unknown} onFeature
 */
function emptyLine(report, nothing, onFeature) {
  const feature = report.features.find((other) => other.id === nothing.feature);
  const words = [
    icon(iconOf(feature?.kind ?? "goods")),
    el(
      "span",
      { class: "what" },
      el("b", {}, feature ? featureName(report, feature) : say("lies-there")),
      el("span", { class: "sum-words" }, reasonOf(report, nothing)),
    ),
    el("span", { class: "points" }, number(0)),
  ];
  return feature
    ? el(
        "button",
        { type: "button", class: "row", "data-feature": feature.id, onclick: () => onFeature(feature) },
        words,
      )
    : el("div", { class: "row" }, words);
}

/** @param {Api.Entry[]} own */
function sorted(own) {
  /** @param {Api.Entry} entry */
  const wonder = (entry) => entry.rule.startsWith("wonder.");
  return [...own.filter(wonder), ...own.filter((entry) => !wonder(entry)).sort((a, b) => b.points - a.points)];
}

/** @param {number | null | undefined} points */
const cell = (points) => el("td", {}, told(points));
/** @param {number | null | undefined} points */
const told = (points) => (points === null || points === undefined ? "–" : number(points));
