/** Doubts, one at a time: the photo beside its possible readings, and the effect of each. */

import { asTyped, badge, cardTitle, who } from "../lib/colours.js";
import { button, el, icon } from "../lib/dom.js";
import { likelihood, list, say, signed } from "../lib/words.js";
import { photoCut } from "./photo_cut.js";
import { squareName } from "./places.js";

/** Corrections that supply an unknown fact: none of their answers is the present reading. */
const TELLS = ["spot", "piece", "border", "player_count", "tiles_in_play", "box_rules", "track"];

/** Number of characters above which an answer gets a row of its own on a phone. */
const LONG = 40;

/** The questions that were not skipped here, in the server's order. */
export class Questions {
  #left = new Set();

  /** `asks` decides whether a question belongs to these. */
  constructor(session, asks = () => true) {
    Object.assign(this, { session, asks });
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

  /** Return the question about a square, even if it was skipped. */
  about(square) {
    const name = String(square);
    return this.#all.find((question) => (question.squares ?? [question.square]).some((own) => String(own) === name));
  }

  leave(question) {
    this.#left.add(keyOf(question));
  }

  /** Bring back the skipped questions. */
  again() {
    this.#left.clear();
  }
}

/** Create the card of a question. */
export function questionCard(report, question, photo, left, { onAnswer, onLeave, teaching = null }) {
  const where = question.label ?? squareName(report, question.square);
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
    seen ? photoCut(photo, question, where, (report.photos[question.photo] ?? report.photo).width) : null,
    el(
      "ul",
      { class: question.choices.some(({ label }) => label.length > LONG) ? "answers long" : "answers" },
      question.choices.map((choice) =>
        el(
          "li",
          {},
          answerButton(report, choice, choice === first && !TELLS.includes(choice.correction.kind), onAnswer),
        ),
      ),
    ),
    teaching,
    button("skip", say("not-sure"), onLeave, { class: "ghost" }),
  );
}

/** Name the subject of a question if its words do not. */
function asked({ about }, where) {
  return ["special", "table", "track"].includes(about) ? "" : about === "player" ? say("asked-of-all") : where;
}

function answerButton(report, choice, asRead, onAnswer) {
  return el(
    "button",
    { type: "button", class: "answer", onclick: () => onAnswer(choice) },
    choice.drawing ? el("img", { src: choice.drawing, alt: "", width: 96, height: 96 }) : null,
    choice.colour ? badge(choice.colour) : null,
    el("span", {}, el("b", ...asTyped(choice.label)), el("small", {}, how(choice, asRead)), effect(report, choice)),
  );
}

/** State whether this is the present reading, and its probability. */
function how({ probability }, asRead) {
  return [asRead ? say("as-read") : null, probability === null ? null : likelihood(probability)]
    .filter(Boolean)
    .join(" · ");
}

/** Describe the effect of an answer, player by player; empty if the answer leaves it open. */
function effect(report, { final_scoring, on_track }) {
  if (!final_scoring) return null;
  const { scores } = report;
  const players = [...new Set([...Object.keys(scores.final_scoring), ...Object.keys(final_scoring)])];
  const before = on_track ?? scores.on_track;
  const all = (points, track, player) => (points[player] ?? 0) + (track[player] ?? 0);
  const changes = players
    .map((player) => [player, all(final_scoring, before, player) - all(scores.final_scoring, scores.on_track, player)])
    .filter(([, by]) => by);
  if (!changes.length) return el("small", {}, say("changes-nothing"));
  return el("small", { class: "effect" }, list(changes.map(([player, by]) => `${who(report, player)} ${signed(by)}`)));
}

const keyOf = ({ about, square, meeple, spot, choices: [{ correction }] }) =>
  `${about} ${square} ${meeple} ${spot} ${about === "track" ? correction.colour : about === "special" ? correction.piece : ["table", "tile"].includes(about) ? correction.kind : ""}`;
