// @ts-nocheck
/** A table of spots on the page: the photo with drawings over it, and the panel, linked with each other. */

import { part } from "../lib/dom.js";
import { box } from "../lib/geometry.js";
import { say } from "../lib/words.js";
import { Picture } from "../report/picture.js";
import { entries, totals } from "../report/scores.js";
import { DrawnTable } from "./drawn_table.js";
import { areaCard, areaList, problemList, spotLists, winners } from "./spot_cards.js";
import { isPiece } from "./spot_names.js";
import { SpotOverlay } from "./spot_overlay.js";
import { openTyped, typedCard } from "./spot_typed.js";

/** @extends {Picture<Api.SpotReport>} */
export class SpotView extends Picture {
  /** @type {SpotOverlay | undefined} */
  overlay;
  #correcting = false;
  /** @type {DrawnTable | null} */
  #drawn = null;
  /** @type {Api.SpotReport | null} */
  #drawnReport = null;

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
    if (photo && session && report.board.printed?.length) this.openSights();
  }

  /**
   * The pictures in which everything is marked: the photo, and the drawn table once it has been asked for.
   *
   * @returns {(SpotView | DrawnTable)[]}
   */
  get pictures() {
    return this.#drawn ? [this, this.#drawn] : [this];
  }

  async openDrawn() {
    if (this.#drawn) return;
    this.#drawnReport = await this.session.drawnReport();
    this.#drawn = new DrawnTable(part("drawn"), this.session.path, (point) => this.tapped(point, this.#drawn));
    this.#drawn.draw(this.#drawnReport);
    this.forwardAgain();
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

  /**
   * Return the report as it is, each outline names the photo whose pixels it is in, once that of the drawn table is
   * there too. Throws ApiError.
   */
  async reportOn() {
    if (this.#drawn) this.#drawnReport = await this.session.drawnReport();
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
    this.#drawn?.draw(this.#drawnReport);
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
    /** @param {Api.SpotReport} report */
    const areaOf = (report) => report.features.find((own) => own.id === id);
    const area = areaOf(this.report);
    if (!area) return;
    if (area.outline_px?.length) await this.#forwarded(area.photo, (report) => areaOf(report)?.outline_px ?? []);
    this.card(
      areaCard(this.report, area, {
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
    if (spot.outline_px) await this.#forwarded(spot.photo, (report) => ringsOf(report, [id]));
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

  /**
   * @param {Point} point
   * @param {SpotView | DrawnTable} [picture]
   */
  tapped(point, { overlay } = this) {
    if (this.#correcting) {
      const ids = overlay.spotsAt(point).map(({ id }) => id);
      const spots = ids.map((id) => this.report.board.spots.find((own) => own.id === id));
      return spots.length && this.#openSpots(spots);
    }
    const feature = overlay.featureAt(point);
    return feature ? this.choose(feature) : this.leave();
  }

  unchosen() {
    for (const { overlay } of this.pictures) overlay?.choose([]);
  }

  /**
   * Highlight the subject of a question.
   *
   * @param {Api.SpotQuestion} spotQuestion
   */
  async point({ spots, photo, quad_px }) {
    if (!quad_px.length) return;
    await this.#forwarded(photo, (report) => {
      const rings = ringsOf(report, spots);
      return rings.length || report !== this.report ? rings : [quad_px];
    });
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
   * Highlight the rings of a report in a photo and in the drawn table, and bring them into view.
   *
   * @param {number} photo
   * @param {(report: Api.SpotReport) => Ring[]} rings
   */
  async #forwarded(photo, rings) {
    if (!this.overlay) return;
    await this.guard(() => this.showPhoto(photo));
    this.forward(() => {
      this.overlay.choose(this.number === photo ? rings(this.report) : []);
      this.#drawn?.overlay.choose(rings(this.#drawn.report));
    });
    for (const { viewer, report } of this.pictures) {
      const shown = rings(report);
      if (shown.length) viewer.show(box(shown.flat()), 4, 1.5);
    }
  }
}

/**
 * Return the outlines of spots, those of the first one's photo.
 *
 * @param {Api.SpotReport} report
 * @param {string[]} ids
 */
function ringsOf(report, ids) {
  const spots = report.board.spots.filter(({ id, outline_px: ring }) => ids.includes(id) && ring);
  return spots.filter(({ photo }) => photo === spots[0].photo).map(({ outline_px: ring }) => ring);
}

/**
 * @param {Api.SpotReport} report
 * @param {string} id
 */
const typedOf = (report, id) => report.board.spots.find((spot) => spot.id === id)?.typed;
