/** An event as the server has it, and what is decided of its tables; tells `change` after each step of anybody. */

import { call, upload } from "./api.js";
import { decidedSince } from "./conflict.js";
import { withKey } from "./key.js";
import { Session } from "./session.js";

const POLL = 4000;
const KEPT = 6;

export class EventSession extends EventTarget {
  #readings = new Map();
  #watching = null;
  #done = [];

  constructor(id, token) {
    super();
    Object.assign(this, { id, token, event: null, tables: [], version: null, path: `/v1/events/${encodeURIComponent(id)}` });
  }

  get mayDecide() {
    return this.event.may_decide;
  }

  /** Gets all of it. Throws ApiError. */
  async load() {
    const [event, { tables, version }] = await Promise.all([this.#get(""), this.#get("/tables")]);
    // What changed between the two answers only one of them has: it is not known yet.
    Object.assign(this, { event, tables, version: Math.min(event.version, version) });
    this.dispatchEvent(new Event("change"));
  }

  /** Looks again and again whether somebody else has changed something; a server that is away is asked later. */
  watch() {
    this.#watching = setInterval(async () => {
      if (document.hidden) return;
      const now = await this.#get("").catch(() => this);
      if (now.version !== this.version) await this.load().catch(() => {});
    }, POLL);
  }

  table(id) {
    return this.tables.find((table) => table.id === id) ?? null;
  }

  /** One decision of a table as it is seen here; where somebody was quicker, their state is taken. Throws ApiError. */
  async decide(table, asked) {
    try {
      const path = `${this.path}/tables/${table.id}/decisions`;
      await call("POST", path, { token: this.token, body: { ...asked, version: table.version } });
      if (asked.undo) this.#done = this.#done.filter((id, at, all) => id !== table.id || at !== all.lastIndexOf(id));
      else this.#done.push(table.id);
    } catch (error) {
      if (error.code === "conflict") error.message = await decidedSince(this, table).catch(() => error.message);
      throw error;
    } finally {
      await this.load();
    }
  }

  /** Corrects the reading of a table as it is seen here. Throws ApiError. */
  async correct(table, corrections) {
    try {
      await (await this.reading(table)).correct(...corrections);
    } finally {
      await this.load();
    }
  }

  /** Has the players ranked in another order. Throws ApiError. */
  async rank(order) {
    await call("PATCH", this.path, { token: this.token, body: { tie_breakers: order } });
    await this.load();
  }

  /** Adds a table with its photos; the table as it is then. Throws ApiError. */
  add(form, onProgress) {
    return this.#sent(`${this.path}/tables`, form, onProgress);
  }

  /** Adds photos to a table. Throws ApiError. */
  addPhotos(table, form, onProgress) {
    return this.#sent(`${this.path}/tables/${table.id}/photos`, form, onProgress);
  }

  /** Deletes a table. Throws ApiError. */
  async deleteTable(table) {
    await call("DELETE", `${this.path}/tables/${table.id}`, { token: this.token });
    await this.load();
  }

  /** Deletes the event. Throws ApiError. */
  async delete() {
    clearInterval(this.#watching);
    try {
      await call("DELETE", this.path, { token: this.token });
    } catch (error) {
      this.watch();
      throw error;
    }
  }

  /** The table that was decided last from here, if any is left. */
  get last() {
    return this.table(this.#done.at(-1));
  }

  history() {
    return this.#get("/history");
  }

  /** The reading of a table, as it is now. Throws ApiError. */
  async reading(table) {
    const known = this.#readings.get(table.reading) ?? new Session(table.reading, this.token);
    this.#readings.delete(table.reading);
    this.#readings.set(table.reading, known);
    if (this.#readings.size > KEPT) this.#readings.delete(this.#readings.keys().next().value);
    if (known.seen !== table.version) await known.follow(() => {});
    known.seen = table.version;
    return known;
  }

  async #sent(path, form, onProgress) {
    const { table } = await withKey(() => upload(form, onProgress, path, this.token));
    await this.load();
    return table;
  }

  #get(path) {
    return call("GET", this.path + path, { token: this.token });
  }
}
