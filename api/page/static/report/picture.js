// @ts-check
/** A report of any game on the page: its photo with drawings over it, and the panel beside it. */

import { who } from "../lib/colours.js";
import { announce, el, find, part, svg } from "../lib/dom.js";
import { Viewer } from "../lib/viewer.js";
import { likelihood, list, number, say, sayOr } from "../lib/words.js";
import {
  contradictions,
  cutOff,
  hasSpots,
  isBare,
  isTrackOpen,
  isWhole,
  overSupply,
  pointsOf,
  shareOf,
} from "./outcome.js";

import { problemOf } from "./said.js";

/** Maximum enlargement of a photo beyond its own pixels. */
const SOFT = 1.25;

/** Return the width of the screen in pixels. */
export const screenWidth = () => window.innerWidth * window.devicePixelRatio;

/**
 * The view of a game replaces `grounded`, `draw`, `tapped`, `unchosen` and `openDrawn`.
 *
 * @template {AnyReport} [R=AnyReport]
 */
export class Picture {
  /** @type {(() => unknown) | null} */
  #forward = null;
  /** @type {Session} */
  session;
  /** @type {R} */
  report;
  /** @type {HTMLImageElement | null} */
  photo = null;
  /** The number of the photo. */
  number = 0;
  /** @type {Viewer} */
  viewer;
  /** @type {HTMLElement} */
  ground;
  /** @type {(() => unknown) | undefined} */
  onPhoto;
  /** @type {(() => unknown) | undefined} */
  onLeave;
  /** @type {((square: Square) => boolean) | undefined} */
  onDoubt;
  /** @type {((question: AnyQuestion) => boolean) | undefined} */
  asks;

  /**
   * `session` takes the corrections, null if none can be made.
   *
   * @param {Session | null} session
   */
  constructor(session) {
    this.session = /** @type {Session} */ (session);
    document.addEventListener("keydown", ({ key }) => key === "Escape" && this.#escape());
  }

  /**
   * Show a report on its first photo; `photo` is a loaded image, possibly a small one, or null.
   *
   * @param {R} report
   * @param {HTMLImageElement | null} photo
   */
  open(report, photo) {
    const { width, height, home } = this.#mount(report, photo, 0);
    this.viewer = new Viewer(part("viewer"), this.ground, width, height, home);
    this.viewer.addEventListener("tap", (event) => this.tapped(/** @type {CustomEvent} */ (event).detail));
    this.viewer.addEventListener("zoom", (event) => this.#sharpen(/** @type {CustomEvent} */ (event).detail));
    part("zoom-in").onclick = () => this.#zoom((viewer) => viewer.zoom(1.5));
    part("zoom-out").onclick = () => this.#zoom((viewer) => viewer.zoom(1 / 1.5));
    part("zoom-fit").onclick = () => this.#zoom((viewer) => viewer.fit());
    this.draw(report);
  }

  /**
   * The pictures of the report: the photo, and those beside it.
   *
   * @returns {{ viewer: Viewer }[]}
   */
  get pictures() {
    return [this];
  }

  /** @param {(viewer: Viewer) => unknown} move */
  #zoom(move) {
    for (const { viewer } of this.pictures) if (viewer) move(viewer);
  }

  /**
   * Prepare the drawing over a photo; returns the picture's size and the part that matters.
   *
   * @param {R} report
   * @param {SVGSVGElement} root
   * @param {HTMLImageElement | null} photo
   * @returns {{ width: number, height: number, home: Box }}
   */
  grounded(report, root, photo) {
    throw new Error(`nothing is drawn of ${report.game} on ${root} and ${photo}`);
  }

  /**
   * Show a report, the first or a changed one.
   *
   * @param {R} report
   */
  draw(report) {
    throw new Error(`nothing is drawn of ${report.game}`);
  }

  /**
   * Act on a tap on the picture.
   *
   * @param {Point} point
   * @returns {unknown}
   */
  tapped(point) {
    throw new Error(`nothing is at ${point}`);
  }

  /** Remove the highlight from the drawing. */
  unchosen() {}

  /**
   * Highlight the subject of a question.
   *
   * @param {any} question
   * @returns {Promise<void>}
   */
  async point(question) {
    throw new Error(`nothing is highlighted for ${question.text}`);
  }

  /**
   * Set up a photo of the reading, by its number, and the drawing over it.
   *
   * @param {R} report
   * @param {HTMLImageElement | null} photo
   * @param {number} number
   */
  #mount(report, photo, number) {
    this.photo = photo;
    this.report = report;
    this.number = number;
    const root = svg("svg", { "aria-hidden": "true", focusable: "false" });
    const { width, height, home } = this.grounded(report, root, photo);
    for (const [name, value] of Object.entries({ viewBox: `0 0 ${width} ${height}`, width, height }))
      root.setAttribute(name, String(value));
    this.ground = el("div", { class: "world" });
    this.ground.append(photo ?? el("div", { class: "drawn-board" }), root);
    this.ground.style.width = `${width}px`;
    this.ground.style.height = `${height}px`;
    return { width, height, home };
  }

  /**
   * Show the reading on another of its photos. Throws ApiError.
   *
   * @param {number} number
   */
  async showPhoto(number) {
    if (number === this.number) return;
    const [photo, report] = await Promise.all([this.session.preview(number, screenWidth()), this.reportOn(number)]);
    const { width, height, home } = this.#mount(report, photo, number);
    this.viewer.put(this.ground, width, height, home);
    this.draw(report);
    this.forwardAgain();
    this.onPhoto?.();
  }

  /** Return the shown photo with all its pixels; null if there is none. Throws its loading error. */
  async wholePhoto() {
    return this.photo && this.session ? this.session.photo(this.number) : this.photo;
  }

  /**
   * Replace the small photo by the whole one when a person zooms in closer than it allows.
   *
   * @param {number} scale
   */
  async #sharpen(scale) {
    const { photo, ground, number } = this;
    if (
      !photo ||
      !this.session ||
      scale * window.devicePixelRatio * this.session.size(number).width < SOFT * photo.naturalWidth
    )
      return;
    const whole = await this.session.photo(number).catch(() => photo);
    if (this.ground !== ground || whole === photo) return;
    photo.replaceWith(whole);
    this.photo = whole;
  }

  /**
   * Return the present report, in the pixels of a photo. Throws ApiError.
   *
   * @param {number} number
   * @returns {Promise<R>}
   */
  reportOn(number) {
    return /** @type {Promise<R>} */ (this.session.reportIn(number));
  }

  /** Let people choose between the photo, the drawing, and both. */
  openSights() {
    part("sights").hidden = false;
    for (const button of part("sights").querySelectorAll("button"))
      button.onclick = () => this.guard(() => this.#look(/** @type {string} */ (button.dataset.sight)));
  }

  /**
   * Show the photo, the drawing, or both.
   *
   * @param {string} sight
   */
  async #look(sight) {
    if (sight !== "photo") await this.openDrawn();
    find(part("result"), ".stage").dataset.sight = sight;
    for (const button of part("sights").querySelectorAll("button"))
      button.setAttribute("aria-pressed", String(button.dataset.sight === sight));
  }

  /**
   * Open the drawing, unless it is open. Throws ApiError.
   *
   * @returns {Promise<void>}
   */
  async openDrawn() {
    throw new Error(`nothing is drawn of ${this.report.game}`);
  }

  /**
   * Show a card at the head of the panel, and move the focus to it.
   *
   * @param {HTMLElement} element
   */
  card(element) {
    part("card").replaceChildren(element);
    part("panel").scrollTo({ top: 0 });
    find(element, "#card-title").focus({ preventScroll: true });
  }

  /**
   * Draw the highlight on this photo and on each photo shown later; null: no highlight.
   *
   * @param {(() => unknown) | null} draw
   */
  forward(draw) {
    this.#forward = draw;
    draw?.();
  }

  /** Draw the highlight once more, in a picture that has come later. */
  forwardAgain() {
    this.#forward?.();
  }

  /** Remove the highlight. */
  leave() {
    part("card").replaceChildren();
    this.forward(() => this.unchosen());
    this.#zoom((viewer) => viewer.fit());
    const frames = [part("viewer"), part("drawn")];
    frames.find((frame) => frame?.checkVisibility())?.focus({ preventScroll: true });
    this.onLeave?.();
  }

  /**
   * Show words over the picture; `cancel` adds a button.
   *
   * @param {string} words
   * @param {(() => unknown) | null} [cancel]
   */
  hint(words, cancel = null) {
    this.hintOf(
      ...(words
        ? [el("p", {}, words), cancel ? el("button", { type: "button", onclick: cancel }, say("cancel")) : ""]
        : []),
    );
  }

  /**
   * Show any elements over the picture in place of words.
   *
   * @param {...(string | Node)} own
   */
  hintOf(...own) {
    part("hint").replaceChildren(...own);
  }

  /**
   * Announce a message, to screen readers too.
   *
   * @param {string} words
   * @param {boolean} [isError]
   */
  tell(words, isError = false) {
    announce(words, isError);
  }

  /**
   * Run an action that may be refused, and show the reason.
   *
   * @template T
   * @param {() => T | Promise<T>} action
   */
  async guard(action) {
    try {
      return await action();
    } catch (error) {
      this.tell(error.message, true);
      return null;
    }
  }

  /** Return the points in one sentence. */
  summary() {
    return list(
      Object.entries(pointsOf(this.report)).map(
        ([player, points]) => `${who(this.report, player)} ${number(points ?? 0)}`,
      ),
    );
  }

  /** Describe the certainty of the reading, in sentences. */
  certainty() {
    const { report } = this;
    if (!report.photo || isBare(report)) return [];
    const unsure =
      report.doubtful || cutOff(report).length || contradictions(report).length || overSupply(report).length;
    const words = unsure ? this.#doubtWords() : [say("nothing-doubtful")];
    const told = el("p", { class: unsure ? "certainty doubtful" : "certainty" }, words.join(" "));
    return [...(words.length ? [told] : []), ...this.#track()];
  }

  /** Describe the doubts, without those that a question beside the points states already. */
  #doubtWords() {
    const { report, questions } = this;
    const share = shareOf(report);
    const cut = this.asksAboutBorder ? [] : cutOff(report).map((problem) => problemOf(report, problem));
    const why = share === null ? this.#whyUnsure() : say("sure", { share: likelihood(share) });
    return [questions.length ? "" : say("doubtful"), why, ...cut].filter(Boolean);
  }

  /**
   * The questions that this person can answer.
   *
   * @returns {AnyQuestion[]}
   */
  get questions() {
    const { session, asks = () => true } = this;
    return session?.mayCorrect ? (session.reading.questions ?? []).filter(asks) : [];
  }

  /** Whether a question states that the picture cuts the board. */
  get asksAboutBorder() {
    return this.questions.some(({ about }) => about === "border");
  }

  /** Name the reason why a reading has no probability: missing table facts, a tile, or a spot. */
  #whyUnsure() {
    const { scores } = this.report;
    if (scores.confidence !== null || cutOff(this.report).length) return "";
    if (hasSpots(this.report)) return say("unsure-spots");
    const assumed = "assumed" in scores ? scores.assumed : [];
    return say(assumed?.some(({ final_scoring }) => final_scoring) ? "unsure-unsaid" : "unsure");
  }

  /** Explain why the winner is not known yet. */
  #track() {
    const { report } = this;
    if (hasSpots(report) || !isTrackOpen(report)) return [];
    return [el("p", { class: "certainty open-track" }, say(isWhole(report) ? "track-unsure" : "track-missing"))];
  }

  /**
   * Fold warnings and problems into one line with their number: points and questions stand before them.
   *
   * @param {HTMLElement[]} warnings
   * @param {HTMLElement[]} problems
   */
  fold(warnings, problems) {
    part("warnings").replaceChildren(...warnings);
    part("problems").replaceChildren(...problems);
    const n = part("problems-card").querySelectorAll(".warning, .problems > li").length;
    part("problems-card").hidden = !n;
    part("problems-title").textContent = say("warnings", { n });
  }

  /** List the photos that add nothing to the reading, each with the reason. */
  aside() {
    const { set_aside: photos = [] } = this.report;
    if (!photos.length) return [];
    return [
      el("h2", {}, say("photos-aside")),
      el(
        "ul",
        { class: "problems aside" },
        photos.map(({ file, reason }) =>
          el("li", {}, el("b", {}, file), el("span", {}, sayOr(`error-${reason}`, reason))),
        ),
      ),
    ];
  }

  #escape() {
    if (!document.querySelector("dialog[open]") && part("card").firstChild) this.leave();
  }
}
