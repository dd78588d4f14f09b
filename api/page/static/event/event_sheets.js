// @ts-check
/** The event's dialogs: one's name, the reason a table cannot be scored, the keys, and the history. */

import { button, el } from "../lib/dom.js";
import { openSheet, settle } from "../lib/sheet.js";
import { name, named } from "../lib/who.js";
import { say, time } from "../lib/words.js";
import { placeOf } from "./event_list.js";

const KEYS = [
  ["j ↓", "key-next"],
  ["k ↑", "key-previous"],
  ["y ⏎", "confirm"],
  ["1–9", "key-answer"],
  ["s", "not-sure"],
  ["x", "unscorable"],
  ["u", "undo"],
  ["t", "names-and-track"],
  ["n", "add-table"],
  ["p", "add-photos"],
  ["o", "open-reading"],
  ["h", "history"],
  ["?", "keys"],
];
const NAME_MOST = 80;
const REASON_MOST = 200;

/**
 * Ask for the name that is recorded with every decision.
 *
 * @param {() => unknown} onNamed
 */
export function askWho(onNamed) {
  asked(say("who-are-you"), "asked-name", say("your-name"), named() ?? "", NAME_MOST, async (who) => {
    name(who);
    onNamed();
  });
}

/**
 * Ask for the reason why a table cannot be scored.
 *
 * @param {(reason: string) => unknown} onReason
 */
export function askReason(onReason) {
  asked(say("unscorable"), "asked-reason", say("why"), "", REASON_MOST, onReason, true);
}

/**
 * Ask for the organiser's token.
 *
 * @param {(token: string) => unknown} onToken
 */
export function askToken(onToken) {
  asked(say("may-decide"), "asked-token", say("token-of-event"), "", 200, onToken, true);
}

export function openKeys() {
  openSheet(
    say("keys"),
    el(
      "dl",
      { class: "keys" },
      KEYS.map(([key, words]) => el("div", {}, el("dt", {}, el("kbd", {}, key)), el("dd", {}, say(words)))),
    ),
  );
}

/**
 * Show the history, the newest entry first.
 *
 * @param {EventSession} session
 */
export async function openHistory(session) {
  /** @type {Api.EventHistory} */
  const { acts } = await session.history();
  const items = acts
    .reverse()
    .map(({ made, who, what, table, reason }) =>
      el(
        "li",
        {},
        el("b", {}, who || say("somebody")),
        " ",
        say(`act-${what}`),
        ": ",
        placeIn(session, table),
        reason ? ` (${reason})` : "",
        el("small", {}, ` ${time(made)}`),
      ),
    );
  openSheet(
    say("history"),
    items.length
      ? el("ol", { class: "acts", tabindex: 0, "aria-label": say("history") }, items)
      : el("p", {}, say("nothing-done")),
  );
}

/**
 * @param {string} title
 * @param {string} id
 * @param {string} label
 * @param {string} value
 * @param {number} maxlength
 * @param {(said: string) => unknown} onSaid
 * @param {boolean} [required]
 */
function asked(title, id, label, value, maxlength, onSaid, required = false) {
  const input = el("input", { id, value, maxlength, required, autocomplete: "off" });
  const form = el(
    "form",
    { class: "table-form" },
    el("div", { class: "field" }, el("label", { for: id }, label), input),
    el("div", { class: "sheet-actions" }, button("check", say("save"), null, { type: "submit", class: "primary" })),
  );
  const dialog = openSheet(title, form);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    settle(dialog, () => onSaid(input.value.trim()));
  });
  input.focus();
}

/**
 * Name a table by its place; empty if it is gone.
 *
 * @param {EventSession} session
 * @param {number | null} id
 */
function placeIn(session, id) {
  const table = session.table(id);
  return table ? placeOf(table) : "";
}
