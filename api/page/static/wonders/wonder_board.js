// @ts-nocheck
/** A wonder's five squares cut out of the photo, upright, with its features; its ends are tapped or dragged. */

import { el, icon, penOf, svg } from "../lib/dom.js";
import { say } from "../lib/words.js";
import { crop } from "../report/crop.js";
import { edgeName } from "./wonder_plan.js";

const SIDE = 100;
const MARGIN = 42;
const PIXELS = 200;
/** @type {{ [name: string]: number[] }} */
const OUT = { N: [0, -0.5], E: [0.5, 0], S: [0, 0.5], W: [-0.5, 0] };
/** Distance of an end's button from its edge, in squares. */
const BEYOND = 0.13;
/** A finger that moves less has tapped. */
const TAP_PX = 9;

export class WonderBoard {
  #drag = null;
  #dragged = false;

  /**
   * `quads` are the corners of the squares in the photo; `act` are `onEdge(edge)`, `onJoin(edge, other)`,
   * `onCover(edge, square)`, `onSquare(square)`.
   *
   * @param {WonderPlan} plan
   * @param {HTMLImageElement | null} photo
   * @param {(Quad | null)[]} quads
   * @param {WonderActs} act
   */
  constructor(plan, photo, quads, act) {
    this.plan = plan;
    this.act = act;
    const [rows, cols] = [0, 1].map((axis) => 1 + Math.max(...plan.squares.map((square) => square[axis])));
    this.size = { width: cols * SIDE + 2 * MARGIN, height: rows * SIDE + 2 * MARGIN };
    this.layer = svg("g", {});
    this.line = svg("path", { class: "wonder-drag" });
    const { width, height } = this.size;
    this.drawing = svg(
      "svg",
      { viewBox: `${-MARGIN} ${-MARGIN} ${width} ${height}`, "aria-hidden": "true", focusable: "false" },
      photo
        ? null
        : svg("path", {
            class: "wonder-ground",
            d: plan.squares.map(([row, col]) => `M${col * SIDE} ${row * SIDE}h${SIDE}v${SIDE}h${-SIDE}Z`).join(""),
          }),
      this.layer,
      svg("path", {
        class: "wonder-seams",
        d: plan.squares.map(([row, col]) => `M${col * SIDE} ${row * SIDE}h${SIDE}v${SIDE}h${-SIDE}Z`).join(""),
      }),
      svg("path", { class: "wonder-outline", d: plan.edges.map((edge) => this.#side(edge)).join("") }),
      this.line,
    );
    this.ends = new Map(plan.edges.map((edge) => [edgeName(edge), this.#end(edge)]));
    this.middles = plan.squares.map((square, number) => this.#middle(number));
    this.element = el(
      "div",
      { class: "wonder-board" },
      photo ? this.#photo(photo, quads, rows, cols) : null,
      this.drawing,
      this.middles,
      [...this.ends.values()],
    );
    this.element.style.aspectRatio = `${width} / ${height}`;
  }

  /**
   * Show the present plan; `parts` are the shapes that the server drew of it, `from` is the end to be joined.
   *
   * @param {Api.WonderPart[]} parts
   * @param {{ from?: Edge | null, joining?: boolean }} [given]
   */
  draw(parts, { from = null, joining = false } = {}) {
    this.layer.replaceChildren(
      ...(parts.length ? parts.flatMap(shape) : this.plan.features.map((feature) => this.#sketch(feature))),
    );
    for (const edge of this.plan.edges) {
      const [button, kind] = [this.ends.get(edgeName(edge)), this.plan.kind(edge)];
      button.className = `wonder-end ${kind}`;
      button.replaceChildren(icon(kind));
      button.setAttribute("aria-label", say("wonder-end", { square: edge.square + 1, side: edge.side, kind }));
      button.title = button.getAttribute("aria-label");
      if (joining) button.setAttribute("aria-pressed", String(from !== null && edgeName(from) === edgeName(edge)));
      else button.removeAttribute("aria-pressed");
    }
    for (const [number, button] of this.middles.entries()) {
      button.disabled = from === null;
      button.setAttribute("aria-label", say("wonder-square", { n: number + 1 }));
    }
  }

  /**
   * @param {HTMLImageElement} photo
   * @param {(Quad | null)[]} quads
   * @param {number} rows
   * @param {number} cols
   */
  #photo(photo, quads, rows, cols) {
    const canvas = Object.assign(el("canvas", { role: "img", "aria-label": say("wonder-in-the-photo") }), {
      width: cols * PIXELS,
      height: rows * PIXELS,
    });
    const pen = penOf(canvas);
    for (const [number, quad] of quads.entries()) {
      if (!quad) continue;
      const square = document.createElement("canvas");
      crop(square, photo, quad, 0);
      const [row, col] = this.plan.squares[number];
      pen.drawImage(square, col * PIXELS, row * PIXELS, PIXELS, PIXELS);
    }
    const { width, height } = this.size;
    Object.assign(canvas.style, {
      left: `${(100 * MARGIN) / width}%`,
      top: `${(100 * MARGIN) / height}%`,
      width: `${(100 * cols * SIDE) / width}%`,
    });
    return canvas;
  }

  /** @param {Edge} edge */
  #end(edge) {
    const button = el("button", {
      type: "button",
      "data-end": edgeName(edge),
      onclick: (event) => this.#tapped(edge, event),
    });
    for (const [name, act] of Object.entries({
      pointerdown: "down",
      pointermove: "move",
      pointerup: "up",
      pointercancel: "stop",
    }))
      button.addEventListener(name, (event) => this.#pointer(act, edge, event));
    return this.#put(button, this.#at(edge, BEYOND));
  }

  /** @param {number} number */
  #middle(number) {
    const [row, col] = this.plan.squares[number];
    const button = el(
      "button",
      {
        type: "button",
        class: "wonder-middle",
        "data-square-number": number,
        onclick: () => this.act.onSquare(number),
      },
      String(number + 1),
    );
    return this.#put(button, [(col + 0.5) * SIDE, (row + 0.5) * SIDE]);
  }

  /**
   * @param {HTMLElement} button
   * @param {Point} point
   */
  #put(button, [x, y]) {
    const { width, height } = this.size;
    button.style.left = `${(100 * (x + MARGIN)) / width}%`;
    button.style.top = `${(100 * (y + MARGIN)) / height}%`;
    return button;
  }

  /**
   * Return the point some squares beyond an edge's middle.
   *
   * @param {Edge} edge
   * @param {number} [beyond]
   */
  #at({ square, side }, beyond = 0) {
    const [[row, col], [right, down]] = [this.plan.squares[square], OUT[side]];
    return [(col + 0.5 + right * (1 + 2 * beyond)) * SIDE, (row + 0.5 + down * (1 + 2 * beyond)) * SIDE];
  }

  /** @param {Edge} edge */
  #side(edge) {
    const [x, y] = this.#at(edge);
    return "NS".includes(edge.side) ? `M${x - SIDE / 2} ${y}h${SIDE}` : `M${x} ${y - SIDE / 2}v${SIDE}`;
  }

  /**
   * Draw a feature without a server drawing: its ends, led together.
   *
   * @param {PlanFeature} planFeature
   */
  #sketch({ kind, ends, squares }) {
    const points = ends.map((end) => this.#at(end));
    const middles = [...squares].map((number) => this.plan.squares[number].map((at) => (at + 0.5) * SIDE));
    const [y, x] = [0, 1].map((axis) => middles.reduce((sum, middle) => sum + middle[axis], 0) / middles.length);
    return svg("path", {
      class: `wonder-part sketched ${kind}`,
      d: points.map(([px, py]) => `M${px} ${py}L${x} ${y}`).join(""),
    });
  }

  /**
   * Ignore the click that ends a drag; a key press is never one.
   *
   * @param {Edge} edge
   * @param {UIEvent} uIEvent
   */
  #tapped(edge, { detail }) {
    if (detail === 0 || !this.#dragged) this.act.onEdge(edge);
    this.#dragged = false;
  }

  /**
   * @param {string} act
   * @param {Edge} edge
   * @param {PointerEvent} event
   */
  #pointer(act, edge, event) {
    if (act === "down") {
      this.#dragged = false;
      this.#drag = { x: event.clientX, y: event.clientY };
      event.currentTarget.setPointerCapture(event.pointerId);
      return;
    }
    if (!this.#drag) return;
    if (
      act === "move" &&
      (this.#dragged || Math.hypot(event.clientX - this.#drag.x, event.clientY - this.#drag.y) > TAP_PX)
    ) {
      this.#dragged = true;
      const [[fromX, fromY], [x, y]] = [this.#at(edge), this.#point(event)];
      this.line.setAttribute("d", `M${fromX} ${fromY}L${x} ${y}`);
    }
    if (act === "up" || act === "stop") {
      this.#drag = null;
      this.line.removeAttribute("d");
      if (act === "up" && this.#dragged) this.#dropped(edge, this.#point(event));
    }
  }

  /**
   * @param {Edge} edge
   * @param {Point} point
   */
  #dropped(edge, [x, y]) {
    /** @param {Edge} other */
    const away = (other) => Math.hypot(this.#at(other)[0] - x, this.#at(other)[1] - y);
    const [nearest] = [...this.plan.edges].sort((one, other) => away(one) - away(other));
    if (away(nearest) < SIDE * 0.3) return edgeName(nearest) === edgeName(edge) ? null : this.act.onJoin(edge, nearest);
    const square = this.plan.squares.findIndex(
      ([row, col]) => Math.floor(x / SIDE) === col && Math.floor(y / SIDE) === row,
    );
    return square < 0 ? null : this.act.onCover(edge, square);
  }

  /** @param {PointerEvent} pointerEvent */
  #point({ clientX, clientY }) {
    const { left, top, width } = this.drawing.getBoundingClientRect();
    const scale = this.size.width / width;
    return [(clientX - left) * scale - MARGIN, (clientY - top) * scale - MARGIN];
  }
}

/**
 * Draw a part as the server returned it: roads have a kerb.
 *
 * @param {Api.WonderPart} wonderPart
 */
function shape({ kind, path: d }) {
  const own = svg("path", { class: `wonder-part ${kind}`, d });
  return kind === "road" ? [svg("path", { class: "wonder-part kerb", d }), own] : [own];
}
