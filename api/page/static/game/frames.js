// @ts-check
/** Photos that wait on this device until the server has them: they outlive the page, and each is counted once. */

const NAME = "wondertally.frames";
const STORE = "frames";

/**
 * A photo of a game; `id` is this device's own name for it.
 *
 * @typedef {{ id: string, game: string, taken: number, blob: Blob, cut: Box | null }} Frame
 */

/** Frames of a browser that stores none: they last as long as the page. @type {Map<string, Frame>} */
const here = new Map();

/** @param {Frame} frame */
export function keepFrame(frame) {
  return inStore("readwrite", (store) => store.put(frame)).catch(() => here.set(frame.id, frame));
}

/** @param {string} id */
export async function dropFrame(id) {
  here.delete(id);
  await inStore("readwrite", (store) => store.delete(id)).catch(() => {});
}

/**
 * Return the frames of a game, the oldest first.
 *
 * @param {string} game
 * @returns {Promise<Frame[]>}
 */
export async function framesOf(game) {
  /** @type {Frame[]} */
  const kept = await inStore("readonly", (store) => store.getAll()).catch(() => []);
  return [...kept, ...here.values()]
    .filter((frame) => frame.game === game)
    .sort((one, other) => one.taken - other.taken);
}

/** Create an id that no other frame has; browsers offer their own only over HTTPS. */
export const newId = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * Run a request, and return its result once it is written.
 *
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest} ask
 * @returns {Promise<any>}
 */
async function inStore(mode, ask) {
  const database = await opened();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, mode);
      const request = ask(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}

/** @returns {Promise<IDBDatabase>} */
function opened() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "id" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
