// @ts-check
/** A report's own sentences in the page's language, built from the values it gives with each. */

import { describe } from "../lib/catalogue.js";
import { who } from "../lib/colours.js";
import { knows, list, say, sayOr } from "../lib/words.js";

/** @type {{ [name: string]: string }} */
const NAMED = {
  piece: "piece",
  pose: "pose",
  kind: "kind",
  below: "kind",
  here: "kind",
  there: "kind",
  wonder: "wonder",
  tile: "wonder",
  goods: "goods",
};

/** Values of entries that reports of earlier versions lack. */
const NEWER_VALUES = { siege: 0, besieged: 0, vineyards: 0 };

/**
 * Name the subject of a rule in one or two words.
 *
 * @param {Sentence & { rule: string }} given
 */
export const ruleOf = ({ rule }) => sayOr(`rule-${slug(rule)}`, rule);

/**
 * Return the sum of an entry in words.
 *
 * @param {AnyReport} report
 * @param {Sentence & { rule: string }} given
 */
export const sumOf = (report, { rule, values, text }) =>
  said(report, `entry-${slug(rule)}`, { ...NEWER_VALUES, ...values }, text);

/**
 * Return the reason why a player's pieces score nothing.
 *
 * @param {AnyReport} report
 * @param {Api.Nothing} nothing
 */
export const reasonOf = (report, { player, reason, values = {} }) =>
  said(report, `nothing-${reason}`, { ...values, player }, "");

/**
 * Return a table fact that the scoring assumed, in words.
 *
 * @param {AnyReport} report
 * @param {Sentence & { fact: string }} given
 */
export const assumedOf = (report, { fact, values, text }) => said(report, `assumed-${fact}`, values, text);

/**
 * Return the text of a problem.
 *
 * @param {AnyReport} report
 * @param {Sentence & { code: string }} given
 */
export const problemOf = (report, { code, values, text }) => said(report, `problem-${code}`, values, text);

/**
 * @param {AnyReport} report
 * @param {string} key
 * @param {Values | undefined} values
 * @param {string} otherwise
 */
function said(report, key, values, otherwise) {
  if (!knows(key) || !values) return otherwise;
  return say(key, worded(report, values));
}

/**
 * Put values into words: texts become names; numbers stay.
 *
 * @param {AnyReport} report
 * @param {Values} values
 */
export function worded(report, values) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, word(report, name, value)]));
}

/**
 * @param {AnyReport} report
 * @param {string} name
 * @param {string | number} value
 */
function word(report, name, value) {
  if (name === "player" || name === "colour") return who(report, String(value));
  if (name === "leaders")
    return list(
      String(value)
        .split(", ")
        .map((leader) => who(report, leader)),
    );
  if (name === "boxes")
    return list(
      String(value)
        .split(",")
        .map((box) => sayOr(`box-${box}`, box)),
    );
  const described = name === "tile" ? describe({ tile: String(value), turns: 0 }) : "";
  if (described) return described;
  return typeof value === "string" || name in NAMED
    ? sayOr(`${NAMED[name] ?? name}-${String(value).replace(/^WH\//, "")}`, String(value))
    : value;
}

/** @param {string} rule */
const slug = (rule) => rule.replaceAll(".", "-");
