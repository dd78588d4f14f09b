// @ts-check
/**
 * Wonder layouts that this browser keeps if the server may not, as files: sent with each photo, including an event's.
 */

const KEY = "wondertally.wonders";

/** Return the files by the wonders' ids. */
export function ownWonders() {
  try {
    return Object.fromEntries(
      Object.entries(JSON.parse(localStorage.getItem(KEY) ?? "{}")).filter(([, file]) => typeof file === "string"),
    );
  } catch {
    return {};
  }
}

/**
 * @param {string} id
 * @param {string} file
 */
export const keepOwnWonder = (id, file) => store({ ...ownWonders(), [id]: file });

/** @param {string} id */
export function forgetOwnWonder(id) {
  const { [id]: gone, ...others } = ownWonders();
  if (gone) store(others);
}

/** @param {{ [id: string]: string }} all */
function store(all) {
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
  } catch {
    // the browser keeps nothing: the file can be downloaded
  }
}
