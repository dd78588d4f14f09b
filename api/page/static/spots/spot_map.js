// @ts-check
/** Spots that are squares, as a map of buttons: a table for each player, with rows and columns as on the board. */

import { badge, nameTag } from "../lib/colours.js";
import { el } from "../lib/dom.js";
import { list, number, say } from "../lib/words.js";
import { playerOf, shortName, spotName, valueName } from "./spot_names.js";

/** @param {Api.SpotState} spotState */
const isSquare = ({ values }) => "row" in values && "col" in values;

/**
 * Divide spots into maps, one for each player, and those that are no squares.
 *
 * @param {Api.SpotState[]} spots
 */
export function squaresIn(spots) {
  const squares = spots.filter(isSquare);
  const players = [...new Set(squares.map(playerOf))];
  return {
    maps: players.map((player) => squares.filter((spot) => playerOf(spot) === player)),
    others: spots.filter((spot) => !isSquare(spot)),
  };
}

/**
 * Create the map of one player.
 *
 * @param {Api.SpotReport} report
 * @param {Api.SpotState[]} squares
 * @param {OnSpot} onSpot
 */
export function spotMap(report, squares, onSpot) {
  const player = playerOf(squares[0]);
  const [rows, cols] = ["row", "col"].map((axis) =>
    [...new Set(squares.map(({ values }) => Number(values[axis])))].sort((a, b) => a - b),
  );
  const at = new Map(squares.map((spot) => [`${spot.values.row} ${spot.values.col}`, spot]));
  /**
   * @param {number} row
   * @param {number} col
   */
  const cell = (row, col) => {
    const spot = at.get(`${row} ${col}`);
    return el("td", {}, spot ? square(report, spot, onSpot) : null);
  };
  const owner = player === null ? null : el("h4", {}, badge(player), nameTag(report, player));
  return el(
    "div",
    { class: "spot-map" },
    owner,
    el(
      "div",
      { class: "scrolled" },
      el(
        "table",
        { class: "map" },
        el(
          "thead",
          { "aria-hidden": "true" },
          el(
            "tr",
            {},
            el("td"),
            cols.map((col) => el("td", {}, number(col))),
          ),
        ),
        el(
          "tbody",
          {},
          rows.map((row) =>
            el(
              "tr",
              {},
              el("td", { class: "row-number", "aria-hidden": "true" }, number(row)),
              cols.map((col) => cell(row, col)),
            ),
          ),
        ),
      ),
    ),
  );
}

/**
 * @param {Api.SpotReport} report
 * @param {Api.SpotState} spot
 * @param {OnSpot} onSpot
 */
function square(report, spot, onSpot) {
  const states = [spot.doubtful ? say("in-doubt") : null, spot.set_by_person ? say("set-by-person") : null].filter(
    (state) => state !== null,
  );
  const label = list([spotName(report, spot), valueName(spot.kind, spot.value), ...states]);
  const classes = `map-square${spot.doubtful ? " doubtful" : ""}${spot.set_by_person ? " by-person" : ""}${spot.value === "-" ? " empty" : ""}`;
  return el(
    "button",
    {
      type: "button",
      class: classes,
      "aria-label": label,
      title: label,
      "data-spot": spot.id,
      onclick: () => onSpot(spot),
    },
    shortName(spot),
  );
}
