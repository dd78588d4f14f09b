// @ts-check
/** The API key that a server may require: kept while this window is open, or on this device on request. */

import { stored } from "./store.js";

const NAME = "wondertally.key";
const WANTED = new Set(["key_wanted", "wrong_key"]);
/** @type {string | null} */
let here = null;

/** The key, or null. */
export const key = () => here ?? read("sessionStorage") ?? read("localStorage");

/**
 * Keep a key; with `remember` also after this window is closed.
 *
 * @param {string} own
 * @param {boolean} remember
 */
export function keep(own, remember) {
  forgetKey();
  here = own;
  stored(remember ? "localStorage" : "sessionStorage", (storage) => storage.setItem(NAME, own));
}

export function forgetKey() {
  here = null;
  for (const name of /** @type {StorageName[]} */ (["sessionStorage", "localStorage"]))
    stored(name, (storage) => storage.removeItem(NAME));
}

/**
 * Run an action that may need a key, and ask for one as often as the server does; without one, the refusal stands.
 *
 * @template T
 * @param {() => T | Promise<T>} action
 */
export async function withKey(action) {
  for (;;) {
    try {
      return await action();
    } catch (error) {
      if (!WANTED.has(error.code)) throw error;
      const { askKey } = await import("./key_sheet.js");
      if (!(await askKey(error.code === "wrong_key"))) throw error;
    }
  }
}

/** @param {StorageName} name */
const read = (name) => stored(name, (storage) => storage.getItem(NAME));
