// @ts-check
/** An unrectified part of the photo around the subject of a question; a tap enlarges it to the screen. */

import { el, iconButton, penOf } from "../lib/dom.js";
import { box, grown } from "../lib/geometry.js";
import { say } from "../lib/words.js";
import { crop } from "./crop.js";

/** Extent of the photo shown, in heights of the subject: a piece's head reaches beyond its square. */
const AROUND = 1.5;
const AROUND_SPOT = 1.9;
const WIDE = 4 / 3;
/** Offset of the ring that leaves a piece visible, which stands above its foot. In sides of a square. */
const HEAD = 0.12;
const RING = 0.42;
const SMALL = 720;
const LARGE = 1600;

/**
 * Create a button with the cut-out; `where` names its place, `width` is the photo's in the question's pixels.
 *
 * @param {HTMLImageElement} photo
 * @param {AnyQuestion} question
 * @param {string} where
 * @param {number} width
 */
export function photoCut(photo, question, where, width) {
  const canvas = el("canvas", { class: "cut", role: "img", "aria-label": say("crop", { square: where }) });
  draw(canvas, photo, question, photo.naturalWidth / width, SMALL);
  return cutButton(canvas, photo, question, where, width);
}

/**
 * Create a button with the question's square as seen from above, which enlarges the photo around it.
 *
 * @param {HTMLImageElement} photo
 * @param {AnyQuestion} question
 * @param {string} where
 * @param {number} width
 */
export function squareCut(photo, question, where, width) {
  const canvas = el("canvas", { class: "cut", role: "img", "aria-label": say("crop", { square: where }) });
  const scale = photo.naturalWidth / width;
  crop(
    canvas,
    photo,
    question.quad_px.map(([x, y]) => [x * scale, y * scale]),
  );
  return cutButton(canvas, photo, question, where, width);
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {HTMLImageElement} photo
 * @param {AnyQuestion} question
 * @param {string} where
 * @param {number} width
 */
function cutButton(canvas, photo, question, where, width) {
  const label = say("crop", { square: where });
  return el(
    "button",
    {
      type: "button",
      class: "cut-button",
      "aria-label": `${label}. ${say("enlarge")}`,
      onclick: () => enlarge(photo, question, label, width),
    },
    canvas,
  );
}

/**
 * @param {HTMLImageElement} photo
 * @param {AnyQuestion} question
 * @param {string} label
 * @param {number} width
 */
function enlarge(photo, question, label, width) {
  const canvas = el("canvas", { class: "cut-large", role: "img", "aria-label": label });
  draw(canvas, photo, question, photo.naturalWidth / width, LARGE);
  /** @type {HTMLDialogElement} */
  const dialog = el(
    "dialog",
    { class: "cut-dialog", "aria-label": label },
    canvas,
    iconButton("close", say("close"), () => dialog.close()),
  );
  canvas.onclick = () => dialog.close();
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * `scale` is the number of pixels of the loaded photo per pixel of the question's.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {HTMLImageElement} photo
 * @param {AnyQuestion} question
 * @param {number} scale
 * @param {number} most
 */
function draw(canvas, photo, question, scale, most) {
  const { quad_px, about } = question;
  const foot_px = "foot_px" in question ? question.foot_px : null;
  const part = partOf(quad_px, about === "spot" ? AROUND_SPOT : AROUND);
  const zoom = Math.min(most / part.width, Math.max(1, most / 2 / part.width), 4);
  Object.assign(canvas, { width: Math.round(part.width * zoom), height: Math.round(part.height * zoom) });
  const pen = penOf(canvas);
  pen.imageSmoothingQuality = "high";
  pen.drawImage(
    photo,
    part.x * scale,
    part.y * scale,
    part.width * scale,
    part.height * scale,
    0,
    0,
    canvas.width,
    canvas.height,
  );
  pen.setTransform(zoom, 0, 0, zoom, -part.x * zoom, -part.y * zoom);
  const line = canvas.height / zoom / 90;
  const path = foot_px ? ring(foot_px, sideOf(quad_px)) : frame(quad_px);
  for (const [colour, wide] of [
    ["#fff", 2.6 * line],
    ["#e0007f", 1.5 * line],
  ]) {
    Object.assign(pen, { strokeStyle: colour, lineWidth: wide });
    pen.stroke(path);
  }
}

/**
 * @param {Point[]} quad
 * @param {number} around
 */
function partOf(quad, around) {
  const { x, y, width, height } = box(quad);
  const tall = around * Math.max(height, width / WIDE);
  const wide = tall * WIDE;
  return { x: x + width / 2 - wide / 2, y: y + height / 2 - tall / 2 - (HEAD / 2) * height, width: wide, height: tall };
}

/**
 * @param {Point} point
 * @param {number} side
 */
function ring([x, y], side) {
  const path = new Path2D();
  path.ellipse(x, y - HEAD * side, RING * side, RING * side, 0, 0, 2 * Math.PI);
  return path;
}

/**
 * Draw the frame just outside the square, so that it covers none of it.
 *
 * @param {Point[]} quad
 */
function frame(quad) {
  const path = new Path2D();
  for (const [x, y] of grown(quad, 0.03)) path.lineTo(x, y);
  path.closePath();
  return path;
}

/** @param {Point[]} point */
const sideOf = ([nw, ne, se]) =>
  (Math.hypot(ne[0] - nw[0], ne[1] - nw[1]) + Math.hypot(se[0] - ne[0], se[1] - ne[1])) / 2;
