// @ts-check
/** One feature: its size, its owners, its points with their rule, and its squares in numbered order. */

import { badge, who } from "../lib/colours.js";
import { el, icon, iconButton } from "../lib/dom.js";
import { list, number, say, sayOr } from "../lib/words.js";
import { lineName, runName, sideName, squareName } from "../report/places.js";
import { featureName, labelOf, points } from "../report/scores.js";
import { ENDLESS, LISTED, nameOf } from "./squares.js";

/**
 * Create the card of a feature; `account` is its explanation, null if there is none.
 *
 * @param {Api.Report} report
 * @param {Api.Feature} feature
 * @param {Api.FeatureAccount | null} account
 * @param {{
 *   onSquare: OnSquare,
 *   onFeature: OnFeature,
 *   onCounted: (index: number) => unknown,
 *   onClose: () => unknown,
 *   teaching?: Child,
 *   picture?: Child,
 * }} given
 */
export function featureCard(
  report,
  feature,
  account,
  { onSquare, onFeature, onCounted, onClose, teaching = null, picture = null },
) {
  const order = account?.tiles ?? feature.tiles;
  return el(
    "section",
    { class: "card feature-card", "aria-labelledby": "card-title" },
    el(
      "header",
      {},
      icon(feature.kind),
      el("h2", { id: "card-title", tabindex: -1 }, featureName(report, feature)),
      iconButton("close", say("close"), onClose),
    ),
    el(
      "p",
      { class: "facts" },
      el("b", {}, say("size", { n: feature.size })),
      ENDLESS.includes(feature.kind) ? null : ` · ${say(feature.complete ? "complete" : "open")}`,
    ),
    points(report, feature),
    account?.sentences?.length ? sentences(account, onCounted) : holders(report, feature),
    account ? details(report, account, onFeature) : null,
    teaching,
    picture,
    el("h3", {}, say(feature.kind === "field" ? "its-squares" : "squares-in-order")),
    el(
      "ol",
      { class: feature.kind === "field" ? "squares uncounted" : "squares" },
      order.map((square) => el("li", {}, squareButton(report, square, onSquare))),
    ),
  );
}

/**
 * Create the card of the run of a row or column.
 *
 * @param {Api.Report} report
 * @param {Api.Line} line
 * @param {Api.Run} run
 * @param {{ onClose: () => unknown }} given
 */
export function runCard(report, line, run, { onClose }) {
  return el(
    "section",
    { class: "card", "aria-labelledby": "card-title" },
    el(
      "header",
      {},
      icon("lines"),
      el("h2", { id: "card-title", tabindex: -1 }, lineName(report, line)),
      iconButton("close", say("close"), onClose),
    ),
    el("p", { class: "facts" }, el("b", {}, say("tiles", { n: run.length }))),
    el("p", {}, runName(report, line, run)),
  );
}

/**
 * List the squares of a run.
 *
 * @param {Api.Line} line
 * @param {Api.Run} run
 */
export function squaresOf(line, run) {
  return Array.from({ length: run.length }, (_, step) => {
    const along = run.first + step;
    return line.axis === "row" ? [line.index, along] : [along, line.index];
  });
}

/**
 * List every feature as a button, by kind, scoring ones first.
 *
 * @param {Api.Report} report
 * @param {OnFeature} onFeature
 */
export function featureList(report, onFeature) {
  const scoring = new Set(report.scores.entries.map((entry) => entry.feature));
  return LISTED.map((kind) => {
    const own = report.features.filter((feature) => feature.kind === kind);
    own.sort((a, b) => Number(scoring.has(b.id)) - Number(scoring.has(a.id)) || b.size - a.size);
    return own.length
      ? el(
          "section",
          {},
          el("h3", {}, icon(kind), sayOr(`kinds-${kind}`, kind)),
          el(
            "ul",
            { class: "chips" },
            own.map((feature) => el("li", {}, chip(report, feature, onFeature))),
          ),
        )
      : null;
  });
}

/**
 * List rows and columns with their runs, each a button.
 *
 * @param {Api.Report} report
 * @param {OnRun} onRun
 */
export function lineList(report, onRun) {
  return ["row", "column"].map((axis) =>
    el(
      "section",
      {},
      el("h3", {}, say(`lines-${axis}`)),
      el(
        "table",
        { class: "lines" },
        el(
          "tbody",
          {},
          report.lines
            .filter((line) => line.axis === axis)
            .map((line) =>
              el(
                "tr",
                {},
                el("th", { scope: "row" }, lineName(report, line)),
                el(
                  "td",
                  {},
                  line.runs.map((run) => runButton(report, line, run, onRun)),
                ),
              ),
            ),
        ),
      ),
    ),
  );
}

/**
 * @param {Api.Report} report
 * @param {Api.Line} line
 * @param {Api.Run} run
 * @param {OnRun} onRun
 */
function runButton(report, line, run, onRun) {
  return el(
    "button",
    { type: "button", class: "chip", onclick: () => onRun(line, run) },
    el("b", {}, number(run.length)),
    el("small", {}, runName(report, line, run)),
  );
}

/**
 * @param {Api.Report} report
 * @param {Api.Feature} feature
 * @param {OnFeature} onFeature
 */
function chip(report, feature, onFeature) {
  const holding = Object.keys(feature.meeples);
  const said = holding.length ? list(holding.map((player) => who(report, player))) : say("nobody");
  return el(
    "button",
    { type: "button", class: "chip", "data-feature": feature.id, onclick: () => onFeature(feature) },
    holding.map(badge),
    el("b", {}, labelOf(feature)),
    el("small", {}, say("tiles", { n: feature.size })),
    el("span", { class: "hidden" }, said),
  );
}

/**
 * @param {Api.Report} report
 * @param {Api.Feature} feature
 */
function holders(report, feature) {
  const pieces = Object.entries(feature.meeples);
  if (!pieces.length) return el("p", { class: "quiet" }, say("nobody-stands"));
  return el(
    "ul",
    { class: "holders", "aria-label": say("who-stands") },
    pieces.map(([player, n]) =>
      el("li", {}, badge(player), el("span", {}, who(report, player)), el("small", {}, say("pieces", { n }))),
    ),
  );
}

/**
 * Describe the majority with its strength, who scores and who does not, in the server's words; whatever a wonder pays for
 * can be tapped there.
 *
 * @param {Api.FeatureAccount} account
 * @param {(index: number) => unknown} onCounted
 */
function sentences({ sentences, counted }, onCounted) {
  return el(
    "ul",
    { class: "sentences" },
    sentences.map((sentence) => el("li", {}, withButtons(sentence, counted ?? [], onCounted))),
  );
}

/**
 * Return a sentence with a button for each of the things that it lists, as text if it does not list all of them.
 *
 * @param {string} sentence
 * @param {Api.Counted[]} counted
 * @param {(index: number) => unknown} onCounted
 */
function withButtons(sentence, counted, onCounted) {
  /** @type {Child[]} */
  const parts = [];
  let rest = sentence;
  for (const [index, { name, points }] of counted.entries()) {
    if (!points) continue;
    const at = rest.indexOf(name);
    if (at < 0) return sentence;
    parts.push(rest.slice(0, at), countedButton(name, index, onCounted));
    rest = rest.slice(at + name.length);
  }
  return [...parts, rest];
}

/**
 * @param {string} name
 * @param {number} index
 * @param {(index: number) => unknown} onCounted
 */
const countedButton = (name, index, onCounted) =>
  el("button", { type: "button", class: "in-text", "data-counted": index, onclick: () => onCounted(index) }, name);

/**
 * Describe the drawing on the picture; a farm's cities by their names there, finished ones first.
 *
 * @param {Api.Report} report
 * @param {Api.FeatureAccount} featureAccount
 * @param {OnFeature} onFeature
 */
function details(report, { marks, open_ends, cities }, onFeature) {
  const lines = [
    ...marks.map(({ what, tile }) => say("mark-at", { what: markName(what), square: squareName(report, tile) })),
    ...open_ends.map(({ tile, side }) => say("open-at", { square: squareName(report, tile), side: sideName(side) })),
  ];
  return [
    lines.length
      ? el(
          "ul",
          { class: "details" },
          lines.map((line) => el("li", {}, line)),
        )
      : null,
    cities.length
      ? el(
          "ol",
          { class: "touched" },
          countedFirst(cities).map((city) =>
            el("li", { class: city.complete ? "counts" : "quiet" }, cityButton(report, city, onFeature)),
          ),
        )
      : null,
  ];
}

/**
 * Return the cities that a farm touches, finished ones first.
 *
 * @param {Api.TouchedCity[]} cities
 */
export const countedFirst = (cities) => [
  ...cities.filter((city) => city.complete),
  ...cities.filter((city) => !city.complete),
];

/**
 * @param {Api.Report} report
 * @param {Api.TouchedCity} city
 * @param {OnFeature} onFeature
 */
function cityButton(report, city, onFeature) {
  const feature = /** @type {Api.Feature} */ (report.features.find((other) => other.id === city.id));
  return el(
    "button",
    { type: "button", class: "chip", "data-feature": city.id, onclick: () => onFeature?.(feature) },
    el("b", {}, featureName(report, feature)),
    el("small", {}, `${say("tiles", { n: feature.size })} · ${say(city.complete ? "complete" : "open")}`),
  );
}

/**
 * @param {Api.Report} report
 * @param {Square} square
 * @param {OnSquare} onSquare
 */
function squareButton(report, square, onSquare) {
  return el(
    "button",
    { type: "button", class: "square", "data-square": nameOf(square), onclick: () => onSquare(square) },
    squareName(report, square),
  );
}

/**
 * Name a coat of arms, an inn and the like; goods have names of their own.
 *
 * @param {string} what
 */
function markName(what) {
  return sayOr(`mark-${what.replaceAll(" ", "-")}`, sayOr(`goods-${what}`, what));
}
