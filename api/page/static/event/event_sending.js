// @ts-check
/** Many tables sent one after the other while the desk is used; the page waits where the server has no room. */

import { button, el } from "../lib/dom.js";
import { uploadBar } from "../lib/progress.js";
import { say } from "../lib/words.js";

/** A table that is sent: its name, and its form. @typedef {{ name: string, form: FormData }} Sent */

export class Sending {
  /** @type {Sent[]} */
  #waiting = [];
  /** @type {(Sent & { why: string })[]} */
  #refused = [];
  #done = 0;
  #runs = false;

  /**
   * `root` shows the progress.
   *
   * @param {EventSession} session
   * @param {HTMLElement} root
   */
  constructor(session, root) {
    this.session = session;
    this.root = root;
    window.addEventListener("beforeunload", (event) => this.#runs && event.preventDefault());
  }

  /**
   * Send tables, after those that are on their way.
   *
   * @param {Sent[]} tables
   */
  async send(tables) {
    this.#waiting.push(...tables);
    if (this.#runs) return;
    this.#runs = true;
    const bar = uploadBar();
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      await this.#sendOne(next, bar);
      this.#done++;
    }
    this.#runs = false;
    this.#done = 0;
    this.root.replaceChildren(...this.#refusals());
  }

  /**
   * @param {Sent} table
   * @param {ReturnType<typeof uploadBar>} bar
   */
  async #sendOne(table, bar) {
    const most = this.#done + 1 + this.#waiting.length;
    this.root.replaceChildren(
      el("p", {}, say("sending-tables", { name: table.name, n: this.#done + 1, most })),
      bar.element,
      ...this.#refusals(),
    );
    try {
      await this.session.add(table.form, (share) => bar.tell(share === null ? null : (this.#done + share) / most));
    } catch (error) {
      this.#refused.push({ ...table, why: error.message });
    }
  }

  /** List the tables that were refused, each with the reason; they can be sent once more or left out. */
  #refusals() {
    if (!this.#refused.length) return [];
    /** @param {boolean} again */
    const leave = (again) => () => {
      const tables = this.#refused.splice(0);
      if (!this.#runs) this.root.replaceChildren();
      return again && this.send(tables);
    };
    return [
      el(
        "ul",
        { role: "alert" },
        this.#refused.map(({ name, why }) => el("li", { class: "problem" }, `${name}: ${why}`)),
      ),
      el(
        "p",
        { class: "two" },
        button("redo", say("send-again"), leave(true)),
        button("close", say("leave-out"), leave(false)),
      ),
    ];
  }
}
