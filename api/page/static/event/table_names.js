// @ts-check
/** Photos grouped into tables by their files' names, by the patterns of `wondertally batch`. */

/** The pattern offered at first, for names such as `r2-t14-b.jpg`. */
export const PATTERN = "r{round}-t{table}{}";

const PART = /\{(\w*)\}/;
const FIELDS = ["event", "round", "table"];

/**
 * Return the function that extracts event, round and table from a file's name; the parts that it lacks are empty. It is
 * null for a pattern that names no table, or something else.
 *
 * @param {string} pattern
 */
export function matcher(pattern) {
  const pieces = pattern.split(PART); // texts and names by turns
  const names = pieces.filter((name, at) => at % 2 && name);
  if (!names.includes("table") || new Set(names).size < names.length || names.some((name) => !FIELDS.includes(name)))
    return null;
  const expression = pieces.map((piece, at) => (at % 2 ? group(piece, pieces.slice(at + 1, at + 3)) : escaped(piece)));
  const whole = new RegExp(`^${expression.join("")}$`, "u");
  /** @param {string} file */
  return (file) => {
    const found = whole.exec(file.slice(0, file.lastIndexOf(".")))?.groups ?? {};
    return { event: found.event ?? "", round: found.round ?? "", table: found.table ?? "" };
  };
}

/**
 * Return the expression of a part; before a bare part it is all the digits or all the letters there.
 *
 * @param {string} name
 * @param {string[]} next the text that follows, and the name of the part after it
 */
function group(name, [text, then]) {
  if (!name) return ".*";
  return `(?<${name}>${text === "" && then === "" ? "[0-9]+|\\p{L}+" : "[^/]+?"})`;
}

/** @param {string} text */
const escaped = (text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, (sign) => (sign === "-" ? sign : `\\${sign}`));

/**
 * Group files into tables in the order of their first photos. A file whose name fits no table is a table by itself,
 * named by `nameOf(n)`, n from 0 on; names that others have are passed over.
 *
 * @param {File[]} files
 * @param {string} pattern
 * @param {string} round
 * @param {(n: number) => string} nameOf
 */
export function groupedByName(files, pattern, round, nameOf) {
  const match = matcher(pattern);
  const places = files.map((file) => match?.(file.name) ?? { event: "", round: "", table: "" });
  const taken = new Set(places.filter(({ table }) => table).map((own) => `${own.round || round} ${own.table}`));
  /** @type {Map<string, { contest: string, round: string, table: string, photos: File[] }>} */
  const groups = new Map();
  let n = 0;
  for (const [at, file] of files.entries()) {
    const { event: contest, table } = places[at];
    const place = { contest, round: places[at].round || round, table };
    if (!place.table) {
      while (taken.has(`${round} ${nameOf(n)}`)) n++;
      place.table = nameOf(n++);
    }
    const key = JSON.stringify(place);
    groups.set(key, groups.get(key) ?? { ...place, photos: [] });
    groups.get(key)?.photos.push(file);
  }
  return [...groups.values()];
}
