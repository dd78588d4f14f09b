// @ts-check
/** The part of the page that takes the photos: a camera that watches the table, or a person who picks them. */

import { button, el, icon } from "../lib/dom.js";
import { stored } from "../lib/store.js";
import { say } from "../lib/words.js";
import { Camera } from "./camera.js";
import { cutAround } from "./cut.js";
import { newId } from "./frames.js";
import { Sender } from "./sender.js";
import { boardSquares } from "./story.js";

/** Number of photos whose part of the camera's picture is remembered. A guess. */
const REMEMBERED = 12;

/** The game whose table this window watches: it goes on when the page is opened again. */
const KEY = "wondertally.filming";

/** @typedef {import("./session.js").GameSession} GameSession */

export class Filming {
  /** The parts of the camera's picture that photos are, by their ids. @type {Map<string, Box>} */
  #cuts = new Map();
  /** @type {Error | null} */
  #failure = null;

  /**
   * @param {GameSession} session
   * @param {HTMLElement} root
   */
  constructor(session, root) {
    this.session = session;
    this.video = el("video", { muted: true, playsinline: true, "aria-label": say("game-camera") });
    this.video.muted = true;
    this.camera = new Camera(this.video, (size, nudged) => this.#cut(size, nudged));
    this.sender = new Sender(session.id, (frame) => session.addPhoto(frame));
    this.state = el("p", { class: "game-state", role: "status" });
    this.told = el("p", { class: "problem", role: "alert" });
    this.start = button("camera", say("game-watch"), () => this.#start(), { class: "primary large" });
    this.stop = button("close", say("game-watch-no-more"), () => this.#stop());
    this.now = button("camera", say("game-take-now"), () => this.camera.takeSoon());
    this.picks = el(
      "div",
      { class: "pick" },
      this.#pick("camera", say("take-photo"), true),
      this.#pick("gallery", say("choose-photos"), false),
    );
    root.replaceChildren(
      this.video,
      this.state,
      this.told,
      el("div", { class: "game-tools" }, this.start, this.now, this.stop),
      this.picks,
    );
    this.camera.addEventListener("state", () => this.#draw());
    this.camera.addEventListener("photo", (event) => this.#keep(/** @type {CustomEvent} */ (event).detail));
    this.sender.addEventListener("change", () => this.#draw());
    session.addEventListener("gone", () => this.#stop());
    session.addEventListener("change", () => (session.game.finished ? this.#stop() : this.#draw()));
    this.#draw();
    this.sender.run();
    if (stored("sessionStorage", (storage) => storage.getItem(KEY)) === session.id) this.#start();
  }

  async #start() {
    this.#failure = null;
    this.#cuts.clear(); // it may look elsewhere than before
    this.camera.takeSoon();
    this.start.disabled = true;
    try {
      await this.camera.start();
      stored("sessionStorage", (storage) => storage.setItem(KEY, this.session.id));
    } catch (error) {
      this.#failure = error;
    } finally {
      this.start.disabled = false;
      this.#draw();
    }
  }

  #stop() {
    if (this.camera.state === "off") return;
    stored("sessionStorage", (storage) => storage.removeItem(KEY));
    this.camera.stop();
  }

  /**
   * @param {{ width: number, height: number }} size
   * @param {boolean} nudged
   */
  #cut(size, nudged) {
    if (nudged) this.#cuts.clear();
    const { log, photos } = this.session.game;
    const seen = photos.findLast(({ client_id: id, place }) => this.#cuts.has(id) && (place ?? null) !== null);
    const view = log?.views?.[seen?.place ?? -1];
    const cut = this.#cuts.get(seen?.client_id ?? "");
    if (!log || !seen || !view || !cut) return { x: 0, y: 0, ...size };
    const since = [...this.#cuts.keys()].reverse().indexOf(seen.client_id);
    const { width, height } = seen;
    return cutAround(size, { cut, width, height, view }, boardSquares(log.boards.at(-1) ?? "-"), since);
  }

  /** @param {import("./camera.js").Taken} taken */
  #keep({ blob, cut }) {
    const id = newId();
    this.#cuts.set(id, cut);
    for (const old of [...this.#cuts.keys()].slice(0, -REMEMBERED)) this.#cuts.delete(old);
    this.sender.add({ id, game: this.session.id, taken: Date.now(), blob, cut });
  }

  /**
   * @param {string} name
   * @param {string} words
   * @param {boolean} captures
   */
  #pick(name, words, captures) {
    /** @type {HTMLInputElement} */
    const input = el("input", {
      class: "hidden",
      id: name,
      type: "file",
      accept: "image/*",
      ...(captures ? { capture: "environment" } : { multiple: true }),
      onchange: () => this.#add([...(input.files ?? [])]).finally(() => (input.value = "")),
    });
    return el("label", { class: "button large" }, icon(name), el("span", {}, words), input);
  }

  /** @param {File[]} files */
  async #add(files) {
    const inOrder = files.sort((one, other) => one.lastModified - other.lastModified);
    for (const [index, file] of inOrder.entries())
      await this.sender.add({ id: newId(), game: this.session.id, taken: Date.now() + index, blob: file, cut: null });
  }

  #draw() {
    const { state } = this.camera;
    const isOn = state !== "off";
    this.video.hidden = !isOn || state === "lost";
    this.start.hidden = isOn;
    this.stop.hidden = this.now.hidden = !isOn;
    this.picks.hidden = isOn;
    this.state.textContent = [isOn ? say(`game-state-${state}`) : say("game-hands-off"), this.#progress()]
      .filter(Boolean)
      .join(" ");
    this.state.dataset.state = state;
    this.told.textContent = this.#problem();
  }

  #progress() {
    const reading = this.session.game.photos.filter(({ status }) => status === "queued" || status === "reading").length;
    const { waiting } = this.sender;
    return [waiting && say("game-to-send", { n: waiting }), reading && say("game-to-read", { n: reading })]
      .filter(Boolean)
      .join(" ");
  }

  #problem() {
    const failure = /** @type {{ code?: string } | null} */ (this.#failure);
    if (failure) return say(`game-camera-${failure.code ?? "missing"}`);
    return this.sender.error?.message ?? "";
  }
}
