// @ts-check
/** The panel of a table of spots: scoring items as cards and lists, every spot as a button, problems. */

import { badge, cardTitle, who } from "../lib/colours.js";
import { el, icon, iconButton } from "../lib/dom.js";
import { list, number, say, sayOr } from "../lib/words.js";
import { problemOf } from "../report/said.js";
import { iconOf, points } from "../report/scores.js";
import { spotMap, squaresIn } from "./spot_map.js";
import { areaName, bareName, isFilled, spotName, valueName } from "./spot_names.js";

/**
 * Create the card of a scoring item: each player's share, its points, and its spots.
 *
 * @param {Api.SpotReport} report
 * @param {Api.SpotFeature} area
 * @param {{ onSpot: OnSpot, onClose: () => unknown }} given
 */
export function areaCard(report, area, { onSpot, onClose }) {
  const spots = report.board.spots.filter(({ id }) => area.spots?.includes(id));
  const own = spots.filter((spot) => isFilled(spot) || spot.doubtful || spot.value === null);
  return el(
    "section",
    { class: "card feature-card", "aria-labelledby": "card-title" },
    el(
      "header",
      {},
      icon(iconOf(area.kind)),
      cardTitle(areaName(report, area)),
      iconButton("close", say("close"), onClose),
    ),
    holders(report, area),
    points(report, area),
    own.length
      ? [el("h3", {}, say("lies-there")), spotList(report, own, onSpot)]
      : el("p", { class: "quiet" }, say("nothing-there")),
  );
}

/**
 * List all scoring items by kind, those with points first.
 *
 * @param {Api.SpotReport} report
 * @param {(area: Api.SpotFeature) => unknown} onArea
 */
export function areaList(report, onArea) {
  const scoring = new Set(report.scores.entries.map((entry) => entry.feature));
  return [...new Set(report.features.map(({ kind }) => kind))].map((kind) => {
    const own = report.features
      .filter((area) => area.kind === kind)
      .sort((a, b) => Number(scoring.has(b.id)) - Number(scoring.has(a.id)));
    return el(
      "section",
      {},
      el("h3", {}, icon(iconOf(kind)), sayOr(`kinds-${kind}`, sayOr(`kind-${kind}`, kind))),
      el(
        "ul",
        { class: "chips" },
        own.map((area) => el("li", {}, chip(report, area, onArea))),
      ),
    );
  });
}

/**
 * List every spot as a button with its contents, by kind; squares as maps.
 *
 * @param {Api.SpotReport} report
 * @param {OnSpot} onSpot
 */
export function spotLists(report, onSpot) {
  return [...new Set(report.board.spots.map(({ kind }) => kind))].map((kind) => {
    const own = report.board.spots.filter((spot) => spot.kind === kind);
    const { maps, others } = squaresIn(own);
    return el(
      "details",
      { class: "spot-kind" },
      el("summary", {}, el("h3", {}, sayOr(`spots-${kind}`, kind))),
      maps.map((squares) => spotMap(report, squares, onSpot)),
      others.length ? spotList(report, others, onSpot) : null,
    );
  });
}

/**
 * List violations of the rules, each with its spots.
 *
 * @param {Api.SpotReport} report
 * @param {OnSpot} onSpot
 */
export function problemList(report, onSpot) {
  const { problems, spots } = report.board;
  const items = problems.map((problem) =>
    el(
      "li",
      {},
      el("p", {}, problemOf(report, problem)),
      spotList(
        report,
        spots.filter(({ id }) => problem.spots?.includes(id)),
        onSpot,
      ),
    ),
  );
  return problems.length ? [el("h2", {}, say("problems")), el("ul", { class: "problems" }, items)] : [];
}

/**
 * Name the winner, if known.
 *
 * @param {Api.SpotReport} report
 */
export function winners(report) {
  const { winners: best = [] } = report.scores;
  return best.length
    ? [
        el(
          "p",
          { class: "winner" },
          icon("wonder"),
          say("won-by", { who: list(best.map((player) => who(report, player))) }),
        ),
      ]
    : [];
}

/**
 * @param {Api.SpotReport} report
 * @param {Api.SpotState[]} spots
 * @param {OnSpot} onSpot
 */
function spotList(report, spots, onSpot) {
  return el(
    "ul",
    { class: "spots" },
    spots.map((spot) => el("li", {}, spotButton(report, spot, onSpot))),
  );
}

/**
 * @param {Api.SpotReport} report
 * @param {Api.SpotState} spot
 * @param {OnSpot} onSpot
 */
function spotButton(report, spot, onSpot) {
  const states = [spot.doubtful ? say("in-doubt") : null, spot.set_by_person ? say("set-by-person") : null].filter(
    (state) => state !== null,
  );
  const classes = `spot-button${spot.doubtful ? " doubtful" : ""}${spot.set_by_person ? " by-person" : ""}`;
  return el(
    "button",
    { type: "button", class: classes, "data-spot": spot.id, onclick: () => onSpot(spot) },
    el("span", {}, spotName(report, spot), states.length ? el("small", {}, ` ${list(states)}`) : null),
    el("b", {}, valueName(spot.kind, spot.value)),
  );
}

/**
 * @param {Api.SpotReport} report
 * @param {Api.SpotFeature} area
 * @param {(area: Api.SpotFeature) => unknown} onArea
 */
function chip(report, area, onArea) {
  const holding = Object.keys(area.meeples);
  return el(
    "button",
    { type: "button", class: "chip", "data-feature": area.id, onclick: () => onArea(area) },
    holding.map(badge),
    el("b", {}, bareName(report, area)),
    el("span", { class: "hidden" }, list(holding.map((player) => who(report, player)))),
  );
}

/**
 * @param {Api.SpotReport} report
 * @param {Api.SpotFeature} area
 */
function holders(report, area) {
  const own = Object.entries(area.meeples).sort(([, a], [, b]) => b - a);
  if (!own.length) return null;
  return el(
    "ul",
    { class: "holders" },
    own.map(([player, n]) => el("li", {}, badge(player), el("span", {}, who(report, player)), el("b", {}, number(n)))),
  );
}
