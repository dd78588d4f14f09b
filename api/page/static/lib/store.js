// @ts-check
/** The readings made on this device, with the tokens that permit correcting and deleting them. */

const KEY = "wondertally.readings";

/**
 * Return all of them, the newest first: {id, token, created, scores}, or `failed` in place of scores.
 *
 * @returns {Remembered[]}
 */
export function remembered() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

/**
 * The owner's token of a reading made here, else null.
 *
 * @param {string} id
 */
export const tokenOf = (id) => remembered().find((reading) => reading.id === id)?.token ?? null;

/**
 * Add a reading, or new facts about a stored one.
 *
 * @param {Partial<Remembered> & { id: string }} reading
 */
export function remember(reading) {
  const others = remembered().filter((other) => other.id !== reading.id);
  const before = remembered().find((other) => other.id === reading.id);
  kept([/** @type {Remembered} */ ({ ...before, ...reading }), ...others]);
}

/**
 * Return the names in the games of this device: those of a colour first, then the others, each group with the latest first.
 *
 * @param {string} colour
 */
export function namesOf(colour) {
  const games = [...rememberedGames(), ...remembered()].map(({ names }) => names ?? {});
  const all = [...games.map((names) => names[colour]), ...games.flatMap((names) => Object.values(names))];
  return [...new Set(all.filter(Boolean))];
}

/** @param {string} id */
export function forget(id) {
  kept(remembered().filter((reading) => reading.id !== id));
}

/**
 * Return false if the browser stores nothing: then the token lasts as long as the page.
 *
 * @param {Remembered[]} readings
 */
function kept(readings) {
  try {
    localStorage.setItem(KEY, JSON.stringify(readings));
    return true;
  } catch {
    return false;
  }
}

/**
 * Use a storage of the browser; null if it stores nothing: then what is kept lasts as long as the page.
 *
 * @template T
 * @param {StorageName} name
 * @param {(storage: Storage) => T} action
 */
export function stored(name, action) {
  try {
    return action(window[name]) ?? null;
  } catch {
    return null;
  }
}

const EVENTS = "wondertally.events";
const HAND_IN = "wondertally.hand-in";

/**
 * Return the token with which a player hands tables in for an event, from its QR code, else null.
 *
 * @param {string} id
 */
export const handInToken = (id) =>
  stored("sessionStorage", (storage) => JSON.parse(storage.getItem(HAND_IN) ?? "{}")[id]);

/**
 * Keep such a token as long as the page is open: the code is at hand.
 *
 * @param {string} id
 * @param {string} token
 */
export function rememberHandIn(id, token) {
  stored("sessionStorage", (storage) => storage.setItem(HAND_IN, JSON.stringify({ [id]: token })));
}

/** Return the events that this device may change, the newest first: {id, token, name, opened}. */
export const rememberedEvents = () => listed(EVENTS);

/**
 * The token of an event that was opened here with it, else null.
 *
 * @param {string} id
 */
export const eventToken = (id) => held(EVENTS)[id]?.token ?? null;

/**
 * Store an event's token on this device, and its name once known.
 *
 * @param {string} id
 * @param {string} token
 * @param {string | null} [name]
 */
export function rememberEvent(id, token, name = null) {
  const before = held(EVENTS)[id]?.name;
  hold(EVENTS, id, { name: before, opened: new Date().toISOString(), ...(name ? { name } : {}), token });
}

/** @param {string} id */
export const forgetEvent = (id) => hold(EVENTS, id, null);

const GAMES = "wondertally.games";

/**
 * Return the games whose score this device keeps, the newest first.
 *
 * @returns {RememberedGame[]}
 */
export const rememberedGames = () => listed(GAMES);

/**
 * The token that permits changing a game, else null.
 *
 * @param {string} id
 */
export const gameToken = (id) => held(GAMES)[id]?.token ?? null;

/**
 * Add a game, or new facts about a stored one.
 *
 * @param {string} id
 * @param {Partial<RememberedGame>} facts
 */
export const rememberGame = (id, facts) => hold(GAMES, id, { ...held(GAMES)[id], ...facts });

/** @param {string} id */
export const forgetGame = (id) => hold(GAMES, id, null);

/**
 * Return what is stored under a key, the newest first.
 *
 * @param {string} key
 */
function listed(key) {
  const all = Object.entries(held(key)).map(([id, kept]) => ({ id, opened: "", ...kept }));
  return all.sort((one, other) => other.opened.localeCompare(one.opened));
}

/**
 * Return it by id; events of an early version are tokens alone.
 *
 * @param {string} key
 */
function held(key) {
  const kept = Object.entries(stored("localStorage", (storage) => JSON.parse(storage.getItem(key) ?? "{}")) ?? {});
  return Object.fromEntries(kept.map(([id, own]) => [id, typeof own === "string" ? { token: own } : own]));
}

/**
 * Store facts under a key and an id, or remove them; a browser that stores nothing asks for the token again.
 *
 * @param {string} key
 * @param {string} id
 * @param {object | null} facts
 */
function hold(key, id, facts) {
  const { [id]: _, ...others } = held(key);
  const all = facts ? { ...others, [id]: facts } : others;
  stored("localStorage", (storage) => storage.setItem(key, JSON.stringify(all)));
}
