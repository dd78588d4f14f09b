// @ts-check
/** Dialogs: a sheet from below on phones, a window elsewhere; the browser keeps the focus inside. */

import { asTyped } from "./colours.js";
import { button, el, find, iconButton } from "./dom.js";
import { say } from "./words.js";

let sheets = 0;

/**
 * Open a dialog with a title; when closed, it is removed, and the focus returns.
 *
 * @param {string} title
 * @param {...Child} children
 */
export function openSheet(title, ...children) {
  return open(title, null, children);
}

/**
 * Likewise; `mayLeave` decides whether a person may close it by its button, a click beside it or Escape.
 *
 * @param {string} title
 * @param {() => boolean} mayLeave
 * @param {...Child} children
 */
export function openGuardedSheet(title, mayLeave, ...children) {
  const dialog = open(title, mayLeave, children);
  dialog.addEventListener("cancel", (event) => event.target === dialog && !mayLeave() && event.preventDefault());
  dialog.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.stopPropagation();
    event.preventDefault(); // a browser lets a second Escape close it without asking
    if (mayLeave()) dialog.close();
  });
  return dialog;
}

/**
 * @param {string} title
 * @param {(() => boolean) | null} mayLeave
 * @param {Child[]} children
 */
function open(title, mayLeave, children) {
  const before = document.activeElement;
  const name = `sheet-title-${++sheets}`;
  const [typed, words] = asTyped(title);
  const heading = el("h2", { id: name, ...typed }, words);
  const leave = () => (!mayLeave || mayLeave()) && dialog.close();
  const dialog = el("dialog", { class: "sheet-dialog", "aria-labelledby": name });
  dialog.append(
    el("header", {}, heading, iconButton("close", say("close"), leave)),
    el("div", { class: "sheet-body" }, children),
  );
  dialog.addEventListener("click", (event) => event.target === dialog && leave());
  dialog.addEventListener("close", () => {
    dialog.remove();
    returnFocus(before);
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Return the focus to its element, or to the one that has replaced it, in view if a keyboard is used.
 *
 * @param {Element | null} before
 */
export function returnFocus(before) {
  const own = places(before).find((place) => place && !place.disabled && place.checkVisibility());
  own?.focus({ preventScroll: true });
  if (own?.matches(":focus-visible")) own.scrollIntoView({ block: "nearest" });
}

/**
 * Run an action while an element takes no input, and then return the focus that it had.
 *
 * @template T
 * @param {HTMLElement} element
 * @param {() => T | Promise<T>} action
 */
export async function busy(element, action) {
  const before = /** @type {HTMLElement | null} */ (document.activeElement);
  element.inert = true;
  element.setAttribute("aria-busy", "true");
  try {
    return await action();
  } finally {
    element.inert = false;
    element.removeAttribute("aria-busy");
    if (!isFocused(document.activeElement)) {
      before?.focus({ preventScroll: true });
      if (!isFocused(document.activeElement)) returnFocus(before);
    }
  }
}

/** @param {Element | null} element */
const isFocused = (element) => element !== null && element !== document.body;

/**
 * Return the candidates for the focus, the best first; at the desk the table, so that Enter opens nothing again.
 *
 * @param {Element | null} before
 * @returns {(HTMLButtonElement | null)[]} those that are no buttons are never disabled
 */
function places(before) {
  const own = /** @type {HTMLButtonElement | null} */ (before);
  const { id, dataset } = own ?? {};
  const known = [
    document.getElementById("table-title"),
    own?.isConnected && before !== document.body ? own : null,
    id ? document.getElementById(id) : null,
    (id && document.getElementById(id)?.closest("details")?.querySelector("summary")) || null,
    dataset?.square ? document.querySelector(`.map-square[data-square="${dataset.square}"]`) : null,
    document.getElementById("viewer"),
    document.getElementById("drawn"),
  ];
  return /** @type {(HTMLButtonElement | null)[]} */ (known);
}

/**
 * Show the button that confirms the present reading, or, once something else is chosen, the one that changes it.
 *
 * @param {HTMLElement | null} confirm
 * @param {HTMLElement} change
 * @param {boolean} isChanged
 */
export function showEither(confirm, change, isChanged) {
  if (confirm) confirm.hidden = isChanged;
  change.hidden = confirm !== null && !isChanged;
}

/**
 * Run the action of a button, and close the dialog when it is done.
 *
 * @param {HTMLDialogElement} dialog
 * @param {() => unknown} action
 */
export async function settle(dialog, action) {
  if (await attempt(dialog, action)) dialog.close();
}

/**
 * Run the action of a button: the dialog is busy meanwhile, and shows errors; returns whether it was done.
 *
 * @param {HTMLDialogElement} dialog
 * @param {() => unknown} action
 */
export async function attempt(dialog, action) {
  const told = dialog.querySelector(".sheet-error") ?? errorOf(dialog);
  told.textContent = "";
  try {
    await busy(dialog, action);
    return true;
  } catch (error) {
    told.textContent = error.message;
    told.scrollIntoView({ block: "nearest" });
    return false;
  }
}

/**
 * Return the place for errors of a sheet: beside its buttons, which stay in view, else at its end.
 *
 * @param {HTMLDialogElement} dialog
 */
function errorOf(dialog) {
  const told = el("p", { class: "sheet-error", role: "alert" });
  const actions = dialog.querySelector(".sheet-actions");
  if (actions) actions.prepend(told);
  else find(dialog, ".sheet-body").append(told);
  return told;
}

/**
 * Ask for confirmation before something is deleted.
 *
 * @param {string} words
 * @param {() => unknown} action
 */
export function confirmDelete(words, action) {
  confirm({ title: say("delete"), words, icon: "bin", go: say("delete-now"), stay: say("keep") }, action);
}

/**
 * Ask for confirmation before data is lost.
 *
 * @param {{ title: string, words: string, icon: string, go: string, stay: string }} given
 * @param {() => unknown} action
 */
export function confirm({ title, words, icon, go, stay }, action) {
  const dialog = openSheet(
    title,
    el("p", {}, words),
    el(
      "div",
      { class: "sheet-actions" },
      button(icon, go, () => settle(dialog, action), { class: "danger" }),
      button("close", stay, () => dialog.close()),
    ),
  );
}

/**
 * Ask whether to drop unsaved changes, and drop them on consent.
 *
 * @param {string} words
 * @param {() => unknown} drop
 */
export function confirmLeave(words, drop) {
  const dialog = openSheet(
    say("leave-changes"),
    el("p", {}, words),
    el(
      "div",
      { class: "sheet-actions" },
      button(
        "bin",
        say("leave-now"),
        () => {
          dialog.close();
          drop();
        },
        { class: "danger" },
      ),
      button("close", say("go-on-editing"), () => dialog.close(), { class: "primary" }),
    ),
  );
}

/**
 * Create a choice of one among a few: radio buttons that look like their meaning.
 *
 * @template {string | number | null} V
 * @param {string} name
 * @param {string} legend
 * @param {{ value: V, label: string, mark?: Child }[]} options
 * @param {V | null | undefined} chosen
 * @param {(value: V) => unknown} [onchange]
 */
export function choices(name, legend, options, chosen, onchange = () => {}) {
  const items = options.map(({ value, label, mark = null }) =>
    el(
      "label",
      { class: "choice" },
      el("input", { type: "radio", name, value, checked: value === chosen, onchange: () => onchange(value) }),
      mark,
      el("span", {}, label),
    ),
  );
  return el("fieldset", { class: "choices" }, el("legend", {}, legend), el("div", { class: "choice-row" }, items));
}

/**
 * Return the chosen one.
 *
 * @param {HTMLElement} root
 * @param {string} name
 */
export const chosenOf = (root, name) =>
  /** @type {HTMLInputElement | null} */ (root.querySelector(`input[name="${name}"]:checked`))?.value ?? null;
