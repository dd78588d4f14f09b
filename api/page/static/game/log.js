// @ts-check
/** The log of a game, the latest turn first; each line opens its place on the photo. */

import { asTyped, badge, who } from "../lib/colours.js";
import { el } from "../lib/dom.js";
import { say, signed } from "../lib/words.js";

/** @typedef {import("./story.js").GameTurn} GameTurn */

/**
 * @param {Named} named
 * @param {GameTurn[]} turns
 * @param {(turn: GameTurn) => unknown} onOpen
 */
export function logLines(named, turns, onOpen) {
  return [...turns].reverse().map((turn) =>
    el(
      "li",
      {},
      el(
        "button",
        {
          type: "button",
          class: "game-turn",
          id: `turn-${turn.number}`,
          "data-turn": turn.number,
          onclick: () => onOpen(turn),
        },
        badge(turn.move.player),
        el(
          "span",
          { class: "game-told" },
          el("small", {}, say("log-round", { n: turn.move.round })),
          ...turn.lines.map((line) => el("span", ...asTyped(line))),
          marks(turn),
        ),
        el("b", { class: "game-gain" }, gained(named, turn)),
      ),
    ),
  );
}

/** @param {GameTurn} turn */
function marks({ isAssumed, isOpen }) {
  const key = isAssumed ? "game-assumed" : isOpen ? "game-open" : null;
  return key && el("span", { class: "game-mark" }, say(key));
}

/**
 * @param {Named} named
 * @param {GameTurn} turn
 */
function gained(named, { move }) {
  /** @type {Map<string, number>} */
  const sums = new Map();
  for (const { player, points } of move.scores ?? []) sums.set(player, (sums.get(player) ?? 0) + points);
  return [...sums]
    .map(([player, points]) => (player === move.player ? signed(points) : `${who(named, player)} ${signed(points)}`))
    .join(", ");
}
