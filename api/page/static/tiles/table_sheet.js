// @ts-check
/**
 * Facts that a photo does not show: names, points on the score track, rules, players, tiles, goods, owners of wonders.
 */

import { call } from "../lib/api.js";
import { badge, who } from "../lib/colours.js";
import { button, el } from "../lib/dom.js";
import {
  anotherPlayer,
  boxChoices,
  boxRules,
  checkPoints,
  control,
  field,
  labelled,
  playerRow,
  ruleSets,
  textOf,
} from "../lib/fields.js";
import { openSheet, settle } from "../lib/sheet.js";
import { say, sayOr } from "../lib/words.js";
import { featureName } from "../report/scores.js";

const GOODS = ["wine", "grain", "cloth", "chicken"];
const USUAL_GOODS = 3;
/** What else may lie in front of a player; the last are points of rules that are not scored here. */
const HOLDINGS = ["gold", "king", "baron", "other"];
const COUNTED_BOXES = ["base", "river1", "river2", "inns", "traders"];

/**
 * Open the sheet; all its changes are one step. Throws ApiError.
 *
 * @param {View} view
 */
export async function openTable(view) {
  const { rules } = await call("GET", "/v1/rules");
  const form = el(
    "form",
    { class: "table-form", novalidate: true },
    players(view.report),
    wonderOwners(view.report),
    goods(view.report),
    holdings(view.report),
    game(view.report, rules),
  );
  const dialog = openSheet(
    say("table"),
    form,
    el(
      "div",
      { class: "sheet-actions" },
      button("check", say("save"), () => send(), { class: "primary" }),
    ),
  );
  const send = () =>
    checkPoints(form) &&
    settle(dialog, () => {
      const changes = changed(view.report, form);
      return changes.length ? view.session.correct(...changes) : null;
    });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });
}

/** @param {Api.Report} report */
function players(report) {
  return el(
    "fieldset",
    {},
    el("legend", {}, say("players")),
    el("p", { class: "quiet" }, say("track-hint")),
    report.rules.players.map((player) => rowOf(report, player)),
    anotherPlayer(report.rules.players, (player) => rowOf(report, player)),
  );
}

/**
 * @param {Api.Report} report
 * @param {string} player
 */
function rowOf(report, player) {
  return playerRow(player, report.names?.[player], report.scores.on_track[player] ?? "");
}

/** @param {Api.Report} report */
function wonderOwners(report) {
  const wonders = report.features.filter((feature) => feature.kind === "wonder");
  if (!wonders.length) return null;
  return el(
    "fieldset",
    {},
    el("legend", {}, say("wonder-owners")),
    wonders.map((wonder) => {
      const owner = Object.keys(wonder.meeples)[0] ?? "";
      const options = ["", ...report.rules.players].map((player) =>
        el("option", { value: player, selected: player === owner }, player ? who(report, player) : say("nobody")),
      );
      return labelled(
        `owner-${wonder.id}`,
        featureName(report, wonder),
        el("select", { id: `owner-${wonder.id}`, name: `owner-${wonder.id}` }, options),
      );
    }),
  );
}

/**
 * Create a field for each player's tokens of each kind, if tiles show goods or some were entered.
 *
 * @param {Api.Report} report
 */
function goods(report) {
  const { expansions, goods: counts = {} } = report.rules;
  if (!expansions.includes("traders") && !GOODS.some((kind) => counts[kind])) return null;
  const kinds = GOODS.filter((kind, number) => number < USUAL_GOODS || counts[kind]);
  return el(
    "fieldset",
    {},
    el("legend", {}, say("tokens")),
    el("p", { class: "quiet" }, say("tokens-hint")),
    tokenFields(report, kinds),
  );
}

/**
 * Create the fields for gold, king, robber baron and other points, open if some were entered or are wanted.
 *
 * @param {Api.Report} report
 */
function holdings(report) {
  const { goods: counts = {} } = report.rules;
  const wanted = (report.scores.assumed ?? []).some(({ fact }) => fact === "holdings");
  return el(
    "details",
    { open: wanted || HOLDINGS.some((kind) => counts[kind]) },
    el("summary", {}, say("holdings")),
    el("p", { class: "quiet" }, say("holdings-hint")),
    tokenFields(report, HOLDINGS),
  );
}

/**
 * Create a field for each player and each kind of what they hold.
 *
 * @param {Api.Report} report
 * @param {string[]} kinds
 */
function tokenFields(report, kinds) {
  const { players, goods: counts = {} } = report.rules;
  return players.map((player) =>
    el(
      "div",
      { class: "goods-row", role: "group", "aria-label": say("tokens-of", { colour: who(report, player) }) },
      badge(player),
      kinds.map((kind) =>
        field(goodsName(player, kind), sayOr(`goods-${kind}`, kind), {
          type: "number",
          min: 0,
          max: kind === "king" || kind === "baron" ? 1 : 99,
          inputmode: "numeric",
          value: counts[kind]?.[player] ?? "",
        }),
      ),
    ),
  );
}

/**
 * @param {string} player
 * @param {string} kind
 */
const goodsName = (player, kind) => `goods-${kind}-${player}`;

/**
 * @param {Api.Report} report
 * @param {Api.RuleSet[]} rules
 */
function game(report, rules) {
  const colours = report.rules.players.length;
  return el(
    "fieldset",
    {},
    el("legend", {}, say("game")),
    ruleSets(rules, report.rules.edition),
    boxRules(report.rules.box_rules),
    boxCopies(report.rules.boxes),
    field("count", say("player-count"), {
      type: "number",
      min: 1,
      max: 12,
      inputmode: "numeric",
      value: report.rules.player_count ?? "",
      placeholder: String(colours),
      "aria-describedby": "count-hint",
    }),
    el("p", { class: "quiet", id: "count-hint" }, say("player-count-hint")),
    field("tiles", say("tiles-in-play"), {
      type: "number",
      min: 1,
      max: 999,
      inputmode: "numeric",
      value: report.rules.tiles_in_play,
    }),
  );
}

/**
 * Create a field for the copies of each box on the table; `copies` has a report's form.
 *
 * @param {{ [box: string]: number }} [copies]
 */
function boxCopies(copies = {}) {
  return el(
    "details",
    { open: Object.keys(copies).length > 0 },
    el("summary", {}, say("box-copies")),
    el("p", { class: "quiet" }, say("box-copies-hint")),
    COUNTED_BOXES.map((box) =>
      field(`box-${box}`, sayOr(`box-${box}`, box), {
        type: "number",
        min: box === "base" ? 1 : 0,
        max: 5,
        inputmode: "numeric",
        value: copies[box] ?? "",
      }),
    ),
  );
}

/**
 * Return the corrections that the form asks for: only the differences from the report.
 *
 * @param {Api.Report} report
 * @param {HTMLFormElement} form
 */
function changed(report, form) {
  /** @param {string} name */
  const text = (name) => textOf(form, name);
  /** @param {string} name */
  const points = (name) => (text(name) === "" ? null : Number(text(name)));
  const { edition, tiles_in_play, player_count = null, goods: counts = {}, boxes = {} } = report.rules;
  const players = [.../** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll(".player-row"))].map(
    (row) => row.dataset.player ?? "",
  );
  const wonders = report.features.filter((feature) => feature.kind === "wonder");
  return [
    ...players
      .filter((p) => text(`name-${p}`) !== (report.names?.[p] ?? ""))
      .map((colour) => ({ kind: "player", colour, name: text(`name-${colour}`) || null })),
    ...players
      .filter((p) => points(`track-${p}`) !== (report.scores.on_track[p] ?? null))
      .map((colour) => ({ kind: "track", colour, points: points(`track-${colour}`) })),
    ...wonders
      .filter((w) => text(`owner-${w.id}`) !== (Object.keys(w.meeples)[0] ?? ""))
      .map((w) => ({ kind: "wonder_owner", wonder: tileOf(report, w), colour: text(`owner-${w.id}`) || null })),
    ...(text("rules") !== edition ? [{ kind: "rules", edition: text("rules") }] : []),
    ...boxChoices(form, report.rules.box_rules).map(([box, played]) => ({ kind: "box_rules", boxes: [box], played })),
    ...COUNTED_BOXES.filter((box) => points(`box-${box}`) !== (boxes[box] ?? null)).map((box) => ({
      kind: "boxes",
      box,
      count: points(`box-${box}`),
    })),
    ...(points("count") !== player_count ? [{ kind: "player_count", count: points("count") }] : []),
    ...report.rules.players
      .flatMap((colour) => [...GOODS, ...HOLDINGS].map((kind) => [colour, kind]))
      .filter(([colour, kind]) => control(form, goodsName(colour, kind)))
      .filter(([colour, kind]) => points(goodsName(colour, kind)) !== (counts[kind]?.[colour] ?? null))
      .map(([colour, kind]) => ({ kind: "goods", goods: kind, colour, count: points(goodsName(colour, kind)) })),
    ...(points("tiles") !== tiles_in_play ? [{ kind: "tiles_in_play", count: points("tiles") }] : []),
  ];
}

/**
 * Return the catalogue name of a feature's wonder.
 *
 * @param {Api.Report} report
 * @param {Api.Feature} feature
 */
function tileOf({ board }, { tiles: [[row, col]] }) {
  return board.tiles.find((tile) => tile.row === row && tile.col === col)?.tile;
}
