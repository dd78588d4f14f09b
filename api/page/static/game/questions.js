// @ts-check
/** The open questions of a game, with the answers that one tap gives. */

import { errorWords } from "../lib/api.js";
import { asTyped } from "../lib/colours.js";
import { button, el } from "../lib/dom.js";
import { busy } from "../lib/sheet.js";
import { say } from "../lib/words.js";
import { wonderName } from "../wonders/wonder_place.js";
import { openTile, playerChips, tileAt } from "./turn_sheet.js";

/** Problems about a piece that was set and taken back, or may have been. */
const UNSEEN = ["assumed_piece", "unseen_piece"];
/** Problems about a tile that is unknown, or may be another. */
const TILE = ["unknown_tile", "doubtful_tile"];
/** The problem of a game without a log that its next photo ends. */
export const BEGINNING = "too_few_photos";
/** Maximum number of questions that are shown at once. A guess. */
const MOST = 4;

/** @typedef {import("./session.js").GameSession} GameSession */

/**
 * List what is open: photos that do not count, and questions.
 *
 * @param {GameSession} session
 * @param {Api.CatalogueWonder[]} wonders
 */
export function openQuestions(session, wonders) {
  const { game } = session;
  const stretches = game.log?.stretches.flatMap(({ open }) => open) ?? [];
  const items = [
    ...game.photos.filter(({ status }) => status === "aside" || status === "failed").map(photoAside),
    ...(game.problem && game.problem.code !== BEGINNING ? [el("li", {}, errorWords(game.problem))] : []),
    ...(game.log?.refused ?? []).map(({ text }) => el("li", {}, text)),
    ...[...stretches, ...(game.log?.open ?? [])].map((problem) => question(session, problem, wonders)),
  ];
  const rest = items.slice(0, -MOST);
  const summary = el("summary", {}, say("game-more-open", { n: rest.length }));
  const folded = rest.length
    ? [el("li", {}, el("details", { id: "more-open" }, summary, el("ul", { class: "rows" }, rest)))]
    : [];
  return [...items.slice(-MOST), ...folded];
}

/** @param {Api.GamePhotoDocument} gamePhotoDocument */
function photoAside({ number, reason }) {
  const code = reason ?? "";
  return el("li", {}, say("game-photo-aside", { n: number, reason: errorWords({ code, text: code }) }));
}

/**
 * @param {GameSession} session
 * @param {Api.Problem} problem
 * @param {Api.CatalogueWonder[]} wonders
 */
function question(session, problem, wonders) {
  const told = el("p", { class: "problem", role: "alert" });
  const { code, tiles, values = {} } = problem;
  const key = [code, ...tiles, values.player ?? values.wonder ?? ""].join(" ");
  const item = el("li", { "data-key": key }, el("p", ...asTyped(problem.text)), session.owned ? answers() : null, told);
  return item;

  /** @param {Correction} correction */
  function send(correction) {
    attempt(() => session.correct(correction));
  }

  /** @param {() => Promise<void>} action */
  function attempt(action) {
    told.textContent = "";
    busy(item, action).catch(({ message }) => (told.textContent = message));
  }

  function answers() {
    const [square] = tiles.map((own) => session.numbersOf(own));
    if (UNSEEN.includes(code) && square)
      return button("close", say("game-not-taken"), () => send({ kind: "not_taken", square }), { class: "chip" });
    if (TILE.includes(code) && square) return el("div", { class: "chips" }, right(), other());
    if (code === "wonder_unmarked")
      return playerChips(session, session.players, (colour) =>
        send({ kind: "wonder_owner", wonder: values.wonder, colour }),
      );
    if (code === "on_turn") return playerChips(session, session.players, (colour) => send({ kind: "turn", colour }));
    return code === "wonder_taken" ? pick(String(values.player)) : null;
  }

  function other() {
    const open = () => attempt(() => openTile(session, problem.tiles[0]));
    return button("pen", say("game-other-tile"), open, { class: "chip" });
  }

  /** Create the button that confirms a tile that may be another; none for one that is unknown. */
  function right() {
    const laid = problem.code === "doubtful_tile" && tileAt(session, problem.tiles[0]);
    if (!laid) return null;
    const correction = {
      kind: "tile",
      square: session.numbersOf(problem.tiles[0]),
      tile: laid.tile,
      turns: laid.turns,
    };
    return button("check", say("right-as-it-is"), () => send(correction), { class: "chip" });
  }

  /** @param {string} colour */
  function pick(colour) {
    const options = wonders.map((wonder) => el("option", { value: wonder.id }, wonderName(wonder)));
    const select = el("select", { "aria-label": problem.text }, el("option", { value: "" }, "–"), options);
    select.onchange = () => select.value && send({ kind: "wonder_owner", wonder: select.value, colour });
    return select;
  }
}
