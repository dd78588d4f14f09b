// @ts-nocheck
/** Enrolling one board: corners, size, spaces, numbers; the server saves each step at once. */

import { call } from "../lib/api.js";
import { button, el, icon, iconButton } from "../lib/dom.js";
import { key, withKey } from "../lib/key.js";
import { say } from "../lib/words.js";
import { BoardCanvas } from "./board_canvas.js";

const STEPS = ["corners", "size", "places", "numbers"];
const FIELDS = ["corners_px", "card_px", "told_size_mm", "marks", "values"];
/** @param {Api.WantedMark} wantedMark */
const ofMark = ({ words, of, number }) => ({ of: of && say(of), n: number });
/**
 * Whether the mark takes tap after tap until the person has finished.
 *
 * @param {Api.WantedMark} wantedMark
 */
const isLong = ({ kind }) => kind === "path" || kind === "spaces";
/** @param {Api.WantedMark} mark */
const labelOf = (mark) => say(`boards-label-${mark.words}`, ofMark(mark));

export class BoardWork {
  #past = [];
  #future = [];
  #quad = [];
  #chosen = null;
  #straight = null;
  #step = null;
  #typed = new Map();
  #values = null;
  /** Numbers read in the picture that nobody has confirmed, by key; null until they are asked for. */
  #guesses = null;
  /** The request for these numbers while it is under way; moved marks drop it. */
  #request = null;

  /**
   * `path` is the board's address; `guard` runs an action and reports errors, `leave` goes back, `kept` is called once
   * the board is saved.
   *
   * @param {string} path
   * @param {Work} work
   */
  constructor(path, { guard, leave, kept }) {
    this.path = path;
    this.guard = guard;
    this.leave = leave;
    this.kept = kept;
    this.frame = el("div", {
      class: "viewer",
      tabindex: 0,
      role: "application",
      "aria-label": say("boards-picture-label"),
    });
    this.canvas = new BoardCanvas(this.frame, {
      onTap: (at) => this.#busy(() => this.#tapped(at)),
      onChange: (name, shape) => this.#busy(() => this.#moved(name, shape)),
    });
    this.steps = el("nav", { class: "boards-chips", "aria-label": say("boards-steps") });
    this.prompt = el("p", { class: "boards-prompt", role: "status" });
    this.tools = el("div", { class: "boards-tools" });
    this.panel = el("div", { class: "boards-panel" });
    this.undo = iconButton("undo", say("undo"), () => this.#busy(() => this.#go(this.#past, this.#future)));
    this.redo = iconButton("redo", say("redo"), () => this.#busy(() => this.#go(this.#future, this.#past)));
    const zooms = [
      ["zoom-in", 1.6],
      ["zoom-out", 1 / 1.6],
    ].map(([name, by]) => iconButton(name, say(name), () => this.canvas.zoom(by)));
    this.save = button("check", say("boards-keep"), () => this.#busy(() => this.#keep()), { class: "primary" });
    this.element = el(
      "section",
      { class: "boards-work" },
      this.steps,
      this.prompt,
      el(
        "div",
        { class: "boards-picture" },
        this.frame,
        el(
          "div",
          { class: "boards-zooms" },
          zooms,
          iconButton("zoom-fit", say("zoom-fit"), () => this.canvas.fit()),
        ),
      ),
      this.tools,
      this.panel,
      el(
        "div",
        { class: "boards-actions" },
        button("before", say("boards-later"), leave),
        this.undo,
        this.redo,
        this.save,
      ),
    );
  }

  async open() {
    this.state = await withKey(() => call("GET", `${this.path}/draft`));
    this.#step = this.state.card_px || this.state.told_size_mm ? null : "corners";
    await this.#draw();
  }

  /**
   * Run an action that calls the server; actions run one after the other.
   *
   * @param {() => unknown} action
   */
  #busy(action) {
    if (this.working) return null;
    this.working = true;
    this.element.setAttribute("aria-busy", "true");
    return this.guard(async () => {
      try {
        await action();
      } finally {
        await this.#draw(); // also after a failure: a dragged shape returns to its place
        this.working = false;
        this.element.removeAttribute("aria-busy");
      }
    });
  }

  /** The current step: the selected one, or the first incomplete one. */
  get #now() {
    if (this.#step) return this.#step;
    const { missing, straight_size: straight, wanted_marks: marks } = this.state;
    if (!straight) return missing.includes("corners") ? "corners" : "size";
    return marks.some(({ name }) => missing.includes(name)) ||
      this.#chosen ||
      this.open_path ||
      !this.state.wanted_values.length
      ? "places"
      : "numbers";
  }

  /** The mark that a tap on the picture sets: one selected to be set again, or the first missing one. */
  get #wanted() {
    const { missing, wanted_marks: marks } = this.state;
    return (
      marks.find(({ name }) => name === this.open_path) ?? marks.find(({ name }) => missing.includes(name)) ?? null
    );
  }

  /** The grid whose squares change at a tap, once no mark is missing. */
  get #grid() {
    return this.state.wanted_marks.find(({ name, kind }) => kind === "grid" && this.state.marks[name]) ?? null;
  }

  /** @param {object} changes */
  #change(changes) {
    return this.#ask("PATCH", "", changes);
  }

  /**
   * Send a step to the server; a step that is refused, or changes nothing, cannot be undone.
   *
   * @param {string} method
   * @param {string} what
   * @param {object} body
   */
  async #ask(method, what, body) {
    const before = this.#fields;
    this.state = await withKey(() => call(method, `${this.path}/draft${what}`, { body }));
    if (JSON.stringify(before) === JSON.stringify(this.#fields)) return;
    if (JSON.stringify(before.marks) !== JSON.stringify(this.state.marks)) this.#guesses = this.#request = null;
    this.#past.push(before);
    this.#future.length = 0;
  }

  /** The fields that a step can change. */
  get #fields() {
    return Object.fromEntries(FIELDS.map((name) => [name, this.state[name]]));
  }

  /**
   * @param {Draft[]} from
   * @param {Draft[]} to
   */
  async #go(from, to) {
    await this.typing;
    const [then, now] = [from.at(-1), this.#fields];
    if (!then) return;
    this.state = await withKey(() => call("PATCH", `${this.path}/draft`, { body: then }));
    from.pop();
    to.push(now);
    this.#quad = [];
    this.open_path = null;
    this.#typed.clear();
    this.#values = null;
  }

  /** @param {Point} at */
  async #tapped(at) {
    if (this.#now === "corners" && !this.state.corners_px) return this.#corner(at, "corners_px");
    if (this.#now === "size" && !this.state.card_px)
      return this.by_corners ? this.#corner(at, "card_px") : this.#card(at);
    if (this.#now !== "places") return null;
    const mark = this.#wanted ?? this.#grid;
    if (!mark) return null;
    await this.#ask("POST", "/points", { mark: mark.name, at });
    this.#chosen = mark.name;
    this.open_path = isLong(mark) ? mark.name : null;
    return null;
  }

  /**
   * Locate the tapped card; if it is not found, ask for its corners in a closer view.
   *
   * @param {Point} at
   */
  async #card(at) {
    await this.#ask("POST", "/points", { mark: "card", at });
    this.by_corners = !this.state.card_px;
    this.#step = "size";
    const reach = this.state.photo_size[0] * 0.09;
    this.canvas.show({ x: at[0] - reach, y: at[1] - reach, width: 2 * reach, height: 2 * reach });
  }

  /**
   * Add one of four corners.
   *
   * @param {Point} at
   * @param {"corners_px" | "card_px"} name
   */
  async #corner(at, name) {
    this.#quad.push(at);
    if (this.#quad.length < 4) return;
    const quad = this.#quad;
    this.#quad = [];
    await this.#change({ [name]: quad });
    this.#step = name === "card_px" ? "size" : "corners";
    if (name === "card_px") this.by_corners = false;
  }

  /**
   * Send a dragged shape.
   *
   * @param {string} name
   * @param {BoardShape} shape
   */
  #moved(name, shape) {
    if (name === "corners" || name === "card") return this.#change({ [`${name}_px`]: shape.quad });
    const mark = this.state.marks[name];
    return this.#change({ marks: { ...this.state.marks, [name]: { ...mark, ...shape } } });
  }

  async #draw() {
    const { state } = this;
    const step = this.#now;
    this.steps.replaceChildren(
      ...STEPS.filter((name) => name !== "numbers" || state.wanted_values.length).map((name) => this.#chip(name, step)),
    );
    this.undo.disabled = !this.#past.length;
    this.redo.disabled = !this.#future.length;
    this.save.hidden = !state.straight_size;
    const straight = (step === "places" || step === "numbers") && state.straight_size !== null;
    const size =
      (straight ? state.straight_size : state.photo_size).join("x") +
      JSON.stringify(straight && state.corners_px) +
      String(straight && state.size_mm);
    if (size !== this.#straight) {
      this.#straight = size;
      await this.canvas.load(
        `${this.path}/draft/picture.jpg?straight=${straight}`,
        ...(straight ? state.straight_size : state.photo_size),
        key(),
      );
    }
    this.frame.parentElement.hidden = step === "numbers";
    this.canvas.draw(straight ? this.#marks() : this.#quads(step));
    this.prompt.textContent = this.#words(step);
    this.tools.replaceChildren(...this.#toolsOf(step));
    this.panel.replaceChildren(...(step === "places" ? this.#places() : step === "numbers" ? this.#numbers() : []));
    if (step === "numbers" && !this.#guesses && !this.#request) this.#guess();
  }

  /** Have the numbers read in the picture, and put them into fields that are still empty; an error leaves them so. */
  async #guess() {
    const request = withKey(() => call("GET", `${this.path}/draft/numbers`)).catch(() => ({ values: {} }));
    this.#request = request;
    this.#showGuessed();
    const { values } = await request;
    if (this.#request !== request) return;
    this.#request = null;
    this.#guesses = values;
    if (this.#now !== "numbers") return;
    for (const [name, value] of Object.entries(values)) {
      const field = this.panel.querySelector(`input[name="${name}"]`);
      if (this.#isGuessed(name) && field?.value === "") {
        field.value = value;
        field.classList.add("guessed");
      }
    }
    this.#showGuessed();
  }

  /**
   * Whether a number was read in the picture, and nobody has typed or confirmed it.
   *
   * @param {string} name
   */
  #isGuessed(name) {
    return name in (this.#guesses ?? {}) && !this.#typed.has(name) && !(name in (this.#values ?? this.state.values));
  }

  /** The numbers that wait for a person to confirm them, by key. */
  get #unconfirmed() {
    return Object.fromEntries(Object.entries(this.#guesses ?? {}).filter(([name]) => this.#isGuessed(name)));
  }

  /** Say whether there are numbers to confirm, and offer it. */
  #showGuessed() {
    this.prompt.textContent = this.#words("numbers");
    this.tools.replaceChildren(...this.#toolsOf("numbers"));
  }

  /**
   * @param {Step} name
   * @param {Step} step
   */
  #chip(name, step) {
    const { missing, straight_size: straight, wanted_marks: marks, wanted_values: values } = this.state;
    const lacks = {
      corners: missing.includes("corners"),
      size: missing.includes("size"),
      places: marks.some((mark) => missing.includes(mark.name)),
      numbers: values.some((value) => missing.includes(value.key)),
    }[name];
    const may = name === "corners" || (name === "size" ? !missing.includes("corners") : straight !== null);
    const go = () =>
      this.#busy(() => {
        this.#step = name;
        this.#quad = [];
      });
    return el(
      "button",
      { type: "button", class: "chip", "aria-current": name === step ? "step" : null, disabled: !may, onclick: go },
      lacks ? null : icon("check"),
      el("span", {}, say(`boards-step-${name}`)),
    );
  }

  /** @param {Step} step */
  #words(step) {
    const { state } = this;
    if (step === "corners")
      return say(state.corners_px ? "boards-corners-found" : "boards-corner-tap", { n: this.#quad.length + 1 });
    if (step === "size")
      return say(state.card_px ? "boards-card-found" : this.by_corners ? "boards-card-corner" : "boards-card-tap", {
        n: this.#quad.length + 1,
      });
    if (step === "numbers") {
      if (Object.keys(this.#unconfirmed).length) return say("boards-numbers-guessed");
      if (!state.missing.length) return say("boards-all-done");
      return say(this.#request ? "boards-numbers-reading" : "boards-numbers-about");
    }
    const mark = this.#wanted;
    if (!mark)
      return say(
        this.#grid ? "boards-grid-about" : state.wanted_values.length ? "boards-places-done" : "boards-all-done",
      );
    const { path, unsure } = (mark.kind === "path" && state.marks[mark.name]) || {};
    if (!path?.length) return say(`boards-tap-${mark.words}`, ofMark(mark));
    if (unsure.length) return say("boards-track-unsure");
    const next = say(`boards-tap-${mark.words}-on`, ofMark(mark));
    return path.length > 1 ? `${say("boards-track-counted", { n: path.at(-1)[2] })} ${next}` : next;
  }

  /** @param {Step} step */
  #toolsOf(step) {
    const { state } = this;
    /** @param {Step | null} to */
    const on = (to) => () =>
      this.#busy(() => {
        this.#step = to;
        this.#chosen = null;
      });
    if (step === "corners" && state.corners_px) {
      /** @param {Quad} quad */
      const turn = ([a, b, c, d]) => [b, c, d, a];
      return [
        button("check", say("boards-right"), on(state.size_mm ? null : "size"), { class: "primary" }),
        button("turn-right", say("boards-turn"), () =>
          this.#busy(() => this.#change({ corners_px: turn(state.corners_px) })),
        ),
        button("reset", say("boards-corners-anew"), () => this.#busy(() => this.#change({ corners_px: null }))),
      ];
    }
    if (step === "size")
      return [
        state.size_mm ? button("check", say("boards-right"), on(null), { class: "primary" }) : null,
        state.card_px
          ? button("reset", say("boards-card-anew"), () => this.#busy(() => this.#change({ card_px: null })))
          : null,
        this.#told(),
      ].filter(Boolean);
    const mark = step === "places" && this.#wanted;
    if (mark && state.marks[mark.name]?.unsure.length)
      return [
        button("check", say("boards-numbers-right"), () => this.#busy(() => this.#setPath(mark.name, { unsure: [] })), {
          class: "primary",
        }),
      ];
    const open = step === "places" && this.open_path ? state.marks[this.open_path] : null;
    if (open?.spaces || (open?.path?.length ?? 0) > 1)
      return [
        button(
          "check",
          say(open.spaces ? "boards-spaces-done" : "boards-path-done"),
          () =>
            this.#busy(() => {
              this.open_path = null;
              if (open.spaces) this.#chosen = null;
            }),
          { class: "primary" },
        ),
      ];
    if (step === "numbers" && Object.keys(this.#unconfirmed).length)
      return [button("check", say("boards-numbers-right"), () => this.#confirm(), { class: "primary" })];
    if (step === "places" && !this.#wanted && this.state.wanted_values.length)
      return [button("next", say("boards-to-numbers"), on("numbers"), { class: "primary" })];
    return [];
  }

  /** Create the fields for the board's size, if no card is at hand. */
  #told() {
    const { told_size_mm: told } = this.state;
    /**
     * @param {string} axis
     * @param {number} n
     */
    const field = (axis, n) =>
      el(
        "label",
        {},
        el("span", {}, say(`boards-${axis}`)),
        el("input", {
          name: axis,
          type: "number",
          inputmode: "decimal",
          min: 6,
          max: 200,
          step: 0.1,
          required: true,
          value: told ? told[n] / 10 : "",
        }),
      );
    /** @param {{ preventDefault(): void, target: HTMLFormElement }} event */
    const submit = (event) => {
      event.preventDefault();
      const size = ["width", "height"].map((axis) => Math.round(Number(event.target.elements[axis].value) * 100) / 10);
      this.#busy(async () => {
        await this.#change({ card_px: null, told_size_mm: size });
        this.#step = null;
      });
    };
    return el(
      "details",
      { class: "boards-told" },
      el("summary", {}, say("boards-no-card")),
      el(
        "form",
        { onsubmit: submit },
        field("width", 0),
        field("height", 1),
        el("button", { type: "submit" }, icon("check"), el("span", {}, say("boards-use-size"))),
      ),
    );
  }

  /**
   * Return the corners of the board and the card; those of the current step can be dragged.
   *
   * @param {Step} step
   */
  #quads(step) {
    const { state } = this;
    const quads = [
      ["corners", state.corners_px, "corners"],
      ["card", state.card_px, "size"],
    ].filter(([, quad]) => quad);
    return [
      ...quads.map(([name, quad, own]) => ({ name, quad, chosen: own === step, upright: name === "corners" })),
      ...this.#quad.map((point, n) => ({ name: `point-${n}`, path: [[...point, n + 1]], chosen: false })),
    ];
  }

  /** Return the name of the mark that can be changed: the one selected, else one whose numbers are unsure. */
  get #changed() {
    const name = this.#wanted?.name;
    return this.#chosen ?? (name && this.state.marks[name]?.unsure.length ? name : null);
  }

  #marks() {
    return this.state.wanted_marks
      .filter(({ name }) => this.state.marks[name])
      .map((mark) => ({
        name: mark.name,
        ...this.state.marks[mark.name],
        chosen: mark.name === this.#changed,
        label: labelOf(mark),
      }));
  }

  /** List all marks; those already set can be viewed and set again. */
  #places() {
    const { missing, marks, wanted_marks: wanted } = this.state;
    const left = wanted.filter(({ name }) => missing.includes(name)).length;
    const chosen = wanted.find(({ name }) => name === this.#changed && marks[name]);
    return [
      chosen ? this.#adjust(chosen, marks[chosen.name]) : "",
      el(
        "details",
        { class: "boards-all", open: this.isListOpen, ontoggle: ({ target }) => (this.isListOpen = target.open) },
        el("summary", {}, say("boards-all", { n: left, all: wanted.length })),
        el(
          "ul",
          {},
          wanted.map((mark) => this.#row(mark, missing.includes(mark.name))),
        ),
      ),
    ];
  }

  /**
   * @param {Api.WantedMark} mark
   * @param {boolean} lacks
   */
  #row(mark, lacks) {
    const see = () =>
      this.#busy(() => {
        this.#step = "places";
        this.#chosen = this.state.marks[mark.name] ? mark.name : null;
        this.open_path = mark.kind === "spaces" ? mark.name : null;
        this.canvas.look(mark.name);
      });
    const anew = () =>
      this.#busy(async () => {
        const { [mark.name]: gone, ...others } = this.state.marks;
        if (gone) await this.#change({ marks: others });
        this.#chosen = null;
        this.open_path = isLong(mark) ? mark.name : null;
      });
    const told = this.state.marks[mark.name];
    return el(
      "li",
      { "data-mark": mark.name, class: lacks ? "lacks" : "" },
      icon(lacks ? "question" : told ? "check" : "plus"),
      el("button", { type: "button", class: "ghost", disabled: lacks, onclick: see }, labelOf(mark)),
      !told ? null : iconButton("reset", say("boards-anew", { what: labelOf(mark) }), anew),
    );
  }

  /**
   * Create the controls for everything about the selected mark beside its shape.
   *
   * @param {Api.WantedMark} mark
   * @param {Api.BoardMark} boardMark
   */
  #adjust(mark, { path, lines, spaces, unsure }) {
    if (spaces) return "";
    const hint = el("p", { class: "quiet" }, say("boards-drag", { what: labelOf(mark) }));
    if (lines)
      return el(
        "div",
        { class: "boards-nodes" },
        hint,
        el("div", { class: "boards-fields" }, this.#count(mark, lines, "rows"), this.#count(mark, lines, "columns")),
      );
    if (!path) return hint;
    /** @param {number} n */
    const typed =
      (n) =>
      ({ target }) => {
        const more = Number(target.value) - path[n][2]; // what was counted from there on follows
        const numbered = path.map(([x, y, number], at) => [x, y, at < n ? number : number + more]);
        return this.#busy(() =>
          this.#setPath(mark.name, { path: numbered, unsure: unsure.filter((index) => index !== n) }),
        );
      };
    return el(
      "div",
      { class: "boards-nodes" },
      hint,
      el("p", {}, say("boards-path-numbers")),
      el(
        "div",
        { class: "boards-node-row" },
        path.map(([, , number], n) =>
          el("input", {
            type: "number",
            inputmode: "numeric",
            min: 0,
            max: 1000,
            value: number,
            "aria-label": say("boards-node", { n: n + 1 }),
            class: unsure.includes(n) ? "unsure" : "",
            disabled: n === 0,
            onchange: typed(n),
          }),
        ),
      ),
    );
  }

  /**
   * Change the nodes of a path, or which of them are unsure.
   *
   * @param {string} name
   * @param {Partial<Api.BoardMark>} changes
   */
  #setPath(name, changes) {
    return this.#change({ marks: { ...this.state.marks, [name]: { ...this.state.marks[name], ...changes } } });
  }

  /**
   * Create the control for a grid's number of rows or columns.
   *
   * @param {Api.WantedMark} mark
   * @param {string[]} lines
   * @param {"rows" | "columns"} way
   */
  #count(mark, lines, way) {
    const [rows, cols] = [lines.length, lines[0].length];
    /** @param {number} given */
    const typed = ({ target }) =>
      target.checkValidity() &&
      this.#busy(() => {
        const [high, wide] = way === "rows" ? [Number(target.value), cols] : [rows, Number(target.value)];
        const next = Array.from({ length: high }, (_, row) => (lines[row] ?? "").padEnd(wide, ".").slice(0, wide));
        return this.#change({
          marks: { ...this.state.marks, [mark.name]: { ...this.state.marks[mark.name], lines: next } },
        });
      });
    return el(
      "label",
      {},
      el("span", {}, say(`boards-${way}`)),
      el("input", {
        type: "number",
        inputmode: "numeric",
        min: 2,
        max: 40,
        value: way === "rows" ? rows : cols,
        onchange: typed,
      }),
    );
  }

  /** Create the fields for the numbers, each beside the place where it is printed. */
  #numbers() {
    const groups = new Map();
    for (const value of this.state.wanted_values) {
      const place = JSON.stringify(value.box);
      groups.set(place, [...(groups.get(place) ?? []), value]);
    }
    return [...groups.values()].map((values) =>
      el(
        "div",
        { class: "boards-value" },
        values[0].box ? this.canvas.cut(values[0].box) : null,
        el(
          "div",
          { class: "boards-fields" },
          values.map((value) => this.#field(value)),
        ),
      ),
    );
  }

  /** @param {Api.WantedValue} wantedValue */
  #field({ key: name, words, number, optional }) {
    const value = this.#typed.get(name) ?? this.state.values[name] ?? this.#guesses?.[name] ?? "";
    /** @param {{ target: HTMLInputElement }} given */
    const changed = ({ target }) => {
      this.#typed.set(name, target.value);
      target.classList.remove("guessed");
      this.#showGuessed();
      const { [name]: former, ...others } = this.#values ?? this.state.values;
      const next = target.value === "" ? null : Number(target.value);
      if (next !== null && !target.checkValidity()) return target.reportValidity();
      return this.#type(next === null ? others : { ...others, [name]: next });
    };
    return el(
      "label",
      { class: optional ? "optional" : "" },
      el("span", {}, say(`boards-value-${words}`, { n: number })),
      el("input", {
        name,
        type: "number",
        inputmode: "numeric",
        min: 0,
        max: 1000,
        step: 1,
        value,
        class: this.#isGuessed(name) ? "guessed" : "",
        onchange: changed,
      }),
    );
  }

  /** Take the numbers that were read in the picture as right. */
  async #confirm() {
    await this.#type({ ...(this.#values ?? this.state.values), ...this.#unconfirmed });
    for (const field of this.panel.querySelectorAll(".guessed")) field.classList.remove("guessed");
    this.#showGuessed();
  }

  /**
   * Send numbers as they are typed; the other fields keep their contents.
   *
   * @param {{ [key: string]: number }} values
   */
  #type(values) {
    this.#values = values;
    this.typing = (this.typing ?? Promise.resolve()).then(() =>
      this.guard(async () => {
        await this.#change({ values: this.#values });
        this.undo.disabled = !this.#past.length;
        this.redo.disabled = !this.#future.length;
        this.steps.replaceChildren(...STEPS.map((step) => this.#chip(step, this.#now)));
      }),
    );
    return this.typing;
  }

  /** Save the board; missing parts are all listed at once, each with a link to it. */
  async #keep() {
    await this.typing;
    if (!this.state.missing.length) return this.kept(await withKey(() => call("PUT", this.path)));
    const { wanted_marks: marks, wanted_values: values, missing } = this.state;
    if (missing.every((name) => this.#isGuessed(name))) throw new Error(say("boards-numbers-guessed"));
    const labels = missing.map((name) => {
      const [mark, value] = [marks.find((one) => one.name === name), values.find((one) => one.key === name)];
      return mark
        ? labelOf(mark)
        : value
          ? say(`boards-value-${value.words}`, { n: value.number })
          : say(`boards-step-${name}`);
    });
    throw new Error(say("boards-missing", { n: missing.length, what: labels.join("; ") }));
  }
}
