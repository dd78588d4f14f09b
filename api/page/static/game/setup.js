// @ts-check
/** A new game: who plays in which colour, in turn order, with which boxes, and from how many points. */

import { call } from "../lib/api.js";
import { badge, COLOURS, colourName } from "../lib/colours.js";
import { button, el, find } from "../lib/dom.js";
import {
  boxChoices,
  boxRules,
  checkPoints,
  control,
  field,
  labelled,
  NAME_MOST,
  pointsField,
  ruleSets,
  suggested,
  textOf,
} from "../lib/fields.js";
import { withKey } from "../lib/key.js";
import { redraw } from "../lib/redraw.js";
import { busy } from "../lib/sheet.js";
import { rememberedGames, rememberGame } from "../lib/store.js";
import { say, sayOr } from "../lib/words.js";

const LEAST_PLAYERS = 2;
/** The boxes that may be in play; the base game always is. */
const BOXES = ["river1", "river2", "inns", "traders"];

/**
 * Show the form in an element; the players of the last game are chosen already.
 *
 * @param {HTMLElement} root
 */
export async function openSetup(root) {
  const { rules } = await call("GET", "/v1/rules");
  new Setup(root, rules);
}

class Setup {
  /** @type {string[]} */
  players;

  /**
   * @param {HTMLElement} root
   * @param {Api.RuleSet[]} rules
   */
  constructor(root, rules) {
    const [last] = rememberedGames();
    this.names = last?.names ?? {};
    this.players = last?.players ?? [];
    this.colours = el("div", { class: "chips", role: "group", "aria-label": say("game-who") });
    this.seats = el("div", { class: "game-seats" });
    this.go = button("camera", say("game-begin"), null, { type: "submit", class: "primary large" });
    this.told = el("p", { class: "problem", role: "alert" });
    this.form = el(
      "form",
      { class: "card game-setup", novalidate: true, onsubmit: (event) => this.#submit(event) },
      el("h2", {}, say("game-who")),
      el("p", { class: "quiet" }, say("game-who-hint")),
      this.colours,
      this.seats,
      furtherFields(rules),
      this.told,
      this.go,
    );
    root.replaceChildren(
      el(
        "header",
        { class: "keep-head" },
        el("h1", {}, say("photo-score")),
        el("p", { class: "quiet" }, say("game-about")),
      ),
      this.form,
    );
    this.#draw();
  }

  #draw() {
    this.colours.replaceChildren(...COLOURS.map((colour) => this.#chip(colour)));
    redraw(this.seats, this.players.length ? [...this.players.map((colour) => this.#seat(colour)), this.#first()] : []);
    this.go.disabled = this.players.length < LEAST_PLAYERS;
  }

  /** @param {string} colour */
  #chip(colour) {
    return el(
      "button",
      {
        type: "button",
        class: "chip",
        "aria-pressed": String(this.players.includes(colour)),
        "data-colour": colour,
        onclick: () => this.#toggle(colour),
      },
      badge(colour),
      el("span", {}, colourName(colour)),
    );
  }

  /** @param {string} colour */
  #toggle(colour) {
    this.players = this.players.includes(colour)
      ? this.players.filter((own) => own !== colour)
      : [...this.players, colour];
    this.#draw();
    find(this.colours, `[data-colour="${colour}"]`).focus({ preventScroll: true });
  }

  /** @param {string} colour */
  #seat(colour) {
    const named = field(`name-${colour}`, say("name-of", { colour: colourName(colour) }), {
      value: this.names[colour] ?? "",
      maxlength: NAME_MOST,
      enterkeyhint: "next",
      ...suggested(colour),
    });
    const label = say("game-points-of", { colour: colourName(colour) });
    const points = pointsField(`track-${colour}`, label, { placeholder: 0 });
    return el("div", { class: "game-seat", "data-player": colour }, badge(colour), named, points);
  }

  #first() {
    const options = this.players.map((colour) => el("option", { value: colour }, colourName(colour)));
    return labelled("first", say("game-on-turn"), el("select", { id: "first", name: "first" }, options));
  }

  /** @param {Event} event */
  async #submit(event) {
    event.preventDefault();
    if (!checkPoints(this.form)) return;
    this.told.textContent = "";
    try {
      await busy(this.form, () => this.#create());
    } catch (error) {
      this.told.textContent = error.message;
    }
  }

  async #create() {
    const { form, players } = this;
    const names = Object.fromEntries(
      players.map((colour) => [colour, textOf(form, `name-${colour}`)]).filter(([, name]) => name),
    );
    const points = players.map((colour) => [colour, Number(control(form, `track-${colour}`).value)]);
    const further = BOXES.filter((box) => control(form, `box-${box}`).checked).map((box) => [box, 1]);
    const copies = Number(control(form, "base").value);
    const body = {
      players: players.map((colour) => ({ colour, ...(names[colour] ? { name: names[colour] } : {}) })),
      on_turn: control(form, "first").value,
      points: points.some(([, own]) => own) ? Object.fromEntries(points) : {},
      rules: control(form, "rules").value,
      wonders: Number(control(form, "wonders").value),
      boxes: Object.fromEntries(copies > 1 ? [["base", copies], ...further] : further),
      box_rules: Object.fromEntries(boxChoices(form)),
    };
    const { id, token } = await withKey(() => call("POST", "/v1/games", { body }));
    rememberGame(id, { token, names, players, opened: new Date().toISOString() });
    location.assign(`/game/${id}`);
  }
}

/** @param {Api.RuleSet[]} rules */
function furtherFields(rules) {
  const wonders = [0, 1, 2].map((n) => el("option", { value: n }, n ? String(n) : "–"));
  const copies = [1, 2].map((n) => el("option", { value: n }, String(n)));
  return el(
    "details",
    {},
    el("summary", {}, say("game-boxes")),
    labelled("base", say("game-base-games"), el("select", { id: "base", name: "base" }, copies)),
    el(
      "fieldset",
      { class: "choices" },
      el("legend", {}, say("game-boxes-in-play")),
      el(
        "div",
        { class: "choice-row" },
        BOXES.map((box) =>
          el(
            "label",
            { class: "choice" },
            el("input", { type: "checkbox", name: `box-${box}` }),
            el("span", {}, sayOr(`box-${box}`, box)),
          ),
        ),
      ),
    ),
    labelled("wonders", say("game-wonders"), el("select", { id: "wonders", name: "wonders" }, wonders)),
    ruleSets(rules, rules[0].name),
    boxRules(),
  );
}
