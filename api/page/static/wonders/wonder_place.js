// @ts-check
/** Placing a wonder: its drawing over the picture, turned to match the tile before it is set. */

import { drawing } from "../lib/catalogue.js";
import { button, el, iconButton } from "../lib/dom.js";
import { box } from "../lib/geometry.js";
import { say, sayOr } from "../lib/words.js";

/**
 * Return a wonder's name in the page's language.
 *
 * @param {{ id: string, name: string }} given
 */
export const wonderName = ({ id, name }) => sayOr(`wonder-${id.replace(/^WH\//, "")}`, name);

/**
 * Return the squares of the board that a wonder covers with its first one on `square`, in its order.
 *
 * @param {{ squares: Square[] }} given
 * @param {Square} square
 * @param {number} turns
 */
export function squaresOn({ squares: [first, ...others] }, [row, col], turns) {
  const steps = [[0, 0], ...others.map(([r, c]) => [r - first[0], c - first[1]])];
  /** @param {Square} square */
  const turned = ([r, c]) => Array.from({ length: turns }).reduce(([down, right]) => [right, -down], [r, c]);
  return steps.map(turned).map(([down, right]) => [row + down, col + right]);
}

/**
 * Draw a wonder over the picture, to be turned, moved by tapping another square, set, or cancelled.
 *
 * @param {View} view
 * @param {Api.CatalogueWonder} wonder
 * @param {Square} first
 */
export function placeWonder(view, wonder, first) {
  let [square, turns] = [first, 0];
  /** @param {number} by */
  const show = (by) => {
    turns = (turns + by + 4) % 4;
    const squares = squaresOn(wonder, square, turns);
    view.mark(
      ({ overlay }) => overlay.drawn(squares, (index) => drawing(wonder.id, turns, index)),
      (own) => box(squares.flatMap((square) => own.quad(square))),
      [3, 2],
    );
  };
  const leave = () => {
    view.endPick();
    view.leave();
  };
  const set = () =>
    view.guard(async () => {
      await view.session.correct({ kind: "wonder", wonder: wonder.id, row: square[0], col: square[1], turns });
      view.endPick();
    });
  const follow = () => {
    view.pick("", (picked) => {
      square = picked;
      follow();
    });
    show(0);
    view.hintOf(
      el("p", {}, wonderName(wonder)),
      iconButton("turn-left", say("turn-left"), () => show(-1)),
      iconButton("turn-right", say("turn-right"), () => show(1)),
      button("check", say("set-wonder"), set, { class: "primary" }),
      iconButton("close", say("cancel"), leave),
    );
  };
  follow();
}
