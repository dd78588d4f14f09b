/** The readings made on this device, with the tokens that let it correct and delete them. */

const KEY = "wondertally.readings";

/** All of them, the newest first: {id, token, created, scores}. */
export function remembered() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

/** The owner's token of a reading made here, else null. */
export const tokenOf = (id) => remembered().find((reading) => reading.id === id)?.token ?? null;

/** Adds a reading, or what has become known of one that is there. */
export function remember(reading) {
  const others = remembered().filter((other) => other.id !== reading.id);
  const before = remembered().find((other) => other.id === reading.id);
  kept([{ ...before, ...reading }, ...others]);
}

export function forget(id) {
  kept(remembered().filter((reading) => reading.id !== id));
}

/** False where the browser keeps nothing: then the token lives as long as the page. */
function kept(readings) {
  try {
    localStorage.setItem(KEY, JSON.stringify(readings));
    return true;
  } catch {
    return false;
  }
}

const EVENTS = "wondertally.events";

/** The token of an event that was opened here with it, else null. */
export function eventToken(id) {
  try {
    return JSON.parse(localStorage.getItem(EVENTS) ?? "{}")[id] ?? null;
  } catch {
    return null;
  }
}

/** Keeps an event's token on this device. */
export function rememberEvent(id, token) {
  try {
    localStorage.setItem(EVENTS, JSON.stringify({ ...JSON.parse(localStorage.getItem(EVENTS) ?? "{}"), [id]: token }));
  } catch {
    // the browser keeps nothing: the token is asked for again
  }
}
