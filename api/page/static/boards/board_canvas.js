// @ts-nocheck
/** A picture of a board with the marked shapes; the selected ones can be dragged by their dots. */

import { el, penOf, svg } from "../lib/dom.js";
import { box } from "../lib/geometry.js";
import { Viewer } from "../lib/viewer.js";
import { say } from "../lib/words.js";

const MAGNIFIED = 3;
const GLASS = 132;

export class BoardCanvas {
  #shapes = [];

  /**
   * `onTap(point)` gets the tapped point of the picture, `onChange(name, shape)` a dragged shape.
   *
   * @param {HTMLElement} frame
   * @param {{ onTap: (at: Point) => unknown, onChange: (name: string, shape: object) => unknown }} given
   */
  constructor(frame, { onTap, onChange }) {
    this.frame = frame;
    this.onTap = onTap;
    this.onChange = onChange;
    this.photo = Object.assign(new Image(), { alt: "" });
    this.glass = el("canvas", {
      class: "boards-glass",
      width: GLASS * 2,
      height: GLASS * 2,
      hidden: true,
      "aria-hidden": "true",
    });
    frame.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.target !== frame) return;
      const { left, top, width, height } = frame.getBoundingClientRect();
      onTap(this.viewer.point(left + width / 2, top + height / 2));
    });
  }

  /**
   * Show another picture of the given size in pixels; throws the browser's error if it cannot be opened.
   *
   * @param {string} address
   * @param {number} width
   * @param {number} height
   * @param {string | null} apiKey
   */
  async load(address, width, height, apiKey) {
    const answer = await fetch(address, { headers: apiKey ? { "X-API-Key": apiKey } : {} });
    if (!answer.ok) throw new Error(say("boards-no-picture"));
    URL.revokeObjectURL(this.photo.src);
    this.photo = Object.assign(new Image(), { alt: "" });
    this.photo.src = URL.createObjectURL(await answer.blob());
    await this.photo.decode();
    this.layer = svg("g", {});
    this.handles = el("div", { class: "boards-handles" });
    const world = el(
      "div",
      { class: "world" },
      this.photo,
      svg("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, this.layer),
      this.handles,
    );
    Object.assign(world.style, { width: `${width}px`, height: `${height}px` });
    const home = { x: 0, y: 0, width, height };
    if (this.viewer) this.viewer.put(world, width, height, home);
    else {
      this.viewer = new Viewer(this.frame, world, width, height, home);
      this.viewer.addEventListener(
        "tap",
        ({ detail: [x, y] }) =>
          x >= 0 && y >= 0 && x <= this.viewer.width && y <= this.viewer.height && this.onTap([round(x), round(y)]),
      );
      this.viewer.addEventListener("zoom", () => this.#scale());
      new ResizeObserver(() => this.#scale()).observe(this.frame);
    }
    this.frame.append(this.glass);
    this.#scale();
  }

  /** @param {number} by */
  zoom(by) {
    this.viewer.zoom(by);
  }

  fit() {
    this.viewer.fit();
  }

  /**
   * Scroll a box of the picture into view.
   *
   * @param {Box} part
   */
  show(part) {
    this.viewer.show(part, 8);
  }

  /**
   * Scroll a shape into view.
   *
   * @param {string} name
   */
  look(name) {
    const shape = this.#shapes.find((one) => one.name === name);
    if (shape) this.viewer.show(box(outline(shape)), 3, 2.5);
  }

  /**
   * Draw shapes: `quad` corners, `box` x y width height, `round` x y radius, `path` of x y number, or its `spaces`.
   *
   * @param {BoardShape[]} shapes
   */
  draw(shapes) {
    this.#shapes = shapes;
    const active = document.activeElement?.dataset?.handle;
    this.layer.replaceChildren(...shapes.flatMap(drawn));
    this.handles.replaceChildren(
      ...shapes
        .filter(({ chosen }) => chosen)
        .flatMap((shape) => dots(shape).map((dot, n) => this.#handle(shape, dot, n))),
    );
    if (active) this.handles.querySelector(`[data-handle="${active}"]`)?.focus({ preventScroll: true });
  }

  /**
   * Cut a box out of the picture, as a picture of its own.
   *
   * @param {[number, number, number, number]} given
   */
  cut([x, y, width, height]) {
    const scale = Math.min(2, 560 / width);
    const canvas = el("canvas", {
      role: "img",
      "aria-label": say("boards-cut-out"),
      width: Math.round(width * scale),
      height: Math.round(height * scale),
    });
    penOf(canvas).drawImage(this.photo, x, y, width, height, 0, 0, canvas.width, canvas.height);
    return canvas;
  }

  #scale() {
    if (this.viewer) this.frame.style.setProperty("--per-pixel", this.viewer.perPixel);
  }

  /**
   * @param {BoardShape} shape
   * @param {Dot} dot
   * @param {number} n
   */
  #handle(shape, dot, n) {
    const handle = el("button", {
      type: "button",
      class: `boards-dot ${dot.kind}`,
      "data-handle": `${shape.name}-${n}`,
      "aria-label": say("boards-dot", { n: n + 1 }),
    });
    /** @param {Point} point */
    const put = ([x, y]) => Object.assign(handle.style, { left: `${x}px`, top: `${y}px` });
    put(dot.at);
    let from = null;
    /** @param {Point} to */
    const move = (to) => {
      dot.set(to);
      put(to);
      this.layer.replaceChildren(...this.#shapes.flatMap(drawn));
    };
    const end = () => {
      from = null;
      this.glass.hidden = true;
      this.onChange(shape.name, plain(shape));
    };
    handle.addEventListener("pointerdown", (event) => {
      event.stopPropagation();
      handle.setPointerCapture(event.pointerId);
      const [x, y] = this.viewer.point(event.clientX, event.clientY);
      from = { away: [dot.at[0] - x, dot.at[1] - y], start: [event.clientX, event.clientY], dragged: false };
    });
    handle.addEventListener("pointermove", (event) => {
      if (!from) return;
      from.dragged ||= Math.hypot(event.clientX - from.start[0], event.clientY - from.start[1]) > 4;
      if (!from.dragged) return;
      const [x, y] = this.viewer.point(event.clientX, event.clientY);
      const to = [round(x + from.away[0]), round(y + from.away[1])];
      move(to);
      this.#magnify(to);
    });
    handle.addEventListener("pointerup", (event) => {
      if (!from) return;
      if (from.dragged) return end();
      from = null;
      this.onTap(this.viewer.point(event.clientX, event.clientY).map(round));
    });
    handle.addEventListener("pointercancel", () => from && end());
    handle.addEventListener("keydown", (event) => {
      const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!way) return;
      event.preventDefault();
      const by = event.shiftKey ? 10 : 1;
      move([dot.at[0] + by * way[0], dot.at[1] + by * way[1]]);
      end();
    });
    return handle;
  }

  /**
   * Magnify the picture under the finger, in the corner farthest from it.
   *
   * @param {Point} point
   */
  #magnify([x, y]) {
    const { glass } = this;
    glass.hidden = false;
    const [px] = this.viewer.place([x, y]);
    const { left, width } = this.frame.getBoundingClientRect();
    glass.classList.toggle("right", px < left + width / 2);
    const pen = penOf(glass);
    const scale = Math.max(MAGNIFIED / this.viewer.perPixel, 1) * 2;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.fillRect(0, 0, glass.width, glass.height);
    pen.setTransform(scale, 0, 0, scale, GLASS - x * scale, GLASS - y * scale);
    pen.drawImage(this.photo, 0, 0, this.viewer.width, this.viewer.height);
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.strokeStyle = "#ff2bd6";
    pen.lineWidth = 2;
    pen.beginPath();
    pen.moveTo(GLASS, GLASS - 40);
    pen.lineTo(GLASS, GLASS + 40);
    pen.moveTo(GLASS - 40, GLASS);
    pen.lineTo(GLASS + 40, GLASS);
    pen.stroke();
  }
}

/** @param {number} value */
const round = (value) => Math.round(value * 10) / 10;
/** @param {BoardShape} boardShape */
const plain = ({ quad, box: own, round: circle, path, spaces, reach, lines }) =>
  Object.fromEntries(
    Object.entries({ quad, box: own, round: circle, path, spaces, reach, lines }).filter(
      ([, value]) => value !== undefined && value !== null,
    ),
  );

/**
 * Return points around a shape.
 *
 * @param {BoardShape} boardShape
 */
function outline({ quad, box: own, round: circle, path, spaces }) {
  if (quad) return quad;
  if (path ?? spaces) return (path ?? spaces).map(([x, y]) => [x, y]);
  if (circle)
    return [
      [circle[0] - circle[2], circle[1] - circle[2]],
      [circle[0] + circle[2], circle[1] + circle[2]],
    ];
  return [
    [own[0], own[1]],
    [own[0] + own[2], own[1] + own[3]],
  ];
}

/** @param {BoardShape} shape */
function drawn(shape) {
  const looks = shape.chosen ? "board-mark chosen" : "board-mark";
  if (shape.path) return route(shape, looks);
  if (shape.spaces) return rings(shape);
  if (shape.lines) return grid(shape, looks);
  if (shape.round) return [svg("circle", { class: looks, cx: shape.round[0], cy: shape.round[1], r: shape.round[2] })];
  if (shape.box)
    return [svg("rect", { class: looks, x: shape.box[0], y: shape.box[1], width: shape.box[2], height: shape.box[3] })];
  const [first, second] = shape.quad;
  const up = shape.upright
    ? [svg("path", { class: "board-mark top", d: `M${first.join(" ")}L${second.join(" ")}` })]
    : [];
  return [svg("path", { class: looks, d: `M${shape.quad.map((point) => point.join(" ")).join("L")}Z` }), ...up];
}

/**
 * Draw a grid's squares, with those that are not land painted.
 *
 * @param {BoardShape} boardShape
 * @param {string} looks
 */
function grid({ box: [x, y, width, height], lines }, looks) {
  const [wide, high] = [width / lines[0].length, height / lines.length];
  const squares = lines
    .flatMap((line, row) => [...line].map((letter, col) => ({ letter, row, col })))
    .filter(({ letter }) => letter !== ".");
  const down = lines.map((_, row) => `M${x} ${y + row * high}h${width}`);
  const right = [...lines[0]].map((_, col) => `M${x + col * wide} ${y}v${height}`);
  return [
    svg("rect", { class: `${looks} grid`, x, y, width, height }),
    svg("path", { class: "board-lines", d: [...down, ...right].join("") }),
    ...squares.map(({ letter, row, col }) =>
      svg("rect", {
        class: letter === "~" ? "board-square water" : "board-square natural",
        x: x + (col + 0.15) * wide,
        y: y + (row + 0.15) * high,
        width: 0.7 * wide,
        height: 0.7 * high,
        rx: 0.15 * wide,
      }),
    ),
  ];
}

/**
 * Draw the spaces that have a symbol, with its number if there are several.
 *
 * @param {BoardShape} boardShape
 */
function rings({ spaces, reach = 12 }) {
  const counts = new Map();
  for (const [x, y, number] of spaces) counts.set(number, { x, y, n: (counts.get(number)?.n ?? 0) + 1 });
  return [...counts.values()].flatMap(({ x, y, n }) => [
    svg("circle", { class: "board-ring", cx: x, cy: y, r: reach * 0.8 }),
    ...(n > 1
      ? [
          Object.assign(svg("text", { class: "board-number", x, y: y + reach * 0.35, "font-size": reach }), {
            textContent: `×${n}`,
          }),
        ]
      : []),
  ]);
}

/**
 * Draw a path's spaces, and the numbers at its turns.
 *
 * @param {BoardShape} boardShape
 * @param {string} looks
 */
function route({ path, reach = 12 }, looks) {
  const spaces = path.slice(1).flatMap(([x1, y1, last], n) => {
    const [x0, y0, first] = path[n];
    const count = Math.max(1, Math.min(200, last - first));
    return Array.from({ length: count - 1 }, (_, i) => [
      x0 + ((x1 - x0) * (i + 1)) / count,
      y0 + ((y1 - y0) * (i + 1)) / count,
    ]);
  });
  return [
    ...spaces.map(([x, y]) => svg("circle", { class: `${looks} space`, cx: x, cy: y, r: reach * 0.35 })),
    ...path.map(([x, y]) => svg("circle", { class: looks, cx: x, cy: y, r: reach * 0.8 })),
    ...path.map(([x, y, number]) =>
      Object.assign(svg("text", { class: "board-number", x, y: y + reach * 0.35, "font-size": reach }), {
        textContent: String(number),
      }),
    ),
  ];
}

/**
 * Return the dots for dragging a shape: the position of each, and its effect when moved.
 *
 * @param {BoardShape} shape
 */
function dots(shape) {
  const { quad, box: own, round: circle, path, spaces } = shape;
  if (spaces) return [];
  /**
   * @param {string} kind
   * @param {Point} at
   * @param {(to: Point) => unknown} set
   */
  const bound = (kind, at, set) => ({
    kind,
    at,
    set(to) {
      this.at = to;
      set(to);
    },
  });
  if (quad)
    return quad.map((point, n) =>
      bound("", point, (to) => (shape.quad = shape.quad.map((corner, i) => (i === n ? to : corner)))),
    );
  if (path)
    return path.map(([x, y], n) =>
      bound("", [x, y], (to) => (shape.path = shape.path.map((node, i) => (i === n ? [...to, node[2]] : node)))),
    );
  if (circle)
    return [
      bound("middle", circle.slice(0, 2), ([x, y]) => (shape.round = [x, y, shape.round[2]])),
      bound(
        "",
        [circle[0] + circle[2], circle[1]],
        ([x, y]) =>
          (shape.round = [
            shape.round[0],
            shape.round[1],
            Math.max(2, round(Math.hypot(x - shape.round[0], y - shape.round[1]))),
          ]),
      ),
    ];
  /**
   * @param {number} right
   * @param {number} down
   */
  const corner = (right, down) =>
    bound("", [own[0] + right * own[2], own[1] + down * own[3]], ([x, y]) => {
      const [left, top, width, height] = shape.box;
      const [far, low] = [left + width, top + height];
      const [x0, x1] = right ? [left, Math.max(left + 4, x)] : [Math.min(far - 4, x), far];
      const [y0, y1] = down ? [top, Math.max(top + 4, y)] : [Math.min(low - 4, y), low];
      shape.box = [x0, y0, x1 - x0, y1 - y0].map(round);
    });
  const middle = bound(
    "middle",
    [own[0] + own[2] / 2, own[1] + own[3] / 2],
    ([x, y]) => (shape.box = [x - shape.box[2] / 2, y - shape.box[3] / 2, shape.box[2], shape.box[3]].map(round)),
  );
  return [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1), middle];
}
