// @ts-check
/** The players' colours, as paint and as ink on it. */

import { el } from "./dom.js";
import { sayOr } from "./words.js";

/** @type {{ [name: string]: string }} */
const PAINTS = {
  red: "#d9302c",
  blue: "#2b6fe8",
  yellow: "#f6c915",
  green: "#2a9d4a",
  black: "#2a2a2a",
  grey: "#8c8c8c",
  white: "#f7f7f4",
  pink: "#f27db9",
  purple: "#8646be",
  orange: "#f0872a",
  brown: "#7d5030",
  wood: "#d2aa78",
  clear: "#cde1e6",
};

/** The colours that a person may choose. */
export const COLOURS = Object.keys(PAINTS);

/** @param {string} colour */
export const paint = (colour) => PAINTS[colour] ?? "#00b8b8";

/**
 * Return black or white, whichever is easier to read on the paint.
 *
 * @param {string} colour
 */
export function ink(colour) {
  const [r, g, b] = [1, 3, 5].map((at) => parseInt(paint(colour).slice(at, at + 2), 16));
  return 0.3 * r + 0.59 * g + 0.11 * b > 135 ? "#1c1917" : "#ffffff";
}

/**
 * Create a disc in a player's colour.
 *
 * @param {string} player
 */
export function badge(player) {
  const disc = el("span", { class: "badge", "aria-hidden": "true" });
  disc.style.background = paint(player);
  disc.style.color = ink(player);
  return disc;
}

/** @param {string} colour */
export const colourName = (colour) => sayOr(`colour-${colour}`, colour);

const typed = new Set();

/**
 * Name a player, by colour if there is no name.
 *
 * @param {Named} named
 * @param {string} colour
 */
export function who({ names }, colour) {
  const name = names?.[colour];
  if (name) typed.add(name);
  return name || colourName(colour);
}

/**
 * Return words as an element's attributes and text; words that begin with a typed name keep its spelling.
 *
 * @param {string} words
 * @returns {[{ "data-typed": boolean }, string]}
 */
export const asTyped = (words) => [{ "data-typed": [...typed].some((name) => words.startsWith(name)) }, words];

/**
 * Create the title of a card that may contain a player's name.
 *
 * @param {string} text
 */
export function cardTitle(text) {
  const [as, words] = asTyped(text);
  return el("h2", { id: "card-title", tabindex: -1, ...as }, words);
}

/**
 * A player's name by itself.
 *
 * @param {Named} report
 * @param {string} colour
 */
export const nameTag = (report, colour) =>
  el("span", { class: "player-name", "data-typed": Boolean(report.names?.[colour]) }, who(report, colour));
