// @ts-check
/** A square of the photo as seen from straight above, and unrectified parts of the photo. */

import { penOf } from "../lib/dom.js";
import { box, grown, projection } from "../lib/geometry.js";

const SIDE = 224;
const MARGIN = 0.08;

/**
 * Draw a quad of a photo, with a margin, into a square canvas.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {HTMLImageElement} photo
 * @param {Quad} quad
 * @param {number} [margin]
 */
export function crop(canvas, photo, quad, margin = MARGIN) {
  const wider = grown(quad, margin);
  const source = pixels(photo, box(wider));
  const at = projection(wider.map(([x, y]) => [(x - source.x) * source.scale, (y - source.y) * source.scale]));
  canvas.width = canvas.height = SIDE;
  const pen = penOf(canvas);
  const drawn = pen.createImageData(SIDE, SIDE);
  for (let row = 0; row < SIDE; row++)
    for (let col = 0; col < SIDE; col++) {
      const [x, y] = at((col + 0.5) / SIDE, (row + 0.5) / SIDE);
      blend(source.data, x - 0.5, y - 0.5, drawn.data, 4 * (row * SIDE + col));
    }
  pen.putImageData(drawn, 0, 0);
}

/**
 * Draw the surroundings of a point of a photo, `reach` pixels to each side, upright like the photo.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {HTMLImageElement} photo
 * @param {Point} point
 * @param {number} reach
 */
export function around(canvas, photo, [x, y], reach) {
  canvas.width = canvas.height = 2 * SIDE;
  const scale = SIDE / reach;
  const pen = penOf(canvas);
  pen.setTransform(scale, 0, 0, scale, SIDE - x * scale, SIDE - y * scale);
  pen.drawImage(photo, 0, 0);
}

/**
 * Return the photo's pixels in a box, at most as many as the crop can show.
 *
 * @param {HTMLImageElement} photo
 * @param {Box} box
 */
function pixels(photo, { x, y, width, height }) {
  const scale = Math.min(1, (2 * SIDE) / Math.max(width, height));
  const canvas = Object.assign(document.createElement("canvas"), {
    width: Math.ceil(width * scale) + 2,
    height: Math.ceil(height * scale) + 2,
  });
  const pen = penOf(canvas, { willReadFrequently: true });
  pen.setTransform(scale, 0, 0, scale, -x * scale, -y * scale);
  pen.drawImage(photo, 0, 0);
  return { x, y, scale, data: pen.getImageData(0, 0, canvas.width, canvas.height) };
}

/**
 * Interpolate the colour between four pixels.
 *
 * @param {ImageData} imageData
 * @param {number} x
 * @param {number} y
 * @param {Uint8ClampedArray} into
 * @param {number} to
 */
function blend({ data, width, height }, x, y, into, to) {
  const [left, top] = [
    Math.max(0, Math.min(width - 2, Math.floor(x))),
    Math.max(0, Math.min(height - 2, Math.floor(y))),
  ];
  const [u, v] = [Math.max(0, Math.min(1, x - left)), Math.max(0, Math.min(1, y - top))];
  const at = 4 * (top * width + left);
  for (let channel = 0; channel < 4; channel++) {
    const upper = data[at + channel] * (1 - u) + data[at + 4 + channel] * u;
    const lower = data[at + 4 * width + channel] * (1 - u) + data[at + 4 * width + 4 + channel] * u;
    into[to + channel] = upper * (1 - v) + lower * v;
  }
}
