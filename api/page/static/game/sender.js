// @ts-check
/** Sends the photos of a game one by one, in order; each stays on this device until the server has it. */

import { dropFrame, framesOf, keepFrame } from "./frames.js";

/** Times until a photo is sent again, in milliseconds. Guesses. */
const AGAIN = [1000, 3000, 10_000, 30_000];
/** HTTP statuses of an answer about the photo itself, which no later attempt changes. */
const LASTING = [413, 415, 422];
/** Codes of refusals that time does not end: a key or a token is missing, the game is gone or full. */
const UNTIL_CHANGED = ["key_wanted", "wrong_key", "token_wanted", "not_yours", "not_found", "bad_field"];

/** @typedef {import("./frames.js").Frame} Frame */

/** Dispatches `change` when its `waiting` or `error` changes. */
export class Sender extends EventTarget {
  /** The number of photos that the server does not have yet. */
  waiting = 0;
  /** Why the last attempt failed, else null. @type {(Error & { code?: string, status?: number }) | null} */
  error = null;
  #isRunning = false;
  #failures = 0;
  /** @type {() => void} */
  #hurry = () => {};

  /**
   * @param {string} game
   * @param {(frame: Frame) => Promise<unknown>} send hands one over; throws ApiError
   */
  constructor(game, send) {
    super();
    this.game = game;
    this.send = send;
    addEventListener("online", () => this.#hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.#hurry());
  }

  /** @param {Frame} frame */
  async add(frame) {
    await keepFrame(frame);
    await this.run();
  }

  /** Send all that waits; two pages of one browser take turns. */
  async run() {
    this.#hurry();
    if (this.#isRunning) return this.#count();
    this.#isRunning = true;
    try {
      await inTurn(`wondertally.game.${this.game}`, () => this.#sendAll());
    } finally {
      this.#isRunning = false;
    }
  }

  async #sendAll() {
    for (;;) {
      const [frame] = await this.#count();
      if (!frame) return;
      try {
        await this.send(frame);
        this.#failures = 0;
        await this.#end(frame, null);
      } catch (error) {
        if (LASTING.includes(error.status) && !UNTIL_CHANGED.includes(error.code)) await this.#end(frame, error);
        else await this.#wait(error);
      }
    }
  }

  /**
   * @param {Frame} frame
   * @param {Error | null} error
   */
  async #end(frame, error) {
    await dropFrame(frame.id);
    this.error = error;
    await this.#count();
  }

  /**
   * Wait until the photo is sent again: for some time, or for the next photo or look at the page.
   *
   * @param {Error & { code?: string }} error
   */
  async #wait(error) {
    this.error = error;
    this.dispatchEvent(new Event("change"));
    const time = AGAIN[Math.min(this.#failures++, AGAIN.length - 1)];
    await new Promise((resolve) => {
      const timer = UNTIL_CHANGED.includes(error.code ?? "") ? undefined : setTimeout(resolve, time);
      this.#hurry = () => {
        clearTimeout(timer);
        resolve(null);
      };
    });
    this.#hurry = () => {};
  }

  async #count() {
    const frames = await framesOf(this.game);
    this.waiting = frames.length;
    this.dispatchEvent(new Event("change"));
    return frames;
  }
}

/**
 * Run an action while no other page of this browser runs one of that name; browsers know that over HTTPS only.
 *
 * @param {string} name
 * @param {() => Promise<void>} action
 */
function inTurn(name, action) {
  return navigator.locks ? navigator.locks.request(name, action) : action();
}
