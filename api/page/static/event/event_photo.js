// @ts-check
/** The photos of a table at the desk, with their reading drawn over them. */

import { el, svg } from "../lib/dom.js";
import { say } from "../lib/words.js";
import { SpotOverlay } from "../spots/spot_overlay.js";
import { Overlay } from "../tiles/overlay.js";
import { Squares } from "../tiles/squares.js";

/** Maximum width of a photo at the desk, in pixels of the screen. */
const ACROSS = 960;

/**
 * Return a reading's photos as figures, each a link to the reading's own page; none if they cannot be loaded.
 *
 * @param {Session} reading
 * @param {string} link
 */
export async function tablePhotos(reading, link) {
  const numbers = reading.reading.photos.map(({ number }) => number);
  return Promise.all(numbers.map((number) => figure(reading, number, link))).catch(() => []);
}

/**
 * @param {Session} reading
 * @param {number} number
 * @param {string} link
 */
async function figure(reading, number, link) {
  const [loaded, report] = await Promise.all([reading.preview(number, ACROSS), reading.reportIn(number)]);
  const photo = loaded.cloneNode(); // a card drawn later would take the image out of this one
  const { width, height } = reading.size(number);
  const root = svg("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
  if (report.board.spots) new SpotOverlay(root, number, Math.max(width, height)).draw(report);
  else new Overlay(root).draw(new Squares(report));
  const words = say("open-photo", { n: number + 1 });
  return el(
    "figure",
    { class: "table-photo" },
    el("a", { href: link, target: "_blank", rel: "noopener", "aria-label": words, title: words }, photo, root),
  );
}
