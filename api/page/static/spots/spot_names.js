// @ts-check
/** Names of a table's spots, their contents and their scoring items, in the page's language. */

import { who } from "../lib/colours.js";
import { knows, number, say, sayOr } from "../lib/words.js";
import { squareName, valueNumbers } from "../report/places.js";
import { worded } from "../report/said.js";

/**
 * Name a spot: `Tower of Babel, red: building parts of value 3`; by its name in the report if there are no words.
 *
 * @param {Api.SpotReport} report
 * @param {Api.SpotState} spotState
 */
export const spotName = (report, { id, kind, values }) =>
  knows(`spot-${kind}`) ? say(`spot-${kind}`, { ...worded(report, values), ...valueNumbers(report, values) }) : id;

/**
 * Name a spot in a table with a column for each player: without the player; null if there are no words.
 *
 * @param {Api.SpotReport} report
 * @param {Api.SpotState} spotState
 */
export const cellName = (report, { kind, values }) =>
  knows(`cell-${kind}`) ? say(`cell-${kind}`, worded(report, values)) : null;

/**
 * Name the contents of a spot of a kind; null: unknown.
 *
 * @param {string} kind
 * @param {string | number | null | undefined} value
 */
export function valueName(kind, value) {
  if (value === null || value === undefined) return say("not-known");
  if (typeof value === "number") return number(value);
  const [name, count] = value.split("#");
  const word = name === "-" ? "nothing" : name;
  const said = sayOr(`value-${kind}-${word}`, sayOr(`value-${word}`, word));
  return count ? `${said} ${count}` : said;
}

/**
 * Name a scoring item, with its owner: a wonder by its own name, an item of one spot as that spot.
 *
 * @param {Api.SpotReport} report
 * @param {Api.SpotFeature} area
 */
export function areaName(report, area) {
  const named = ownName(report, area);
  const [player] = Object.keys(area.meeples);
  return named ?? (player ? `${placedName(report, area)} (${who(report, player)})` : placedName(report, area));
}

/**
 * Likewise without the owner, who is shown beside it.
 *
 * @param {Api.SpotReport} report
 * @param {Api.SpotFeature} area
 */
export const bareName = (report, area) => ownName(report, area) ?? placedName(report, area);

/**
 * Return the name of a wonder or of a spot that scores by itself; null if it has none.
 *
 * @param {Api.SpotReport} report
 * @param {Api.SpotFeature} area
 */
function ownName(report, area) {
  const [last] = area.id.split(".").slice(-1);
  if (knows(`${area.kind}-${last}`)) return say(`${area.kind}-${last}`);
  const spot = report.board.spots.find(({ id }) => id === area.id);
  return spot ? spotName(report, spot) : null;
}

/**
 * Name a piece by the contents of its squares, any other item by its kind and its first square.
 *
 * @param {Api.SpotReport} report
 * @param {Api.SpotFeature} area
 */
function placedName(report, area) {
  const spots = report.board.spots.filter(({ id }) => area.spots?.includes(id));
  if (spots.length && isPiece(spots[0]) && spots.every(({ value }) => value === spots[0].value))
    return valueName(spots[0].kind, spots[0].value);
  const kind = sayOr(`kind-${area.kind}`, area.kind);
  return area.tiles.length ? `${kind}, ${squareName(report, area.tiles[0])}` : kind;
}

/**
 * Return the spots of the piece on a spot: those of its kind and player with the same value.
 *
 * @param {Api.SpotReport} report
 * @param {Api.SpotState} spot
 */
export function pieceOf(report, spot) {
  if (!isPiece(spot)) return [spot];
  return report.board.spots.filter(
    (own) => own.kind === spot.kind && playerOf(own) === playerOf(spot) && own.value === spot.value,
  );
}

/**
 * Whether the contents of a spot are numbered, so that they may extend over others.
 *
 * @param {{ value: string | number | null }} given
 */
export const isPiece = ({ value }) => typeof value === "string" && value.includes("#");

/**
 * Abbreviate the contents of a square to fit a map: `Fa2` for farm 2.
 *
 * @param {Api.SpotState} spotState
 */
export function shortName({ kind, value }) {
  if (value === null) return "?";
  if (value === "-") return "·";
  const [name, count] = valueName(kind, value).split(/ (?=\d+$)/);
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1, 2)}${count ?? ""}`;
}

/**
 * Whether a spot is occupied, as far as known.
 *
 * @param {Api.SpotState} spotState
 */
export const isFilled = ({ value, choices }) => value !== null && value !== choices[0];

/**
 * Return the player that a spot belongs to, if any.
 *
 * @param {Api.SpotState} spotState
 */
export const playerOf = ({ values }) => /** @type {string | null} */ (values.player ?? values.colour ?? null);
