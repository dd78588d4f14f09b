// @ts-check
/** A wonder's layout in words. */

import { errorWords } from "../lib/api.js";
import { knows, list, number, say } from "../lib/words.js";

/** @param {Iterable<number>} squares */
const squaresOf = (squares) => list([...squares].sort().map((square) => number(square + 1)));

/**
 * Describe a road or city, as far as its plan determines it.
 *
 * @param {PlanFeature} planFeature
 * @param {boolean} coatsUnknown
 */
export function featureWords({ kind, ends, squares, coats, walled, into, closed }, coatsUnknown) {
  const own = { ends: ends.length, n: squares.size, squares: squaresOf(squares) };
  if (kind === "city")
    return [
      say("wonder-city", own),
      coatsUnknown ? say("wonder-city-coats-unknown") : coats ? say("wonder-city-coats", { n: coats }) : null,
      walled ? say("wonder-city-walled") : null,
    ]
      .filter(Boolean)
      .join(" ");
  return [
    say("wonder-road", own),
    say(`wonder-road-into-${[...into].sort().reverse().join("-") || "nothing"}`),
    closed && into.size > 1 ? say("wonder-road-closed") : null,
  ]
    .filter(Boolean)
    .join(" ");
}

/**
 * Describe the remaining fields.
 *
 * @param {Api.WonderPart[]} parts
 */
export const fieldWords = (parts) =>
  parts
    .filter(({ kind }) => kind === "field")
    .map(({ squares, cities }) => say("wonder-field", { n: squares.length, squares: squaresOf(squares), cities }));

/**
 * Describe contradictions between a layout and the rule texts.
 *
 * @param {Api.LayoutContradiction} layoutContradiction
 */
export function contradictionWords({ about, stated, found }) {
  /** @param {number[]} numbers */
  const told = (numbers) => list(numbers.map(number));
  return say(`wonder-rules-${about}`, {
    there: stated.length,
    stated: told(stated),
    here: found.length,
    found: told(found),
    n: found[0] ?? 0,
    most: stated[0] ?? 0,
  });
}

/**
 * Explain why no drawing of it was possible.
 *
 * @param {Api.ErrorBody} problem
 */
export const problemWords = (problem) =>
  errorWords(problem, knows(`wonder-problem-${problem.code}`) ? `wonder-problem-${problem.code}` : undefined);
