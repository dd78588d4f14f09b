// @ts-check
/** Enrolling a set of tiles from a reading, and the list of enrolments. */

import { call } from "../lib/api.js";
import { button, el, icon } from "../lib/dom.js";
import { withKey } from "../lib/key.js";
import { askKey } from "../lib/key_sheet.js";
import { readAgain } from "../lib/send.js";
import { attempt, openSheet } from "../lib/sheet.js";
import { list, say, sayOr } from "../lib/words.js";
import { wonderName } from "../wonders/wonder_place.js";

const PATH = "/v1/enrolments";
/** @type {{ [name: string]: string }} */
const ALLOWED = { local_only: "teach-local-only", key_wanted: "teach-key-wanted", wrong_key: "teach-key-wanted" };

/**
 * Open the sheet of a reading. Throws ApiError.
 *
 * @param {View} view
 */
export async function openTeach(view) {
  const [lesson, kept] = await Promise.all([lessonOf(view), known()]);
  new TeachSheet(view, lesson, kept);
}

/** @param {View} view */
function lessonOf({ session }) {
  return call("GET", `${session.path}/lesson`);
}

/** @returns {Promise<Api.EnrolmentList>} */
function known() {
  return call("GET", PATH);
}

class TeachSheet {
  /** @type {string[]} */
  names;
  /**
   * @param {View} view
   * @param {Api.EnrolmentPreview} lesson
   * @param {Api.EnrolmentList} kept
   */
  constructor(view, lesson, kept) {
    this.view = view;
    this.lesson = lesson;
    this.offer = el("div", { class: "teach-offer" });
    this.told = el("div", { role: "status", class: "teach-told" });
    this.taught = el("section", { class: "taught", "aria-labelledby": "taught-title" });
    this.dialog = openSheet(say("teach-set"), this.offer, this.told, this.taught);
    this.#draw(kept);
  }

  /** @param {Api.EnrolmentList} kept */
  #draw({ enrolments, forgotten }) {
    this.names = enrolments.map(({ name }) => name);
    this.offer.replaceChildren(...this.#offered());
    this.taught.replaceChildren(
      el("h3", { id: "taught-title" }, say("taught")),
      enrolments.length ? "" : el("p", { class: "quiet" }, say("taught-nothing")),
      el("ul", {}, [...enrolments.map((one) => this.#row(one)), ...forgotten.map((name) => this.#forgottenRow(name))]),
    );
  }

  /** Show the tiles to be enrolled, and the field for their name; or the reason why that is not possible. */
  #offered() {
    const { refused, squares } = this.lesson;
    const takes = [
      el("p", {}, say("teach-about")),
      el("p", { class: "takes" }, icon("check"), el("span", {}, this.#takes())),
    ];
    const doubtful = this.view.report.board.tiles.filter((tile) => tile.doubtful).length;
    if (doubtful) takes.push(el("p", { class: "quiet" }, say("teach-doubtful", { n: doubtful })));
    if (refused)
      return [...takes, el("p", { class: "refused", role: "note" }, say(ALLOWED[refused])), this.#keyButton(refused)];
    return squares ? [...takes, el("p", { class: "quiet" }, say("teach-undo")), this.#form()] : takes;
  }

  /**
   * Offer a field for a key, if one would help.
   *
   * @param {string} refused
   */
  #keyButton(refused) {
    if (refused === "local_only") return "";
    return button(
      "key",
      say("enter-key"),
      () =>
        attempt(this.dialog, async () => {
          if (!(await askKey(refused === "wrong_key"))) return;
          this.lesson = await lessonOf(this.view);
          this.#draw(await known());
        }),
      { class: "primary" },
    );
  }

  #takes() {
    const { squares, kinds, wonders, left_out } = this.lesson;
    if (!squares) return say("teach-nothing");
    const own = wonders.map((id) => wonderName({ id, name: id }));
    return [
      say("teach-takes", { n: squares }),
      say("teach-kinds", { n: kinds }),
      own.length ? say("teach-wonders", { wonders: list(own) }) : null,
      left_out ? say("teach-left-out", { n: left_out }) : null,
    ]
      .filter(Boolean)
      .join(" ");
  }

  #form() {
    const input = el("input", {
      id: "set-name",
      name: "name",
      value: this.#freeName(),
      maxlength: 64,
      autocomplete: "off",
      required: true,
    });
    /** @param {Event} event */
    const submit = (event) => {
      event.preventDefault();
      return attempt(this.dialog, () => this.#teach(plain(input.value)));
    };
    return el(
      "form",
      { class: "teach-form", onsubmit: submit },
      el("div", { class: "field" }, el("label", { for: "set-name" }, say("set-name")), input),
      el("button", { type: "submit", class: "primary large" }, icon("hat"), el("span", {}, say("teach-set"))),
    );
  }

  /** Suggest a name, after the photo's, that is not taken yet. */
  #freeName() {
    const own = plain((this.view.report.photo?.file ?? "").replace(/\.[^.]*$/, "")) || "set";
    let name = own;
    for (let n = 2; this.names.includes(name); n++) name = `${own}-${n}`;
    return name;
  }

  /** @param {string} name */
  async #teach(name) {
    const made = await withKey(() =>
      call("POST", PATH, { body: { reading: this.view.session.id, name: name || null } }),
    );
    this.#draw(await known());
    this.offer.replaceChildren();
    this.told.replaceChildren(
      el("p", { class: "learnt" }, icon("check"), el("span", {}, say("learnt", { name: made.name, n: made.tiles }))),
      el("p", { class: "quiet" }, say("read-again-hint")),
      button("reset", say("read-again"), () => attempt(this.dialog, () => readAgain(this.view.session)), {
        class: "primary",
      }),
    );
  }

  /** @param {Api.EnrolmentDocument} enrolmentDocument */
  #row({ name, tiles, source, made, problem }) {
    const about = problem ? sayOr(`error-${problem}`, problem) : say("taught-about", { n: tiles, source, made });
    return this.#item(name, about, "bin", "forget-it", "forget-set", () => this.#forget(name));
  }

  /** @param {string} name */
  #forgottenRow(name) {
    return this.#item(name, say("is-forgotten"), "undo", "bring-back", "bring-back-set", () => this.#bringBack(name));
  }

  /**
   * Build a set's entry in the list, with a button.
   *
   * @param {string} name
   * @param {string} about
   * @param {string} symbol
   * @param {string} words
   * @param {string} label
   * @param {() => Promise<void>} act
   */
  #item(name, about, symbol, words, label, act) {
    return el(
      "li",
      { "data-set": name },
      el("span", { class: "what" }, el("b", {}, name), el("small", {}, about)),
      el(
        "span",
        { class: "row-actions" },
        button(symbol, say(words), () => attempt(this.dialog, act), {
          "aria-label": say(label, { name }),
          disabled: Boolean(this.lesson.refused),
        }),
      ),
    );
  }

  /** @param {string} name */
  async #forget(name) {
    await withKey(() => call("DELETE", `${PATH}/${encodeURIComponent(name)}`));
    this.#changed(await known(), say("forgotten", { name }));
  }

  /** @param {string} name */
  async #bringBack(name) {
    const kept = await withKey(() => call("POST", `${PATH}/${encodeURIComponent(name)}/undo`));
    this.#changed(kept, say("brought-back", { name }));
  }

  /**
   * @param {Api.EnrolmentList} kept
   * @param {string} words
   */
  #changed(kept, words) {
    this.#draw(kept);
    this.told.replaceChildren(el("p", { class: "learnt" }, icon("check"), el("span", {}, words)));
  }
}

/**
 * Return a name that the server accepts: letters without marks, digits, hyphens.
 *
 * @param {string} words
 */
const plain = (words) =>
  words
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^A-Za-z0-9_-]+/g, "-")
    .replace(/^[-_]+|[-_]+$/g, "")
    .slice(0, 60);
