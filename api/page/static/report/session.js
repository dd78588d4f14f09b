// @ts-check
/** A reading as stored by the server, and its changes; dispatches `change` after each step. */

import { call } from "../lib/api.js";
import { loadImage } from "../lib/dom.js";
import { remember, tokenOf } from "../lib/store.js";
import { changedSince } from "./conflict.js";
import { leaders, pointsOf } from "./outcome.js";

const POLL = 700;
/** Widths in which photos are requested: one may serve several screens. */
const WIDTHS = [640, 960, 1280, 1920, 2560];

export class Session extends EventTarget {
  /** @type {Api.ReadingDocument} */
  reading;
  /** @type {number | undefined} */
  seen;
  #explained = new Map();
  #photos = new Map();
  #previews = new Map();
  #reports = new Map();

  /**
   * `token` is the owner's; for a reading of an event it is the event's.
   *
   * @param {string} id
   * @param {string | null} [token]
   */
  constructor(id, token = tokenOf(id)) {
    super();
    this.id = id;
    this.token = token;
    this.path = `/v1/readings/${encodeURIComponent(id)}`;
  }

  /** @returns {AnyReport} */
  get report() {
    return /** @type {AnyReport} */ (this.reading.report);
  }

  get owned() {
    return this.token !== null;
  }

  get mayCorrect() {
    return this.owned || this.reading.may_correct;
  }

  /**
   * Follow the reading until it is done or has failed; `onStage` gets every answer. Throws ApiError.
   *
   * @param {(reading: Api.ReadingDocument) => unknown} onStage
   */
  async follow(onStage) {
    for (;;) {
      await this.load();
      onStage(this.reading);
      if (this.reading.status === "done" || this.reading.status === "failed") break;
      await new Promise((resolve) => setTimeout(resolve, POLL));
    }
  }

  /** Load the present state, and remember its result on the device that made it. Throws ApiError. */
  async load() {
    this.reading = await call("GET", this.path, { token: this.token });
    this.#note();
  }

  /**
   * Send one change; if someone was quicker, load their state and refuse the change. Throws ApiError.
   *
   * @param {object} body
   */
  async change(body) {
    try {
      this.#take(
        await call("PATCH", this.path, { token: this.token, body: { ...body, version: this.reading.version } }),
      );
    } catch (error) {
      if (error.code === "conflict") await this.#catchUp(error);
      throw error;
    }
  }

  /**
   * Load the state left by someone else, and let the error say who made it and how.
   *
   * @param {Error} error
   */
  async #catchUp(error) {
    const { version } = this.reading;
    this.#take(await call("GET", this.path, { token: this.token }));
    error.message = await changedSince(this, version).catch(() => error.message);
  }

  /** @param {...Correction} corrections */
  correct(...corrections) {
    return this.change({ corrections });
  }

  /**
   * Return everything counted for a feature.
   *
   * @param {string} id
   */
  async feature(id) {
    const [account] = (await this.explanation(`feature=${encodeURIComponent(id)}`)).features;
    return account;
  }

  /**
   * Return an explanation, cached until the reading changes.
   *
   * @param {string} query
   */
  async explanation(query) {
    const key = `${this.reading.version} ${query}`;
    if (!this.#explained.has(key))
      this.#explained.set(key, await call("GET", `${this.path}/explanation?${query}`, { token: this.token }));
    return this.#explained.get(key);
  }

  /**
   * Return a photo of it by number with all its pixels, ready to draw from; loaded once.
   *
   * @param {number} number
   */
  photo(number) {
    if (!this.#photos.has(number)) this.#photos.set(number, loadImage(`${this.path}/photo?number=${number}`));
    return this.#photos.get(number);
  }

  /**
   * Return the same photo in about the pixels of a screen's width; the whole one if it is loaded.
   *
   * @param {number} number
   * @param {number} screen
   */
  preview(number, screen) {
    const width = WIDTHS.find((own) => own >= screen);
    if (!width || width >= this.size(number).width || this.#photos.has(number)) return this.photo(number);
    const key = `${number} ${width}`;
    if (!this.#previews.has(key))
      this.#previews.set(key, loadImage(`${this.path}/photo?number=${number}&width=${width}`));
    return this.#previews.get(key);
  }

  /**
   * Return the full size of a photo of it, {width, height}, whatever part is loaded.
   *
   * @param {number} number
   * @returns {Api.PhotoSize}
   */
  size(number) {
    return /** @type {Api.PhotoSize} */ (this.reading.photos?.find((own) => own.number === number));
  }

  /**
   * Return the report in the pixels of a photo of it, cached until the reading changes. Throws ApiError.
   *
   * @param {number} number
   */
  async reportIn(number) {
    return number === 0 ? this.report : this.#reportBy(`number=${number}`);
  }

  /** Return the report in the places of the board as drawn, cached until the reading changes. Throws ApiError. */
  drawnReport() {
    return this.#reportBy("drawn=true");
  }

  /** @param {string} query */
  async #reportBy(query) {
    const key = `${this.reading.version} ${query}`;
    if (!this.#reports.has(key))
      this.#reports.set(key, await call("GET", `${this.path}/report.json?${query}`, { token: this.token }));
    return this.#reports.get(key);
  }

  async delete() {
    await call("DELETE", this.path, { token: this.token });
  }

  /** @param {Api.ReadingDocument} reading */
  #take(reading) {
    this.reading = reading;
    this.#note();
    this.dispatchEvent(new Event("change"));
  }

  /** Store the result of the device's own reading on this device. */
  #note() {
    if (this.token === null || this.token !== tokenOf(this.id)) return;
    if (this.reading.status === "failed") remember({ id: this.id, failed: true });
    if (this.report)
      remember({
        id: this.id,
        token: this.token,
        created: this.reading.created,
        names: this.report.names,
        scores: pointsOf(this.report),
        winners: this.report.doubtful ? [] : leaders(this.report),
        game: this.report.game,
      });
  }
}
