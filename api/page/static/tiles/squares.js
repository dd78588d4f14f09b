/** The board's squares in the picture, and the items at a point of it. */

import { apart, distance, inside, median, projection } from "../lib/geometry.js";
import { originOf } from "../report/places.js";

/** The side of a square that no photo shows. */
export const DRAWN_SIDE = 120;

const ROAD_REACH = 0.07;
const MEEPLE_REACH = 0.22;
/** The radius of the mark of a doubt, in sides of a square. */
export const QUERY = 0.17;
const QUERY_REACH = 0.36;
/** The kinds of features from the server's table: as they are listed, from the top of the picture down, and those that
 *  are never finished. */
export const {
  listed: LISTED,
  topmost: TOPMOST,
  endless: ENDLESS,
} = JSON.parse(document.getElementById("kinds").textContent);

export const nameOf = ([row, col]) => `${row},${col}`;

/** A report's squares in the picture: of its photo, or drawn on a plain grid if it has none. */
export class Squares {
  /** `asked` are squares that a question is about, in doubt like those of the report's doubts. */
  constructor(report, asked = []) {
    Object.assign(this, { report, asked });
    this.tiles = new Map(report.board.tiles.map((tile) => [nameOf([tile.row, tile.col]), tile]));
    this.seen = new Map(
      [...this.tiles].filter(([, tile]) => tile.corners_px).map(([name, tile]) => [name, asItLies(tile)]),
    );
    this.origin = originOf(report.board);
    this.side = this.seen.size ? median([...this.seen.values()].map(([nw, ne]) => apart(nw, ne))) : DRAWN_SIDE;
  }

  tile(square) {
    return this.tiles.get(nameOf(square));
  }

  /** Return a square's quad; one that no photo shows is extrapolated from the nearest visible one. */
  quad(square) {
    const own = this.seen.get(nameOf(square));
    if (own) return own;
    if (!this.seen.size) return drawn(square, this.origin);
    const [row, col] = this.#nearest(square);
    const at = projection(this.seen.get(nameOf([row, col])));
    const [x, y] = [square[1] - col, square[0] - row];
    return [at(x, y), at(x + 1, y), at(x + 1, y + 1), at(x, y + 1)];
  }

  middle(square) {
    return projection(this.quad(square))(0.5, 0.5);
  }

  /** Whether a meeple stands on another square than in this report, or is missing from it. */
  isElsewhere({ id, tile }) {
    const own = this.report.board.meeples.find((other) => other.id === id);
    return !own || nameOf(own.tile) !== nameOf(tile);
  }

  /** Return the foot of a meeple in the picture. */
  foot(meeple) {
    if (meeple.foot_px) return meeple.foot_px;
    return projection(this.quad(meeple.tile))(...this.#stand(meeple));
  }

  /** Return the empty squares beside the board. */
  empty() {
    const found = new Map();
    for (const { row, col } of this.report.board.tiles)
      for (const square of [
        [row - 1, col],
        [row, col + 1],
        [row + 1, col],
        [row, col - 1],
      ])
        if (!this.tile(square)) found.set(nameOf(square), square);
    return [...found.values()];
  }

  /** Return the square at a point, tiles before the empty ones around them; null if there is none. */
  at(point) {
    const laid = this.report.board.tiles.map(({ row, col }) => [row, col]);
    return [...laid, ...this.empty()].find((square) => inside([this.quad(square)], point)) ?? null;
  }

  /** Return the meeple at a point. */
  meepleAt(point) {
    const near = this.report.board.meeples
      .map((meeple) => ({ meeple, far: apart(this.foot(meeple), point) }))
      .filter(({ far }) => far < MEEPLE_REACH * this.side);
    return near.sort((a, b) => a.far - b.far)[0]?.meeple ?? null;
  }

  /**
   * Return the numbers of columns above the board and of rows beside it, from 1 at the top left tile, with their
   * places.
   */
  rulers() {
    const { tiles } = this.report.board;
    if (!tiles.length) return [];
    const { row: first, col: left } = this.origin;
    const most = (axis) => Math.max(...tiles.map((tile) => tile[axis]));
    const along = (from, to) => Array.from({ length: to - from + 1 }, (_, step) => from + step);
    return [
      ...along(left, most("col")).map((col) => ({
        at: projection(this.quad([first - 1, col]))(0.5, 0.78),
        number: col - left + 1,
        axis: "column",
      })),
      ...along(first, most("row")).map((row) => ({
        at: projection(this.quad([row, left - 1]))(0.78, 0.5),
        number: row - first + 1,
        axis: "row",
      })),
    ];
  }

  /** Return the place of the mark of a doubt on its square. */
  query(square) {
    return projection(this.quad(square))(0.87, 0.15);
  }

  /** Return the squares of doubts that can change points, and of questions; other uncertain squares are left out. */
  doubted() {
    const squares = [...(this.report.doubts ?? []).map(({ square }) => square), ...this.asked];
    return [...new Map(squares.map((square) => [nameOf(square), square])).values()];
  }

  isDoubted(square) {
    return this.doubted().some((own) => nameOf(own) === nameOf(square));
  }

  /** Return the square whose doubt mark is nearest to a point, within it or within `reach` on its side; else null. */
  doubtedAt(point, reach) {
    const near = this.doubted()
      .map((square) => ({ square, far: apart(this.query(square), point) }))
      .filter(({ far }) => far < Math.max(QUERY * this.side, Math.min(QUERY_REACH * this.side, reach)));
    return near.sort((a, b) => a.far - b.far)[0]?.square ?? null;
  }

  /** Return the topmost feature at a point; a road also counts from beside it. */
  featureAt(point) {
    const drawn = this.report.features.filter((feature) => feature.outline_px);
    for (const kind of TOPMOST)
      for (const feature of drawn) if (feature.kind === kind && this.#covers(feature, point)) return feature;
    return null;
  }

  /** Return a point of a feature on a square, well inside it and away from `taken`; a corner if it has no outline. */
  spot(feature, square, taken) {
    const quad = this.quad(square);
    const at = projection(quad);
    if (!feature.outline_px) return at(0.82, 0.82);
    const free = (point) => Math.min(...taken.map((other) => apart(other, point)), 0.3 * this.side);
    const within = (rings, point) => Math.min(distance(rings, point), 0.25 * this.side);
    const worth = (point) => within(feature.outline_px, point) + within([quad], point) + free(point);
    const points = GRID.map(([x, y]) => at(x, y)).filter((point) => inside(feature.outline_px, point));
    return points.length ? points.reduce((best, point) => (worth(point) > worth(best) ? point : best)) : at(0.5, 0.5);
  }

  #covers(feature, point) {
    if (inside(feature.outline_px, point)) return true;
    return feature.kind === "road" && distance(feature.outline_px, point) < ROAD_REACH * this.side;
  }

  #nearest([row, col]) {
    const away = ([r, c]) => Math.hypot(r - row, c - col);
    const known = [...this.seen.keys()].map((name) => name.split(",").map(Number));
    return known.reduce((best, square) => (away(square) < away(best) ? square : best));
  }

  /**
   * Return the foot of a meeple on its square, by its position in the notation, which lists meeples in the same order.
   */
  #stand(meeple) {
    const places = this.report.board.notation.split(" ").filter((word) => word.includes("="));
    const [, side, half] = /=[a-z]([NESW])([LR]?)/.exec(places[this.report.board.meeples.indexOf(meeple)]) ?? [];
    if (!side) return [0.5, 0.5];
    const [away, along] = [half ? 0.16 : 0.26, half === "L" ? 0.22 : half === "R" ? 0.78 : 0.5];
    return { N: [along, away], E: [1 - away, along], S: [1 - along, 1 - away], W: [away, 1 - along] }[side];
  }
}

const GRID = Array.from({ length: 121 }, (_, i) => [0.1 + 0.08 * (i % 11), 0.1 + 0.08 * Math.floor(i / 11)]);

/** Return the square's corners from those of a tile's print, by turning them back. */
function asItLies({ corners_px, turns }) {
  return [0, 1, 2, 3].map((corner) => corners_px[(corner + 4 - turns) % 4]);
}

function drawn([row, col], origin) {
  const [x, y] = [col - origin.col + 0.5, row - origin.row + 0.5];
  return [
    [x, y],
    [x + 1, y],
    [x + 1, y + 1],
    [x, y + 1],
  ].map(([a, b]) => [a * DRAWN_SIDE, b * DRAWN_SIDE]);
}
