/** A page without a browser: what modules read of it when they are loaded. */

import { readFileSync } from "node:fs";

const { words, kinds } = JSON.parse(readFileSync(process.env.WONDERTALLY_PAGE ?? "", "utf-8"));
const contents = { words, kinds };

/** What this page keeps: the storage of a browser. */
class Kept {
  #values = new Map();

  getItem(name) {
    return this.#values.get(name) ?? null;
  }

  setItem(name, value) {
    if (this.isFull) throw new Error("full");
    this.#values.set(name, String(value));
  }

  removeItem(name) {
    this.#values.delete(name);
  }

  clear() {
    this.#values.clear();
    this.isFull = false;
  }
}

globalThis.localStorage = new Kept();
globalThis.sessionStorage = new Kept();
globalThis.window = globalThis;
globalThis.document = {
  documentElement: { lang: "en" },
  getElementById: (id) => (id in contents ? { textContent: JSON.stringify(contents[id]) } : null),
};
globalThis.location = { origin: "http://here", pathname: "/", hash: "" };

const STATIC = new URL("../../../../api/page/static/", import.meta.url);

/** Load a module of the page. */
export const load = (path) => import(new URL(path, STATIC));
