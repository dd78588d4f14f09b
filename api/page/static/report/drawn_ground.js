// @ts-check
/** The ground of a drawing beside the photo: its elements, the marks over them, and the viewer of both. */

import { el, svg } from "../lib/dom.js";
import { Viewer } from "../lib/viewer.js";

export class DrawnGround {
  /** @type {Viewer | null} */
  #viewer = null;
  root = svg("svg", { "aria-hidden": "true", focusable: "false" });
  #board = el("div", { class: "drawn-board" });
  #ground = el("div", { class: "world" }, this.#board, this.root);

  /**
   * `onTap` gets the tapped point.
   *
   * @param {HTMLElement} frame
   * @param {(point: Point) => unknown} onTap
   */
  constructor(frame, onTap) {
    this.frame = frame;
    this.onTap = onTap;
  }

  get viewer() {
    return /** @type {Viewer} */ (this.#viewer);
  }

  /**
   * Lay out the drawing's elements on a ground of a size; the part in view stays unless the size has changed.
   *
   * @param {HTMLElement[]} elements
   * @param {{ width: number, height: number }} size
   * @param {Box} home
   */
  lay(elements, { width, height }, home) {
    this.#board.replaceChildren(...elements);
    const [before, now] = [this.root.getAttribute("viewBox"), `0 0 ${width} ${height}`];
    if (before === now) return;
    for (const [name, value] of Object.entries({ viewBox: now, width, height }))
      this.root.setAttribute(name, String(value));
    Object.assign(this.#ground.style, { width: `${width}px`, height: `${height}px` });
    if (this.#viewer) return this.#viewer.put(this.#ground, width, height, home);
    this.#viewer = new Viewer(this.frame, this.#ground, width, height, home);
    this.#viewer.addEventListener("tap", (event) => this.onTap(/** @type {CustomEvent} */ (event).detail));
  }
}

/**
 * Place an element of a drawing.
 *
 * @template {HTMLElement} E
 * @param {E} element
 * @param {Box} box
 */
export function place(element, { x, y, width, height }) {
  Object.assign(element.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
  return element;
}
