// @ts-check
/** All wonders with their layouts in force: to view, to enrol from a photo or a file, to undo. */

import { call, errorWords } from "../lib/api.js";
import { button, el, icon } from "../lib/dom.js";
import { withKey } from "../lib/key.js";
import { forgetOwnWonder, ownWonders } from "../lib/own_wonders.js";
import { attempt, openSheet } from "../lib/sheet.js";
import { say } from "../lib/words.js";
import { teachLayout, teachPhotographedWonder } from "./wonder_enrol_sheet.js";
import { fileField, refusalWords } from "./wonder_files.js";
import { wonderName } from "./wonder_place.js";

const PATH = "/v1/wonders";
const LAYOUTS = "/v1/wonder-layouts";
/** @param {string} id */
const pathOf = (id) => `${PATH}/${id.replace(/^WH\//, "")}`;

/** Open the sheet. Throws ApiError. */
export async function openWonders() {
  new WondersSheet(await call("GET", PATH));
}

class WondersSheet {
  /** @param {Api.WondersInForce} told */
  constructor(told) {
    this.list = el("ul", { class: "wonder-list" });
    this.note = el("div", {});
    this.which = el(
      "select",
      { id: "which-wonder" },
      told.wonders.map(({ id, name }) => el("option", { value: id }, wonderName({ id, name }))),
    );
    const photo = el("input", {
      class: "hidden",
      type: "file",
      accept: "image/*",
      onchange: ({ target }) => this.#photographed(target),
    });
    this.reading = el("p", { role: "status", class: "quiet" });
    this.dialog = openSheet(
      say("wonders-of-mine"),
      el("p", {}, say("wonders-about")),
      el(
        "div",
        { class: "wonder-from-photo" },
        el("div", { class: "field" }, el("label", { for: "which-wonder" }, say("which-wonder")), this.which),
        el("label", { class: "button primary" }, icon("camera"), el("span", {}, say("wonder-photo")), photo),
      ),
      this.reading,
      fileField((text) => this.#file(text)),
      this.list,
      this.note,
    );
    this.#draw(told);
  }

  /** @param {Api.WondersInForce} wondersInForce */
  #draw({ wonders, refused }) {
    const own = ownWonders();
    this.refused = refused;
    this.list.replaceChildren(...wonders.map((wonder) => this.#row(wonder, own[wonder.id])));
    this.note.replaceChildren(
      refused ? el("p", { class: "refused", role: "note" }, refusalWords(refused), " ", say("wonder-kept-here")) : "",
    );
  }

  /**
   * @param {Api.WonderInForce} wonderInForce
   * @param {string | undefined} own
   */
  #row({ id, name, source, problem, can_undo }, own) {
    const source_words =
      own && this.refused
        ? say("wonder-source-browser")
        : problem
          ? errorWords({ code: problem, text: problem, details: { wonder: id } })
          : say(`wonder-source-${source}`);
    const mine = this.refused ? Boolean(own) : can_undo;
    const called = wonderName({ id, name });
    return el(
      "li",
      { "data-wonder": id },
      el("span", { class: "what" }, el("b", {}, called), el("small", {}, source_words)),
      el(
        "span",
        { class: "row-actions" },
        mine
          ? button("undo", say("wonder-take-back"), () => attempt(this.dialog, () => this.#takeBack(id)), {
              "aria-label": say("wonder-take-back-of", { wonder: called }),
            })
          : null,
        problem
          ? null
          : button("pen", say("wonder-look"), () => attempt(this.dialog, () => this.#look(id, own)), {
              "aria-label": say("wonder-look-at", { wonder: called }),
            }),
      ),
    );
  }

  /**
   * @param {string} id
   * @param {string | undefined} own
   */
  async #look(id, own) {
    const meaning =
      own && this.refused
        ? await withKey(() => call("POST", LAYOUTS, { body: { file: own } }))
        : await call("GET", pathOf(id));
    await teachLayout(meaning);
    this.dialog.close();
  }

  /** @param {string} text */
  async #file(text) {
    await teachLayout(await withKey(() => call("POST", LAYOUTS, { body: { file: text } })));
    this.dialog.close();
  }

  /** @param {string} id */
  async #takeBack(id) {
    if (this.refused) forgetOwnWonder(id);
    else await withKey(() => call("DELETE", pathOf(id)));
    this.#draw(await call("GET", PATH));
  }

  /** @param {HTMLInputElement} input */
  async #photographed(input) {
    const [file] = input.files ?? [];
    input.value = "";
    if (!file) return;
    this.reading.textContent = say("wonder-photo-read");
    const done = await attempt(this.dialog, () => teachPhotographedWonder(this.which.value, file));
    this.reading.textContent = "";
    if (done) this.dialog.close();
  }
}
