// @ts-check
/** The board as drawn, without a photo: each tile on its square, and the reading over it. */

import { drawing } from "../lib/catalogue.js";
import { el, svg } from "../lib/dom.js";
import { Viewer } from "../lib/viewer.js";
import { Overlay } from "./overlay.js";
import { Squares } from "./squares.js";

/**
 * Draw the tiles of a board, each on its square.
 *
 * @param {Squares} squares
 */
export function drawnTiles(squares) {
  return squares.report.board.tiles.map((tile) => {
    const [[left, top]] = squares.quad([tile.row, tile.col]);
    const picture = tile.tile
      ? el("img", { src: drawing(tile.tile, tile.turns, tile.square ?? null), alt: "" })
      : el("span", { class: "unknown" }, "?");
    const side = `${squares.side}px`;
    Object.assign(picture.style, { left: `${left}px`, top: `${top}px`, width: side, height: side });
    return picture;
  });
}

/** The drawn board beside the photo: marked and tapped as the photo is. */
export class DrawnBoard {
  /** @type {Api.Report} */
  report;
  /** @type {Squares} */
  squares;
  /** @type {Viewer | null} */
  #viewer = null;
  #root = svg("svg", { "aria-hidden": "true", focusable: "false" });
  #tiles = el("div", { class: "drawn-board" });
  #ground = el("div", { class: "world" }, this.#tiles, this.#root);

  /**
   * `onTap` gets the tapped point.
   *
   * @param {HTMLElement} frame
   * @param {(point: Point) => unknown} onTap
   */
  constructor(frame, onTap) {
    this.frame = frame;
    this.onTap = onTap;
    this.overlay = new Overlay(this.#root);
  }

  get viewer() {
    return /** @type {Viewer} */ (this.#viewer);
  }

  /**
   * Draw a report, the first or a changed one; `asked` are the squares of questions.
   *
   * @param {Api.Report} report
   * @param {Square[]} asked
   */
  draw(report, asked) {
    this.report = report;
    this.squares = new Squares(report, asked);
    this.#fit();
    this.#tiles.replaceChildren(...drawnTiles(this.squares));
    this.overlay.draw(this.squares);
  }

  /** Give the ground the size of the board; the part in view stays unless the board has grown. */
  #fit() {
    const { width, height } = this.squares.size;
    const [before, now] = [this.#root.getAttribute("viewBox"), `0 0 ${width} ${height}`];
    if (before === now) return;
    for (const [name, value] of Object.entries({ viewBox: now, width, height }))
      this.#root.setAttribute(name, String(value));
    Object.assign(this.#ground.style, { width: `${width}px`, height: `${height}px` });
    const home = this.squares.home();
    if (this.#viewer) return this.#viewer.put(this.#ground, width, height, home);
    this.#viewer = new Viewer(this.frame, this.#ground, width, height, home);
    this.#viewer.addEventListener("tap", (event) => this.onTap(/** @type {CustomEvent} */ (event).detail));
  }
}
