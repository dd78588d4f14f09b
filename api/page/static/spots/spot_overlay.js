// @ts-nocheck
/** A table of spots drawn over a photo of it: scoring items, contents, doubts, and the highlight. */

import { paint } from "../lib/colours.js";
import { svg } from "../lib/dom.js";
import { box, inside, path } from "../lib/geometry.js";
import { owners } from "../report/scores.js";
import { isFilled, isPiece, playerOf, shortName } from "./spot_names.js";

const LINE = 0.0035;
const DASH = "3 2";

export class SpotOverlay {
  /** @type {Api.SpotReport} */
  report;
  /** @type {{ [name: string]: SVGElement }} */
  #layers = {};

  /**
   * Draws into an SVG element over a photo of that number, `wide` pixels from side to side.
   *
   * @param {SVGElement} root
   * @param {number} number
   * @param {number} wide
   */
  constructor(root, number, wide) {
    this.root = root;
    this.number = number;
    this.line = LINE * wide;
    for (const name of ["features", "spots", "names", "doubts", "set", "chosen"])
      this.#layers[name] = svg("g", { class: `layer-${name}` });
    root.append(...Object.values(this.#layers));
  }

  /**
   * Redraw everything of a report.
   *
   * @param {Api.SpotReport} report
   */
  draw(report) {
    this.report = report;
    const seen = this.seen(report.board.spots);
    this.#put(
      "features",
      report.features.filter((own) => this.#shows(own)).map((own) => this.#feature(own)),
    );
    const drawn = new Set(
      report.features.filter((own) => own.tiles.length && this.#shows(own)).flatMap(({ spots }) => spots),
    );
    this.#put(
      "spots",
      once(seen.filter((spot) => isFilled(spot) && !drawn.has(spot.id))).map((ring) => this.#ring(ring, "spot", 0.8)),
    );
    this.#put(
      "names",
      this.#pieces(seen).map((squares) => this.#name(squares)),
    );
    const doubtful = seen.filter((spot) => spot.doubtful);
    this.#put("doubts", [
      ...once(doubtful).flatMap((ring) => this.#doubt(ring)),
      ...once(this.#firsts(doubtful)).map((ring) => this.#mark(ring, "query")),
    ]);
    this.#put(
      "set",
      once(this.#firsts(seen.filter((spot) => spot.set_by_person))).map((ring) => this.#mark(ring, "tick")),
    );
    this.choose([]);
  }

  /**
   * Highlight rings.
   *
   * @param {Ring[]} rings
   */
  choose(rings) {
    this.root.classList.toggle("choosing", rings.length > 0);
    const d = path(rings);
    this.#put(
      "chosen",
      rings.length
        ? [
            svg("path", { class: "chosen-under", d, "stroke-width": 3.4 * this.line }),
            svg("path", { class: "chosen-line", d, "stroke-width": 1.5 * this.line }),
          ]
        : [],
    );
  }

  /**
   * Return those of some spots that this photo shows.
   *
   * @param {Api.SpotState[]} spots
   */
  seen(spots) {
    return spots.filter((spot) => spot.outline_px && spot.photo === this.number);
  }

  /**
   * Return the spots at a point of the photo, the smallest first, and occupied before empty ones.
   *
   * @param {Point} point
   */
  spotsAt(point) {
    const here = this.seen(this.report.board.spots).filter((spot) => inside([spot.outline_px], point));
    return here.sort((a, b) => size(a.outline_px) - size(b.outline_px) || isFilled(b) - isFilled(a));
  }

  /**
   * Return the smallest scoring item at a point; null if there is none.
   *
   * @param {Point} point
   */
  featureAt(point) {
    const here = this.report.features.filter((own) => this.#shows(own) && inside(own.outline_px, point));
    return here.sort((a, b) => size(a.outline_px.flat()) - size(b.outline_px.flat()))[0] ?? null;
  }

  /** @param {Api.SpotFeature} feature */
  #shows(feature) {
    return feature.photo === this.number && Boolean(feature.outline_px?.length);
  }

  /**
   * Return the pieces among some spots, each as its spots.
   *
   * @param {Api.SpotState[]} spots
   */
  #pieces(spots) {
    const pieces = new Map();
    for (const spot of spots.filter(isPiece)) {
      const key = `${spot.kind} ${playerOf(spot)} ${spot.value}`;
      pieces.set(key, [...(pieces.get(key) ?? []), spot]);
    }
    return [...pieces.values()];
  }

  /**
   * Return some spots, of each piece only the first.
   *
   * @param {Api.SpotState[]} spots
   */
  #firsts(spots) {
    return [...spots.filter((spot) => !isPiece(spot)), ...this.#pieces(spots).map(([first]) => first)];
  }

  /**
   * Draw the reading of a piece on its square nearest to its centre.
   *
   * @param {Api.SpotState[]} squares
   */
  #name(squares) {
    const middles = squares.map(({ outline_px }) => middle(outline_px));
    const [x, y] = middle(middles);
    const [at] = middles.toSorted((a, b) => Math.hypot(a[0] - x, a[1] - y) - Math.hypot(b[0] - x, b[1] - y));
    const { width, height } = box(squares[0].outline_px);
    return svg(
      "text",
      {
        class: "piece-name",
        transform: `translate(${at[0]} ${at[1]}) scale(${0.3 * Math.min(width, height)})`,
        y: 0.35,
        "font-size": 1,
      },
      shortName(squares[0]),
    );
  }

  /**
   * @param {string} layer
   * @param {Element[]} children
   */
  #put(layer, children) {
    this.#layers[layer].replaceChildren(...children);
  }

  /** @param {Api.SpotFeature} feature */
  #feature(feature) {
    const [first] = owners(this.report, feature);
    const colour = first ? paint(first) : "none";
    return svg("path", {
      class: "feature area",
      d: path(feature.outline_px),
      fill: colour,
      stroke: first ? colour : "#fff",
      "stroke-width": this.line,
      "data-feature": feature.id,
    });
  }

  /**
   * @param {Ring} ring
   * @param {string} name
   * @param {number} wide
   */
  #ring(ring, name, wide) {
    return svg("polygon", {
      class: name,
      points: ring.map((point) => point.join(",")).join(" "),
      "stroke-width": wide * this.line,
    });
  }

  /** @param {Ring} ring */
  #doubt(ring) {
    const dashed = this.#ring(ring, "doubt", 1.6);
    dashed.setAttribute(
      "stroke-dasharray",
      DASH.split(" ")
        .map((part) => part * 2 * this.line)
        .join(" "),
    );
    return [this.#ring(ring, "doubt-under", 2.6), dashed];
  }

  /**
   * Draw a sign at the upper right of a ring, or at its upper left if a person set it.
   *
   * @param {Ring} ring
   * @param {"query" | "tick"} name
   */
  #mark(ring, name) {
    const { x, y, width } = box(ring);
    const at = name === "query" ? x + width : x;
    const sign =
      name === "query" ? svg("text", { "font-size": 1.4, y: 0.5 }, "?") : svg("path", { d: "M-.5 0l.35.4.65-.75" });
    return svg(
      "g",
      { class: name, transform: `translate(${at} ${y}) scale(${3.2 * this.line})` },
      svg("circle", { r: 1 }),
      sign,
    );
  }
}

/**
 * Return the outlines of spots, each once: several spots may share one.
 *
 * @param {Api.SpotState[]} spots
 */
function once(spots) {
  return [...new Map(spots.map(({ outline_px }) => [JSON.stringify(outline_px), outline_px])).values()];
}

/** @param {Point[]} points */
function middle(points) {
  return [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length);
}

/** @param {Point[]} points */
function size(points) {
  const { width, height } = box(points);
  return width * height;
}
