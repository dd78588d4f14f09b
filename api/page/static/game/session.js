// @ts-check
/** A game as stored by the server, and what a person says about it; dispatches `change` after each change by anyone. */

import { call, upload } from "../lib/api.js";
import { withKey } from "../lib/key.js";
import { gameToken, rememberGame } from "../lib/store.js";

/** Seconds for which the server may wait for a change before it answers. A guess. */
const WAIT = 20;
/** Time until a server that could not be reached is asked again, in milliseconds. A guess. */
const AGAIN = 3000;

export class GameSession extends EventTarget {
  /** @type {Api.GameDocument} */
  game;
  /** Whether the server could be reached at the last attempt. */
  isReached = true;

  /**
   * @param {string} id
   * @param {string | null} [token]
   */
  constructor(id, token = gameToken(id)) {
    super();
    this.id = id;
    this.token = token;
    this.path = `/v1/games/${encodeURIComponent(id)}`;
  }

  /** Whether this device may change the game, as the server says. */
  get owned() {
    return this.game.may_correct ?? false;
  }

  /** The players' colours, in turn order. */
  get players() {
    return this.game.settings.players.map(({ colour }) => colour);
  }

  /** The players' names by their colours. */
  get names() {
    return Object.fromEntries(this.game.settings.players.flatMap(({ colour, name }) => (name ? [[colour, name]] : [])));
  }

  /**
   * Return the address of a photo, at most so many pixels wide.
   *
   * @param {number} number
   * @param {number} width
   */
  photo(number, width) {
    return `${this.path}/photos/${number}?width=${width}`;
  }

  /**
   * Return the row and column of a square as people count them.
   *
   * @param {Square} square
   */
  numbersOf([row, col]) {
    const [top, left] = this.game.log?.origin ?? [0, 0];
    return [row - top + 1, col - left + 1];
  }

  /**
   * Load the game; a token from a link is kept if it opens the game and the one kept here does not. Throws ApiError.
   *
   * @param {string | null} token
   */
  async open(token) {
    await this.load();
    if (this.owned || !token) return;
    const before = this.token;
    this.token = token;
    await this.load();
    if (this.owned) rememberGame(this.id, { token, opened: new Date().toISOString() });
    else this.token = before;
  }

  /** Load the present state. Throws ApiError. */
  async load() {
    this.#take(await call("GET", this.path, { token: this.token }));
  }

  /**
   * Follow the changes of the server and of others, as long as the page is seen. Throws ApiError once the game is gone,
   * and dispatches `gone`.
   */
  async watch() {
    for (;;) {
      const wasReached = this.isReached;
      this.isReached = await this.#catchUp().then(
        () => true,
        (error) => this.#checkThere(error),
      );
      if (this.isReached !== wasReached) this.dispatchEvent(new Event("change"));
      if (!this.isReached) await new Promise((resolve) => setTimeout(resolve, AGAIN));
      while (document.hidden) await once(document, "visibilitychange");
    }
  }

  async #catchUp() {
    const { version } = this.game;
    const game = await call("GET", `${this.path}?after=${version}&wait=${WAIT}`, { token: this.token });
    if (game.version > this.game.version) this.#take(game);
  }

  /** @param {Error & { code?: string }} error */
  #checkThere(error) {
    if (error.code !== "not_found") return false;
    this.dispatchEvent(new Event("gone"));
    throw error;
  }

  /**
   * Hand a photo over. Throws ApiError.
   *
   * @param {import("./frames.js").Frame} frame
   */
  async addPhoto({ id, blob }) {
    const form = new FormData();
    form.append("client_id", id);
    form.append("photo", new File([blob], `${id}.jpg`, { type: blob.type || "image/jpeg" }));
    await withKey(() => upload(form, () => {}, `${this.path}/photos`, this.token));
    await this.load();
  }

  /** @param {Correction} correction */
  async correct(correction) {
    this.#take(await call("POST", `${this.path}/corrections`, { token: this.token, body: correction }));
  }

  /** @param {number} id */
  async undo(id) {
    this.#take(await call("DELETE", `${this.path}/corrections/${id}`, { token: this.token }));
  }

  /** @param {boolean} finished */
  async finish(finished) {
    this.#take(await call("POST", `${this.path}/finish`, { token: this.token, body: { finished } }));
  }

  async delete() {
    await call("DELETE", this.path, { token: this.token });
  }

  /** @param {Api.GameDocument} game */
  #take(game) {
    this.game = game;
    if (this.owned) rememberGame(this.id, { players: this.players, names: this.names });
    this.dispatchEvent(new Event("change"));
  }
}

/**
 * @param {EventTarget} target
 * @param {string} name
 */
const once = (target, name) => new Promise((resolve) => target.addEventListener(name, resolve, { once: true }));
