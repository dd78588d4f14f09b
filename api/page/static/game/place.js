// @ts-check
/** A part of a game's photo around the squares of a turn, which are framed; a tap shows the whole photo. */

import { el, loadImage, penOf } from "../lib/dom.js";
import { box } from "../lib/geometry.js";
import { openSheet } from "../lib/sheet.js";
import { say } from "../lib/words.js";
import { cornersOf, pixel } from "./cut.js";

/** Width of the picture in pixels, for a part of the photo up to `PART`; a wider part gets more, up to `MOST`. Guesses. */
const WIDTH = 720;
const PART = 800;
const MOST = 1600;
/** What it shows around the squares, in their size. A guess. */
const AROUND = 1.2;
const FRAME = "#00e0c0";

/**
 * Return the picture as a button; nothing if the photo's view of the board is not known.
 *
 * @param {string} src of the photo
 * @param {{ width: number, height: number }} size of the photo
 * @param {number[] | undefined} view
 * @param {Square[]} squares
 * @param {string} words
 */
export function placeOnPhoto(src, size, view, squares, words) {
  const quads = view ? squares.map((square) => quadOf(view, square)).filter((quad) => quad !== null) : [];
  if (!quads.length) return null;
  const canvas = el("canvas", { class: "cut", role: "img", "aria-label": words });
  const whole = { x: 0, y: 0, ...size };
  loadImage(src).then(
    (photo) => draw(canvas, photo, quads, partOf(quads, size), size),
    () => canvas.remove(),
  );
  const open = async () => {
    const large = el("canvas", { class: "game-photo", role: "img", "aria-label": words });
    openSheet(words, large);
    draw(large, await loadImage(src), quads, whole, size);
  };
  return el("button", { type: "button", class: "game-place", "aria-label": say("enlarge"), onclick: open }, canvas);
}

/**
 * Return the corners of a square in the photo; null if one is behind the camera.
 *
 * @param {number[]} view
 * @param {Square} square
 * @returns {Quad | null}
 */
function quadOf(view, square) {
  const corners = cornersOf([square]).map((at) => pixel(view, at));
  return corners.includes(null) ? null : /** @type {Quad} */ (corners);
}

/**
 * @param {Quad[]} quads
 * @param {{ width: number, height: number }} size
 */
function partOf(quads, size) {
  const { x, y, width, height } = box(quads.flat());
  const room = AROUND * Math.max(...quads.map((quad) => Math.max(box(quad).width, box(quad).height)));
  const [left, top] = [Math.max(0, x - room), Math.max(0, y - room)];
  return {
    x: left,
    y: top,
    width: Math.min(size.width, x + width + room) - left,
    height: Math.min(size.height, y + height + room) - top,
  };
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {HTMLImageElement} photo
 * @param {Quad[]} quads
 * @param {Box} part
 * @param {{ width: number }} size
 */
function draw(canvas, photo, quads, part, size) {
  const scale = Math.min(MOST, WIDTH * Math.max(1, part.width / PART)) / part.width;
  Object.assign(canvas, { width: Math.round(part.width * scale), height: Math.round(part.height * scale) });
  const pen = penOf(canvas);
  const shown = photo.naturalWidth / size.width;
  pen.drawImage(
    photo,
    part.x * shown,
    part.y * shown,
    part.width * shown,
    part.height * shown,
    0,
    0,
    canvas.width,
    canvas.height,
  );
  pen.setTransform(scale, 0, 0, scale, -part.x * scale, -part.y * scale);
  pen.lineWidth = 4 / scale;
  pen.strokeStyle = FRAME;
  for (const quad of quads) {
    pen.beginPath();
    for (const [x, y] of quad) pen.lineTo(x, y);
    pen.closePath();
    pen.stroke();
  }
}
