/** Layouts of wonders that this browser keeps where the server may not, as files: they go with each photo that it sends, of an event too. */

const KEY = "wondertally.wonders";

/** The files by the wonders' ids. */
export function ownWonders() {
  try {
    return Object.fromEntries(Object.entries(JSON.parse(localStorage.getItem(KEY) ?? "{}")).filter(([, file]) => typeof file === "string"));
  } catch {
    return {};
  }
}

export const keepOwnWonder = (id, file) => store({ ...ownWonders(), [id]: file });

export function forgetOwnWonder(id) {
  const { [id]: gone, ...others } = ownWonders();
  if (gone) store(others);
}

function store(all) {
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
  } catch {
    // the browser keeps nothing: the file can be downloaded
  }
}
