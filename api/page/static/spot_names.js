/** What the spots of a table, what lies there and what they score as are called, in the page's language. */

import { who } from "./colours.js";
import { worded } from "./said.js";
import { knows, number, say, sayOr } from "./words.js";

/** A spot: `Tower of Babel, red: building parts of value 3`; its name in the report where there are no words. */
export const spotName = (report, { id, kind, values }) => (knows(`spot-${kind}`) ? say(`spot-${kind}`, worded(report, values)) : id);

/** A spot in a table that has a column for each player: without the player; null where there are no words. */
export const cellName = (report, { kind, values }) => (knows(`cell-${kind}`) ? say(`cell-${kind}`, worded(report, values)) : null);

/** What lies on a spot of a kind; null: nobody knows. */
export function valueName(kind, value) {
  if (value === null || value === undefined) return say("not-known");
  if (typeof value === "number") return number(value);
  const [name, count] = value.split("#");
  const word = name === "-" ? "nothing" : name;
  const said = sayOr(`value-${kind}-${word}`, sayOr(`value-${word}`, word));
  return count ? `${said} ${count}` : said;
}

/** What scores: a wonder by its own name, what is made of one spot as that spot, else its kind and its owner. */
export function areaName(report, area) {
  const [last] = area.id.split(".").slice(-1);
  if (knows(`${area.kind}-${last}`)) return say(`${area.kind}-${last}`);
  const spot = report.board.spots.find(({ id }) => id === area.id);
  if (spot) return spotName(report, spot);
  const [player] = Object.keys(area.meeples);
  const kind = sayOr(`kind-${area.kind}`, area.kind);
  return player ? `${kind} (${who(report, player)})` : kind;
}

/** Whether something lies on a spot, as far as known. */
export const isFilled = ({ value, choices }) => value !== null && value !== choices[0];

/** The player that a spot belongs to, if any. */
export const playerOf = ({ values }) => values.player ?? values.colour ?? null;
