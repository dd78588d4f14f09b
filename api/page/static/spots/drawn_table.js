// @ts-check
/** The table of a printed game as drawn: its empty boards, and on them what was read. */

import { ink, paint } from "../lib/colours.js";
import { el, svg } from "../lib/dom.js";
import { box } from "../lib/geometry.js";
import { number } from "../lib/words.js";
import { DrawnGround, place } from "../report/drawn_ground.js";
import { isFilled, isPiece, playerOf, shortName } from "./spot_names.js";
import { SpotOverlay } from "./spot_overlay.js";

/** Space around the boards, and between the signs on a spot, as a share of the smaller side. */
const ROOM = 0.02;
/** Width of a sign on a spot, relative to its height. */
const WIDE = 1.6;
/** Maximum height of a sign, in the drawing's pixels: that of a large wooden piece. */
const MOST = 44;

/** The drawn table beside the photo: marked and tapped as the photo is. */
export class DrawnTable extends DrawnGround {
  /** @type {Api.SpotReport} */
  report;
  #contents = svg("g", {});
  /** @type {SpotOverlay} */
  overlay;

  /**
   * `path` is the reading's address; `onTap` gets the tapped point.
   *
   * @param {HTMLElement} frame
   * @param {string} path
   * @param {(point: Point) => unknown} onTap
   */
  constructor(frame, path, onTap) {
    super(frame, onTap);
    this.path = path;
    this.root.append(this.#contents);
  }

  /**
   * Draw a report, the first or a changed one, in the places of the drawn table.
   *
   * @param {Api.SpotReport} report
   */
  draw(report) {
    this.report = report;
    const { printed = [] } = report.board;
    const whole = box(printed.flatMap(({ corners_px: corners }) => corners));
    const [width, height] = [whole.x + whole.width + whole.x, whole.y + whole.height + whole.y];
    this.lay(
      printed.map((board) => this.#board(board)),
      { width, height },
      { x: 0, y: 0, width, height },
    );
    this.overlay ??= new SpotOverlay(this.root, 0, Math.max(width, height));
    this.#contents.replaceChildren(...contents(report.board.spots.filter(({ outline_px: ring }) => ring)));
    this.overlay.draw(report);
  }

  /** @param {Api.PrintedBoard} board */
  #board({ picture, corners_px: corners }) {
    return place(el("img", { src: `${this.path}/boards/${picture}.jpg`, alt: "", class: "empty-board" }), box(corners));
  }
}

/**
 * Draw the contents of spots: pieces fill their squares; the values of spots in one place stand side by side.
 *
 * @param {Api.SpotState[]} spots
 */
function contents(spots) {
  const [pieces, others] = [spots.filter(isPiece), spots.filter((spot) => !isPiece(spot) && isFilled(spot))];
  /** @type {Map<string, Api.SpotState[]>} */
  const places = new Map();
  for (const spot of others) {
    const key = JSON.stringify(spot.outline_px);
    places.set(key, [...(places.get(key) ?? []), spot]);
  }
  return [...pieces.map(square), ...[...places.values()].flatMap(signs)];
}

/** @param {Api.SpotState} spot */
function square({ outline_px: ring, value }) {
  const points = /** @type {Ring} */ (ring).map((point) => point.join(",")).join(" ");
  return svg("polygon", { class: "drawn-piece", "data-kind": String(value).split("#")[0], points });
}

/**
 * Draw the values of spots that share an outline, each as a sign in its player's colour.
 *
 * @param {Api.SpotState[]} spots
 */
function signs(spots) {
  const { x, y, width, height } = box(/** @type {Ring} */ (spots[0].outline_px));
  const room = ROOM * Math.min(width, height);
  const columns = Math.min(spots.length, Math.max(1, Math.round(Math.sqrt((spots.length * width) / height / WIDE))));
  const rows = Math.ceil(spots.length / columns);
  const high = Math.min(MOST, Math.min(height / rows, width / columns / WIDE) - 2 * room);
  return spots.map((spot, n) => {
    const at = [x + ((n % columns) + 0.5) * (width / columns), y + (Math.floor(n / columns) + 0.5) * (height / rows)];
    return sign(spot, `translate(${at[0]} ${at[1]}) scale(${high})`);
  });
}

/**
 * Draw a value in the unit of a sign's height.
 *
 * @param {Api.SpotState} spot
 * @param {string} transform
 */
function sign(spot, transform) {
  const player = playerOf(spot);
  const words = typeof spot.value === "number" ? number(spot.value) : shortName(spot);
  const text = "worth" in spot.values ? `${words}×${number(Number(spot.values.worth))}` : words;
  const [fill, pen] = player === null ? ["#fff8ee", "#1c1917"] : [paint(player), ink(player)];
  return svg(
    "g",
    { class: "drawn-sign", transform },
    svg("rect", { x: -WIDE / 2, y: -0.5, width: WIDE, height: 1, rx: 0.25, fill }),
    svg("text", { y: 0.22, "font-size": 0.62, fill: pen }, text),
  );
}
