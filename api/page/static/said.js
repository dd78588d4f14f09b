/** A report's own sentences in the page's language, from the values that it gives with each. */

import { who } from "./colours.js";
import { knows, list, say, sayOr } from "./words.js";

const NAMED = { piece: "piece", pose: "pose", kind: "kind", below: "kind", here: "kind", there: "kind", wonder: "wonder", goods: "goods" };

/** What a rule scores, in a word or two. */
export const ruleOf = ({ rule }) => sayOr(`rule-${slug(rule)}`, rule);

/** The sum of an entry. */
export const sumOf = (report, { rule, values, text }) => said(report, `entry-${slug(rule)}`, values, text);

/** Why a player's pieces bring nothing. */
export const reasonOf = (report, { player, reason, values = {} }) => said(report, `nothing-${reason}`, { ...values, player }, "");

/** What the scoring took for granted of the table. */
export const assumedOf = (report, { fact, values, text }) => said(report, `assumed-${fact}`, values, text);

/** What a problem says. */
export const problemOf = (report, { code, values, text }) => said(report, `problem-${code}`, values, text);

function said(report, key, values, otherwise) {
  if (!knows(key) || !values) return otherwise;
  return say(key, worded(report, values));
}

/** What values name, in words: texts are called by what they are; numbers stay. */
export function worded(report, values) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, word(report, name, value)]));
}

function word(report, name, value) {
  if (name === "player" || name === "colour") return who(report, value);
  if (name === "leaders") return list(String(value).split(", ").map((leader) => who(report, leader)));
  if (name === "boxes") return list(String(value).split(",").map((box) => sayOr(`box-${box}`, box)));
  return typeof value === "string" || name in NAMED ? sayOr(`${NAMED[name] ?? name}-${String(value).replace(/^WH\//, "")}`, value) : value;
}

const slug = (rule) => rule.replaceAll(".", "-");
