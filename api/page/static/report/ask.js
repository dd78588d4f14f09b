// @ts-check
/** Doubts, one at a time: the photo beside its possible readings, and the effect of each. */

import { describe } from "../lib/catalogue.js";
import { asTyped, badge, cardTitle, who } from "../lib/colours.js";
import { button, el, icon } from "../lib/dom.js";
import { likelihood, list, say, signed } from "../lib/words.js";
import { photoCut, squareCut } from "./photo_cut.js";
import { squareName } from "./places.js";

/** Corrections that supply an unknown fact: none of their answers is the present reading. */
const TELLS = ["spot", "piece", "border", "player_count", "tiles_in_play", "box_rules", "track"];

/** Number of characters above which an answer gets a row of its own on a phone, without and with a picture. */
const LONG = 40;
const LONG_BESIDE_PICTURE = 16;

/** The questions that were not skipped here, in the server's order. */
export class Questions {
  #left = new Set();

  /**
   * `asks` decides whether a question belongs to these.
   *
   * @param {Session} session
   * @param {(question: AnyQuestion) => boolean} [asks]
   */
  constructor(session, asks = () => true) {
    this.session = session;
    this.asks = asks;
  }

  get #all() {
    return (this.session.reading.questions ?? []).filter(this.asks);
  }

  get open() {
    return this.#all.filter((question) => !this.#left.has(keyOf(question)));
  }

  get leftOpen() {
    return this.#all.length - this.open.length;
  }

  /**
   * Return the question about a square, even if it was skipped.
   *
   * @param {Square} square
   */
  about(square) {
    const name = String(square);
    return this.#all.find((question) => "squares" in question && question.squares.some((own) => String(own) === name));
  }

  /** @param {AnyQuestion} question */
  leave(question) {
    this.#left.add(keyOf(question));
  }

  /** Bring back the skipped questions. */
  again() {
    this.#left.clear();
  }
}

/**
 * Create the card of a question.
 *
 * @param {AnyReport} report
 * @param {AnyQuestion} question
 * @param {HTMLImageElement | null} photo
 * @param {number} left
 * @param {{ onAnswer: (choice: AnyChoice) => unknown, onLeave: () => unknown, further?: Child }} given
 */
export function questionCard(report, question, photo, left, { onAnswer, onLeave, further = null }) {
  const where = "label" in question ? question.label : squareName(report, question.square);
  const seen = photo && question.quad_px.length > 0;
  const [first] = question.choices;
  return el(
    "section",
    { class: "card question-card", "aria-labelledby": "card-title" },
    el("header", {}, icon("question"), cardTitle(question.text ?? say("ask-spot"))),
    el(
      "p",
      { class: "quiet ask-about" },
      el("span", {}, asked(question, where)),
      el("span", {}, say("questions-left", { n: left })),
    ),
    seen ? shown(report, question, photo, where) : null,
    el(
      "ul",
      { class: question.choices.some(isLong) ? "answers long" : "answers" },
      question.choices.map((choice) =>
        el(
          "li",
          {},
          answerButton(report, choice, choice === first && !TELLS.includes(choice.correction.kind), onAnswer),
        ),
      ),
    ),
    further,
    button("skip", say("not-sure"), onLeave, { class: "ghost" }),
  );
}

/**
 * Show the photo around a question's subject; a tile is seen from above, beside the drawing of the one read.
 *
 * @param {AnyReport} report
 * @param {AnyQuestion} question
 * @param {HTMLImageElement} photo
 * @param {string} where
 */
function shown(report, question, photo, where) {
  const width = (report.photos?.[question.photo] ?? report.photo)?.width ?? photo.naturalWidth;
  const [read] = /** @type {Api.Choice[]} */ (question.choices);
  if (question.about !== "tile" || question.squares.length > 1 || !read.drawing)
    return photoCut(photo, question, where, width);
  const words = describe(read) || read.label;
  return el(
    "div",
    { class: "compare" },
    el("figure", {}, squareCut(photo, question, where, width), el("figcaption", {}, say("in-the-photo"))),
    el(
      "figure",
      {},
      el("div", { class: "preview" }, el("img", { src: read.drawing, alt: words, width: 224, height: 224 })),
      el("figcaption", {}, say("as-read")),
    ),
  );
}

/**
 * Name the subject of a question if its words do not.
 *
 * @param {AnyQuestion} anyQuestion
 * @param {string} where
 */
function asked({ about }, where) {
  return ["special", "table", "track"].includes(about) ? "" : about === "player" ? say("asked-of-all") : where;
}

/** @param {AnyChoice} choice */
const isLong = (choice) => choice.label.length > ("drawing" in choice && choice.drawing ? LONG_BESIDE_PICTURE : LONG);

/**
 * @param {AnyReport} report
 * @param {AnyChoice} choice
 * @param {boolean} asRead
 * @param {(choice: AnyChoice) => unknown} onAnswer
 */
function answerButton(report, choice, asRead, onAnswer) {
  return el(
    "button",
    { type: "button", class: "answer", onclick: () => onAnswer(choice) },
    "drawing" in choice && choice.drawing ? el("img", { src: choice.drawing, alt: "", width: 96, height: 96 }) : null,
    choice.colour ? badge(choice.colour) : null,
    el("span", {}, el("b", ...asTyped(choice.label)), el("small", {}, how(choice, asRead)), effect(report, choice)),
  );
}

/**
 * State whether this is the present reading, and its probability.
 *
 * @param {AnyChoice} anyChoice
 * @param {boolean} asRead
 */
function how({ probability }, asRead) {
  return [asRead ? say("as-read") : null, probability === null ? null : likelihood(probability)]
    .filter(Boolean)
    .join(" · ");
}

/**
 * Describe the effect of an answer, player by player; empty if the answer leaves it open.
 *
 * @param {AnyReport} report
 * @param {AnyChoice} choice
 */
function effect(report, choice) {
  const { final_scoring } = choice;
  const on_track = "on_track" in choice ? choice.on_track : null;
  if (!final_scoring) return null;
  const { scores } = report;
  const players = [...new Set([...Object.keys(scores.final_scoring), ...Object.keys(final_scoring)])];
  const before = on_track ?? scores.on_track;
  /**
   * @param {Points} points
   * @param {Points} track
   * @param {string} player
   */
  const all = (points, track, player) => (points[player] ?? 0) + (track[player] ?? 0);
  const changes = players
    .map((player) => ({
      player,
      by: all(final_scoring, before, player) - all(scores.final_scoring, scores.on_track, player),
    }))
    .filter(({ by }) => by);
  if (!changes.length) return el("small", {}, say("changes-nothing"));
  return el(
    "small",
    { class: "effect" },
    list(changes.map(({ player, by }) => `${who(report, player)} ${signed(by)}`)),
  );
}

/**
 * Return what distinguishes a question from the others of its reading.
 *
 * @param {AnyQuestion} question
 */
function keyOf(question) {
  const { about, choices } = question;
  /** @type {{ square?: Square, meeple?: string | null, spot?: string }} */
  const { square, meeple, spot } = question;
  /** @type {Correction} */
  const { kind, colour, piece } = choices[0].correction;
  const own =
    about === "track" ? colour : about === "special" ? piece : about === "table" || about === "tile" ? kind : "";
  return `${about} ${square} ${meeple} ${spot} ${own}`;
}
