// @ts-check
/** Correcting a square: its tile and turns, and the pieces on it. */

import { candidates, catalogue, catalogueOf, drawing, fits, tileButton, tileName, wanted } from "../lib/catalogue.js";
import { badge, who } from "../lib/colours.js";
import { button, el, find, iconButton } from "../lib/dom.js";
import { openSheet, settle, showEither } from "../lib/sheet.js";
import { say, sayOr } from "../lib/words.js";
import { crop } from "../report/crop.js";
import { squareName } from "../report/places.js";
import { teachButton } from "../wonders/wonder_enrol_link.js";
import { placeWonder, wonderName } from "../wonders/wonder_place.js";
import { openMeeple, openNewMeeple } from "./meeple_sheet.js";
import { nameOf } from "./squares.js";

const SHOWN = 12;

/** The properties by which tiles can be filtered. */
const FILTERS = {
  /** @param {Api.CatalogueTile} catalogueTile */
  road: ({ edges }) => Object.values(edges).includes("road"),
  /** @param {Api.CatalogueTile} catalogueTile */
  city: ({ edges }) => Object.values(edges).includes("city"),
  /** @param {Api.CatalogueTile} catalogueTile */
  coat: ({ coats_of_arms: coats }) => coats > 0,
  /** @param {Api.CatalogueTile} catalogueTile */
  monastery: ({ monastery }) => monastery,
};

/**
 * Open the sheet of a square, with or without a tile. Throws ApiError.
 *
 * @param {View} view
 * @param {Square} square
 */
export async function openSquare(view, square) {
  const { tiles, wonders } = await catalogueOf(view.report);
  new SquareSheet(view, square, tiles, wonders ?? []);
}

class SquareSheet {
  /** @type {HTMLButtonElement} */
  set;
  /** @type {HTMLButtonElement | null} */
  right = null;
  /**
   * @param {View} view
   * @param {Square} square
   * @param {Api.CatalogueTile[]} tiles
   * @param {Api.CatalogueWonder[]} wonders
   */
  constructor(view, square, tiles, wonders) {
    this.view = view;
    this.square = square;
    this.tiles = tiles;
    this.wonders = wonders;
    this.read = view.squares.tile(square) ?? null;
    this.all = false;
    /** @type {Set<FilterName>} */
    this.filters = new Set();
    this.box = "";
    this.chosen = { tile: tiles.find(({ id }) => id === this.read?.tile) ?? null, turns: this.read?.turns ?? 0 };
    this.first = this.chosen.tile;
    this.preview = el("div", { class: "preview" });
    this.picker = el("div", { class: "picker" });
    this.dialog = openSheet(
      squareName(view.report, square),
      this.#compare(),
      teachButton(view, square, () => this.dialog.close()),
      this.#meeples(),
      el("h3", {}, say("which-tile")),
      this.picker,
      this.#wonderPicker(),
      this.#actions(),
    );
    this.#draw();
  }

  /** Show the photo's square beside the chosen tile, with the buttons that turn it. */
  #compare() {
    /** @param {number} by */
    const turn = (by) => () => this.#choose(this.chosen.tile, (this.chosen.turns + by + 4) % 4);
    return el(
      "div",
      { class: "compare" },
      this.#crop(),
      el(
        "figure",
        {},
        this.preview,
        el(
          "figcaption",
          { class: "turns" },
          iconButton("turn-left", say("turn-left"), turn(-1)),
          iconButton("turn-right", say("turn-right"), turn(1)),
        ),
      ),
    );
  }

  #crop() {
    if (!this.view.photo) return null;
    const canvas = el("canvas", {
      class: "crop",
      role: "img",
      "aria-label": say("crop", { square: squareName(this.view.report, this.square) }),
    });
    this.view.guard(async () => crop(canvas, await this.view.wholePhoto(), this.view.squares.quad(this.square)));
    return el("figure", {}, canvas, el("figcaption", {}, say("in-the-photo")));
  }

  #meeples() {
    if (!this.read) return null;
    const here = this.view.report.board.meeples.filter((meeple) => nameOf(meeple.tile) === nameOf(this.square));
    /** @param {Api.Meeple} meeple */
    const open = (meeple) => () => this.#instead(() => openMeeple(this.view, meeple));
    return el(
      "div",
      { class: "here" },
      el("h3", {}, say("pieces-here")),
      here.map((meeple) =>
        el(
          "button",
          { type: "button", class: "chip", onclick: open(meeple) },
          badge(meeple.colour),
          el("span", {}, `${who(this.view.report, meeple.colour)} · ${sayOr(`piece-${meeple.kind}`, meeple.kind)}`),
        ),
      ),
      button("plus", say("add-piece"), () => this.#instead(() => openNewMeeple(this.view, this.square)), {
        class: "chip",
      }),
    );
  }

  /** @param {() => unknown} open */
  #instead(open) {
    this.dialog.close();
    this.view.guard(open);
  }

  #draw() {
    const found = this.all ? this.#everything() : candidates(this.tiles, this.view.squares, this.square);
    const shown = this.all ? found : found.slice(0, SHOWN);
    this.picker.replaceChildren(
      this.all ? this.#filter() : "",
      el(
        "ul",
        { class: "tiles" },
        shown.map(({ tile, turns }) =>
          el(
            "li",
            {},
            tileButton(tile, turns, false, () => this.#choose(tile, turns)),
          ),
        ),
      ),
      shown.length ? "" : el("p", { class: "quiet" }, say(this.all ? "tiles-none" : "no-tile-fits")),
      this.all ? "" : button("more", say("all-tiles"), () => this.#showAll()),
    );
    this.#show();
  }

  #everything() {
    const wanted = [...this.filters].map((name) => FILTERS[name]);
    return this.tiles
      .filter(({ box, further }) => (this.box ? box === this.box : !further))
      .filter((tile) => wanted.every((has) => has(tile)))
      .map((tile) => ({ tile, turns: this.chosen.tile?.id === tile.id ? this.chosen.turns : this.#fittingTurn(tile) }));
  }

  /** Create the check boxes: only tiles with every ticked property are shown. */
  #filter() {
    /** @param {FilterName} name */
    const box = (name) =>
      el(
        "label",
        { class: "choice" },
        el("input", {
          type: "checkbox",
          name: `with-${name}`,
          checked: this.filters.has(name),
          onchange: ({ target }) => this.#narrow(name, target.checked),
        }),
        el("span", {}, say(`tiles-with-${name}`)),
      );
    return el(
      "fieldset",
      { class: "choices" },
      el("legend", {}, say("tiles-with")),
      el("div", { class: "choice-row" }, /** @type {FilterName[]} */ (Object.keys(FILTERS)).map(box)),
      this.#boxes(),
    );
  }

  /** Create the choice of a further expansion; its tiles are fetched when somebody asks for them. */
  #boxes() {
    const names = [...new Set(this.tiles.filter(({ further }) => further).map(({ box }) => box))].sort();
    if (!names.length) return button("more", say("tiles-of-other-boxes"), () => this.#fetchFurther());
    /** @param {string} name */
    const option = (name) => el("option", { value: name, selected: name === this.box }, name || say("tiles-usual"));
    const select = el("select", { name: "box" }, ["", ...names].map(option));
    select.onchange = () => {
      this.box = select.value;
      this.#draw();
      find(this.picker, "[name=box]").focus();
    };
    return el("label", { class: "field" }, el("span", {}, say("tiles-of-box")), select);
  }

  #fetchFurther() {
    this.view.guard(async () => {
      this.tiles = (await catalogue(true)).tiles;
      this.#draw();
      find(this.picker, "[name=box]").focus();
    });
  }

  /**
   * @param {FilterName} name
   * @param {boolean} on
   */
  #narrow(name, on) {
    this.filters[on ? "add" : "delete"](name);
    this.#draw();
    find(this.picker, `[name="with-${name}"]`).focus();
  }

  /** @param {Api.CatalogueTile} tile */
  #fittingTurn(tile) {
    const sides = wanted(this.tiles, this.view.squares, this.square);
    return Math.max(
      0,
      [0, 1, 2, 3].findIndex((turns) => fits(tile, turns, sides)),
    );
  }

  #showAll() {
    this.all = true;
    this.#draw();
    this.picker.querySelector("button")?.focus();
  }

  /**
   * @param {Api.CatalogueTile | null} tile
   * @param {number} turns
   */
  #choose(tile, turns) {
    this.chosen = { tile, turns: tile ? turns % tile.symmetry : 0 };
    this.#show();
  }

  #show() {
    const { tile, turns } = this.chosen;
    this.preview.replaceChildren(
      tile
        ? el("img", { src: drawing(tile.id, turns), alt: tileName(tile, turns), width: 224, height: 224 })
        : el("p", { class: "quiet" }, say(this.read ? "unknown-tile-lies" : "no-tile-yet")),
    );
    /** @param {HTMLElement} hTMLElement */
    const same = ({ dataset }) => tile && dataset.tile === tile.id && Number(dataset.turns) === turns;
    for (const own of /** @type {NodeListOf<HTMLElement>} */ (this.picker.querySelectorAll(".tile")))
      own.setAttribute("aria-pressed", String(Boolean(same(own))));
    this.set.disabled = !tile;
    const isTurned = tile !== null && (turns - (this.read?.turns ?? 0)) % tile.symmetry !== 0;
    showEither(this.right, this.set, tile !== this.first || isTurned);
  }

  #wonderPicker() {
    if (!this.wonders.length) return null;
    return el(
      "details",
      {},
      el("summary", {}, say("wonder-here")),
      el(
        "ul",
        { class: "wonders" },
        this.wonders.map((wonder) =>
          el(
            "li",
            {},
            el(
              "button",
              {
                type: "button",
                class: "chip",
                onclick: () => this.#instead(() => placeWonder(this.view, wonder, this.square)),
              },
              wonderName(wonder),
            ),
          ),
        ),
      ),
    );
  }

  #actions() {
    const [row, col] = this.square;
    const wonder = this.read?.square !== null && this.read?.square !== undefined;
    const drop = wonder ? { kind: "no_wonder" } : { kind: "no_tile" };
    const primary = { class: "primary" };
    const confirm = () => this.#send({ kind: "confirm", about: "tile", row, col });
    this.set = button("check", say(this.read ? "set-tile" : "add-tile"), () => this.#setTile(), primary);
    this.right = this.read ? button("check", say("right-as-it-is"), confirm, primary) : null;
    return el(
      "div",
      { class: "sheet-actions" },
      this.set,
      this.right,
      this.read
        ? button("bin", say(wonder ? "no-wonder" : "no-tile"), () => this.#send(drop), { class: "danger" })
        : null,
      this.read
        ? null
        : button("question", say("unknown-tile"), () => this.#send({ kind: "tile", tile: null, turns: 0 })),
    );
  }

  #setTile() {
    this.#send({ kind: "tile", tile: this.chosen.tile?.id, turns: this.chosen.turns });
  }

  /** @param {Correction} correction */
  #send(correction) {
    const [row, col] = this.square;
    return settle(this.dialog, () => this.view.session.correct({ ...correction, row, col }));
  }
}
