// @ts-check
/** An event as stored by the server, and decisions on its tables; dispatches `change` after every change by anyone. */

import { call, upload } from "../lib/api.js";
import { withKey } from "../lib/key.js";
import { decidedSince } from "../report/conflict.js";
import { Session } from "../report/session.js";

const POLL = 4000;
const KEPT = 6;
/** Refusals that pass by themselves. */
const FULL = ["queue_full", "too_many_requests"];

export class EventSession extends EventTarget {
  /** @type {Api.EventDocument} */
  event;
  /** @type {Api.TableDocument[]} */
  tables;
  /** @type {Api.PairingDocument[]} */
  roster = [];
  #readings = new Map();
  /** @type {number | undefined} */
  #watching;
  /** @type {number[]} */
  #done = [];

  /**
   * @param {string} id
   * @param {string | null} token
   */
  constructor(id, token) {
    super();
    this.id = id;
    this.token = token;
    this.tables = [];
    this.version = null;
    this.path = `/v1/events/${encodeURIComponent(id)}`;
  }

  get mayDecide() {
    return this.event.may_decide;
  }

  /** Load all of it. Throws ApiError. */
  async load() {
    const [event, { tables, roster, version }] = await Promise.all([this.#get(""), this.#get("/tables")]);
    // A change between the two answers is in only one of them: it is not known yet.
    this.event = event;
    this.tables = tables;
    this.roster = roster;
    this.version = Math.min(event.version, version);
    this.dispatchEvent(new Event("change"));
  }

  /** Poll for changes by other people; if the server is unreachable, try again later. */
  watch() {
    this.#watching = setInterval(async () => {
      if (document.hidden) return;
      const now = await this.#get("").catch(() => this);
      if (now.version !== this.version) await this.load().catch(() => {});
    }, POLL);
  }

  /** @param {number | null | undefined} id */
  table(id) {
    return this.tables.find((table) => table.id === id) ?? null;
  }

  /**
   * Send one decision on a table as shown here; if someone was quicker, load their state instead. Throws ApiError.
   *
   * @param {Api.TableDocument} table
   * @param {{ undo?: boolean, [name: string]: unknown }} asked
   */
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

  /**
   * Correct the reading of a table as shown here. Throws ApiError.
   *
   * @param {Api.TableDocument} table
   * @param {Correction[]} corrections
   */
  async correct(table, corrections) {
    try {
      await (await this.reading(table)).correct(...corrections);
    } finally {
      await this.load();
    }
  }

  /**
   * Change the order by which the players are ranked. Throws ApiError.
   *
   * @param {string[]} order
   */
  async rank(order) {
    await call("PATCH", this.path, { token: this.token, body: { tie_breakers: order } });
    await this.load();
  }

  /**
   * Replace the roster by that of a CSV. Throws ApiError.
   *
   * @param {string} csv
   */
  async putRoster(csv) {
    await call("PUT", `${this.path}/roster`, { token: this.token, body: { csv } });
    await this.load();
  }

  /**
   * Return the standings of one round. Throws ApiError.
   *
   * @param {string} round
   * @returns {Promise<Api.EventStandings>}
   */
  standings(round) {
    return this.#get(`/standings?round=${encodeURIComponent(round)}`);
  }

  /**
   * Add a table with its photos; returns the table as added. Throws ApiError.
   *
   * @param {FormData} form
   * @param {(share: number | null) => unknown} onProgress
   */
  add(form, onProgress) {
    return this.#sent(`${this.path}/tables`, form, onProgress);
  }

  /**
   * Add photos to a table. Throws ApiError.
   *
   * @param {Api.TableDocument} table
   * @param {FormData} form
   * @param {(share: number | null) => unknown} onProgress
   */
  addPhotos(table, form, onProgress) {
    return this.#sent(`${this.path}/tables/${table.id}/photos`, form, onProgress);
  }

  /**
   * Delete a table. Throws ApiError.
   *
   * @param {Api.TableDocument} table
   */
  async deleteTable(table) {
    await call("DELETE", `${this.path}/tables/${table.id}`, { token: this.token });
    await this.load();
  }

  /** Delete the event. Throws ApiError. */
  async delete() {
    clearInterval(this.#watching);
    try {
      await call("DELETE", this.path, { token: this.token });
    } catch (error) {
      this.watch();
      throw error;
    }
  }

  /** Return the table that was last decided here, if it still exists. */
  get last() {
    return this.table(this.#done.at(-1));
  }

  history() {
    return this.#get("/history");
  }

  /**
   * Return the present reading of a table. Throws ApiError.
   *
   * @param {Api.TableDocument} table
   */
  async reading(table) {
    const known = this.#readings.get(table.reading) ?? new Session(table.reading ?? "", this.token);
    this.#readings.delete(table.reading);
    this.#readings.set(table.reading, known);
    if (this.#readings.size > KEPT) this.#readings.delete(this.#readings.keys().next().value);
    if (known.seen !== table.version) await known.follow(() => {});
    known.seen = table.version;
    return known;
  }

  /**
   * Send photos, and wait while the server has no room for them: then `onProgress` gets null.
   *
   * @param {string} path
   * @param {FormData} form
   * @param {(share: number | null) => unknown} onProgress
   */
  async #sent(path, form, onProgress) {
    for (;;) {
      try {
        const { table } = await withKey(() => upload(form, onProgress, path, this.token));
        await this.load();
        return table;
      } catch (error) {
        if (!FULL.includes(error.code)) throw error;
        onProgress(null);
        await new Promise((resolve) => setTimeout(resolve, POLL));
      }
    }
  }

  /** @param {string} path */
  #get(path) {
    return call("GET", this.path + path, { token: this.token });
  }
}
