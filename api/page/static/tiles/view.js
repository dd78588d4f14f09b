// @ts-check
/** A report on the page: the picture with its overlay, and the panel, linked with each other. */

import { catalogueOf, describe } from "../lib/catalogue.js";
import { el, find, part } from "../lib/dom.js";
import { box } from "../lib/geometry.js";
import { redraw } from "../lib/redraw.js";
import { say } from "../lib/words.js";
import { Picture } from "../report/picture.js";
import { squareName } from "../report/places.js";
import { assumedOf, problemOf } from "../report/said.js";
import { entries, labelOf, title, totals, verdict } from "../report/scores.js";
import { teachButton } from "../wonders/wonder_enrol_link.js";
import { tileAnswer } from "./all_here.js";
import { DrawnBoard, drawnTiles } from "./drawn_board.js";
import { featureCard, featureList, lineList, runCard, squaresOf } from "./feature.js";
import { linkButton, pictureLink } from "./feature_picture.js";
import { boxOf, Overlay } from "./overlay.js";
import { nameOf, Squares } from "./squares.js";
import { rowsOf, trackForm } from "./track_form.js";
import { bareWarning, isWarning, warnings } from "./warnings.js";

/** The minimum width of a touch target, in pixels of the window. */
const MIN_TAP = 44;

/** @extends {Picture<Api.Report>} */
export class View extends Picture {
  /** @type {Squares} */
  squares;
  /** @type {Overlay} */
  overlay;
  /** @type {OnPicked | null} */
  #picking = null;
  #correcting = false;
  /** @type {DrawnBoard | null} */
  #drawn = null;
  /** @type {Api.Report | null} */
  #drawnReport = null;

  /**
   * `photo` is a loaded image or null; `session` takes the corrections, null if none can be made.
   *
   * @param {Api.Report} report
   * @param {HTMLImageElement | null} photo
   * @param {Session | null} session
   */
  constructor(report, photo, session) {
    super(session);
    part("rulers").hidden = false;
    part("rulers").onclick = () => this.#toggleRulers(part("rulers"));
    this.open(report, photo);
    if (photo && session) this.openSights();
  }

  /**
   * The pictures in which everything is marked: the photo, and the drawn board once it has been asked for.
   *
   * @returns {(View | DrawnBoard)[]}
   */
  get pictures() {
    return this.#drawn ? [this, this.#drawn] : [this];
  }

  async openDrawn() {
    if (this.#drawn) return;
    this.#drawnReport = await this.session.drawnReport();
    this.#drawn = new DrawnBoard(part("drawn"), (point) => this.tapped(point, /** @type {DrawnBoard} */ (this.#drawn)));
    this.#drawDrawn();
    this.forwardAgain();
  }

  #drawDrawn() {
    if (this.#drawn && this.#drawnReport) this.#drawn.draw(this.#drawnReport, this.#askedSquares());
  }

  /**
   * Return the present report, in the pixels of a photo, once that of the drawn board is there too. Throws ApiError.
   *
   * @param {number} number
   */
  async reportOn(number) {
    if (this.#drawn) this.#drawnReport = await this.session.drawnReport();
    return super.reportOn(number);
  }

  /**
   * Highlight something in each picture, also in those that come later.
   *
   * @param {(picture: View | DrawnBoard) => unknown} draw
   */
  #draw(draw) {
    this.forward(() => {
      for (const picture of this.pictures) draw(picture);
    });
  }

  /**
   * Highlight something in each picture, and bring its box into view, at most `most` times larger than the whole.
   *
   * @param {(picture: View | DrawnBoard) => unknown} draw
   * @param {(squares: Squares) => Box | null} boxIn
   * @param {[number, number]} zoom
   */
  mark(draw, boxIn, [most, room]) {
    this.#draw(draw);
    for (const { viewer, squares } of this.pictures) {
      const box = boxIn(squares);
      if (box) viewer.show(box, most, room);
    }
  }

  /**
   * Show or hide the numbers of rows and columns along the board.
   *
   * @param {HTMLElement} button
   */
  #toggleRulers(button) {
    const shown = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(shown));
    for (const { overlay, viewer, squares } of this.pictures) {
      overlay.showRulers(shown);
      if (shown) viewer.show(squares.home(squares.rulers()));
    }
  }

  /** Whether tiles can be enrolled from this report. */
  get teaches() {
    return this.session.mayCorrect;
  }

  /**
   * @param {Api.Report} report
   * @param {SVGSVGElement} root
   */
  grounded(report, root) {
    this.squares = new Squares(report);
    this.overlay = new Overlay(root);
    return { ...this.squares.size, home: this.squares.home() };
  }

  /**
   * Show a photo that contains squares: the best one of a square, else any that shows most of them.
   *
   * @param {Square[]} squares
   * @param {boolean} [best]
   */
  async showOn(squares, best = false) {
    const tiles = squares.map((square) => this.squares.tile(square)).filter((tile) => tile?.seen);
    const photos = tiles.flatMap((tile) => (tile?.seen ?? []).slice(0, best ? 1 : undefined)).map(({ photo }) => photo);
    if (!best && photos.includes(this.number)) return;
    /** @param {number} photo */
    const times = (photo) => photos.filter((other) => other === photo).length;
    if (photos.length)
      await this.showPhoto(photos.reduce((most, photo) => (times(photo) > times(most) ? photo : most)));
  }

  /**
   * Show a report, the first or a changed one.
   *
   * @param {Api.Report} report
   */
  draw(report) {
    this.report = report;
    this.squares = new Squares(report, this.#askedSquares());
    if (!report.photo) find(this.ground, ".drawn-board").replaceChildren(...drawnTiles(this.squares));
    this.overlay.draw(this.squares);
    this.#drawDrawn();
    this.#showEmpty(this.#correcting || this.#picking !== null);
    part("scores-title").textContent = title(report);
    part("totals").replaceChildren(
      ...bareWarning(this),
      totals(report),
      ...verdict(report),
      ...this.#assumed(),
      ...this.certainty(),
    );
    redraw(part("track"), trackForm(this, rowsOf(part("track"))));
    part("entries").replaceChildren(...entries(report, (feature) => this.choose(feature)));
    part("features").replaceChildren(
      ...featureList(report, (feature) => this.choose(feature)).filter((list) => list !== null),
    );
    for (const { overlay } of this.pictures) overlay.showRulers(part("rulers").getAttribute("aria-pressed") === "true");
    part("lines").replaceChildren(...lineList(report, (line, run) => this.chooseRun(line, run)));
    this.#foldProblems();
    part("squares").replaceChildren(this.#map());
    catalogueOf(this.report).then(
      () => this.#describeTiles(),
      () => {}, // without the words each square is named by its place alone
    );
  }

  #foldProblems() {
    this.fold(warnings(this), [...this.#problems(), ...this.aside()]);
  }

  /** Return the first square of each question; those of the table, its border or the score track have none. */
  #askedSquares() {
    const questions = /** @type {Api.Question[]} */ (this.session?.reading?.questions ?? []);
    return questions.filter(({ about }) => !["table", "border", "track"].includes(about)).map(({ square }) => square);
  }

  /**
   * Highlight a feature, on the picture and in the panel.
   *
   * @param {Pick<Api.Feature, "id" | "tiles">} given
   */
  async choose({ id, tiles }) {
    await this.guard(() => this.showOn(tiles));
    this.mark(
      ({ overlay, report }) => overlay.choose(featureOf(report, id)),
      (squares) => boxOf(squares, featureOf(squares.report, id)),
      [4, 1.35],
    );
    const account = this.session ? await this.guard(() => this.session.feature(id)) : null;
    if (account) await this.#showAccount(account);
    this.card(
      featureCard(this.report, featureOf(this.report, id), account, {
        onFeature: (other) => this.choose(other),
        onCounted: (index) => account && this.#showAccount(account, index),
        picture: account
          ? [linkButton(this.session, labelOf(featureOf(this.report, id))), pictureLink(this.session, id)]
          : null,
        onSquare: (square) => this.chooseSquare(square),
        onClose: () => this.leave(),
        teaching: teachButton(this, featureOf(this.report, id).kind === "wonder" ? tiles[0] : null),
      }),
    );
  }

  /**
   * Draw a feature with its account; everything that a wonder pays for comes into view, or only one thing of it.
   *
   * @param {Api.FeatureAccount} account
   * @param {number | null} [index]
   */
  async #showAccount(account, index = null) {
    const { tiles, counted = [] } = account;
    const paid = index === null ? counted.filter(({ points }) => points) : [counted[index]];
    const shown = paid.flatMap((one) => one.tiles);
    /** @param {View | DrawnBoard} picture */
    const draw = ({ overlay, report }) => {
      overlay.choose(featureOf(report, account.id), tiles, account);
      overlay.stress(index);
    };
    if (!shown.length) return this.#draw(draw);
    await this.guard(() => this.showOn(shown));
    const all = index === null ? [...tiles, ...shown] : shown;
    this.mark(draw, (squares) => boxOf(squares, { tiles: all }), [4, 1.35]);
  }

  /**
   * @param {Api.Line} line
   * @param {Api.Run} run
   */
  async chooseRun(line, run) {
    const squares = squaresOf(line, run);
    await this.guard(() => this.showOn(squares));
    this.#show(squares, true);
    this.card(runCard(this.report, line, run, { onClose: () => this.leave() }));
  }

  /**
   * Pick, correct or show a tapped square.
   *
   * @param {Square} square
   * @param {Api.Feature | null} [feature]
   */
  async chooseSquare(square, feature = null) {
    if (this.#picking) return this.#picked(square, feature);
    await this.guard(() => this.showOn([square], this.#isDoubted(square)));
    if (!this.session?.mayCorrect) return this.#show([square], false);
    this.#show([square], false);
    const { openSquare } = await import("./square_sheet.js");
    return this.guard(() => openSquare(this, square));
  }

  /** @param {Api.Meeple} meeple */
  async #correctPiece({ id, tile }) {
    this.#show([tile], false);
    const { openMeeple } = await import("./meeple_sheet.js");
    const meeple = /** @type {Api.Meeple} */ (this.report.board.meeples.find((own) => own.id === id));
    return this.guard(() => openMeeple(this, meeple));
  }

  /**
   * Whether there is a doubt on a square, of its tile or of a piece on it.
   *
   * @param {Square} square
   */
  #isDoubted(square) {
    const on = this.report.board.meeples.filter(({ tile }) => nameOf(tile) === nameOf(square));
    return [this.squares.tile(square), ...on].some((own) => own?.doubtful);
  }

  /**
   * Set whether a tap on the picture corrects the square.
   *
   * @param {boolean} on
   */
  correcting(on) {
    this.#correcting = on;
    for (const name of ["viewer", "drawn"]) part(name)?.classList.toggle("correcting", on);
    this.#showEmpty(on);
    this.hint(on ? say("tap-to-correct") : "");
  }

  /**
   * Pass the next tapped square to `onPicked(square, feature)`.
   *
   * @param {string} hint
   * @param {OnPicked} onPicked
   */
  pick(hint, onPicked) {
    this.#picking = onPicked;
    this.#showEmpty(true);
    this.hint(hint, () => this.endPick());
  }

  /** Stop waiting for a tapped square. */
  endPick() {
    this.#picked(null, null);
  }

  /**
   * Act on a tap on the photo, or on the drawn board.
   *
   * @param {Point} point
   * @param {View | DrawnBoard} [picture]
   */
  tapped(point, { squares, viewer } = this) {
    const doubted = squares.doubtedAt(point, (MIN_TAP / 2) * viewer.perPixel);
    if (doubted && !this.#picking && !this.#correcting && this.onDoubt?.(doubted)) return null;
    const square = squares.at(point);
    const feature = squares.featureAt(point);
    const meeple = this.#picking ? null : squares.meepleAt(point);
    if (this.#correcting && meeple) return this.#correctPiece(meeple);
    if (this.#picking || this.#correcting) return square && this.chooseSquare(square, feature);
    const own = meeple && this.report.features.find((other) => other.id === meeple.feature);
    const chosen = own || feature;
    return chosen ? this.choose(chosen) : this.leave();
  }

  unchosen() {
    for (const { overlay } of this.pictures) overlay.choose(null);
  }

  /** @param {boolean} shown */
  #showEmpty(shown) {
    for (const { overlay } of this.pictures) overlay.showEmpty(shown);
  }

  /**
   * Highlight the subject of a question: all of a player's pieces, or the tiles at a side of the picture.
   *
   * @param {Api.Question} question
   */
  async point({ squares, photo, quad_px }) {
    await this.showPhoto(photo);
    this.mark(
      ({ overlay }) => overlay.chooseSquares(squares, false),
      (own) => {
        const corners = squares.length ? squares.flatMap((square) => own.quad(square)) : quad_px;
        return corners.length && (squares.length || own === this.squares) ? box(corners) : null;
      },
      [2.5, 1.35],
    );
  }

  /** Open the sheet of facts that a photo does not show. */
  async openTable() {
    return (await import("./table_sheet.js")).openTable(this);
  }

  /**
   * @param {Square | null} square
   * @param {Api.Feature | null} feature
   */
  #picked(square, feature) {
    const onPicked = this.#picking;
    this.#picking = null;
    this.hint(this.#correcting ? say("tap-to-correct") : "");
    this.#showEmpty(this.#correcting);
    if (square && onPicked) this.guard(() => onPicked(square, feature));
  }

  /**
   * @param {Square[]} squares
   * @param {boolean} numbered
   */
  #show(squares, numbered) {
    this.mark(
      ({ overlay }) => overlay.chooseSquares(squares, numbered),
      (own) => box(squares.flatMap((square) => own.quad(square))),
      [3, 1.35],
    );
  }

  /** List the assumptions that affect points; a press opens the sheet for them. */
  #assumed() {
    const assumed = this.report.scores.assumed ?? [];
    const mend = () =>
      el(
        "button",
        { type: "button", class: "square", onclick: () => this.guard(() => this.openTable()) },
        say("say-it"),
      );
    return assumed.length
      ? [
          el(
            "ul",
            { class: "assumed" },
            assumed.map((one) =>
              el("li", {}, assumedOf(this.report, one), this.session?.mayCorrect ? [" ", mend()] : null),
            ),
          ),
        ]
      : [];
  }

  #problems() {
    /** @param {Api.Problem} problem */
    const asked = (problem) => this.session?.mayCorrect && problem.code.startsWith("track_");
    const problems = this.report.board.problems.filter(
      (problem) => !isWarning(this.report, problem) && !asked(problem),
    );
    const items = problems.map((problem) =>
      el(
        "li",
        {},
        problemOf(this.report, problem),
        tileAnswer(this, problem),
        problem.tiles.map((square) =>
          el(
            "button",
            { type: "button", class: "square", onclick: () => this.chooseSquare(square) },
            squareName(this.report, square),
          ),
        ),
      ),
    );
    return problems.length ? [el("h2", {}, say("problems")), el("ul", { class: "problems" }, items)] : [];
  }

  /** Create the board as a small table of buttons: every square can be reached without the picture. */
  #map() {
    const squares = [
      ...this.report.board.tiles.map(({ row, col }) => [row, col]),
      ...(this.session?.mayCorrect ? this.squares.empty() : []),
    ];
    if (!squares.length) return "";
    const [rows, cols] = [0, 1].map((axis) => span(squares.map((square) => square[axis])));
    const known = new Set(squares.map(nameOf));
    return el(
      "table",
      { class: "map" },
      el(
        "tbody",
        {},
        rows.map((row) =>
          el(
            "tr",
            {},
            cols.map((col) => el("td", {}, known.has(nameOf([row, col])) ? this.#mapButton([row, col]) : null)),
          ),
        ),
      ),
    );
  }

  /** Name squares and problems by their tiles, once the words for these are there; no square's button is replaced. */
  #describeTiles() {
    if (this.report.board.problems.some(({ values }) => values?.tile)) this.#foldProblems();
    for (const button of part("squares").querySelectorAll("button")) {
      const square = /** @type {Square} */ (button.dataset.square?.split(",").map(Number));
      button.setAttribute("aria-label", this.#labelSquare(square));
    }
  }

  /** @param {Square} square */
  #labelSquare(square) {
    const tile = this.squares.tile(square);
    const states = tile
      ? [this.squares.isDoubted(square) ? say("in-doubt") : null, tile.set_by_person ? say("set-by-person") : null]
      : [say("empty")];
    const parts = [squareName(this.report, square), tile ? describe(tile) : null, ...states];
    return parts.filter(Boolean).join(", ");
  }

  /** @param {Square} square */
  #mapButton(square) {
    const tile = this.squares.tile(square);
    const isDoubted = tile && this.squares.isDoubted(square);
    const name = tile ? (tile.letter ?? tile.tile ?? "?") : "+";
    const classes = `map-square${isDoubted ? " doubtful" : ""}${tile?.set_by_person ? " by-person" : ""}${tile ? "" : " empty"}`;
    return el(
      "button",
      {
        type: "button",
        class: classes,
        "aria-label": this.#labelSquare(square),
        "data-square": nameOf(square),
        onclick: () => this.chooseSquare(square),
      },
      short(name),
    );
  }
}

/**
 * Shorten a catalogue name to fit a small square.
 *
 * @param {string} name
 */
const short = (name) => (name.length > 2 ? "▪" : name);

/** @param {number[]} values */
function span(values) {
  const least = Math.min(...values);
  return Array.from({ length: Math.max(...values) - least + 1 }, (_, step) => least + step);
}

/**
 * @param {Api.Report} report
 * @param {string} id
 */
const featureOf = ({ features }, id) => /** @type {Api.Feature} */ (features.find((own) => own.id === id));
