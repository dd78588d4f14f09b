// @ts-check
/** The tiles that a square may hold: the server's catalogue, and the tiles that fit their neighbours. */

import { call } from "./api.js";
import { el } from "./dom.js";

const SIDES = "NESW";
/** @type {{ [name: string]: number[] }} */
const STEPS = { N: [-1, 0], E: [0, 1], S: [1, 0], W: [0, -1] };
/** @type {{ [address: string]: Promise<Api.Catalogue> }} */
const fetched = {};
/** @type {Map<string, Api.CatalogueTile>} */
const known = new Map();

/**
 * Return the catalogue, fetched once; with the tiles of further expansions if asked.
 *
 * @param {boolean} [further]
 */
export function catalogue(further = false) {
  const address = `/v1/tiles${further ? "?further=true" : ""}`;
  fetched[address] ??= call("GET", address).then(
    (answer) => {
      for (const tile of answer.tiles) known.set(tile.id, tile);
      return answer;
    },
    (error) => {
      delete fetched[address];
      throw error;
    },
  );
  return fetched[address];
}

/**
 * Return the catalogue with all tiles of a report: that of further expansions if one of theirs lies there.
 *
 * @param {Api.Report} report
 */
export async function catalogueOf({ board }) {
  const usual = await catalogue();
  const isFurther = board.tiles.some(({ tile, square }) => tile && (square ?? null) === null && !known.has(tile));
  return isFurther ? catalogue(true) : usual;
}

/**
 * Describe a placed tile in words; nothing until the catalogue is there, or for a tile that it lacks.
 *
 * @param {Pick<Api.Tile, "tile" | "turns">} placed
 */
export function describe({ tile, turns }) {
  const layout = known.get(tile ?? "");
  return layout ? tileName(layout, turns) : "";
}

/**
 * The address of a tile's drawing.
 *
 * @param {string} tile
 * @param {number} turns
 * @param {number | null} [square]
 */
export const drawing = (tile, turns, square = null) =>
  `/v1/tiles/drawing.svg?tile=${encodeURIComponent(tile)}&turns=${turns}${square === null ? "" : `&square=${square}`}`;

/**
 * Create the button of a tile as it may lie.
 *
 * @param {Api.CatalogueTile} tile
 * @param {number} turns
 * @param {boolean} isChosen
 * @param {() => unknown} onclick
 */
export function tileButton(tile, turns, isChosen, onclick) {
  return el(
    "button",
    {
      type: "button",
      class: "tile",
      "data-tile": tile.id,
      "data-turns": turns,
      "aria-label": tileName(tile, turns),
      "aria-pressed": String(isChosen),
      onclick,
    },
    el("img", { src: drawing(tile.id, turns), alt: "", width: 64, height: 64, loading: "lazy" }),
  );
}

/**
 * Name a tile as it may lie.
 *
 * @param {Api.CatalogueTile} tile
 * @param {number} turns
 */
export const tileName = (tile, turns) => tile.words[turns % tile.symmetry];

/**
 * The kind of a tile's edge after its turns.
 *
 * @param {Api.CatalogueTile} tile
 * @param {number} turns
 * @param {string} side
 */
export const edge = (tile, turns, side) => tile.edges[SIDES[(SIDES.indexOf(side) - turns + 4) % 4]];

/**
 * Return the edges that the known neighbours of a square require, by side.
 *
 * @param {Api.CatalogueTile[]} tiles
 * @param {Pick<Squares, "tile">} squares
 * @param {Square} square
 */
export function wanted(tiles, squares, [row, col]) {
  /** @type {Edges} */
  const found = {};
  for (const side of SIDES) {
    const [down, right] = STEPS[side];
    const other = squares.tile([row + down, col + right]);
    const layout = other && tiles.find(({ id }) => id === other.tile);
    if (other && layout?.edges) found[side] = edge(layout, other.turns, SIDES[(SIDES.indexOf(side) + 2) % 4]);
  }
  return found;
}

/**
 * Whether a tile with these turns fits them.
 *
 * @param {Api.CatalogueTile} tile
 * @param {number} turns
 * @param {Edges} sides
 */
export const fits = (tile, turns, sides) =>
  Object.entries(sides).every(([side, kind]) => [kind, "any"].includes(edge(tile, turns, side)) || kind === "any");

/**
 * Return every tile and turn that fits a square: likely ones by the reading first, then common before rare.
 *
 * @param {Api.CatalogueTile[]} tiles
 * @param {Pick<Squares, "tile">} squares
 * @param {Square} square
 */
export function candidates(tiles, squares, square) {
  const sides = wanted(tiles, squares, square);
  const likely = likelihoods(squares.tile(square));
  const all = tiles.flatMap((tile) => Array.from({ length: tile.symmetry }, (_, turns) => ({ tile, turns })));
  /** @param {{ tile: Api.CatalogueTile, turns: number }} given */
  const weight = ({ tile, turns }) => likely.get(`${tile.id} ${turns}`) ?? 0;
  const fitting = all.filter(({ tile, turns }) => fits(tile, turns, sides));
  return fitting.sort((a, b) => weight(b) - weight(a) || common(b.tile) - common(a.tile));
}

/** @param {Api.Tile | undefined} read */
function likelihoods(read) {
  if (!read) return new Map();
  /** @type {[string, number][]} */
  const own = read.tile ? [[`${read.tile} ${read.turns}`, 2]] : [];
  /** @type {[string, number][]} */
  const others = (read.alternatives ?? []).map((other) => [`${other.tile} ${other.turns}`, other.probability]);
  return new Map([...others, ...own]);
}

/** @param {Api.CatalogueTile} catalogueTile */
const common = ({ box, count }) => (box === "base" ? 100 : 0) + count;
