// @ts-check
/** The reading drawn over the picture: owners' colours, meeples, points, doubts, and the subject of a question. */

import { ink, paint } from "../lib/colours.js";
import { svg } from "../lib/dom.js";
import { box, grown, path, projection } from "../lib/geometry.js";
import { say, sayOr, signed } from "../lib/words.js";
import { labelOf, owners } from "../report/scores.js";
import { countedFirst } from "./feature.js";
import { nameOf, QUERY, TOPMOST } from "./squares.js";

const MEEPLE =
  "M0-1c.3 0 .46.2.46.44 0 .12-.03.2-.07.28C.8-.12 1.1 0 1.1.22c0 .16-.14.24-.34.24H.44C.5.66.78.92.78 1.1c0 .1-.08.14-.18.14H.2L0 .86l-.2.38h-.4c-.1 0-.18-.04-.18-.14 0-.18.28-.44.34-.64h-.32c-.2 0-.34-.08-.34-.24 0-.22.3-.34.71-.5a.6.6 0 0 1-.07-.28C-.46-.8-.3-1 0-1Z";

/** Height of the label with a player's strength above the piece's foot, in sides of a square: below it. */
const BELOW = -0.38;
const SHIELD = "M-.8-.95H.8V.05C.8 .62 .35 .9 0 1.1-.35 .9-.8 .62-.8 .05Z";

export class Overlay {
  /** @type {SVGSVGElement} */
  root;
  /** @type {Squares} */
  #squares;
  /** @type {{ [name: string]: SVGElement }} */
  #layers = {};
  #patterns = 0;

  /**
   * Draws into an SVG element, in the picture's units.
   *
   * @param {SVGSVGElement} root
   */
  constructor(root) {
    this.root = root;
    this.defs = svg("defs");
    for (const name of ["features", "doubts", "set", "empty", "meeples", "points", "track", "chosen", "rulers"]) {
      this.#layers[name] = svg("g", { class: `layer-${name}` });
    }
    root.append(this.defs, ...Object.values(this.#layers));
  }

  /**
   * Redraw everything of a report.
   *
   * @param {Squares} squares
   */
  draw(squares) {
    this.#squares = squares;
    this.defs.replaceChildren();
    this.#put("features", this.#features());
    this.#put("doubts", this.#doubts());
    this.#put("set", this.#setByPersons());
    this.#put(
      "meeples",
      squares.report.board.meeples.map((meeple) => this.#meeple(meeple)),
    );
    this.#put("points", this.#points());
    this.#put("track", this.#track());
    this.choose(null);
  }

  /**
   * Highlight one feature, its squares numbered in an order, with the items of its account; null: none.
   *
   * @param {Api.Feature | null} feature
   * @param {Square[]} [order]
   * @param {Api.FeatureAccount | null} [account]
   */
  choose(feature, order = feature?.tiles ?? [], account = null) {
    this.root.classList.toggle("choosing", feature !== null);
    if (!feature) return this.#put("chosen", []);
    const taken = this.#squares.report.board.meeples.map((meeple) => this.#squares.foot(meeple));
    const strengths = this.#strengths(feature, account, taken);
    const cities = account?.cities?.length ? this.#cities(countedFirst(account.cities), taken) : [];
    const marks = (account?.marks ?? []).map((mark) => this.#mark(feature, mark, taken));
    const isNumbered = feature.kind !== "field" && !account?.counted?.length;
    const numbers = isNumbered ? this.#numbers(feature, order, taken) : [];
    this.#put("chosen", [
      ...this.#outline(feature),
      ...this.#counted(account?.counted ?? [], taken),
      ...(account?.open_ends ?? []).map((end) => this.#openEnd(feature, end)),
      ...marks,
      ...numbers,
      ...cities,
      ...this.#zeros(feature),
      ...strengths,
    ]);
  }

  /**
   * Draw whatever a wonder pays for where it lies: pieces with their numbers, roads by name, lines from end to end.
   *
   * @param {Api.Counted[]} counted
   * @param {Point[]} taken
   */
  #counted(counted, taken) {
    return counted.map((one, index) =>
      svg(
        "g",
        { class: one.points ? "counted" : "counted none", "data-counted": index },
        this.#countedShape(one, index, taken),
      ),
    );
  }

  /**
   * @param {Api.Counted} counted
   * @param {number} index
   * @param {Point[]} taken
   */
  #countedShape(counted, index, taken) {
    if (counted.what === "road") return this.#countedRoad(counted, taken);
    return counted.what === "piece" ? this.#countedPiece(counted, index) : this.#countedLine(counted);
  }

  /**
   * @param {Api.Counted} counted
   * @param {number} index
   */
  #countedPiece({ meeple, tiles }, index) {
    const { board } = this.#squares.report;
    const [x, y] =
      typeof meeple === "number" ? this.#squares.foot(board.meeples[meeple]) : this.#squares.middle(tiles[0]);
    const side = this.#squares.side;
    return [
      svg("circle", { class: "counted-ring-under", cx: x, cy: y, r: 0.3 * side, "stroke-width": 0.09 * side }),
      svg("circle", { class: "counted-ring", cx: x, cy: y, r: 0.3 * side, "stroke-width": 0.05 * side }),
      this.#disc([x + 0.3 * side, y - 0.3 * side], index + 1, tiles[0]),
    ];
  }

  /**
   * @param {Api.Counted} counted
   * @param {Point[]} taken
   */
  #countedRoad({ feature, tiles }, taken) {
    const road = /** @type {Api.Feature} */ (this.#squares.report.features.find((other) => other.id === feature));
    const at = this.#squares.spot(road, tiles[0], taken);
    taken.push(at);
    return [...this.#outline(road), this.#note(at, labelOf(road), "city-name")];
  }

  /**
   * Draw a row or column over its squares, broken where they are; its number at both ends.
   *
   * @param {Api.Counted} counted
   */
  #countedLine({ what, tiles, points }) {
    const across = what === "row" ? 1 : 0;
    const number = String(this.#number(what, tiles[0]));
    const wide = 0.06 * this.#squares.side;
    const line = (/** @type {string} */ name, /** @type {number} */ width) =>
      svg("path", { class: name, d: this.#lineOver(tiles, across), "stroke-width": width });
    const ends = [tiles[0], tiles[tiles.length - 1]].map((square, end) => {
      const [x, y] = [0.5, 0.5].map((middle, axis) => (axis === 1 - across ? (end ? 0.88 : 0.12) : middle));
      return this.#note(projection(this.#squares.quad(square))(x, y), number, points ? "city-name" : "open-note");
    });
    return points
      ? [line("chosen-under", 2.2 * wide), line("counted-line", wide), ...ends]
      : [line("short-line", 0.7 * wide), ends[0]];
  }

  /**
   * @param {string} what
   * @param {Square} square
   */
  #number(what, [row, col]) {
    const { origin } = this.#squares;
    return what === "row" ? row - origin.row + 1 : col - origin.col + 1;
  }

  /**
   * Return a path from end to end of each run of squares along a row (axis 1) or column (axis 0).
   *
   * @param {Square[]} squares
   * @param {number} axis
   */
  #lineOver(squares, axis) {
    return squares
      .map((square, index) => {
        const at = projection(this.#squares.quad(square));
        const [from, to] = axis === 1 ? [at(0, 0.5), at(1, 0.5)] : [at(0.5, 0), at(0.5, 1)];
        const joins = index > 0 && square[axis] === squares[index - 1][axis] + 1;
        return `${joins ? "L" : "M"}${from.join(" ")}L${to.join(" ")}`;
      })
      .join("");
  }

  /**
   * Make one of the things that a wonder pays for stand out; null: none.
   *
   * @param {number | null} index
   */
  stress(index) {
    for (const shape of this.#layers.chosen.querySelectorAll(".counted"))
      shape.classList.toggle("stressed", shape.getAttribute("data-counted") === String(index));
  }

  /**
   * Draw each player's strength below one of their pieces; those with the majority are framed in gold.
   *
   * @param {Api.Feature} feature
   * @param {Api.FeatureAccount | null} account
   * @param {Point[]} taken
   */
  #strengths(feature, account, taken) {
    if (feature.kind === "wonder") return [];
    return (account?.holdings ?? [])
      .map(({ player, strength }) => {
        const feet = this.#squares.report.board.meeples
          .filter((meeple) => meeple.feature === feature.id && meeple.colour === player)
          .map((meeple) => this.#squares.foot(meeple));
        if (!feet.length) return null;
        const [x, y] = feet.reduce((best, foot) => (foot[1] > best[1] ? foot : best));
        taken.push([x, y - BELOW * this.#squares.side]);
        const tag = this.#tag([x, y], String(strength), player, BELOW);
        tag.setAttribute("class", account?.majority?.includes(player) ? "label strength majority" : "label strength");
        return tag;
      })
      .filter(Boolean);
  }

  /**
   * Draw a farm's cities: counted ones with their names, the others grey and marked as unfinished.
   *
   * @param {Api.TouchedCity[]} cities
   * @param {Point[]} taken
   */
  #cities(cities, taken) {
    return cities.flatMap(({ id, complete }) => {
      const city = /** @type {Api.Feature} */ (this.#squares.report.features.find((feature) => feature.id === id));
      const d = path(city.outline_px ?? []);
      const at = this.#squares.spot(city, city.tiles[0], taken);
      taken.push(at);
      const wide = 0.05 * this.#squares.side;
      return [
        svg("path", { class: "chosen-under", d, "stroke-width": 2 * wide }),
        svg("path", { class: complete ? "counted-city" : "open-city", d, "stroke-width": wide, "data-feature": id }),
        this.#note(at, complete ? labelOf(city) : say("open"), complete ? "city-name" : "open-note"),
      ];
    });
  }

  /**
   * Draw a coat of arms as a shield, any other mark by its name.
   *
   * @param {Api.Feature} feature
   * @param {Api.Mark} mark
   * @param {Point[]} taken
   */
  #mark(feature, { what, tile }, taken) {
    const [x, y] = this.#squares.spot(feature, tile, taken);
    taken.push([x, y]);
    if (what !== "coat of arms")
      return this.#note([x, y], sayOr(`mark-${what.replaceAll(" ", "-")}`, sayOr(`goods-${what}`, what)), "mark-note");
    return svg("path", {
      class: "coat",
      d: SHIELD,
      transform: `translate(${x} ${y}) scale(${0.15 * this.#squares.side})`,
    });
  }

  /**
   * Draw an open end of a road or city: a bar along the side of the square.
   *
   * @param {Api.Feature} feature
   * @param {Api.OpenEnd} openEnd
   */
  #openEnd({ kind }, { tile, side }) {
    const quad = this.#squares.quad(tile);
    /** @type {{ [side: string]: number[] }} */
    const corners = { N: [0, 1], E: [1, 2], S: [3, 2], W: [0, 3] };
    const [from, to] = corners[side].map((corner) => quad[corner]);
    const inset = kind === "road" ? 0.36 : 0.16;
    /** @param {number} share */
    const at = (share) => from.map((value, axis) => value + (to[axis] - value) * share).join(" ");
    const d = `M${at(inset)}L${at(1 - inset)}`;
    const wide = 0.07 * this.#squares.side;
    return svg(
      "g",
      { class: "open-end", "data-square": nameOf(tile), "data-side": side },
      svg("path", { class: "chosen-under", d, "stroke-width": 1.7 * wide }),
      svg("path", { class: "open-bar", d, "stroke-width": wide }),
    );
  }

  /**
   * Mark players who stand on a feature and score nothing with a 0 in their colour.
   *
   * @param {Api.Feature} feature
   */
  #zeros(feature) {
    return this.#nothing()
      .filter((one) => one.feature === feature.id)
      .map((one) => this.#zero(one))
      .filter(Boolean);
  }

  #nothing() {
    return this.#squares.report.scores.nothing ?? [];
  }

  /** @param {Api.Nothing} nothing */
  #zero({ player, feature }) {
    return this.#label(this.#squares.report, { player, feature: feature || null, text: "0" });
  }

  /**
   * @param {Point} point
   * @param {string} text
   * @param {string} name
   */
  #note([x, y], text, name) {
    const size = 0.15 * this.#squares.side;
    const wide = 0.6 * text.length + 0.9;
    return svg(
      "g",
      { class: name, transform: `translate(${x} ${y}) scale(${size})` },
      svg("rect", { x: -wide / 2, y: -0.75, width: wide, height: 1.5, rx: 0.75 }),
      svg("text", { y: 0.36, "font-size": 1.05 }, text),
    );
  }

  /**
   * Show or hide the numbers of rows and columns along the upper and left side of the board.
   *
   * @param {boolean} shown
   */
  showRulers(shown) {
    this.#put("rulers", shown ? this.#squares.rulers().map((mark) => this.#ruler(mark)) : []);
  }

  /**
   * Draw a number of a ruler, moved into the picture if the board reaches its border.
   *
   * @param {{ at: Point, number: number, axis: string }} given
   */
  #ruler({ at: [x, y], number, axis }) {
    const size = 0.17 * this.#squares.side;
    const { width, height } = this.root.viewBox.baseVal;
    const at = [
      Math.max(1.1 * size, Math.min(width - 1.1 * size, x)),
      Math.max(1.1 * size, Math.min(height - 1.1 * size, y)),
    ];
    return svg(
      "g",
      { class: `ruler ${axis}`, transform: `translate(${at.join(" ")}) scale(${size})` },
      svg("rect", { x: -0.9, y: -0.9, width: 1.8, height: 1.8, rx: 0.3 }),
      svg("text", { y: 0.4, "font-size": 1.15 }, String(number)),
    );
  }

  /**
   * Highlight squares with their numbers: a run, or the square of a question.
   *
   * @param {Square[]} squares
   * @param {boolean} numbered
   */
  chooseSquares(squares, numbered) {
    this.root.classList.add("choosing");
    const frames = squares.map((square) => this.#frame(square, "chosen-square", 0));
    const discs = squares.map((square, index) => this.#disc(this.#squares.middle(square), index + 1, square));
    this.#put("chosen", numbered ? [...frames, ...discs] : frames);
  }

  /**
   * Highlight a piece of several squares, each with its drawing, and its border.
   *
   * @param {Square[]} squares
   * @param {(index: number) => string} source
   */
  drawn(squares, source) {
    this.root.classList.add("choosing");
    const border = squares.flatMap((square) => this.#border(square, new Set(squares.map(nameOf))));
    /**
     * @param {string} name
     * @param {number} wide
     */
    const line = (name, wide) =>
      svg("path", { class: name, d: border.join(""), "stroke-width": wide * this.#squares.side });
    this.#put("chosen", [
      ...squares.map((square, index) => this.#picture(square, source(index))),
      line("chosen-under", 0.09),
      line("chosen-border", 0.045),
    ]);
  }

  /**
   * Show or hide the squares beside the board on which a tile may be added.
   *
   * @param {boolean} shown
   */
  showEmpty(shown) {
    this.#put("empty", shown ? this.#squares.empty().map((square) => this.#plus(square)) : []);
  }

  /**
   * @param {string} layer
   * @param {(Element | null)[]} children
   */
  #put(layer, children) {
    this.#layers[layer].replaceChildren(...children.filter((child) => child !== null));
  }

  #features() {
    const { report } = this.#squares;
    const scoring = report.features.filter((feature) => feature.outline_px?.length && owners(report, feature).length);
    return scoring
      .sort((a, b) => TOPMOST.indexOf(b.kind) - TOPMOST.indexOf(a.kind))
      .map((feature) => this.#painted(feature));
  }

  /** @param {Api.Feature} feature */
  #painted(feature) {
    const colours = owners(this.#squares.report, feature);
    return svg("path", {
      class: `feature ${feature.kind}`,
      d: path(feature.outline_px ?? []),
      fill: colours.length > 1 ? this.#stripes(colours) : paint(colours[0]),
      stroke: feature.kind === "road" ? paint(colours[0]) : "#1c1917",
      "stroke-width": (feature.kind === "road" ? 0.05 : 0.025) * this.#squares.side,
    });
  }

  /** @param {string[]} colours */
  #stripes(colours) {
    const [id, wide] = [`stripes-${++this.#patterns}`, this.#squares.side / 6];
    const bars = colours.map((colour, at) =>
      svg("rect", { x: at * wide, y: 0, width: wide, height: wide, fill: paint(colour) }),
    );
    const size = {
      width: wide * colours.length,
      height: wide,
      patternUnits: "userSpaceOnUse",
      patternTransform: "rotate(45)",
    };
    this.defs.append(svg("pattern", { id, ...size }, bars));
    return `url(#${id})`;
  }

  #doubts() {
    return [
      ...this.#squares
        .doubted()
        .flatMap((square) => [
          this.#frame(square, "doubt-under", 0.03),
          this.#dashed(square, "doubt", 0.03),
          this.#query(square),
        ]),
      ...this.#asked.map((foot) => this.#askedPiece(foot)),
    ];
  }

  /** The feet of pieces that doubts are about, including pieces left out of the reading. */
  get #asked() {
    const feet = (this.#squares.report.doubts ?? []).flatMap((doubt) => doubt.feet_px ?? []);
    return [...new Map(feet.map((foot) => [String(foot), foot])).values()];
  }

  /** @param {Point} point */
  #askedPiece([x, y]) {
    const size = 0.34 * this.#squares.side;
    return svg(
      "g",
      { class: "asked", transform: `translate(${x} ${y}) scale(${size})` },
      svg("circle", { class: "asked-under", r: 1 }),
      svg("circle", { class: "asked-ring", r: 1 }),
      svg(
        "g",
        { class: "query", transform: "translate(1.1 -1) scale(.6)" },
        svg("circle", { r: 1 }),
        svg("text", { "font-size": 1.4, y: 0.5 }, "?"),
      ),
    );
  }

  /** @param {Square} square */
  #query(square) {
    const [x, y] = this.#squares.query(square);
    const size = QUERY * this.#squares.side;
    return svg(
      "g",
      { class: "query", transform: `translate(${x} ${y}) scale(${size})` },
      svg("circle", { r: 1 }),
      svg("text", { "font-size": 1.4, y: 0.5 }, "?"),
    );
  }

  #setByPersons() {
    const { board } = this.#squares.report;
    const tiles = board.tiles.filter((tile) => tile.set_by_person).map(({ row, col }) => this.#tick([row, col]));
    return tiles;
  }

  /** @param {Square} square */
  #tick(square) {
    const [x, y] = projection(this.#squares.quad(square))(0.13, 0.15);
    return svg(
      "g",
      { class: "tick", transform: `translate(${x} ${y}) scale(${0.13 * this.#squares.side})` },
      svg("circle", { r: 1 }),
      svg("path", { d: "M-.5 0l.35.4.65-.75" }),
    );
  }

  /** @param {Piece & { foot_px?: Point | null, set_by_person?: boolean }} meeple */
  #meeple(meeple) {
    const [x, y] = meeple.foot_px ?? this.#squares.foot(/** @type {Placed} */ (meeple));
    const seen = meeple.foot_px && this.#squares.report.photo;
    const isAsked = meeple.foot_px && this.#asked.some((foot) => String(foot) === String(meeple.foot_px));
    const classes = `meeple${isAsked ? " doubtful" : ""}${meeple.set_by_person ? " by-person" : ""}`;
    const size = (seen ? 0.26 : 0.16) * this.#squares.side;
    return svg(
      "g",
      { class: classes, transform: `translate(${x} ${y}) scale(${size})` },
      seen ? rings(meeple) : figure(meeple),
    );
  }

  #points() {
    const { report } = this.#squares;
    const placed = report.scores.entries
      .filter((entry) => entry.points > 0)
      .map((entry) => this.#label(report, { ...entry, text: signed(entry.points) }));
    return [...placed, ...this.#nothing().map((one) => this.#zero(one))].filter(Boolean);
  }

  /**
   * @param {Api.Report} report
   * @param {{ player: string, feature: string | null, text: string }} given
   */
  #label(report, { player, feature, text }) {
    const feet = report.board.meeples
      .filter((m) => m.feature === feature && m.colour === player)
      .map((m) => this.#squares.foot(m));
    if (!feet.length) return null;
    return this.#tag(
      feet.reduce((best, foot) => (foot[1] < best[1] ? foot : best)),
      text,
      player,
    );
  }

  /**
   * Draw a text on a player's colour, above a place.
   *
   * @param {Point} point
   * @param {string} text
   * @param {string} player
   * @param {number} [above]
   */
  #tag([x, y], text, player, above = 0.34) {
    const size = 0.22 * this.#squares.side;
    const wide = 0.62 * text.length + 0.48;
    return svg(
      "g",
      { class: "label", transform: `translate(${x} ${y - above * this.#squares.side}) scale(${size})` },
      svg("rect", { x: -wide / 2, y: -0.65, width: wide, height: 1.3, rx: 0.65, fill: paint(player) }),
      svg("text", { y: 0.35, "font-size": 1, fill: ink(player) }, text),
    );
  }

  /** Draw the score board: the space of each piece, and the points of the tokens before the players. */
  #track() {
    const { track } = this.#squares.report;
    if (!track || track.file) return [];
    /**
     * @param {Point[]} corners
     * @param {string} name
     */
    const sheet = (corners, name) =>
      svg("path", { class: name, d: path([corners]), "stroke-width": 0.035 * this.#squares.side });
    const tokens = track.tokens ?? [];
    return [
      sheet(track.corners_px, "sheet"),
      ...track.pieces.map((piece) => this.#meeple(piece)),
      ...track.pieces.map((piece) => this.#tag(piece.foot_px, piece.spaces.join("/"), piece.colour)),
      ...tokens.map((token) => sheet(token.corners_px, token.doubtful ? "sheet doubt" : "sheet")),
      ...tokens.map((token) =>
        this.#tag(
          middleOf(token.corners_px),
          `${token.points}${token.doubtful ? "?" : ""}`,
          token.colour ?? "white",
          0,
        ),
      ),
    ];
  }

  /** @param {Api.Feature} feature */
  #outline(feature) {
    if (!feature.outline_px) return feature.tiles.map((square) => this.#frame(square, "chosen-square", 0.04));
    const d = path(feature.outline_px);
    const wide = 0.04 * this.#squares.side;
    return [
      svg("path", { class: "chosen-under", d, "stroke-width": 2.4 * wide }),
      svg("path", { class: "chosen-line", d, "stroke-width": wide }),
    ];
  }

  /**
   * @param {Api.Feature} feature
   * @param {Square[]} order
   * @param {Point[]} taken
   */
  #numbers(feature, order, taken) {
    return order.map((square, index) => {
      const at = this.#squares.spot(feature, square, taken);
      taken.push(at);
      return this.#disc(at, index + 1, square);
    });
  }

  /**
   * @param {Point} point
   * @param {number} number
   * @param {Square} square
   */
  #disc([x, y], number, square) {
    const size = 0.17 * this.#squares.side;
    return svg(
      "g",
      { class: "number", "data-square": nameOf(square), transform: `translate(${x} ${y}) scale(${size})` },
      svg("circle", { r: 1 }),
      svg("text", { y: 0.38, "font-size": 1.1 }, String(number)),
    );
  }

  /**
   * @param {Square} square
   * @param {string} name
   * @param {number} inset
   */
  #frame(square, name, inset) {
    const points = grown(this.#squares.quad(square), -inset)
      .map((point) => point.join(","))
      .join(" ");
    return svg("polygon", { class: name, points, "stroke-width": 0.035 * this.#squares.side });
  }

  /**
   * Return the sides of a square that no other of the named squares shares, as paths.
   *
   * @param {Square} square
   * @param {Set<string>} names
   */
  #border([row, col], names) {
    const [nw, ne, se, sw] = this.#squares.quad([row, col]);
    const sides = [
      { beside: [row - 1, col], from: nw, to: ne },
      { beside: [row, col + 1], from: ne, to: se },
      { beside: [row + 1, col], from: se, to: sw },
      { beside: [row, col - 1], from: sw, to: nw },
    ];
    return sides
      .filter(({ beside }) => !names.has(nameOf(beside)))
      .map(({ from, to }) => `M${from.join(" ")}L${to.join(" ")}`);
  }

  /**
   * Lay a drawing on a square, as well as a parallelogram fits it.
   *
   * @param {Square} square
   * @param {string} href
   */
  #picture(square, href) {
    const [nw, ne, , sw] = this.#squares.quad(square);
    const axes = [ne[0] - nw[0], ne[1] - nw[1], sw[0] - nw[0], sw[1] - nw[1], ...nw];
    return svg("image", {
      class: "laid",
      href,
      width: 1,
      height: 1,
      preserveAspectRatio: "none",
      transform: `matrix(${axes.join(" ")})`,
      "data-square": nameOf(square),
    });
  }

  /**
   * @param {Square} square
   * @param {string} name
   * @param {number} inset
   */
  #dashed(square, name, inset) {
    const frame = this.#frame(square, name, inset);
    frame.setAttribute("stroke-dasharray", `${0.12 * this.#squares.side} ${0.07 * this.#squares.side}`);
    return frame;
  }

  /** @param {Square} square */
  #plus(square) {
    const [x, y] = this.#squares.middle(square);
    return svg(
      "g",
      { class: "plus" },
      this.#dashed(square, "plus-frame", 0.06),
      svg("path", { d: "M-1 0H1M0-1V1", transform: `translate(${x} ${y}) scale(${0.13 * this.#squares.side})` }),
    );
  }
}

/** @param {Point[]} corners */
const middleOf = (corners) =>
  [0, 1].map((axis) => corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length);

/**
 * Return the box around a feature in the picture.
 *
 * @param {Squares} squares
 * @param {{ tiles: Square[] }} feature
 */
export function boxOf(squares, feature) {
  return box(feature.tiles.flatMap((square) => squares.quad(square)));
}

/** @param {Piece} meeple */
function rings(meeple) {
  return [
    svg("circle", { class: "ring-dark", r: 1 }),
    svg("circle", { class: "ring-light", r: 1 }),
    svg("circle", { class: "ring", r: 1, stroke: paint(meeple.colour) }),
    meeple.kind === "big" ? svg("circle", { class: "ring", r: 1.32, stroke: paint(meeple.colour) }) : null,
  ];
}

/** @param {Piece} meeple */
function figure(meeple) {
  const turn = meeple.pose === "lying" ? "rotate(-90)" : meeple.pose === "upside_down" ? "rotate(180)" : null;
  const big = meeple.kind === "big";
  const transform = [turn, big ? "scale(1.5)" : null].filter(Boolean).join(" ");
  return [
    svg("path", { class: "figure", d: MEEPLE, fill: paint(meeple.colour), transform: transform || null }),
    big ? svg("text", { class: "counts", y: 0.55, "font-size": 1.1, fill: ink(meeple.colour) }, "2") : null,
  ];
}
