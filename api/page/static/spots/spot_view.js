// @ts-nocheck
/** A table of spots on the page: the photo with drawings over it, and the panel, linked with each other. */

import { part } from "../lib/dom.js";
import { box } from "../lib/geometry.js";
import { say } from "../lib/words.js";
import { Picture } from "../report/picture.js";
import { entries, totals } from "../report/scores.js";
import { areaCard, areaList, problemList, spotLists, winners } from "./spot_cards.js";
import { isPiece } from "./spot_names.js";
import { SpotOverlay } from "./spot_overlay.js";
import { openTyped, typedCard } from "./spot_typed.js";

/** @extends {Picture<Api.SpotReport>} */
export class SpotView extends Picture {
  /** @type {SpotOverlay | undefined} */
  overlay;
  #correcting = false;

  /**
   * `photo` is a loaded image or null; `session` takes the corrections, null if none can be made.
   *
   * @param {Api.SpotReport} report
   * @param {HTMLImageElement | null} photo
   * @param {Session | null} session
   */
  constructor(report, photo, session) {
    super(session);
    for (const name of ["lines"]) part(name).closest("details").hidden = true;
    part("squares").closest("details").querySelector("h2").textContent = say("all-spots");
    part("squares").setAttribute("aria-label", say("all-spots"));
    part("features").closest("details").querySelector("h2").textContent = say("all-that-scores");
    part("result").classList.toggle("no-picture", !photo);
    if (photo) this.open(report, photo);
    else this.draw(report);
  }

  /** Whether to offer enrolling pictures of tiles; this game has enrolled boards instead. */
  get teaches() {
    return false;
  }

  /**
   * Facts that no photo shows are typed together, not asked for one by one.
   *
   * @param {AnyQuestion} anyQuestion
   */
  asks = ({ spot }) => !typedOf(this.report, spot);

  /**
   * @param {Api.SpotReport} report
   * @param {SVGSVGElement} root
   */
  grounded(report, root) {
    const { width, height } = this.session.size(this.number);
    this.overlay = new SpotOverlay(root, this.number, Math.max(width, height));
    const shown = this.overlay.seen(report.board.spots).flatMap((spot) => spot.outline_px);
    return { width, height, home: shown.length ? box(shown) : { x: 0, y: 0, width, height } };
  }

  /** Return the report as it is: each outline names the photo whose pixels it is in. */
  async reportOn() {
    return this.session.report;
  }

  /**
   * Show a report, the first or a changed one.
   *
   * @param {Api.SpotReport} report
   */
  draw(report) {
    this.report = report;
    /** @param {Api.SpotState} spot */
    const onSpot = (spot) => this.chooseSpot(spot);
    this.overlay?.draw(report);
    part("totals").replaceChildren(totals(report), ...winners(report), ...this.certainty());
    part("entries").replaceChildren(...entries(report, (area) => this.choose(area)));
    part("features").replaceChildren(...areaList(report, (area) => this.choose(area)));
    this.fold([], [...problemList(report, onSpot), ...this.aside()]);
    part("squares").replaceChildren(...spotLists(report, onSpot));
    const typed = this.session?.mayCorrect ? typedCard(report, () => openTyped(this)) : [];
    part("typed").hidden = !typed.length;
    part("typed").replaceChildren(...typed);
    if (this.session?.mayCorrect && report.board.spots.some((spot) => spot.set_by_person && isPiece(spot)))
      this.#offerPieces();
  }

  /** Offer to enrol the pieces that were named here. */
  async #offerPieces() {
    (await import("./spot_pieces.js")).offerPieces(this, part("pieces"));
  }

  /**
   * Highlight a scoring item, on the photo that shows it and in the panel.
   *
   * @param {Pick<Api.SpotFeature, "id">} given
   */
  async choose({ id }) {
    const area = () => this.report.features.find((own) => own.id === id);
    if (!area()) return;
    if (area().outline_px?.length) await this.#forwarded(area().photo, () => area()?.outline_px ?? []);
    this.card(
      areaCard(this.report, area(), {
        /** @param {Api.SpotState} spot */
        onSpot: (spot) => this.chooseSpot(spot),
        onClose: () => this.leave(),
      }),
    );
  }

  /**
   * Show a tapped spot, and open its correction for those who may correct.
   *
   * @param {Pick<Api.SpotState, "id">} given
   */
  async chooseSpot({ id }) {
    const spot = this.report.board.spots.find((own) => own.id === id);
    if (spot.outline_px) await this.#forwarded(spot.photo, () => [spot.outline_px]);
    if (this.session?.mayCorrect) await this.#openSpots([spot]);
  }

  /**
   * Set whether a tap on the picture corrects a spot.
   *
   * @param {boolean} on
   */
  correcting(on) {
    this.#correcting = on;
    part("viewer").classList.toggle("correcting", on);
    this.hint(on ? say("tap-to-correct-spot") : "");
  }

  /** @param {Point} point */
  tapped(point) {
    if (this.#correcting) {
      const spots = this.overlay.spotsAt(point);
      return spots.length && this.#openSpots(spots);
    }
    const feature = this.overlay.featureAt(point);
    return feature ? this.choose(feature) : this.leave();
  }

  unchosen() {
    this.overlay?.choose([]);
  }

  /**
   * Highlight the subject of a question.
   *
   * @param {Api.SpotQuestion} spotQuestion
   */
  async point({ spots, photo, quad_px }) {
    if (!quad_px.length) return;
    const shown = () =>
      this.report.board.spots.filter((spot) => spots.includes(spot.id) && spot.outline_px && spot.photo === photo);
    await this.#forwarded(photo, () => (shown().length ? shown().map(({ outline_px }) => outline_px) : [quad_px]));
  }

  /** Open the sheet of the players. */
  async openTable() {
    return (await import("./spot_players.js")).openPlayers(this);
  }

  /** @param {Api.SpotState[]} spots */
  async #openSpots(spots) {
    return (await import("./spot_sheet.js")).openSpots(this, spots);
  }

  /**
   * @param {number} photo
   * @param {() => Ring[]} rings
   */
  async #forwarded(photo, rings) {
    if (!this.overlay) return;
    await this.guard(() => this.showPhoto(photo));
    this.forward(() => this.overlay.choose(this.number === photo ? rings() : []));
    this.viewer.show(box(rings().flat()), 4, 1.5);
  }
}

/**
 * @param {Api.SpotReport} report
 * @param {string} id
 */
const typedOf = (report, id) => report.board.spots.find((spot) => spot.id === id)?.typed;
