// @ts-nocheck
/** Facts that no photo shows: a card that asks for them, and a sheet for the table and then for each player. */

import { asTyped, who } from "../lib/colours.js";
import { button, el, icon } from "../lib/dom.js";
import { labelled } from "../lib/fields.js";
import { redraw, saved } from "../lib/redraw.js";
import { attempt, choices, openSheet } from "../lib/sheet.js";
import { knows, say } from "../lib/words.js";
import { cellName, playerOf, spotName, valueName } from "./spot_names.js";
import { spotChanges, spotField } from "./spot_sheet.js";

/** Maximum number of spots per player up to which one sheet serves all players. */
const FEW = 2;
/** Maximum number of choices that stand side by side. */
const SIDE_BY_SIDE = 3;

/**
 * The spots that a person types: those that no photo can show, and those that none of these photos shows.
 *
 * @param {Api.SpotReport} report
 */
export const typedSpots = (report) =>
  report.board.spots.filter((spot) => spot.typed || (!spot.outline_px && (spot.value === null || spot.set_by_person)));

/**
 * Create the card; nothing if there is nothing to type.
 *
 * @param {Api.SpotReport} report
 * @param {() => unknown} onOpen
 */
export function typedCard(report, onOpen) {
  const spots = typedSpots(report);
  const open = spots.filter(({ id }) => askedOf(report).has(id)).length;
  if (!spots.length) return [];
  return [
    icon("pen"),
    el("p", {}, open ? say("to-be-typed", { n: open }) : say("all-typed")),
    button("pen", say("type-them"), onOpen, open ? { class: "primary" } : {}),
  ];
}

/**
 * Open the first incomplete sheet; if all are complete, all can be changed.
 *
 * @param {SpotView} view
 */
export function openTyped(view) {
  const { session } = view;
  const shown = [];
  const every = !askedOf(session.report).size;
  const dialog = openSheet("", el("p", {}));
  const [heading, body] = ["h2", ".sheet-body"].map((name) => dialog.querySelector(name));
  heading.tabIndex = -1;
  const ahead = () =>
    stepsOf(session.report).filter((step) => !shown.includes(step.key) && (every || isAsked(session.report, step)));

  const next = () => {
    const [step] = ahead();
    if (!step) return dialog.close();
    shown.push(step.key);
    show(step);
  };
  const back = () => {
    shown.pop();
    show(stepsOf(session.report).find(({ key }) => key === shown.at(-1)));
  };
  /** @param {Correction[]} corrections */
  const send = async (corrections) => {
    if (!(await attempt(dialog, () => (corrections.length ? session.correct(...corrections) : null)))) return;
    saved(body);
    next();
  };
  /** @param {TypedStep} step */
  const show = (step) => {
    const [as, words] = asTyped(titleOf(session.report, step));
    heading.toggleAttribute("data-typed", as["data-typed"]);
    heading.textContent = words;
    const more = { send, back: shown.length > 1 ? back : null, more: ahead().length > 0 };
    redraw(body, sheetOf(session.report, step, more), step.key);
    body.scrollTop = 0;
    heading.focus({ preventScroll: true });
  };
  next();
}

/**
 * The unknown spots that may change points.
 *
 * @param {Api.SpotReport} report
 */
const askedOf = (report) =>
  new Set(report.doubts.filter(({ instead }) => instead === null).flatMap(({ spots }) => spots));

/**
 * @param {Api.SpotReport} report
 * @param {TypedStep} typedStep
 */
const isAsked = (report, { spots }) => spots.some(({ id }) => askedOf(report).has(id));

/**
 * Return the sheets: each question of the table by itself, the rest of the table, each player; impossible spots left
 * out.
 *
 * @param {Api.SpotReport} report
 */
function stepsOf(report) {
  const { players } = report.rules;
  const spots = typedSpots(report).filter(
    (spot) => spot.choices.length > 1 && (askedOf(report).has(spot.id) || spot.set_by_person),
  );
  const shared = spots.filter((spot) => !players.includes(playerOf(spot)));
  const [questions, rest] = [shared.filter(isQuestion), shared.filter((spot) => !isQuestion(spot))];
  /** @param {string} player */
  const own = (player) => spots.filter((spot) => playerOf(spot) === player);
  const apart = players.some((player) => own(player).length > FEW);
  return [
    ...questions.map((spot) => ({ key: spot.id, question: spot, spots: [spot] })),
    { key: "table", spots: rest },
    ...(apart
      ? players.map((player) => ({ key: `of-${player}`, player, spots: own(player) }))
      : [{ key: "players", spots: players.flatMap(own) }]),
  ].filter((step) => step.spots.length);
}

/**
 * Whether a spot has a question of its own, whose answers are buttons.
 *
 * @param {Api.SpotState} spotState
 */
const isQuestion = ({ kind, choices: { length } }) => knows(`ask-spot-${kind}`) && length <= SIDE_BY_SIDE;

/**
 * @param {Api.SpotReport} report
 * @param {TypedStep} typedStep
 */
function titleOf(report, { question, player }) {
  if (question) return say(`ask-spot-${question.kind}`);
  return player ? say("typed-of", { player: who(report, player) }) : say("typed-title");
}

/**
 * @param {Api.SpotReport} report
 * @param {TypedStep} step
 * @param {{ send: SendTyped, back: (() => unknown) | null, more: boolean }} given
 */
function sheetOf(report, step, { send, back, more }) {
  const leave = back ? button("before", say("typed-before"), back) : null;
  if (step.question)
    return [
      answers(step.question, send),
      el(
        "div",
        { class: "sheet-actions" },
        leave,
        button("skip", say("not-sure"), () => send([])),
      ),
    ];
  const { spots } = step;
  const form = el(
    "form",
    { class: "typed-form", novalidate: true },
    spots.map((spot) => row(report, spot, step.player)),
  );
  const told = () => spotChanges(form, spots);
  const all = () => {
    fillRest(form, spots);
    return told();
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(all());
  });
  return [
    el("p", { class: "quiet" }, say("typed-hint")),
    form,
    el(
      "div",
      { class: "sheet-actions" },
      button("check", say("nothing-more"), () => send(all()), { class: "primary" }),
      leave,
      button("skip", say("not-sure"), () => send(told())),
      more && step.player
        ? button("people", say("nobody-has-more"), () => send([...all(), { kind: "nothing_more" }]))
        : null,
    ),
  ];
}

/**
 * Create the answers to a question about one spot: a tap sends one.
 *
 * @param {Api.SpotState} spotState
 * @param {SendTyped} send
 */
function answers({ id, kind, value, choices: values }, send) {
  return el(
    "ul",
    { class: "answers" },
    values.map((own) =>
      el(
        "li",
        {},
        button(
          own === value ? "check" : null,
          valueName(kind, own),
          () => send(own === value ? [] : [{ kind: "spot", id, value: own }]),
          { class: "answer" },
        ),
      ),
    ),
  );
}

/**
 * Set all spots that no photo can show and that are left empty to nothing.
 *
 * @param {HTMLFormElement} form
 * @param {Api.SpotState[]} spots
 */
function fillRest(form, spots) {
  for (const {
    id,
    typed,
    choices: [nothing],
  } of spots)
    if (typed && form.elements[id].value === "") form.elements[id].value = String(nothing);
}

/**
 * @param {Api.SpotReport} report
 * @param {Api.SpotState} spot
 * @param {string | undefined} player
 */
function row(report, spot, player) {
  const name = (player && cellName(report, spot)) ?? spotName(report, spot);
  if (spot.choices.every((own) => typeof own === "number")) return stepper(spot, name);
  if (spot.choices.length > SIDE_BY_SIDE) return labelled(spot.id, name, spotField(spot));
  return choices(
    spot.id,
    name,
    spot.choices.map((own) => ({ value: own, label: valueName(spot.kind, own) })),
    spot.value,
  );
}

/**
 * Create a number with a button for one less and one for one more.
 *
 * @param {Api.SpotState} spotState
 * @param {string} name
 */
function stepper({ id, value, typed, choices: values }, name) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const input = el("input", {
    id,
    name: id,
    type: "number",
    inputmode: "numeric",
    min: least,
    max: most,
    value: value ?? "",
    placeholder: typed ? values[0] : "–",
    autocomplete: "off",
  });
  /**
   * @param {number} by
   * @param {string} sign
   * @param {string} words
   */
  const step = (by, sign, words) =>
    el(
      "button",
      {
        type: "button",
        class: "stepper",
        "aria-label": say(words, { what: name }),
        onclick: () => {
          input.value = Math.min(most, Math.max(least, (Number(input.value) || 0) + by));
        },
      },
      sign,
    );
  return el(
    "div",
    { class: "points-row field" },
    el("label", { for: id }, name),
    el("span", { class: "steppers" }, step(-1, "−", "one-fewer"), input, step(1, "+", "one-further")),
  );
}
