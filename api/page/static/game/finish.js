// @ts-check
/** The end of a game: totals and winner, files, links for others, and deleting it. */

import { asTyped, badge, nameTag, who } from "../lib/colours.js";
import { button, el, icon } from "../lib/dom.js";
import { confirmDelete, openSheet, settle } from "../lib/sheet.js";
import { forgetGame } from "../lib/store.js";
import { list, number, say } from "../lib/words.js";
import { linkBlock, onlyHere, siteOrigin } from "../report/share_sheet.js";

const FILES = ["png", "txt", "csv", "json"];

/** @typedef {import("./session.js").GameSession} GameSession */

/**
 * Share the game: a link to watch it, one that lets another device keep it, its files; and deleting it.
 *
 * @param {GameSession} session
 */
export function openGameShare(session) {
  const link = `${siteOrigin()}/game/${session.id}`;
  const dialog = openSheet(
    say("share"),
    onlyHere(),
    linkBlock("game-link", say("game-link"), link, say("game-link-hint")),
    session.owned && session.token
      ? linkBlock("game-link-keep", say("game-link-keep"), `${link}#token=${session.token}`, say("game-link-keep-hint"))
      : null,
    session.game.log ? el("h3", {}, say("download")) : null,
    session.game.log
      ? el(
          "ul",
          { class: "files" },
          FILES.map((name) => el("li", {}, file(session, name))),
        )
      : null,
    session.owned ? button("bin", say("delete"), () => leave(session, dialog), { class: "danger" }) : null,
  );
}

/**
 * @param {GameSession} session
 * @param {string} name
 */
const file = ({ path }, name) =>
  el(
    "a",
    { class: "button", href: `${path}/log.${name}`, download: "" }, // the server names it by day and players

    icon("download"),
    el("span", {}, say(`game-file-${name}`)),
  );

/**
 * @param {GameSession} session
 * @param {HTMLDialogElement} dialog
 */
function leave(session, dialog) {
  dialog.close();
  confirmDelete(say("game-delete-sure"), async () => {
    await session.delete();
    forgetGame(session.id);
    location.assign("/");
  });
}

/**
 * Finish the game: its totals are the points so far and the final scoring of the last photo.
 *
 * @param {GameSession} session
 */
export function openFinish(session) {
  const dialog = openSheet(
    say("game-finish"),
    el("p", {}, say("game-finish-hint")),
    totalsTable(session),
    el(
      "div",
      { class: "sheet-actions" },
      button("check", say("game-finish"), () => settle(dialog, () => session.finish(true)), { class: "primary" }),
    ),
  );
}

/**
 * Show the end of a finished game.
 *
 * @param {GameSession} session
 */
export function finalPart(session) {
  const totals = session.game.log?.totals;
  const winners = totals?.winners ?? [];
  const players = list(winners.map((colour) => who(session, colour)));
  const slots = { player: players, players, points: totals ? totals.total[winners[0]] : 0 };
  const words = winners.length ? say(winners.length > 1 ? "game-draw" : "game-wins", slots) : say("game-over");
  return [
    el("h2", ...asTyped(words)),
    totals && !totals.settled ? el("p", { class: "game-mark" }, say("game-unsettled")) : null,
    totalsTable(session),
    session.owned ? button("redo", say("game-go-on"), () => session.finish(false)) : null,
  ];
}

/** @param {GameSession} session */
function totalsTable(session) {
  const { log, settings } = session.game;
  const totals = log?.totals;
  if (!totals) return null;
  const place = (/** @type {string} */ colour) => -totals.total[colour];
  const rows = settings.players.map(({ colour }) => colour).sort((one, other) => place(one) - place(other));
  return el(
    "table",
    { class: "game-final" },
    el(
      "tr",
      {},
      el("td", {}),
      ...["game-in-play", "game-final", "game-total"].map((key) => el("th", { scope: "col" }, say(key))),
    ),
    rows.map((colour) => {
      const [total, final] = [totals.total[colour], totals.final_scoring[colour]];
      return el(
        "tr",
        { "data-player": colour },
        el("th", { scope: "row" }, badge(colour), " ", nameTag(session, colour)),
        el("td", {}, number(total - final)),
        el("td", {}, number(final)),
        el("td", {}, el("b", {}, number(total))),
      );
    }),
  );
}
