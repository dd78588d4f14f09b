// @ts-check
/** A turn of the log: its place on the photo, its points, and what a person may correct of it. */

import { candidates, catalogue, tileButton } from "../lib/catalogue.js";
import { asTyped, badge, who } from "../lib/colours.js";
import { button, el } from "../lib/dom.js";
import { POINTS } from "../lib/fields.js";
import { choices, chosenOf, openSheet, settle } from "../lib/sheet.js";
import { say, sayOr } from "../lib/words.js";
import { placeName } from "../report/places.js";
import { placeOnPhoto } from "./place.js";

const PIECES = ["meeple", "big", "builder", "pig", "abbot"];
/** Width in which a photo is fetched, in pixels. A guess. */
const PHOTO_WIDTH = 1600;

/** @typedef {import("./story.js").GameTurn} GameTurn */
/** @typedef {import("./session.js").GameSession} GameSession */

/**
 * @param {GameSession} session
 * @param {GameTurn} turn
 */
export async function openTurn(session, turn) {
  const { tiles } = session.owned ? await catalogue() : { tiles: [] };
  new TurnSheet(session, turn, tiles);
}

class TurnSheet {
  /**
   * @param {GameSession} session
   * @param {GameTurn} turn
   * @param {Api.CatalogueTile[]} tiles
   */
  constructor(session, turn, tiles) {
    this.session = session;
    this.turn = turn;
    this.tiles = tiles;
    this.tile = turn.move.tiles[0];
    this.square = this.tile ? session.numbersOf([this.tile.row, this.tile.col]) : null;
    const words = turn.move.text;
    this.dialog = openSheet(
      say("log-round", { n: turn.move.round }),
      el("p", { class: "game-said", ...asTyped(words)[0] }, words),
      picture(session, turn.photo, turn.squares, words),
      ...(session.owned ? this.#corrections() : []),
    );
  }

  #corrections() {
    const { square, tile, tiles, turn } = this;
    const lay = (/** @type {Correction} */ correction) => this.#send(correction);
    return [
      turn.isAssumed && square
        ? el(
            "div",
            {},
            el("p", { class: "quiet" }, say("game-assumed-hint")),
            button("close", say("game-not-taken"), () => this.#send({ kind: "not_taken", square })),
          )
        : null,
      square ? folded("game-other-tile", () => tilePicker(this.session, tiles, [tile.row, tile.col], lay)) : null,
      square ? folded("game-other-piece", () => this.#piecePicker()) : null,
      folded("game-other-turn", () => this.#playerPicker()),
      folded("game-type-points", () => pointsForm(this.session, turn.photo, this.dialog)),
      button("bin", say("game-leave-photo-out"), () => this.#send({ kind: "aside", photo: this.#file }), {
        class: "danger",
      }),
    ];
  }

  get #file() {
    return this.session.game.log?.photos[this.turn.photo].file ?? "";
  }

  /** Create a button for each other player who may have had this turn; the turns between two photos follow on. */
  #playerPicker() {
    const { session, turn } = this;
    const { players } = session;
    const photo = session.game.log?.photos[turn.before].file;
    const seat = (/** @type {string} */ colour) => players.indexOf(colour);
    const others = players.filter((colour) => colour !== turn.move.player);
    return playerChips(session, others, (colour) => {
      const first = seat(turn.onTurn) + seat(colour) - seat(turn.move.player) + players.length;
      return this.#send({ kind: "turn", photo, colour: players[first % players.length] });
    });
  }

  #piecePicker() {
    const { session, tile, tiles } = this;
    const layout = tiles.find(({ id }) => id === tile.tile);
    const places = layout ? layout.places[tile.turns % layout.symmetry] : [];
    const [stands] = this.turn.move.pieces;
    const players = session.game.settings.players.map(({ colour }) => ({
      value: colour,
      label: who(session, colour),
      mark: badge(colour),
    }));
    const form = el(
      "form",
      { class: "meeple-form" },
      choices("colour", say("colour"), [...players, { value: "", label: say("game-no-piece") }], stands?.colour ?? ""),
      choices(
        "place",
        say("stands-on"),
        places.map((value) => ({ value, label: placeName(value) })),
        stands?.on ?? places[0],
      ),
      choices(
        "piece",
        say("piece"),
        PIECES.map((value) => ({ value, label: sayOr(`piece-${value}`, value) })),
        stands?.kind ?? "meeple",
      ),
      el(
        "div",
        { class: "sheet-actions" },
        button("check", say("game-set-piece"), null, { type: "submit", class: "primary" }),
      ),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const colour = chosenOf(form, "colour");
      const piece = { colour, place: chosenOf(form, "place"), piece: chosenOf(form, "piece") };
      this.#send({ kind: "piece", square: this.square, ...(colour ? piece : {}) });
    });
    return form;
  }

  /** @param {Correction} correction */
  #send(correction) {
    return settle(this.dialog, () => this.session.correct(correction));
  }
}

/**
 * Create a button for each of some players.
 *
 * @param {GameSession} session
 * @param {string[]} players
 * @param {(colour: string) => unknown} choose
 */
export function playerChips(session, players, choose) {
  const chip = (/** @type {string} */ colour) =>
    el(
      "button",
      { type: "button", class: "chip", "data-player": colour, onclick: () => choose(colour) },
      badge(colour),
      el("span", {}, who(session, colour)),
    );
  return el("div", { class: "chips" }, players.map(chip));
}

/**
 * Offer other tiles for a square, with its place on the last photo.
 *
 * @param {GameSession} session
 * @param {Square} square
 */
export async function openTile(session, square) {
  const { tiles } = await catalogue();
  const words = say("game-other-tile");
  const inner = el("div", {});
  const dialog = openSheet(words, picture(session, (session.game.log?.photos.length ?? 0) - 1, [square], words), inner);
  inner.append(...tilePicker(session, tiles, square, (own) => settle(dialog, () => session.correct(own))));
}

/**
 * Show squares on a photo of the log.
 *
 * @param {GameSession} session
 * @param {number} place of the photo in the log
 * @param {Square[]} squares
 * @param {string} words
 */
function picture(session, place, squares, words) {
  const { log, photos } = session.game;
  const photo = photos.find((own) => own.place === place);
  if (!photo) return null;
  const src = session.photo(photo.number, Math.min(photo.width, PHOTO_WIDTH));
  return placeOnPhoto(src, photo, log?.views?.[place], squares, words);
}

/**
 * Return the tile that was laid on a square.
 *
 * @param {GameSession} session
 * @param {Square} square
 */
export function tileAt({ game }, [row, col]) {
  const laid = game.log?.stretches.flatMap(({ moves }) => moves.flatMap((move) => move.tiles)) ?? [];
  return laid.findLast((own) => own.row === row && own.col === col);
}

/**
 * Create buttons for the tiles that fit a square, and one for none.
 *
 * @param {GameSession} session
 * @param {Api.CatalogueTile[]} tiles
 * @param {Square} square
 * @param {(correction: Correction) => unknown} lay
 */
function tilePicker(session, tiles, square, lay) {
  const named = session.numbersOf(square);
  const present = tileAt(session, square);
  return [
    el(
      "ul",
      { class: "tiles" },
      candidates(tiles, { tile: (own) => tileAt(session, own) }, square).map(({ tile, turns }) =>
        el(
          "li",
          {},
          tileButton(tile, turns, tile.id === present?.tile && turns === present.turns, () =>
            lay({ kind: "tile", square: named, tile: tile.id, turns }),
          ),
        ),
      ),
    ),
    button("bin", say("game-no-tile"), () => lay({ kind: "tile", square: named, tile: null }), { class: "danger" }),
  ];
}

/**
 * Create a fold that is filled when it is opened first.
 *
 * @param {string} key
 * @param {() => Child} fill
 */
function folded(key, fill) {
  /** @type {HTMLDetailsElement} */
  const fold = el(
    "details",
    { ontoggle: () => fold.childElementCount === 1 && fold.append(el("div", {}, fill())) },
    el("summary", {}, say(key)),
  );
  return fold;
}

/**
 * Ask for the points on the score track as they are now.
 *
 * @param {GameSession} session
 */
export function openPoints(session) {
  const photos = session.game.log?.photos.length ?? 0;
  if (!photos) return openSheet(say("game-type-points"), el("p", {}, say("game-no-photo-yet")));
  const inner = el("div", {});
  const dialog = openSheet(say("game-type-points"), inner);
  inner.append(pointsForm(session, photos - 1, dialog));
}

/**
 * Create the form for the points on the score track when a photo was taken.
 *
 * @param {GameSession} session
 * @param {number} place of the photo in the log
 * @param {HTMLDialogElement} dialog
 */
function pointsForm(session, place, dialog) {
  const { log, settings } = session.game;
  const likeliest = log?.scores.findLast(({ photo }) => photo <= place)?.likeliest ?? {};
  const form = el(
    "form",
    { class: "game-points-form" },
    el("p", { class: "quiet" }, say("game-type-points-hint")),
    settings.players.map(({ colour }) =>
      el(
        "label",
        { class: "game-point-field" },
        badge(colour),
        el("span", {}, who(session, colour)),
        el("input", { ...POINTS, name: `points-${colour}`, value: likeliest?.[colour] ?? "", required: true }),
      ),
    ),
    el(
      "div",
      { class: "sheet-actions" },
      button("check", say("game-type-points-go"), null, { type: "submit", class: "primary" }),
    ),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const given = [...new FormData(form)].map(([name, value]) => [name.replace("points-", ""), Number(value)]);
    const photo = log?.photos[place]?.file;
    settle(dialog, () => session.correct({ kind: "points", photo, points: Object.fromEntries(given) }));
  });
  return form;
}
