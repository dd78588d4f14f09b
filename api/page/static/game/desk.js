// @ts-check
/** A game that is played: its score, its camera, what is open, its log, and a picture of the score. */

import { catalogue } from "../lib/catalogue.js";
import { who } from "../lib/colours.js";
import { el, find, iconButton } from "../lib/dom.js";
import { busy } from "../lib/sheet.js";
import { openUndoKeys } from "../lib/undo_keys.js";
import { list, say } from "../lib/words.js";
import { chart } from "./chart.js";
import { Filming } from "./filming.js";
import { finalPart, openFinish, openGameShare } from "./finish.js";
import { logLines } from "./log.js";
import { BEGINNING, openQuestions } from "./questions.js";
import { drawScore } from "./score.js";
import { drawnTiles, pointsOver, turnsOf } from "./story.js";
import { openPoints, openTurn } from "./turn_sheet.js";

/** @typedef {import("./session.js").GameSession} GameSession */

export class GameDesk {
  /** Number of tiles in the stated boxes, once the catalogue is there. @type {number | null} */
  #tiles = null;
  /** @type {Api.CatalogueWonder[]} */
  #wonders = [];

  /**
   * @param {GameSession} session
   * @param {HTMLElement} root
   */
  constructor(session, root) {
    this.session = session;
    this.root = root;
    this.undo = /** @type {HTMLButtonElement} */ (this.#part("undo"));
    if (session.owned) new Filming(session, this.#part("filming"));
    for (const own of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-owner]")))
      own.hidden = !session.owned;
    this.#part("watching").hidden = session.owned;
    this.#part("share").onclick = () => openGameShare(session);
    this.#part("finish").onclick = () => openFinish(session);
    this.#part("points").onclick = () => openPoints(session);
    this.undo.onclick = () => this.#take(session.game.corrections.at(-1)?.id);
    openUndoKeys(document, this.undo);
    session.addEventListener("change", () => this.#draw());
    this.#draw();
    catalogue().then(
      (known) => this.#learn(known),
      () => {},
    );
  }

  /** @param {string} name */
  #part(name) {
    return find(this.root, `#${name}`);
  }

  /** @param {Api.Catalogue} catalogue */
  #learn({ tiles, wonders }) {
    this.#wonders = wonders;
    const copies = /** @type {{ [box: string]: number }} */ ({ base: 1, ...this.session.game.settings.boxes });
    this.#tiles = tiles.reduce((sum, { box, count }) => sum + count * (copies[box] ?? 0), 0);
    this.#draw();
  }

  #draw() {
    const { game } = this.session;
    const turns = game.log ? turnsOf(game.log) : [];
    drawScore(this.#part("standing"), this.#part("lead"), this.#standing());
    this.#part("unreached").hidden = this.session.isReached;
    this.#part("begun").hidden =
      Boolean(game.log) || !game.photos.length || !BEGINNING.includes(game.problem?.code ?? BEGINNING[0]);
    this.#part("open").replaceChildren(...openQuestions(this.session, this.#wonders));
    this.#part("said").replaceChildren(...game.corrections.map((own) => this.#said(own)));
    this.#part("said-card").hidden = !game.corrections.length;
    this.undo.disabled = !game.corrections.length;
    this.#drawLog(turns);
    this.#part("finished").hidden = !game.finished;
    this.#part("finished").replaceChildren(
      ...(game.finished ? finalPart(this.session).filter((own) => own !== null) : []),
    );
    for (const own of ["filming-card", "finish-part"])
      this.#part(own).hidden = !this.session.owned || Boolean(game.finished);
  }

  /** @param {import("./story.js").GameTurn[]} turns */
  #drawLog(turns) {
    const { session } = this;
    const log = session.game.log;
    const focused = document.activeElement?.id ?? "";
    const origin = log?.origin ?? [0, 0];
    this.#part("log").replaceChildren(...logLines(session, turns, (turn) => openTurn(session, turn, origin)));
    if (focused.startsWith("turn-")) document.getElementById(focused)?.focus({ preventScroll: true });
    this.#part("log-card").hidden = !turns.length;
    this.#part("chart").replaceChildren(
      ...(log?.scores[0]?.likeliest && turns.length
        ? [chart(session, session.players, pointsOver(log.scores, turns))]
        : []),
    );
  }

  /** @returns {import("./score.js").Standing} */
  #standing() {
    const { game, names, players } = this.session;
    const start = Object.fromEntries(players.map((colour) => [colour, game.settings.points?.[colour] ?? 0]));
    const last = game.log?.scores.findLast(({ likeliest }) => likeliest);
    const board = game.log?.boards.at(-1);
    return {
      players,
      names,
      points: last?.likeliest ?? start,
      ranges: /** @type {any} */ (last?.points ?? null),
      left: this.#tiles !== null && board ? Math.max(0, this.#tiles - drawnTiles(board)) : null,
    };
  }

  /** @param {Api.GameCorrectionDocument} given */
  #said({ id, correction, who: author }) {
    const words = correctionWords(this.session, correction);
    return el(
      "li",
      {},
      el("span", {}, author ? `${words} · ${author}` : words),
      this.session.owned ? iconButton("close", say("game-take-back", { what: words }), () => this.#take(id)) : null,
    );
  }

  /** @param {number | undefined} id */
  #take(id) {
    if (id === undefined) return;
    const told = this.#part("told");
    told.textContent = "";
    busy(this.#part("said-card"), () => this.session.undo(id)).catch(({ message }) => (told.textContent = message));
  }
}

/**
 * Word a correction in a line.
 *
 * @param {GameSession} session
 * @param {any} correction
 */
function correctionWords(session, { kind, photo, points = {}, square, colour, tile }) {
  const [row, col] = square ?? [];
  const scores = Object.entries(points).map(([own, value]) => `${who(session, own)} ${value}`);
  const n = session.game.photos.find(({ file }) => file === photo)?.number ?? "";
  return say(`game-said-${kind}`, {
    n,
    points: list(scores),
    square: square ? say("square", { row, col }) : "",
    what: kind === "tile" ? (tile ? "some" : "none") : colour ? "some" : "none",
    player: colour ? who(session, colour) : "",
  });
}
