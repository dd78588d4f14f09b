// @ts-check
/**
 * A whole board in the fragment of an address, in the format of `api/carcassonne/corrections/url_fragment.py`: no server logs it.
 */

import { hasSpots } from "./outcome.js";

const VERSION = "1.";

/**
 * Return the text of a report's board: notation, names, points on the score track, rules, table facts.
 *
 * @param {AnyReport} report
 */
export async function fragmentOf(report) {
  if (hasSpots(report)) return packed({ notation: report.board.notation, names: report.names ?? {} });
  const { board, names, scores, rules, wonders } = report;

  const track = Object.fromEntries(Object.entries(scores.on_track).filter(([, points]) => points !== null));
  /** @type {{ [name: string]: unknown }} */
  const shared = { notation: board.notation, names: names ?? {}, track, rules: rules.edition };
  if (rules.tiles_in_play !== board.tiles.length) shared.tiles_in_play = rules.tiles_in_play;
  if (rules.player_count) shared.player_count = rules.player_count;
  if (Object.keys(rules.goods ?? {}).length) shared.goods = rules.goods;
  if (wonders?.length) shared.wonders = wonders;
  return packed(shared);
}

/** @param {object} shared */
async function packed(shared) {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(shared)), new CompressionStream("deflate-raw"));
  const text = btoa(String.fromCharCode(...bytes));
  return VERSION + text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/**
 * Parse such a text; null if it is none: the inverse.
 *
 * @param {string} fragment
 */
export async function sharedBoard(fragment) {
  if (!fragment.startsWith(VERSION)) return null;
  try {
    const letters = atob(fragment.slice(VERSION.length).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw"))));
  } catch {
    return null;
  }
}

/**
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {GenericTransformStream} stream
 */
async function through(bytes, stream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}
