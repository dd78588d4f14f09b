// @ts-check
/** The players at a table of spots, and their names. */

import { call } from "../lib/api.js";
import { badge, colourName } from "../lib/colours.js";
import { button, el } from "../lib/dom.js";
import { control, field, textOf } from "../lib/fields.js";
import { openSheet, settle } from "../lib/sheet.js";
import { say } from "../lib/words.js";

/**
 * Open the sheet; all its changes are one step. Throws ApiError.
 *
 * @param {SpotView} view
 */
export async function openPlayers(view) {
  const { report, session } = view;
  /** @type {Api.GameList} */
  const { games } = await call("GET", "/v1/games");
  const { colours } = /** @type {Api.Game} */ (games.find(({ name }) => name === report.game));
  const form = el(
    "form",
    { class: "table-form" },
    el(
      "fieldset",
      {},
      el("legend", {}, say("players")),
      el("p", { class: "quiet" }, say("who-plays-hint")),
      colours.map((colour) => row(report, colour)),
    ),
  );
  const dialog = openSheet(
    say("table"),
    form,
    el(
      "div",
      { class: "sheet-actions" },
      button("check", say("save"), () => send(), { class: "primary" }),
    ),
  );
  const send = () =>
    settle(dialog, () => {
      const changes = changed(report, form, colours);
      return changes.length ? session.correct(...changes) : null;
    });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });
}

/**
 * @param {Api.SpotReport} report
 * @param {string} colour
 */
function row(report, colour) {
  const plays = el("input", {
    type: "checkbox",
    name: `plays-${colour}`,
    id: `plays-${colour}`,
    checked: report.rules.players.includes(colour),
  });
  return el(
    "div",
    { class: "plays-row", "data-player": colour },
    el("label", { class: "switch", for: `plays-${colour}` }, plays, badge(colour), el("span", {}, colourName(colour))),
    field(`name-${colour}`, say("name-of", { colour: colourName(colour) }), {
      value: report.names?.[colour] ?? "",
      maxlength: 40,
      autocomplete: "off",
    }),
  );
}

/**
 * Return the corrections that the form asks for: only the differences from the report.
 *
 * @param {Api.SpotReport} report
 * @param {HTMLFormElement} form
 * @param {string[]} colours
 */
function changed(report, form, colours) {
  const playing = colours.filter((colour) => control(form, `plays-${colour}`).checked);
  const renamed = colours.filter((colour) => textOf(form, `name-${colour}`) !== (report.names?.[colour] ?? ""));
  const same =
    playing.length === report.rules.players.length && playing.every((colour) => report.rules.players.includes(colour));
  return [
    ...renamed.map((colour) => ({ kind: "player", colour, name: textOf(form, `name-${colour}`) || null })),
    ...(same ? [] : [{ kind: "players", colours: playing }]),
  ];
}
