// @ts-check
/** The board as drawn, without a photo: each tile on its square, and the reading over it. */

import { drawing } from "../lib/catalogue.js";
import { el } from "../lib/dom.js";
import { DrawnGround, place } from "../report/drawn_ground.js";
import { Overlay } from "./overlay.js";
import { Squares } from "./squares.js";

/**
 * Draw the tiles of a board, each on its square.
 *
 * @param {Squares} squares
 */
export function drawnTiles(squares) {
  return squares.report.board.tiles.map((tile) => {
    const [[x, y]] = squares.quad([tile.row, tile.col]);
    const picture = tile.tile
      ? el("img", { src: drawing(tile.tile, tile.turns, tile.square ?? null), alt: "" })
      : el("span", { class: "unknown" }, "?");
    return place(picture, { x, y, width: squares.side, height: squares.side });
  });
}

/** The drawn board beside the photo: marked and tapped as the photo is. */
export class DrawnBoard extends DrawnGround {
  /** @type {Api.Report} */
  report;
  /** @type {Squares} */
  squares;
  overlay = new Overlay(this.root);

  /**
   * Draw a report, the first or a changed one; `asked` are the squares of questions.
   *
   * @param {Api.Report} report
   * @param {Square[]} asked
   */
  draw(report, asked) {
    this.report = report;
    this.squares = new Squares(report, asked);
    this.lay(drawnTiles(this.squares), this.squares.size, this.squares.home());
    this.overlay.draw(this.squares);
  }
}
