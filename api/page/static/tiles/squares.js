// @ts-check
/** The board's squares in the picture, and the items at a point of it. */

import { apart, box, distance, inside, median, projection } from "../lib/geometry.js";
import { originOf } from "../report/places.js";

const ROAD_REACH = 0.07;
const MEEPLE_REACH = 0.22;
/** The radius of the mark of a doubt, in sides of a square. */
export const QUERY = 0.17;
const QUERY_REACH = 0.36;
/**
 * The kinds of features from the server's table: as they are listed, from the top of a picture down, and those that are
 * never finished.
 *
 * @type {{ listed: string[], topmost: string[], endless: string[] }}
 */
export const {
  listed: LISTED,
  topmost: TOPMOST,
  endless: ENDLESS,
} = JSON.parse(document.getElementById("kinds")?.textContent ?? "{}");

/** @param {Point} point */
export const nameOf = ([row, col]) => `${row},${col}`;

/** A report's squares in the picture: of its photo, or as drawn if it has none. */
export class Squares {
  /**
   * `asked` are squares that a question is about, in doubt like those of the report's doubts.
   *
   * @param {Api.Report} report
   * @param {Square[]} [asked]
   */
  constructor(report, asked = []) {
    this.report = report;
    this.asked = asked;
    this.tiles = new Map(report.board.tiles.map((tile) => [nameOf([tile.row, tile.col]), tile]));
    this.seen = new Map(
      [...this.tiles].filter(([, tile]) => tile.corners_px).map(([name, tile]) => [name, asItLies(tile)]),
    );
    this.origin = originOf(report.board);
    this.side = this.seen.size ? median([...this.seen.values()].map(([nw, ne]) => apart(nw, ne))) : 1;
  }

  /** The size of the picture; a drawn board has half a square around it. */
  get size() {
    if (this.report.photo) return this.report.photo;
    const { x, y, width, height } = this.home();
    return { width: 2 * x + width, height: 2 * y + height };
  }

  /**
   * Return the box of the board in the picture, with further points.
   *
   * @param {{ at: Point }[]} [further]
   */
  home(further = []) {
    const points = [
      ...further.map(({ at }) => at),
      ...this.report.board.tiles.flatMap(({ row, col }) => this.quad([row, col])),
    ];
    if (!points.length) return { x: 0, y: 0, width: 1, height: 1, ...this.report.photo };
    if (!this.report.photo) return box(points);
    const { width, height } = this.report.photo;
    return box(points.map(([x, y]) => [Math.max(0, Math.min(width, x)), Math.max(0, Math.min(height, y))]));
  }

  /** @param {Square} square */
  tile(square) {
    return this.tiles.get(nameOf(square));
  }

  /**
   * Return a square's quad; one that no photo shows is extrapolated from the nearest visible one.
   *
   * @param {Square} square
   */
  quad(square) {
    const own = this.seen.get(nameOf(square));
    if (own) return own;
    const [row, col] = this.#nearest(square);
    const at = projection(this.seen.get(nameOf([row, col])) ?? []);
    const [x, y] = [square[1] - col, square[0] - row];
    return [at(x, y), at(x + 1, y), at(x + 1, y + 1), at(x, y + 1)];
  }

  /** @param {Square} square */
  middle(square) {
    return projection(this.quad(square))(0.5, 0.5);
  }

  /**
   * Whether a meeple stands on another square than in this report, or is missing from it.
   *
   * @param {Pick<Placed, "id" | "tile">} given
   */
  isElsewhere({ id, tile }) {
    const own = this.report.board.meeples.find((other) => other.id === id);
    return !own || nameOf(own.tile) !== nameOf(tile);
  }

  /**
   * Return the foot of a meeple in the picture; of one that it does not show the middle of its square.
   *
   * @param {Placed} meeple
   */
  foot(meeple) {
    return meeple.foot_px ?? this.middle(meeple.tile);
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

  /**
   * Return the square at a point, tiles before the empty ones around them; null if there is none.
   *
   * @param {Point} point
   */
  at(point) {
    const laid = this.report.board.tiles.map(({ row, col }) => [row, col]);
    return [...laid, ...this.empty()].find((square) => inside([this.quad(square)], point)) ?? null;
  }

  /**
   * Return the meeple at a point.
   *
   * @param {Point} point
   */
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
    /** @param {"row" | "col"} axis */
    const most = (axis) => Math.max(...tiles.map((tile) => tile[axis]));
    /**
     * @param {number} from
     * @param {number} to
     */
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

  /**
   * Return the place of the mark of a doubt on its square.
   *
   * @param {Square} square
   */
  query(square) {
    return projection(this.quad(square))(0.87, 0.15);
  }

  /** Return the squares of doubts that can change points, and of questions; other uncertain squares are left out. */
  doubted() {
    const squares = [...(this.report.doubts ?? []).map(({ square }) => square), ...this.asked];
    return [...new Map(squares.map((square) => [nameOf(square), square])).values()];
  }

  /** @param {Square} square */
  isDoubted(square) {
    return this.doubted().some((own) => nameOf(own) === nameOf(square));
  }

  /**
   * Return the square whose doubt mark is nearest to a point, within it or within `reach` on its side; else null.
   *
   * @param {Point} point
   * @param {number} reach
   */
  doubtedAt(point, reach) {
    const near = this.doubted()
      .map((square) => ({ square, far: apart(this.query(square), point) }))
      .filter(({ far }) => far < Math.max(QUERY * this.side, Math.min(QUERY_REACH * this.side, reach)));
    return near.sort((a, b) => a.far - b.far)[0]?.square ?? null;
  }

  /**
   * Return the topmost feature at a point; a road also counts from beside it.
   *
   * @param {Point} point
   */
  featureAt(point) {
    const drawn = this.report.features.filter((feature) => feature.outline_px);
    for (const kind of TOPMOST)
      for (const feature of drawn) if (feature.kind === kind && this.#covers(feature, point)) return feature;
    return null;
  }

  /**
   * Return a point of a feature on a square, well inside it and away from `taken`; a corner if it has no outline.
   *
   * @param {Api.Feature} feature
   * @param {Square} square
   * @param {Point[]} taken
   */
  spot(feature, square, taken) {
    const quad = this.quad(square);
    const at = projection(quad);
    const outline = feature.outline_px;
    if (!outline) return at(0.82, 0.82);
    /** @param {Point} point */
    const free = (point) => Math.min(...taken.map((other) => apart(other, point)), 0.3 * this.side);
    /**
     * @param {Ring[]} rings
     * @param {Point} point
     */
    const within = (rings, point) => Math.min(distance(rings, point), 0.25 * this.side);
    /** @param {Point} point */
    const worth = (point) => within(outline, point) + within([quad], point) + free(point);
    const points = GRID.map(([x, y]) => at(x, y)).filter((point) => inside(outline, point));
    return points.length ? points.reduce((best, point) => (worth(point) > worth(best) ? point : best)) : at(0.5, 0.5);
  }

  /**
   * @param {Api.Feature} feature
   * @param {Point} point
   */
  #covers(feature, point) {
    const outline = feature.outline_px ?? [];
    if (inside(outline, point)) return true;
    return feature.kind === "road" && distance(outline, point) < ROAD_REACH * this.side;
  }

  /** @param {Square} square */
  #nearest([row, col]) {
    /** @param {Square} square */
    const away = ([r, c]) => Math.hypot(r - row, c - col);
    const known = [...this.seen.keys()].map((name) => name.split(",").map(Number));
    return known.reduce((best, square) => (away(square) < away(best) ? square : best));
  }
}

const GRID = Array.from({ length: 121 }, (_, i) => [0.1 + 0.08 * (i % 11), 0.1 + 0.08 * Math.floor(i / 11)]);

/**
 * Return the square's corners from those of a tile's print, by turning them back.
 *
 * @param {Api.Tile} tile
 */
function asItLies({ corners_px, turns }) {
  return [0, 1, 2, 3].map((corner) => (corners_px ?? [])[(corner + 4 - turns) % 4]);
}
