/** A whole board as text behind the # of an address: it goes to no server's log. */

/** The text of a report's board: notation, rules, what was on the score track, names. */
export function fragmentOf({ board, rules, scores, names }) {
  const fields = new URLSearchParams({ board: board.notation });
  if (rules.edition) fields.set("rules", rules.edition);
  for (const [colour, points] of Object.entries(scores.on_track)) if (points !== null) fields.append("track", `${colour}=${points}`);
  for (const [colour, name] of Object.entries(names ?? {})) fields.append("name", `${colour}=${name}`);
  return fields.toString();
}

/** What it says, as `/v1/scores` takes it, with the names; null for a text without a board: the inverse. */
export function boardOf(text) {
  const fields = new URLSearchParams(text);
  if (!fields.get("board")) return null;
  const pairs = (name) => fields.getAll(name).map((pair) => pair.split(/=(.*)/s).slice(0, 2));
  const track = Object.fromEntries(pairs("track").map(([colour, points]) => [colour, Number(points)]));
  const rules = fields.get("rules");
  return { board: fields.get("board"), ...(rules ? { rules } : {}), track, names: Object.fromEntries(pairs("name")) };
}
