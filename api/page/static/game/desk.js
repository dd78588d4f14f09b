// @ts-check
/** A game that is played: its score, its camera, what is open, its log, and a picture of the score. */

import { catalogue } from "../lib/catalogue.js";
import { who } from "../lib/colours.js";
import { el, iconButton, part } from "../lib/dom.js";
import { redraw } from "../lib/redraw.js";
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

  /** @param {GameSession} session */
  constructor(session) {
    this.session = session;
    if (session.owned) new Filming(session, part("filming"));
    for (const own of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-owner]")))
      own.hidden = !session.owned;
    part("watching").hidden = session.owned;
    part("share").onclick = () => openGameShare(session);
    part("finish").onclick = () => openFinish(session);
    part("points").onclick = () => openPoints(session);
    part("undo").onclick = () => this.#take(session.game.corrections.at(-1)?.id);
    openUndoKeys(document, part("undo"));
    session.addEventListener("change", () => this.#draw());
    this.#draw();
    catalogue().then(
      (known) => this.#learn(known),
      () => {},
    );
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
    drawScore(part("standing"), part("lead"), this.#standing());
    part("unreached").hidden = this.session.isReached;
    part("begun").hidden = Boolean(game.log) || !game.photos.length || (game.problem?.code ?? BEGINNING) !== BEGINNING;
    redraw(part("open"), openQuestions(this.session, this.#wonders));
    redraw(
      part("said"),
      game.corrections.map((own) => this.#said(own)),
    );
    part("said-card").hidden = !game.corrections.length;
    part("undo").disabled = !game.corrections.length;
    this.#drawLog(turns);
    part("finished").hidden = !game.finished;
    redraw(part("finished"), game.finished ? finalPart(this.session) : []);
    for (const own of ["filming-card", "finish-part"]) part(own).hidden = !this.session.owned || Boolean(game.finished);
  }

  /** @param {import("./story.js").GameTurn[]} turns */
  #drawLog(turns) {
    const { session } = this;
    const log = session.game.log;
    redraw(
      part("log"),
      logLines(session, turns, (turn) => openTurn(session, turn)),
    );
    part("log-card").hidden = !turns.length;
    part("chart").replaceChildren(
      ...(log?.scores[0]?.likeliest && turns.length
        ? [
            chart(
              session,
              session.players,
              pointsOver(log.scores, turns),
              JSON.parse(part("chart").dataset.steps ?? "[]"),
            ),
          ]
        : []),
    );
  }

  /** @returns {import("./score.js").Standing} */
  #standing() {
    const { game, names, players } = this.session;
    const start = Object.fromEntries(players.map((colour) => [colour, game.settings.points?.[colour] ?? 0]));
    const last = game.log?.scores.findLast(({ likeliest }) => likeliest);
    const end = game.finished ? game.log?.totals : null;
    const board = game.log?.boards.at(-1);
    return {
      players,
      names,
      isOver: Boolean(game.finished),
      points: end?.total ?? last?.likeliest ?? start,
      ranges: /** @type {any} */ (end ? end.ranges : (last?.points ?? null)),
      left: this.#tiles !== null && board ? Math.max(0, this.#tiles - drawnTiles(board)) : null,
    };
  }

  /** @param {Api.GameCorrectionDocument} given */
  #said({ id, correction, who: author }) {
    const words = correctionWords(this.session, correction);
    return el(
      "li",
      { "data-key": id },
      el("span", {}, author ? `${words} · ${author}` : words),
      this.session.owned ? iconButton("close", say("game-take-back", { what: words }), () => this.#take(id)) : null,
    );
  }

  /** @param {number | undefined} id */
  #take(id) {
    if (id === undefined) return;
    const told = part("told");
    told.textContent = "";
    busy(part("said-card"), () => this.session.undo(id)).catch(({ message }) => (told.textContent = message));
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
  const n = session.game.photos.find(({ file }) => file === photo)?.number ?? "first";
  return say(`game-said-${kind}`, {
    n,
    points: list(scores),
    square: square ? say("square", { row, col }) : "",
    what: (kind === "tile" ? tile : colour) ? "some" : "none",
    player: colour ? who(session, colour) : "",
  });
}
