// @ts-check
/** The selected table: its question, and the possible decisions. */

import { button, el, icon } from "../lib/dom.js";
import { say, sayOr, time } from "../lib/words.js";
import { questionCard } from "../report/ask.js";
import { OPEN, placeOf, scoreList, stateChip } from "./event_list.js";
import { playersForm } from "./event_players.js";
import { seatedAt } from "./event_roster.js";

/**
 * Create the card of a table; `seen` is its report with its photos as figures, or null, `asked` is {report, question,
 * photo, left} or null, `on` are the functions that it calls.
 *
 * @param {Api.TableDocument} table
 * @param {Pick<EventSession, "event" | "roster" | "mayDecide">} session
 * @param {SeenTable | null} seen
 * @param {AskedTable | null} asked
 * @param {CardActs} on
 */
export function tableCard(table, { event, roster, mayDecide }, seen, asked, on) {
  return el(
    "section",
    { class: "card table-card", "aria-labelledby": "table-title" },
    el("header", {}, el("h2", { id: "table-title", tabindex: -1 }, placeOf(table)), stateChip(table)),
    el(
      "div",
      { class: "table-body" },
      seen?.photos.length ? el("div", { class: "table-photos" }, seen.photos) : null,
      el(
        "div",
        { class: "table-told" },
        ...told(table),
        table.scores.length ? scoreList(table) : null,
        asked ? questionCard(asked.report, asked.question, asked.photo, asked.left, on) : null,
      ),
      seen && mayDecide && OPEN.includes(table.state)
        ? playersForm(seen.report, seatedAt(roster, table), on.onTyped)
        : null,
    ),
    el(
      "div",
      { class: "decisions" },
      ...(mayDecide ? decisions(table, on) : []),
      table.reading ? openLink(table, event) : null,
    ),
  );
}

/** @param {Api.TableDocument} tableDocument */
function told({ error, missing, same_photos: twins, state, who, decided_at, reason, whole, scores }) {
  const lines = [];
  if (error && state !== "unscorable" && state !== "reading")
    lines.push(el("p", { class: "problem" }, sayOr(`error-${error.code}`, error.text)));
  for (const [file, code] of Object.entries(missing))
    lines.push(el("p", { class: "problem" }, `${file}: ${sayOr(`error-${code}`, code)}`));
  for (const [photo, other] of Object.entries(twins))
    lines.push(el("p", { class: "problem" }, say("same-picture", { photo, other })));
  if (reason) lines.push(el("p", {}, reason));
  if (decided_at)
    lines.push(el("p", { class: "quiet" }, say("decided-by", { who: who || say("somebody"), time: time(decided_at) })));
  if (scores.some(({ name }) => !name)) lines.push(el("p", { class: "quiet" }, say("without-names")));
  if (scores.length && !whole) lines.push(el("p", { class: "quiet" }, say("without-track")));
  return lines;
}

/**
 * @param {Api.TableDocument} tableDocument
 * @param {CardActs} cardActs
 */
function decisions({ state, reading, error }, { onConfirm, onUnscorable, onUndo, onPhotos, onDelete }) {
  const done = state === "checked" || state === "unscorable";
  const open = OPEN.includes(state);
  return [
    open && reading && !error ? keyed("check", "confirm", "y", onConfirm, "primary") : null,
    open || state === "waiting" ? keyed("camera", "add-photos", "p", onPhotos, reading ? "" : "primary") : null,
    open ? keyed("skip", "unscorable", "x", onUnscorable) : null,
    done || (open && reading) ? keyed("undo", "undo", "u", onUndo) : null,
    button("bin", say("delete-table"), onDelete, { class: "danger" }),
  ].filter(Boolean);
}

/**
 * Create the card shown if the event has no tables.
 *
 * @param {Api.EventDocument} eventDocument
 * @param {() => unknown} onAdd
 */
export function emptyCard({ may_decide: mayDecide, may_add: mayAdd }, onAdd) {
  return el(
    "section",
    { class: "card table-card bare" },
    el("p", {}, say(mayDecide ? "no-tables-add" : "no-tables")),
    mayAdd ? button("plus", say(mayDecide ? "add-table" : "hand-in"), onAdd, { class: "primary large" }) : null,
  );
}

/**
 * @param {string} name
 * @param {string} words
 * @param {string} key
 * @param {() => unknown} action
 * @param {string} [kind]
 */
function keyed(name, words, key, action, kind = "") {
  return button(name, say(words), action, { class: kind, "aria-keyshortcuts": key, "data-decision": words });
}

/**
 * The address of the reading's own page.
 *
 * @param {Api.TableDocument} tableDocument
 * @param {{ id: string }} given
 */
export const readingLink = ({ reading }, { id }) => `/r/${reading}#event=${id}`;

/**
 * Link to the reading's own page, where everything can be corrected.
 *
 * @param {Api.TableDocument} table
 * @param {Api.EventDocument} event
 */
function openLink(table, event) {
  return el(
    "a",
    {
      class: "button",
      id: "open-reading",
      href: readingLink(table, event),
      target: "_blank",
      rel: "noopener",
      "aria-keyshortcuts": "o",
    },
    icon("pen"),
    el("span", {}, say("open-reading")),
  );
}
