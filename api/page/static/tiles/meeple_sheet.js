// @ts-check
/** Correcting a piece: its owner, kind, place and pose. */

import { badge, COLOURS, colourName, who } from "../lib/colours.js";
import { button, el } from "../lib/dom.js";
import { choices, chosenOf, openSheet, settle, showEither } from "../lib/sheet.js";
import { say, sayOr } from "../lib/words.js";
import { around } from "../report/crop.js";
import { placeName, squareName, squareNumbers } from "../report/places.js";

const PIECES = ["meeple", "big", "builder", "pig", "abbot", "mayor", "wagon", "barn", "disc"];
const POSES = ["standing", "lying"];
/** Extent of the photo shown around a piece, and height of a piece above its foot, in sides of a square. */
const REACH = 0.8;
const RISE = 0.2;

/**
 * Open the sheet of a piece on the board; `square` is its new square if it is moved. Throws ApiError.
 *
 * @param {View} view
 * @param {Placed} meeple
 * @param {Square} [square]
 * @param {string | null} [feature]
 */
export async function openMeeple(
  view,
  meeple,
  square = meeple.tile,
  feature = square === meeple.tile ? meeple.feature : null,
) {
  const parts = await partsOf(view, square);
  return sheet(view, { ...meeple, tile: square, feature }, parts);
}

/**
 * Open the sheet of a piece to be added to a square. Throws ApiError.
 *
 * @param {View} view
 * @param {Square} square
 * @param {string | null} [feature]
 */
export async function openNewMeeple(view, square, feature = null) {
  const [colour] = view.report.rules.players.length ? view.report.rules.players : COLOURS;
  return sheet(
    view,
    { id: null, colour, kind: "meeple", pose: "standing", tile: square, feature },
    await partsOf(view, square),
  );
}

/**
 * @param {View} view
 * @param {Square} square
 */
async function partsOf(view, square) {
  const { row, col } = squareNumbers(view.session.report, square);
  const told = await view.session.explanation(`square=${row},${col}`);
  return told.squares[0]?.parts ?? [];
}

/**
 * @param {View} view
 * @param {Placed} meeple
 * @param {Api.Part[]} parts
 */
function sheet(view, meeple, parts) {
  const known = [...new Set([...view.report.rules.players, ...COLOURS])];
  const place = (parts.find((part) => part.feature === meeple.feature) ?? parts[0])?.place;
  const form = el(
    "form",
    { class: "meeple-form" },
    picture(view, meeple),
    choices(
      "place",
      say("stands-on"),
      parts.map((part) => ({ value: part.place, label: `${placeName(part.place)} · ${part.name || part.feature}` })),
      place,
    ),
    choices(
      "colour",
      say("colour"),
      known.map((colour) => ({
        value: colour,
        label: view.report.names?.[colour] ? who(view.report, colour) : colourName(colour),
        mark: badge(colour),
      })),
      meeple.colour,
    ),
    choices(
      "piece",
      say("piece"),
      PIECES.map((piece) => ({ value: piece, label: sayOr(`piece-${piece}`, piece) })),
      meeple.pose === "disc" ? "disc" : meeple.kind,
    ),
    choices(
      "pose",
      say("pose"),
      POSES.map((pose) => ({ value: pose, label: say(`pose-${pose}`) })),
      POSES.includes(meeple.pose) ? meeple.pose : "standing",
    ),
  );
  const dialog = openSheet(
    say(meeple.id ? "piece-on" : "new-piece-on", { square: squareName(view.report, meeple.tile) }),
    form,
    actions(view, meeple, form, () => dialog),
  );
  return dialog;
}

/**
 * Cut the photo around the piece, or around the square it is put on; none if no photo shows it.
 *
 * @param {View} view
 * @param {Placed} meeple
 */
function picture(view, meeple) {
  const { squares, photo } = view;
  if (!photo) return null;
  const stands = meeple.id && !squares.isElsewhere(meeple);
  const [x, y] = stands ? squares.foot(meeple) : squares.middle(meeple.tile);
  const canvas = el("canvas", {
    class: "crop",
    role: "img",
    "aria-label": say("crop", { square: squareName(view.report, meeple.tile) }),
  });
  view.guard(async () =>
    around(canvas, await view.wholePhoto(), [x, stands ? y - RISE * squares.side : y], REACH * squares.side),
  );
  return el("figure", { class: "piece-photo" }, canvas, el("figcaption", {}, say("in-the-photo")));
}

/**
 * @param {View} view
 * @param {Placed} meeple
 * @param {HTMLFormElement} form
 * @param {() => HTMLDialogElement} dialog
 */
function actions(view, meeple, form, dialog) {
  /** @param {Correction} correction */
  const send = (correction) => settle(dialog(), () => view.session.correct(correction));
  const elsewhere = () => {
    dialog().close();
    view.pick(say("pick-place"), (square, feature) =>
      meeple.id
        ? openMeeple(view, meeple, square, feature?.id ?? null)
        : openNewMeeple(view, square, feature?.id ?? null),
    );
  };
  const primary = { class: "primary" };
  const words = say(meeple.id ? "set-piece" : "add-piece");
  const change = button("check", words, () => send(correctionOf(meeple, form)), primary);
  const confirm = meeple.id
    ? button("check", say("right-as-it-is"), () => send({ kind: "confirm", about: "meeple", id: meeple.id }), primary)
    : null;
  const read = view.report.board.meeples.find(({ id }) => id === meeple.id);
  showEither(confirm, change, read?.tile !== meeple.tile);
  form.addEventListener("input", () => showEither(confirm, change, true));
  return el(
    "div",
    { class: "sheet-actions" },
    change,
    confirm,
    button("move", say("elsewhere"), elsewhere),
    meeple.id
      ? button("bin", say("no-piece"), () => send({ kind: "no_meeple", id: meeple.id }), { class: "danger" })
      : null,
  );
}

/**
 * @param {Placed} meeple
 * @param {HTMLFormElement} form
 */
function correctionOf(meeple, form) {
  const [piece, place] = [chosenOf(form, "piece"), chosenOf(form, "place")];
  const pose = piece === "disc" ? "disc" : chosenOf(form, "pose");
  return {
    kind: "meeple",
    id: meeple.id,
    square: meeple.tile,
    place,
    colour: chosenOf(form, "colour"),
    piece,
    pose: place === "wonder" ? null : pose,
  };
}
