/** The readings made on this device, with the tokens that let it correct and delete them. */

const KEY = "wondertally.readings";

/** All of them, the newest first: {id, token, created, scores}, or `failed` in place of scores. */
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
const HAND_IN = "wondertally.hand-in";

/** The token with which a player hands tables in for an event, as its QR code has it, else null. */
export function handInToken(id) {
  try {
    return JSON.parse(sessionStorage.getItem(HAND_IN) ?? "{}")[id] ?? null;
  } catch {
    return null;
  }
}

/** Keeps such a token as long as the page is open: the code is at hand. */
export function rememberHandIn(id, token) {
  try {
    sessionStorage.setItem(HAND_IN, JSON.stringify({ [id]: token }));
  } catch {
    // then the code is scanned again
  }
}

/** The events that this device may change, the newest first: {id, token, name, opened}. */
export function rememberedEvents() {
  const all = Object.entries(events()).map(([id, kept]) => ({ id, opened: "", ...kept }));
  return all.sort((one, other) => other.opened.localeCompare(one.opened));
}

/** The token of an event that was opened here with it, else null. */
export const eventToken = (id) => events()[id]?.token ?? null;

/** Keeps an event's token on this device, and its name once that is known. */
export function rememberEvent(id, token, name = null) {
  const all = events();
  keepEvents({ ...all, [id]: { name: all[id]?.name, opened: new Date().toISOString(), ...(name ? { name } : {}), token } });
}

export function forgetEvent(id) {
  const { [id]: gone, ...others } = events();
  if (gone) keepEvents(others);
}

/** By their ids; those of an earlier version are tokens alone. */
function events() {
  try {
    const kept = Object.entries(JSON.parse(localStorage.getItem(EVENTS) ?? "{}"));
    return Object.fromEntries(kept.map(([id, own]) => [id, typeof own === "string" ? { token: own } : own]));
  } catch {
    return {};
  }
}

function keepEvents(all) {
  try {
    localStorage.setItem(EVENTS, JSON.stringify(all));
  } catch {
    // the browser keeps nothing: the token is asked for again
  }
}
