// @ts-check
/** The sentence for a change that another person made while this one was on its way. */

import { call } from "../lib/api.js";
import { who as player } from "../lib/colours.js";
import { knows, list, say } from "../lib/words.js";
import { squareName } from "./places.js";

const TILES = ["tile", "no_tile", "wonder", "no_wonder", "border"];
const PIECES = ["meeple", "no_meeple", "player_colour", "pile", "special"];
const NOBODYS = ["read", "failed"];

/**
 * Describe who changed a reading since a version, and how, in a sentence. Throws ApiError.
 *
 * @param {Session} session
 * @param {number} version
 */
export async function changedSince({ path, token, reading, report }, version) {
  /** @type {Api.ReadingHistory} */
  const { changes } = await call("GET", `${path}/history`, { token });
  const theirs = changes.slice(-Math.max(1, reading.version - version)).filter(({ what }) => !NOBODYS.includes(what));
  const newest = theirs.at(-1);
  if (!newest) return say("error-conflict");
  const parts = theirs.flatMap(({ corrections }) => corrections.map((correction) => changed(report, correction)));
  return told(newest, parts.length ? list([...new Set(parts)]) : "");
}

/**
 * Describe the last decision on a table of an event, in a sentence. Throws ApiError.
 *
 * @param {EventSession} session
 * @param {Api.TableDocument} table
 */
export async function decidedSince(session, table) {
  /** @type {Api.EventHistory} */
  const { acts } = await session.history();
  const last = acts.filter((act) => act.table === table.id).at(-1);
  return last ? told(last, "") : say("error-conflict");
}

/**
 * @param {{ who: string, what: string }} given
 * @param {string} parts
 */
function told({ who, what }, parts) {
  const act = knows(`act-${what}`) ? say(`act-${what}`) : what;
  return say("conflict-by", { who: who || say("somebody-else"), what: parts ? `${act}: ${parts}` : act });
}

/**
 * Name the subject of a correction.
 *
 * @param {AnyReport} report
 * @param {Correction} correction
 */
function changed(report, { kind, about, row, col, square, colour }) {
  const at = square ?? (Number.isInteger(row) ? [Number(row), Number(col)] : null);
  if (TILES.includes(kind) || about === "tile")
    return at ? say("changed-tile", { square: squareName(report, at) }) : say("changed-tiles");
  if (PIECES.includes(kind) || about === "meeple")
    return at ? say("changed-piece", { square: squareName(report, at) }) : say("changed-pieces");
  if (kind === "player" && colour) return say("name-of", { colour: player(report, colour) });
  if (kind === "track" && colour) return say("track-of", { colour: player(report, colour) });
  return say("changed-table");
}
