/** What a wonder's layout means, in words. */

import { errorWords } from "./api.js";
import { knows, list, number, say } from "./words.js";

const squaresOf = (squares) => list([...squares].sort().map((square) => number(square + 1)));

/** What a road or city means, as far as its plan tells. */
export function featureWords({ kind, ends, squares, coats, walled, into, closed }, coatsUnknown) {
  const own = { ends: ends.length, n: squares.size, squares: squaresOf(squares) };
  if (kind === "city") return [say("wonder-city", own), coatsUnknown ? say("wonder-city-coats-unknown") : coats ? say("wonder-city-coats", { n: coats }) : null, walled ? say("wonder-city-walled") : null].filter(Boolean).join(" ");
  return [say("wonder-road", own), say(`wonder-road-into-${[...into].sort().reverse().join("-") || "nothing"}`), closed && into.size > 1 ? say("wonder-road-closed") : null].filter(Boolean).join(" ");
}

/** What the fields that are left mean. */
export const fieldWords = (parts) => parts.filter(({ kind }) => kind === "field").map(({ squares, cities }) => say("wonder-field", { n: squares.length, squares: squaresOf(squares), cities }));

/** What a layout says otherwise than the rule texts do. */
export function contradictionWords({ about, stated, found }) {
  const told = (numbers) => list(numbers.map(number));
  return say(`wonder-rules-${about}`, { there: stated.length, stated: told(stated), here: found.length, found: told(found), n: found[0] ?? 0, most: stated[0] ?? 0 });
}

/** Why no drawing could be made of it. */
export const problemWords = (problem) => errorWords(problem, knows(`wonder-problem-${problem.code}`) ? `wonder-problem-${problem.code}` : undefined);
