// @ts-check
/** The order by which an event's players are ranked, and its results for printing. */

import { badge, colourName } from "../lib/colours.js";
import { el } from "../lib/dom.js";
import { number, say } from "../lib/words.js";
import { placeOf } from "./event_list.js";

const NAMES = ["wins", "points", "share"];
/** @type {string[][]} */
const ORDERS = NAMES.flatMap((first) =>
  NAMES.filter((name) => name !== first).map((second) => [
    first,
    second,
    NAMES.find((name) => name !== first && name !== second) ?? "",
  ]),
);

/**
 * Show the order in words, or as a choice for those who may change it: `onOrder` gets it.
 *
 * @param {EventSession} eventSession
 * @param {OnOrder} onOrder
 */
export function ranking({ event, mayDecide }, onOrder) {
  /** @param {string} kind */
  const told = (kind) => el("p", { class: kind }, say("ranked-by", { order: worded(event.tie_breakers) }));
  if (!mayDecide) return [told("quiet")];
  return [
    told("quiet on-paper"),
    el(
      "div",
      { class: "field" },
      el("label", { for: "ranking-order" }, say("ranked-by-label")),
      rankingSelect("ranking-order", event.tie_breakers, onOrder),
    ),
  ];
}

/**
 * Create a select of all orders.
 *
 * @param {string} id
 * @param {string[]} chosen
 * @param {OnOrder} [onOrder]
 */
export function rankingSelect(id, chosen, onOrder = () => {}) {
  const now = chosen.join();
  const orders = ORDERS.some((order) => order.join() === now) ? ORDERS : [chosen, ...ORDERS];
  const options = orders.map((order) =>
    el("option", { value: order.join(), selected: order.join() === now }, worded(order)),
  );
  return el("select", { id, name: id, onchange: ({ target }) => onOrder(target.value.split(",")) }, options);
}

/** @param {string[]} order */
const worded = (order) => order.map((name) => say(`rank-${name}`)).join(", ");

/**
 * List every table with all its players, for paper.
 *
 * @param {Api.TableDocument[]} tables
 */
export function printedTables(tables) {
  const scored = tables
    .filter(({ scores }) => scores.length)
    .sort((one, other) => placeOf(one).localeCompare(placeOf(other), undefined, { numeric: true }));
  return scored.map((table) =>
    el(
      "section",
      { class: "printed-table" },
      el("h3", {}, placeOf(table)),
      table.whole ? null : el("p", { class: "quiet" }, say("without-track")),
      el(
        "table",
        {},
        el(
          "tbody",
          {},
          table.scores.map(({ place, colour, name, points }) =>
            el(
              "tr",
              {},
              el("td", {}, table.whole ? number(place ?? 0) : "–"),
              el("th", { scope: "row" }, badge(colour), ` ${name || colourName(colour)}`),
              el("td", {}, number(points)),
            ),
          ),
        ),
      ),
    ),
  );
}
