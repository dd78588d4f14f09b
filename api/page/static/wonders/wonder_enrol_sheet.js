// @ts-nocheck
/** Enrolling a copy of a wonder: its squares cut out of the photo, their features, the meaning, and saving it. */

import { call, upload } from "../lib/api.js";
import { button, el, icon, iconButton } from "../lib/dom.js";
import { withKey } from "../lib/key.js";
import { askKey } from "../lib/key_sheet.js";
import { forgetOwnWonder, keepOwnWonder } from "../lib/own_wonders.js";
import { attempt, choices, confirmLeave, openGuardedSheet } from "../lib/sheet.js";
import { openUndoKeys } from "../lib/undo_keys.js";
import { number, say } from "../lib/words.js";
import { WonderBoard } from "./wonder_board.js";
import { downloadLink, fileField, refusalWords } from "./wonder_files.js";
import { wonderName } from "./wonder_place.js";
import { WonderPlan } from "./wonder_plan.js";
import { contradictionWords, featureWords, fieldWords, problemWords } from "./wonder_words.js";

const PATH = "/v1/wonders";
const LAYOUTS = "/v1/wonder-layouts";
/** @param {string} id */
const plainName = (id) => id.replace(/^WH\//, "");

/**
 * Open the sheet for a wonder of a reading, in its present layout. Throws ApiError.
 *
 * @param {View} view
 * @param {string} id
 */
export async function teachReadWonder(view, id) {
  const tiles = view.report.board.tiles.filter(({ tile, square }) => tile === id && square !== null);
  const [meaning, { refused }] = await Promise.all([
    call("GET", `${view.session.path}/wonders/${plainName(id)}`),
    call("GET", PATH),
  ]);
  const quads = meaning.plan.squares.map(
    (_, square) => tiles.find((tile) => tile.square === square)?.corners_px ?? null,
  );
  const lies = tiles.find(({ square }) => square === 0);
  const session = view.session.mayCorrect && lies ? view.session : null;
  return new TeachWonder({
    meaning,
    quads,
    photo: await view.wholePhoto(),
    refused,
    session,
    lies,
    shown: { reading: view.session.id },
  });
}

/**
 * Open the sheet for a wonder that was read from a photo of its own. Throws ApiError.
 *
 * @param {string} id
 * @param {File} file
 */
export async function teachPhotographedWonder(id, file) {
  const form = new FormData();
  form.append("photo", file);
  const [meaning, { refused }] = [
    await withKey(() => upload(form, () => {}, `${PATH}/${plainName(id)}/photo`)),
    await call("GET", PATH),
  ];
  const photo = Object.assign(new Image(), { alt: "", src: URL.createObjectURL(file) });
  await photo.decode();
  return new TeachWonder({
    meaning,
    quads: meaning.quads_px,
    photo: meaning.quads_px.some(Boolean) ? photo : null,
    refused,
    shown: { photo: meaning.photo },
  });
}

/**
 * Open the sheet for a layout without a photo: the one in force, or that of a file. Throws ApiError.
 *
 * @param {Api.WonderMeaning} meaning
 */
export async function teachLayout(meaning) {
  const { refused } = await call("GET", PATH);
  return new TeachWonder({ meaning, quads: [], photo: null, refused });
}

class TeachWonder {
  #asked = 0;
  #isKept = false;
  #from = null;
  #mode = "edges";
  #opened = new Set();

  /**
   * `session` is the reading that is corrected with the saved layout, null for none; the wonder's first square `lies` there.
   * `shown` names the photo or reading whose print is kept with it, null for none.
   *
   * @param {Lesson} lesson
   */
  constructor({ meaning, quads, photo, refused, session = null, lies = null, shown = null }) {
    this.meaning = meaning;
    this.refused = refused;
    this.session = session;
    this.lies = lies;
    this.shown = shown;
    this.id = meaning.plan.id;
    this.plan = new WonderPlan(meaning.plan);
    this.board = new WonderBoard(this.plan, photo, quads, {
      onEdge: (edge) => this.#tapped(edge),
      onSquare: (square) => this.#cover(this.#from, square),
      onJoin: (edge, other) => this.#join(edge, other),
      onCover: (edge, square) => this.#cover(edge, square),
    });
    this.hint = el("p", { class: "quiet" });
    this.told = el("p", { role: "status", class: "wonder-told" });
    this.means = el("ul", { class: "wonder-means", "aria-label": say("wonder-meaning") });
    this.rules = el("div", { class: "wonder-rules" });
    this.more = el("div", { class: "wonder-more" });
    this.files = el("div", { class: "wonder-files" });
    this.refusal = el("div", { class: "wonder-refusal" });
    this.kept = el("div", { class: "wonder-kept" });
    this.undo = iconButton("undo", say("wonder-undo"), () => this.#step("undo"));
    this.redo = iconButton("redo", say("wonder-redo"), () => this.#step("redo"));
    this.save = button("check", say("wonder-save"), () => attempt(this.dialog, () => this.#keep()), {
      class: "primary",
    });
    const modes = choices(
      "wonder-mode",
      say("wonder-mode"),
      ["edges", "joins"].map((value) => ({ value, label: say(`wonder-mode-${value}`) })),
      "edges",
      (value) => this.#turnTo(value),
    );
    this.dialog = openGuardedSheet(
      say("teach-wonder", { wonder: wonderName({ id: this.id, name: this.id }) }),
      () => this.#mayLeave(),
      this.kept,
      this.board.element,
      modes,
      this.hint,
      this.told,
      this.rules,
      this.means,
      this.more,
      this.refusal,
      this.files,
      el("div", { class: "sheet-actions wonder-actions" }, this.undo, this.redo, this.save),
    );
    openUndoKeys(this.dialog, this.undo, this.redo);
    this.dialog.classList.add("teach-wonder");
    this.#drawRefusal();
    this.#draw();
  }

  /** Whether the sheet can be closed without loss; otherwise ask whether to drop the changes. */
  #mayLeave() {
    if (this.#isKept || !this.plan.canUndo) return true;
    confirmLeave(say("wonder-leave"), () => this.dialog.close());
    return false;
  }

  /** Explain why enrolling is not allowed, and the alternatives: a field for a key, if one would help. */
  #drawRefusal() {
    this.save.querySelector("span").textContent = say(this.refused ? "wonder-use-here" : "wonder-save");
    if (!this.refused) return this.refusal.replaceChildren();
    const enter = button("key", say("enter-key"), () =>
      attempt(this.dialog, async () => {
        if (!(await askKey(this.refused === "wrong_key"))) return;
        this.refused = (await call("GET", PATH)).refused;
        this.#drawRefusal();
      }),
    );
    return this.refusal.replaceChildren(
      el("p", { class: "refused", role: "note" }, refusalWords(this.refused), " ", say("wonder-kept-here")),
      this.refused === "local_only" ? "" : enter,
    );
  }

  /** @param {Mode} mode */
  #turnTo(mode) {
    this.#mode = mode;
    this.#from = null;
    this.#draw();
  }

  /** @param {Edge} edge */
  #tapped(edge) {
    if (this.#mode === "edges") return this.#turn(edge);
    if (this.#from) return this.#join(this.#from, edge);
    if (this.plan.kind(edge) === "field") return this.#tell(say("wonder-no-end"));
    this.#from = edge;
    this.#draw();
    return this.#tell(`${this.#endWords(edge)} ${say("wonder-tap-other")}`);
  }

  /** @param {Edge} edge */
  #turn(edge) {
    this.plan.turn(edge);
    return this.#changed(`${this.#endWords(edge)} ${this.#featureOf(edge)}`);
  }

  /**
   * Join or separate two named ends, or explain why that is not possible.
   *
   * @param {Edge} edge
   * @param {Edge} other
   */
  #join(edge, other) {
    this.#from = null;
    const done = this.plan.join(edge, other);
    if (done) return this.#changed(`${say(`wonder-${done}`)} ${this.#featureOf(edge)}`);
    this.#draw();
    return this.#tell(say("wonder-not-joined"));
  }

  /**
   * @param {Edge | null} edge
   * @param {number} square
   */
  #cover(edge, square) {
    const feature = edge && this.plan.feature(edge);
    this.#from = null;
    if (feature && this.plan.cover(feature, square))
      return this.#changed(featureWords(feature, this.plan.coatsUnknown));
    this.#draw();
    return this.#tell(say(feature ? "wonder-square-stays" : "wonder-no-end"));
  }

  /** @param {"undo" | "redo"} way */
  #step(way) {
    this.plan[way]();
    this.#changed(say(way === "undo" ? "wonder-undone" : "wonder-redone"));
  }

  /** @param {Edge} edge */
  #endWords = ({ square, side }) =>
    `${say("wonder-end", { square: square + 1, side, kind: this.plan.kind({ square, side }) })}.`;

  /** @param {Edge} edge */
  #featureOf(edge) {
    const feature = this.plan.feature(edge);
    return feature ? featureWords(feature, this.plan.coatsUnknown) : "";
  }

  /** @param {string} words */
  #tell(words) {
    this.told.textContent = words;
  }

  /**
   * Describe each change at once; the server returns the remaining fields, and contradictions to the rules.
   *
   * @param {string} words
   */
  async #changed(words) {
    this.#tell(words.trim());
    this.kept.replaceChildren();
    this.#isKept = false;
    const asked = ++this.#asked;
    this.waiting = true;
    this.#draw();
    try {
      const meaning = await withKey(() => call("POST", LAYOUTS, { body: { plan: this.plan.entry() } }));
      if (asked !== this.#asked) return;
      this.meaning = meaning;
    } catch (error) {
      if (asked === this.#asked) this.#tell(error.message);
      return;
    }
    this.waiting = false;
    this.#draw();
  }

  #draw() {
    const { plan, meaning } = this;
    this.board.draw(meaning.parts, { from: this.#from, joining: this.#mode === "joins" });
    this.hint.textContent = say(`wonder-hint-${this.#mode}`);
    this.undo.disabled = !plan.canUndo;
    this.redo.disabled = !plan.canRedo;
    this.save.disabled = this.#isKept || this.waiting || meaning.problem !== null || meaning.contradictions.length > 0;
    this.rules.replaceChildren(...this.#rulesSay());
    this.means.replaceChildren(
      ...plan.features.map((feature, index) => this.#feature(feature, index)),
      ...fieldWords(meaning.parts).map((words) => el("li", { class: "field" }, icon("field"), el("span", {}, words))),
    );
    this.more.replaceChildren(this.#places());
    for (const { href } of this.files.querySelectorAll("a")) URL.revokeObjectURL(href);
    this.files.replaceChildren(
      meaning.file ? downloadLink(this.id, meaning.file) : "",
      fileField((text) => this.#import(text)),
    );
  }

  #rulesSay() {
    const { problem, contradictions, other_fields, likelier } = this.meaning;
    const wrong = [...contradictions.map(contradictionWords), ...(problem ? [problemWords(problem)] : [])];
    return [
      likelier
        ? el(
            "p",
            { class: "wonder-wrong" },
            icon("question"),
            say("wonder-likelier", { wonder: wonderName({ id: likelier, name: likelier }) }),
          )
        : "",
      wrong.length
        ? el(
            "section",
            { class: "wonder-wrong" },
            el("h3", {}, icon("question"), say("wonder-wrong")),
            el(
              "ul",
              {},
              wrong.map((words) => el("li", {}, words)),
            ),
          )
        : "",
      other_fields ? el("p", { class: "quiet" }, contradictionWords(other_fields)) : "",
    ];
  }

  /**
   * Describe a road or city, with the properties that its ends do not determine.
   *
   * @param {PlanFeature} feature
   * @param {number} index
   */
  #feature(feature, index) {
    const { kind } = feature;
    /** @param {{ currentTarget: HTMLDetailsElement }} event */
    const opened = (event) => this.#opened[event.currentTarget.open ? "add" : "delete"](index);
    const ways =
      kind === "city"
        ? [
            this.#switch(say("wonder-walled"), feature.walled, (on) => this.plan.set(feature, "walled", on)),
            this.#coats(feature),
          ]
        : this.#roadWays(feature);
    return el(
      "li",
      { class: kind, "data-feature": index },
      el(
        "details",
        { open: this.#opened.has(index), ontoggle: opened },
        el("summary", {}, icon(kind), el("span", {}, featureWords(feature, this.plan.coatsUnknown))),
        this.#squares(
          say("wonder-lies-on"),
          (square) => feature.squares.has(square),
          (square) => this.plan.cover(feature, square),
        ),
        ways,
        feature.ends.length
          ? null
          : button("bin", say("wonder-drop"), () => this.#apply(() => this.plan.drop(feature))),
      ),
    );
  }

  /** @param {PlanFeature} feature */
  #roadWays(feature) {
    /** @param {"wonder" | "monastery"} target */
    const flip = (target) => (on) =>
      this.plan.set(
        feature,
        "into",
        new Set(on ? [...feature.into, target] : [...feature.into].filter((own) => own !== target)),
      );
    return [
      this.#switch(say("wonder-into-wonder"), feature.into.has("wonder"), flip("wonder")),
      this.plan.monastery === null
        ? null
        : this.#switch(say("wonder-into-monastery"), feature.into.has("monastery"), flip("monastery")),
      feature.into.size > 1
        ? this.#switch(say("wonder-closed"), feature.closed, (on) => this.plan.set(feature, "closed", on))
        : null,
    ];
  }

  /** @param {PlanFeature} feature */
  #coats(feature) {
    const { coatsUnknown, unknown } = this.plan;
    const pick = ({ target }) =>
      this.#apply(() => this.plan.setCoats(feature, target.value === "" ? null : Number(target.value)));
    const counts = [...Array(feature.squares.size + 1).keys()].map((n) =>
      el("option", { value: n, selected: !coatsUnknown && n === feature.coats }, number(n)),
    );
    return el(
      "label",
      { class: "wonder-pick" },
      el("span", {}, say("wonder-coats")),
      el(
        "select",
        { onchange: pick },
        unknown.length ? el("option", { value: "", selected: coatsUnknown }, say("wonder-coats-unknown")) : null,
        counts,
      ),
    );
  }

  /** List the places that no end determines: of the wonder itself, its marker, the monastery. */
  #places() {
    const { plan } = this;
    const pick = (words, chosen, squares, none, act) =>
      el(
        "label",
        { class: "wonder-pick" },
        el("span", {}, words),
        el(
          "select",
          { onchange: ({ target }) => this.#apply(() => act(target.value === "" ? null : Number(target.value))) },
          none ? el("option", { value: "", selected: chosen === null }, none) : null,
          squares.map((square) =>
            el("option", { value: square, selected: square === chosen }, say("wonder-square", { n: square + 1 })),
          ),
        ),
      );
    const all = plan.squares.map((_, square) => square);
    /** @param {{ currentTarget: HTMLDetailsElement }} event */
    const opened = (event) => this.#opened[event.currentTarget.open ? "add" : "delete"]("places");
    return el(
      "details",
      { open: this.#opened.has("places"), ontoggle: opened },
      el("summary", {}, icon("wonder"), el("span", {}, say("wonder-places"))),
      this.#squares(
        say("wonder-stands-on"),
        (square) => plan.wonder.includes(square),
        (square) => plan.stand(square),
      ),
      pick(say("wonder-marker-on"), plan.wonder[0], all, null, (square) => plan.mark(square)),
      pick(say("wonder-monastery-on"), plan.monastery, all, say("wonder-no-monastery"), (square) => plan.build(square)),
    );
  }

  /**
   * @param {string} words
   * @param {(square: number) => boolean} chosen
   * @param {(square: number) => unknown} act
   */
  #squares(words, chosen, act) {
    return el(
      "div",
      { class: "wonder-squares", role: "group", "aria-label": words },
      el("span", {}, words),
      this.plan.squares.map((_, square) =>
        el(
          "button",
          {
            type: "button",
            class: "chip",
            "aria-pressed": String(chosen(square)),
            "aria-label": say("wonder-square", { n: square + 1 }),
            onclick: () => this.#apply(() => act(square)),
          },
          number(square + 1),
        ),
      ),
    );
  }

  /**
   * @param {string} words
   * @param {boolean} on
   * @param {(on: boolean) => unknown} act
   */
  #switch(words, on, act) {
    const box = el("input", {
      type: "checkbox",
      role: "switch",
      checked: on,
      onchange: () => this.#apply(() => act(box.checked)),
    });
    return el("label", { class: "switch" }, box, el("span", {}, words));
  }

  /**
   * Apply a change in the list; the focus stays, though the list is redrawn.
   *
   * @param {() => unknown} act
   */
  #apply(act) {
    const place = this.#placeOf(document.activeElement);
    if (act() === false) return this.#tell(say("wonder-square-stays"));
    const done = this.#changed("");
    place()?.focus({ preventScroll: true });
    return done.then(() => document.activeElement === document.body && place()?.focus({ preventScroll: true }));
  }

  /** @param {Element | null} element */
  #placeOf(element) {
    const controls = () => [
      ...this.dialog.querySelectorAll(
        ".wonder-means :is(button, input, select), .wonder-more :is(button, input, select)",
      ),
    ];
    const index = controls().indexOf(element);
    return () => controls()[index];
  }

  /** @param {string} text */
  async #import(text) {
    const meaning = await withKey(() => call("POST", LAYOUTS, { body: { file: text } }));
    if (meaning.plan.id !== this.id) throw new Error(say("error-other_wonder"));
    if (meaning.plan.squares.join() !== this.plan.squares.join()) {
      this.dialog.close();
      return teachLayout(meaning);
    }
    this.plan.take(meaning.plan);
    return this.#changed(say("wonder-taken"));
  }

  /** Save the layout, on the server or else in this browser, and correct the reading with it. */
  async #keep() {
    const plan = this.plan.entry();
    let told = "";
    if (this.refused) keepOwnWonder(this.id, (await withKey(() => call("POST", LAYOUTS, { body: { plan } }))).file);
    else {
      const { print } = await this.#teach(plan);
      if (this.shown) told = ` ${say(print === null ? "wonder-kept-without-print" : "wonder-kept-print")}`;
      forgetOwnWonder(this.id);
    }
    if (this.session)
      await this.session.correct({
        kind: "wonder",
        wonder: this.id,
        row: this.lies.row,
        col: this.lies.col,
        turns: this.lies.turns,
        layout: trimmed(plan),
      });
    this.#isKept = true;
    this.#draw();
    this.#tell("");
    this.kept.replaceChildren(
      el(
        "p",
        { class: "learnt", role: "status" },
        icon("check"),
        el(
          "span",
          {},
          say(this.refused ? "wonder-kept-in-browser" : "wonder-kept", {
            wonder: wonderName({ id: this.id, name: this.id }),
          }),
          told,
          this.session ? ` ${say("wonder-reading-corrected")}` : "",
        ),
      ),
      button("undo", say("wonder-take-back"), () => attempt(this.dialog, () => this.#takeBack())),
    );
    this.dialog.querySelector(".sheet-body").scrollTo({ top: 0 });
  }

  /**
   * Enrol it on the server, with the print of the photo as long as the server has it.
   *
   * @param {Api.WonderPlanEntry} plan
   */
  async #teach(plan) {
    /** @param {object | null} shown */
    const put = (shown) => withKey(() => call("PUT", `${PATH}/${plainName(this.id)}`, { body: { plan, ...shown } }));
    try {
      return await put(this.shown);
    } catch (error) {
      if (error.code !== "print_gone") throw error;
      return { ...(await put(null)), print: null };
    }
  }

  /** Restore the previous layout, and the reading with it. */
  async #takeBack() {
    if (this.refused) forgetOwnWonder(this.id);
    else await withKey(() => call("DELETE", `${PATH}/${plainName(this.id)}`));
    if (this.session?.reading.can_undo) await this.session.change({ undo: true });
    this.#isKept = false;
    this.#draw();
    this.kept.replaceChildren(
      el("p", { class: "learnt", role: "status" }, icon("check"), el("span", {}, say("wonder-taken-back"))),
    );
  }
}

/**
 * Return a plan in the form of a wonder's file: without a monastery it names none.
 *
 * @param {Api.WonderPlanEntry} wonderPlanEntry
 */
function trimmed({ monastery, ...plan }) {
  return monastery === null ? plan : { ...plan, monastery };
}
