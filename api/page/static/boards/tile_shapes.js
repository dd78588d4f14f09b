// @ts-nocheck
/** Drawing the shapes of a game's tiles: squares tapped beside a photo of them; the server saves each tap at once. */

import { call, upload } from "../lib/api.js";
import { button, el, icon, iconButton, svg } from "../lib/dom.js";
import { key, withKey } from "../lib/key.js";
import { say } from "../lib/words.js";
import { BoardCanvas } from "./board_canvas.js";

/** The share of the photo's width that the cut-out of a tile shows. */
const CUT_SHARE = 0.22;
/** @type {{ [name: string]: number[] }} */
const WAYS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

export class ShapeWork {
  #past = [];
  #future = [];
  #shapes = [];
  #chosen = 0;
  #focus = [0, 0];
  #waiting = false;

  /**
   * `path` is the address of the shapes; `guard` runs an action and reports errors, `leave` goes back, `kept` is called
   * once they are saved.
   *
   * @param {string} path
   * @param {Work & { fileButton: FileButton }} given
   */
  constructor(path, { guard, leave, kept, fileButton }) {
    this.path = path;
    this.guard = guard;
    this.kept = kept;
    this.saving = Promise.resolve();
    this.frame = el("div", {
      class: "viewer",
      tabindex: 0,
      role: "application",
      "aria-label": say("boards-shapes-picture-label"),
    });
    this.canvas = new BoardCanvas(this.frame, { onTap: (at) => this.#pointed(at), onChange: () => {} });
    this.chips = el("nav", { class: "boards-chips shapes", "aria-label": say("boards-shapes-list") });
    this.prompt = el("p", { class: "boards-prompt", role: "status" });
    this.picture = el(
      "div",
      { class: "boards-picture shape-photo", hidden: true },
      this.frame,
      el(
        "div",
        { class: "boards-zooms" },
        [
          ["zoom-in", 1.6],
          ["zoom-out", 1 / 1.6],
        ].map(([name, by]) => iconButton(name, say(name), () => this.canvas.zoom(by))),
        iconButton("zoom-fit", say("zoom-fit"), () => this.canvas.fit()),
      ),
    );
    this.part = el("div", { class: "shape-part" });
    this.grid = el("div", { class: "shape-grid", role: "group", onkeydown: (event) => this.#walked(event) });
    this.tools = el("div", { class: "boards-tools" });
    this.problem = el("p", { class: "problem", role: "alert" });
    this.take = fileButton("camera", "boards-shapes-photo", "image/*", (file) => this.#photographed(file));
    this.hint = el("p", { class: "quiet" }, say("boards-shapes-photo-hint"));
    this.undo = iconButton("undo", say("undo"), () => this.#go(this.#past, this.#future));
    this.redo = iconButton("redo", say("redo"), () => this.#go(this.#future, this.#past));
    const later = async () => {
      await this.saving;
      leave();
    };
    this.element = el(
      "section",
      { class: "boards-work" },
      this.chips,
      this.prompt,
      this.picture,
      el("div", { class: "shape-drawing" }, this.part, this.grid),
      this.problem,
      this.tools,
      this.hint,
      el(
        "div",
        { class: "boards-actions" },
        button("before", say("boards-later"), later),
        this.undo,
        this.redo,
        button("check", say("boards-keep"), () => this.guard(() => this.#keep()), { class: "primary" }),
      ),
    );
  }

  async open() {
    this.state = await call("GET", this.path);
    this.#shapes = this.state.drawn.map(({ shape, at }) => ({ cells: cellsOf(shape), at }));
    if (!this.#shapes.length) this.#shapes = [blank()];
    await this.#photo();
    this.#draw();
  }

  async #photo() {
    const { photo_size: size } = this.state;
    this.picture.hidden = !size;
    if (size) await this.canvas.load(`${this.path}/photo.jpg?${Date.now()}`, ...size, key());
  }

  /** @param {File} file */
  async #photographed(file) {
    await this.saving;
    const form = new FormData();
    form.append("photo", file);
    this.state = await withKey(() => upload(form, () => {}, `${this.path}/photo`));
    this.#shapes = this.#shapes.map(({ cells }) => ({ cells, at: null }));
    this.#past = [];
    this.#future = [];
    await this.#photo();
    this.#draw();
  }

  /**
   * Change the shapes, and send them: taps faster than the server's answers are sent together.
   *
   * @param {TileShape[]} shapes
   * @param {number} [chosen]
   */
  #change(shapes, chosen = this.#chosen) {
    this.#past.push({ shapes: this.#shapes, chosen: this.#chosen });
    this.#future = [];
    this.#set({ shapes, chosen });
  }

  /** @param {{ shapes: TileShape[], chosen: number }} given */
  #set({ shapes, chosen }) {
    this.#shapes = shapes;
    this.#chosen = Math.min(chosen, shapes.length - 1);
    this.problem.textContent = "";
    this.#draw();
    this.#send();
  }

  #send() {
    if (this.#waiting) return;
    this.#waiting = true;
    this.saving = this.saving.then(() =>
      this.guard(() => {
        this.#waiting = false;
        const shapes = this.#shapes.map(({ cells, at }) => ({ shape: textOf(cells, this.#side), at }));
        return withKey(() => call("PUT", `${this.path}/draft`, { body: { shapes } }));
      }),
    );
  }

  /**
   * @param {ShapeStep[]} from
   * @param {ShapeStep[]} to
   */
  #go(from, to) {
    const then = from.pop();
    if (!then) return;
    to.push({ shapes: this.#shapes, chosen: this.#chosen });
    this.#set(then);
  }

  get #side() {
    return this.state.max_side;
  }

  get #shape() {
    return this.#shapes[this.#chosen];
  }

  /**
   * Select another shape.
   *
   * @param {TileShape} shape
   */
  #put(shape) {
    this.#change(this.#shapes.map((one, n) => (n === this.#chosen ? shape : one)));
  }

  /** @param {string} cell */
  #tapped(cell) {
    const cells = new Set(this.#shape.cells);
    if (!cells.delete(cell)) cells.add(cell);
    this.#put({ ...this.#shape, cells });
  }

  /** @param {Point} at */
  #pointed(at) {
    this.#put({ ...this.#shape, at });
  }

  /**
   * Move from square to square by arrow keys.
   *
   * @param {KeyboardEvent} event
   */
  #walked(event) {
    const way = WAYS[event.key];
    if (!way) return;
    event.preventDefault();
    this.#focus = this.#focus.map((at, axis) => Math.min(this.#side - 1, Math.max(0, at + way[axis])));
    for (const square of this.grid.children) square.tabIndex = square.dataset.cell === nameOf(this.#focus) ? 0 : -1;
    this.grid.querySelector("[tabindex='0']").focus();
  }

  #draw() {
    const n = this.#chosen + 1;
    const { photo_size: size, max_shapes: most } = this.state;
    this.undo.disabled = !this.#past.length;
    this.redo.disabled = !this.#future.length;
    this.chips.replaceChildren(
      ...this.#shapes.map((shape, at) => this.#chip(shape, at)),
      iconButton(
        "plus",
        say("boards-shapes-add"),
        () => this.#change([...this.#shapes, blank()], this.#shapes.length),
        { disabled: this.#shapes.length >= most },
      ),
    );
    this.prompt.textContent = say(size && !this.#shape.at ? "boards-shapes-prompt-photo" : "boards-shapes-prompt", {
      n,
    });
    this.#drawGrid(n);
    const { at } = this.#shape;
    const reach = (size?.[0] ?? 0) * CUT_SHARE;
    const cut = size && at ? this.canvas.cut([at[0] - reach / 2, at[1] - reach / 2, reach, reach]) : null;
    this.part.replaceChildren(...(cut ? [cut] : []));
    if (size)
      this.canvas.draw(
        this.#shapes.flatMap((shape, number) =>
          shape.at
            ? [{ name: `tile-${number}`, path: [[...shape.at, number + 1]], reach: size[0] / 45, chosen: false }]
            : [],
        ),
      );
    this.tools.replaceChildren(
      ...(this.#shapes.length > 1 || this.#shape.cells.size
        ? [button("bin", say("boards-shapes-remove", { n }), () => this.#remove())]
        : []),
      this.take,
    );
    this.hint.hidden = Boolean(size);
  }

  /**
   * @param {TileShape} shape
   * @param {number} at
   */
  #chip(shape, at) {
    const choose = () => {
      this.#chosen = at;
      this.problem.textContent = "";
      this.#draw();
      this.chips.querySelector("[aria-current]")?.focus();
    };
    return el(
      "button",
      {
        type: "button",
        class: "chip",
        "aria-current": at === this.#chosen ? "true" : null,
        "aria-label": say("boards-shapes-one", { n: at + 1 }),
        onclick: choose,
      },
      shape.cells.size ? small(shape.cells) : icon("question"),
      el("span", { "aria-hidden": "true" }, String(at + 1)),
    );
  }

  /** @param {number} n */
  #drawGrid(n) {
    const had = this.grid.contains(document.activeElement);
    this.grid.setAttribute("aria-label", say("boards-shapes-grid", { n }));
    this.grid.style.setProperty("--side", this.#side);
    const places = Array.from({ length: this.#side ** 2 }, (_, at) => [Math.floor(at / this.#side), at % this.#side]);
    this.grid.replaceChildren(...places.map((place) => this.#square(place)));
    if (had) this.grid.querySelector("[tabindex='0']").focus();
  }

  /** @param {Square} place */
  #square(place) {
    const cell = nameOf(place);
    const press = () => {
      this.#focus = place;
      this.#tapped(cell);
    };
    return el("button", {
      type: "button",
      class: "shape-square",
      "data-cell": cell,
      "aria-pressed": String(this.#shape.cells.has(cell)),
      "aria-label": say("boards-shapes-square", { row: place[0] + 1, col: place[1] + 1 }),
      tabindex: cell === nameOf(this.#focus) ? 0 : -1,
      onclick: press,
    });
  }

  #remove() {
    const left = this.#shapes.filter((_, n) => n !== this.#chosen);
    this.#change(left.length ? left : [blank()], Math.max(0, this.#chosen - 1));
  }

  /** Save the drawing; on an error show the shape concerned. A single shape without squares counts as none. */
  async #keep() {
    await this.saving;
    const isNone = this.#shapes.length === 1 && !this.#shapes[0].cells.size;
    try {
      if (isNone) await withKey(() => call("PUT", `${this.path}/draft`, { body: { shapes: [] } }));
      this.kept(await withKey(() => call("PUT", this.path)));
    } catch (error) {
      const number = error.details?.number;
      if (!number) throw error;
      this.#chosen = number - 1;
      this.#draw();
      this.problem.textContent = error.message;
      this.problem.scrollIntoView({ block: "nearest" });
    }
  }
}

const blank = () => ({ cells: new Set(), at: null });
/** @param {number[]} place */
const nameOf = (place) => place.join(",");

/**
 * Return the squares of a text such as `##/#.`.
 *
 * @param {string} text
 */
const cellsOf = (text) =>
  new Set(
    text
      .split("/")
      .flatMap((line, row) => [...line].flatMap((letter, col) => (letter === "#" ? [nameOf([row, col])] : []))),
  );

/**
 * @param {Set<string>} cells
 * @param {number} side
 */
const textOf = (cells, side) =>
  Array.from({ length: side }, (_, row) =>
    Array.from({ length: side }, (__, col) => (cells.has(nameOf([row, col])) ? "#" : ".")).join(""),
  ).join("/");

/**
 * Draw a shape in the size of an icon.
 *
 * @param {Set<string>} cells
 */
function small(cells) {
  const places = [...cells].map((cell) => cell.split(",").map(Number));
  const [rows, cols] = [0, 1].map((axis) => places.map((place) => place[axis]));
  const [top, left] = [Math.min(...rows), Math.min(...cols)];
  const side = 1 + Math.max(Math.max(...rows) - top, Math.max(...cols) - left);
  return svg(
    "svg",
    { class: "icon shape-icon", viewBox: `-0.1 -0.1 ${side + 0.2} ${side + 0.2}`, "aria-hidden": "true" },
    places.map(([row, col]) => svg("rect", { x: col - left, y: row - top, width: 0.92, height: 0.92, rx: 0.12 })),
  );
}
