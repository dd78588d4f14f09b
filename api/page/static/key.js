/** The API key that a server may ask for: kept while this window is open, or on this device if that is wished. */

const NAME = "wondertally.key";
const WANTED = new Set(["key_wanted", "wrong_key"]);
let here = null;

/** The key, or null. */
export const key = () => here ?? read("sessionStorage") ?? read("localStorage");

/** Keeps a key; `remember`: also when this window is closed. */
export function keep(own, remember) {
  forgetKey();
  here = own;
  stored(remember ? "localStorage" : "sessionStorage", (storage) => storage.setItem(NAME, own));
}

export function forgetKey() {
  here = null;
  for (const name of ["sessionStorage", "localStorage"]) stored(name, (storage) => storage.removeItem(NAME));
}

/** Does what may need a key, and asks for one as often as the server does; without one, what was refused stays so. */
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

const read = (name) => stored(name, (storage) => storage.getItem(NAME));

/** Null where the browser keeps nothing: then the key lives as long as the page. */
function stored(name, action) {
  try {
    return action(window[name]) ?? null;
  } catch {
    return null;
  }
}
