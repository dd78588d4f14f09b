/** A report on the page, of whatever game: its photo with what is drawn over it, and the panel that tells it. */

import { who } from "./colours.js";
import { el, svg } from "./dom.js";
import { contradictions, cutOff, isBare, isTrackOpen, isWhole, overSupply, pointsOf, shareOf } from "./outcome.js";
import { Viewer } from "./viewer.js";
import { likelihood, list, number, say, sayOr } from "./words.js";

export const part = (name) => document.getElementById(name);

/** How much larger than its own pixels a photo may be shown. */
const SOFT = 1.25;

/** How many pixels the screen has across. */
export const screenWidth = () => window.innerWidth * window.devicePixelRatio;

/** What a game's view adds: `grounded(report, root, photo)`, `draw(report)`, `tapped(point)`, `unchosen()`. */
export class Picture {
  #forward = null;

  /** `session` is what corrections go to, null where none can be made. */
  constructor(session) {
    this.session = session;
    document.addEventListener("keydown", ({ key }) => key === "Escape" && this.#escape());
  }

  /** Shows a report on its first photo; `photo` is a loaded image, perhaps a small one, or null. */
  open(report, photo) {
    const { width, height, home } = this.#mount(report, photo, 0);
    this.viewer = new Viewer(part("viewer"), this.ground, width, height, home);
    this.viewer.addEventListener("tap", (event) => this.tapped(event.detail));
    this.viewer.addEventListener("zoom", ({ detail }) => this.#sharpen(detail));
    for (const [name, factor] of [["zoom-in", 1.5], ["zoom-out", 1 / 1.5]]) part(name).onclick = () => this.viewer.zoom(factor);
    part("zoom-fit").onclick = () => this.viewer.fit();
    this.draw(report);
  }

  /** The ground for a photo of the reading, by its number, and what is drawn over it. */
  #mount(report, photo, number) {
    Object.assign(this, { photo, report, number });
    const root = svg("svg", { "aria-hidden": "true", focusable: "false" });
    const { width, height, home } = this.grounded(report, root, photo);
    for (const [name, value] of Object.entries({ viewBox: `0 0 ${width} ${height}`, width, height })) root.setAttribute(name, value);
    this.ground = el("div", { class: "world" });
    this.ground.append(photo ?? el("div", { class: "drawn-board" }), root);
    this.ground.style.width = `${width}px`;
    this.ground.style.height = `${height}px`;
    return { width, height, home };
  }

  /** Shows the reading on another of its photos. Throws ApiError. */
  async showPhoto(number) {
    if (number === this.number) return;
    const [photo, report] = await Promise.all([this.session.preview(number, screenWidth()), this.reportOn(number)]);
    const { width, height, home } = this.#mount(report, photo, number);
    this.viewer.put(this.ground, width, height, home);
    this.draw(report);
    this.#forward?.();
    this.onPhoto?.();
  }

  /** The photo that is shown, with all its pixels; null where there is none. Throws what loading it does. */
  async wholePhoto() {
    return this.photo && this.session ? this.session.photo(this.number) : this.photo;
  }

  /** Puts the whole photo in place of the small one once a person has come closer than that shows. */
  async #sharpen(scale) {
    const { photo, ground, number } = this;
    if (!photo || !this.session || scale * window.devicePixelRatio * this.session.size(number).width < SOFT * photo.naturalWidth) return;
    const whole = await this.session.photo(number).catch(() => photo);
    if (this.ground !== ground || whole === photo) return;
    photo.replaceWith(whole);
    this.photo = whole;
  }

  /** The report as it is now, in the pixels of a photo. Throws ApiError. */
  reportOn(number) {
    return this.session.reportIn(number);
  }

  /** Shows a card at the head of the panel, and moves the focus to it. */
  card(element) {
    part("card").replaceChildren(element);
    part("panel").scrollTo({ top: 0 });
    element.querySelector("#card-title").focus({ preventScroll: true });
  }

  /** Draws what is put forward, on this photo and on each that is turned to; null: nothing is any more. */
  forward(draw) {
    this.#forward = draw;
    draw?.();
  }

  /** Nothing is put forward any more. */
  leave() {
    part("card").replaceChildren();
    this.forward(() => this.unchosen());
    this.viewer?.fit();
    part("viewer").focus({ preventScroll: true });
    this.onLeave?.();
  }

  /** Words over the picture; `cancel` adds a button. */
  hint(words, cancel = null) {
    this.hintOf(...(words ? [el("p", {}, words), cancel ? el("button", { type: "button", onclick: cancel }, say("cancel")) : ""] : []));
  }

  /** Anything over the picture in place of words. */
  hintOf(...own) {
    part("hint").replaceChildren(...own);
  }

  /** Says something to everybody, those who listen as well. */
  tell(words, isError = false) {
    part("told").textContent = words;
    part("told").classList.toggle("error", isError);
    for (const fading of part("told").getAnimations()) fading.currentTime = 0;
  }

  /** Does what may be refused, and tells why it was. */
  async guard(action) {
    try {
      return await action();
    } catch (error) {
      this.tell(error.message, true);
      return null;
    }
  }

  /** The points in one sentence. */
  summary() {
    return list(Object.entries(pointsOf(this.report)).map(([player, points]) => `${who(this.report, player)} ${number(points)}`));
  }

  /** How sure the reading is, in sentences. */
  certainty() {
    const { report } = this;
    if (!report.photo || isBare(report)) return [];
    const unsure = report.doubtful || cutOff(report).length || contradictions(report).length || overSupply(report).length;
    const share = shareOf(report);
    const why = share === null ? this.#whyUnsure() : say("sure", { share: likelihood(share) });
    const told = el("p", { class: unsure ? "certainty doubtful" : "certainty" }, unsure ? [say("doubtful"), why].filter(Boolean).join(" ") : say("nothing-doubtful"));
    return [told, ...this.#track()];
  }

  /** What keeps a reading from saying how sure it is: what nobody said of the table, a tile, or a spot. */
  #whyUnsure() {
    const { board, scores } = this.report;
    if (scores.confidence !== null || cutOff(this.report).length) return "";
    if (board.spots) return say("unsure-spots");
    return say(scores.assumed?.some(({ final_scoring }) => final_scoring) ? "unsure-unsaid" : "unsure");
  }

  /** Why nobody can say yet who won. */
  #track() {
    const { report } = this;
    if (report.board.spots || !isTrackOpen(report)) return [];
    return [el("p", { class: "certainty open-track" }, say(isWhole(report) ? "track-unsure" : "track-missing"))];
  }

  /** Photos of which the reading takes nothing, each with the reason. */
  aside() {
    const { set_aside: photos } = this.report;
    if (!photos.length) return [];
    return [el("h2", {}, say("photos-aside")), el("ul", { class: "problems aside" }, photos.map(({ file, reason }) => el("li", {}, el("b", {}, file), el("span", {}, sayOr(`error-${reason}`, reason)))))];
  }

  #escape() {
    if (!document.querySelector("dialog[open]") && part("card").firstChild) this.leave();
  }
}
