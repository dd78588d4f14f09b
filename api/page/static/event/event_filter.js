// @ts-check
/** Which of an event's tables are listed, and in which order; both stand in the address, so that they can be shared. */

import { el, part } from "../lib/dom.js";
import { say } from "../lib/words.js";
import { OPEN, placeOf } from "./event_list.js";
import { seatedAt } from "./event_roster.js";

const STATES = ["", "open", "failed", "doubtful", "sure", "waiting", "unscorable", "checked"];
const ORDERS = ["", "place", "points"];
/** The controls, each with its name in the address. */
const NAMES = ["find", "state", "sort"];

/**
 * Set the controls as the address says, and call `onChange` whenever a person changes one.
 *
 * @param {() => unknown} onChange
 */
export function openFilter(onChange) {
  choices("state", STATES, (state) =>
    say(state === "" || state === "open" ? `tables-${state || "all"}` : `state-${state}`),
  );
  choices("sort", ORDERS, (order) => say(`sorted-by-${order || "urgency"}`));
  const told = new URLSearchParams(location.search);
  for (const name of NAMES) {
    const own = control(name);
    own.value = told.get(name) ?? "";
    if (own instanceof HTMLSelectElement && own.selectedIndex < 0) own.value = "";
    own.oninput = () => {
      remember();
      onChange();
    };
  }
}

/**
 * Return the tables that the controls ask for, in their order.
 *
 * @param {Pick<EventSession, "tables" | "roster">} session
 */
export function filtered({ tables, roster }) {
  const [find, state, sort] = NAMES.map((name) => control(name).value.trim().toLowerCase());
  const shown = tables.filter(
    (table) =>
      (!state || (state === "open" ? OPEN.includes(table.state) : table.state === state)) &&
      [...textsOf(table), ...seatedAt(roster, table)].some((text) => text.toLowerCase().includes(find)),
  );
  if (sort === "place")
    shown.sort((one, other) => placeOf(one).localeCompare(placeOf(other), undefined, { numeric: true }));
  if (sort === "points") shown.sort((one, other) => most(other) - most(one));
  return shown;
}

/** @param {Api.TableDocument} tableDocument */
const most = ({ scores }) => Math.max(-1, ...scores.map(({ points }) => points));

/** @param {Api.TableDocument} table */
const textsOf = (table) => [placeOf(table), ...table.photos, ...table.scores.map(({ name }) => name ?? "")];

/**
 * @param {string} name
 * @param {string[]} values
 * @param {(value: string) => string} wordOf
 */
function choices(name, values, wordOf) {
  control(name).replaceChildren(...values.map((value) => el("option", { value }, wordOf(value))));
}

/** Write what the controls say into the address. */
function remember() {
  const told = new URLSearchParams(NAMES.map((name) => [name, control(name).value]).filter(([, value]) => value));
  history.replaceState(null, "", `${location.pathname}${told.size ? `?${told}` : ""}`);
}

/** @param {string} name */
const control = (name) => /** @type {HTMLInputElement | HTMLSelectElement} */ (part(`tables-${name}`));
