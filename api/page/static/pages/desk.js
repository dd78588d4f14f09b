// @ts-nocheck
/** Everything a person can do with a reading: answer, correct, undo, name the players, share. */

import { who } from "../lib/colours.js";
import { button, el, icon, part } from "../lib/dom.js";
import { busy, confirm, returnFocus } from "../lib/sheet.js";
import { openUndoKeys } from "../lib/undo_keys.js";
import { list, number, say } from "../lib/words.js";
import { Questions, questionCard } from "../report/ask.js";
import { retakeTip } from "../report/retake.js";
import { teachButton } from "../wonders/wonder_enrol_link.js";

export class Desk {
  #asking = null;
  #version = null;

  /** @param {AnyView} view */
  constructor(view) {
    this.view = view;
    this.session = view.session;
    this.questions = new Questions(view.session, view.asks);
    view.onDoubt = (square) => this.#asked(square);
    view.onLeave = () => this.#leftAlone();
    this.#version = this.session.reading.version;
    this.session.addEventListener("change", () => this.#changed());
    this.#tools();
    this.#photos();
    this.#offer();
    this.#refresh();
  }

  #tools() {
    const { view } = this;
    part("undo").onclick = () => this.#step({ undo: true });
    part("redo").onclick = () => this.#step({ redo: true });
    part("reset").onclick = () => this.#reset();
    part("correct").onclick = ({ currentTarget }) => this.#toggle(currentTarget);
    part("table").onclick = () => view.guard(() => view.openTable());
    part("teach").onclick = () => view.guard(async () => (await import("../tiles/enrol_sheet.js")).openTeach(view));
    part("wonders").onclick = () => view.guard(async () => (await import("../wonders/wonders_sheet.js")).openWonders());
    part("again").onclick = () => view.guard(async () => (await import("../lib/send.js")).readAgain(this.session));
    openUndoKeys(document, part("undo"), part("redo"));
    part("share").onclick = () => view.guard(async () => (await import("../report/share_sheet.js")).openShare(view));
  }

  /** Create the buttons for switching between photos, if there are several. */
  #photos() {
    const { view } = this;
    const most = view.report.photos.length;
    /** @param {number} step */
    const show = (step) => () => view.guard(() => view.showPhoto((view.number + step + most) % most));
    part("photos").hidden = most < 2;
    part("photo-before").onclick = show(-1);
    part("photo-next").onclick = show(1);
    view.onPhoto = () => (part("photo-told").textContent = say("photo-of", { n: view.number + 1, most }));
    view.onPhoto();
  }

  /** @param {HTMLElement} button */
  #toggle(button) {
    const on = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(on));
    this.view.correcting(on);
  }

  /** Drop all corrections, after a second confirmation. */
  #reset() {
    const asked = {
      title: say("reset"),
      words: say("reset-sure"),
      icon: "reset",
      go: say("reset-now"),
      stay: say("reset-keep"),
    };
    confirm(asked, () => this.session.change({ reset: true }));
  }

  /** @param {object} body */
  #step(body) {
    return this.view.guard(() => this.session.change(body));
  }

  /** Redraw everything after a change, and announce the players whose points differ. */
  async #changed() {
    const before = this.view.report.scores;
    let focused = null;
    this.view.forward(null);
    await this.view.guard(async () => {
      const report = await this.view.reportOn(this.view.number);
      focused = document.activeElement;
      this.view.draw(report);
    });
    this.view.tell(this.session.reading.version === this.#version ? say("nothing-changed") : this.#changes(before));
    this.#version = this.session.reading.version;
    part("card").replaceChildren();
    part("panel").scrollTo({ top: 0 });
    if (this.#asking) this.#next();
    else this.#offer();
    this.#refresh();
    this.#keepFocus(focused);
  }

  /**
   * Keep the focus, even if its element was redrawn or disabled: after undo it goes to redo, and vice versa.
   *
   * @param {Element | null} focused
   */
  #keepFocus(focused) {
    if (this.#asking || !focused || (focused.isConnected && !focused.disabled)) return;
    const other = { undo: "redo", redo: "undo" }[focused.id];
    returnFocus(focused.disabled && other ? part(other) : focused);
  }

  /**
   * Describe the points that differ, and totals that are known for the first time; empty if there are none.
   *
   * @param {AnyReport["scores"]} before
   */
  #changes(before) {
    const { report } = this.view;
    const { total, final_scoring } = report.scores;
    const players = [...new Set([...Object.keys(before.final_scoring), ...Object.keys(final_scoring)])];
    const isKnown = Number.isInteger;
    const changes = players
      .map((player) => {
        const sums = [before.total[player], total[player]];
        return [player, ...(sums.every(isKnown) ? sums : [before.final_scoring[player], final_scoring[player]])];
      })
      .filter(([, was = 0, now = 0]) => was !== now)
      .map(([player, was, now]) =>
        say("points-changed", { player: who(report, player), before: was ?? 0, now: now ?? 0 }),
      );
    const added = players
      .filter((player) => isKnown(total[player]) && !isKnown(before.total[player]))
      .map((player) => `${who(report, player)} ${number(total[player])}`);
    const told = { rescored: changes, "added-up": added };
    return Object.entries(told)
      .filter(([, points]) => points.length)
      .map(([key, points]) => say(key, { points: list(points) }))
      .join(" ");
  }

  /**
   * Open the question about a square; false if there is none.
   *
   * @param {Square} square
   */
  #asked(square) {
    const question = this.session.mayCorrect && this.questions.about(square);
    if (!question) return false;
    part("questions").hidden = true;
    this.#asking = question;
    this.view.guard(() => this.#ask(question));
    return true;
  }

  #refresh() {
    const { reading, mayCorrect } = this.session;
    for (const name of ["correct", "undo", "redo", "reset", "table"]) part(name).hidden = !mayCorrect;
    part("teaching").hidden = !this.view.teaches;
    part("undo").disabled = !reading.can_undo;
    part("redo").disabled = !reading.can_redo;
    part("reset").disabled = !reading.corrections.length;
    this.#tip();
  }

  /** Advise on taking the photo again if it does not show everything, and no question's card does. */
  #tip() {
    const tip = this.view.asksAboutBorder ? null : retakeTip(this.view);
    part("retake").hidden = !tip;
    part("retake").replaceChildren(...(tip ? [icon("camera"), tip] : []));
  }

  /** Show the number of questions; one press starts with the first. */
  #offer() {
    const { open, leftOpen } = this.questions;
    const only = open.length === 1 ? el("small", {}, open[0].text ?? say("ask-spot")) : null;
    part("questions").hidden = !this.session.mayCorrect || !(open.length + leftOpen);
    part("questions").replaceChildren(
      icon("question"),
      el(
        "p",
        {},
        open.length ? say("questions", { n: open.length }) : say("questions-left-open", { n: leftOpen }),
        only,
      ),
      button("next", say(open.length ? "answer-them" : "ask-again"), () => this.#begin(), { class: "primary" }),
    );
  }

  #begin() {
    if (!this.questions.open.length) this.questions.again();
    part("questions").hidden = true;
    this.#next();
  }

  #next() {
    const [question] = this.questions.open;
    if (!question) {
      this.#asking = null;
      this.view.leave();
      return;
    }
    this.#asking = question;
    this.view.guard(() => this.#ask(question));
  }

  /** @param {AnyQuestion} question */
  async #ask(question) {
    const { view } = this;
    const seen = await this.session.photo(question.photo);
    await view.point(question);
    view.card(
      questionCard(view.report, question, seen, this.questions.open.length, {
        further: question.about === "border" ? retakeTip(view) : teachButton(view, question.square),
        onAnswer: (choice) => this.#answer(question, choice),
        onLeave: () => {
          this.questions.leave(question);
          this.#next();
        },
      }),
    );
  }

  /**
   * @param {AnyQuestion} question
   * @param {AnyChoice} choice
   */
  #answer(question, choice) {
    return busy(part("card"), () => this.view.guard(() => this.session.correct(choice.correction)));
  }

  #leftAlone() {
    this.#asking = null;
    this.#offer();
  }
}
