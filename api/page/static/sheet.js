/** Dialogs: a sheet from below on phones, a window elsewhere; the browser keeps the focus inside. */

import { asTyped } from "./colours.js";
import { button, el, iconButton } from "./dom.js";
import { say } from "./words.js";

let sheets = 0;

/** Opens a dialog with a title; closed, it is gone, and the focus is back where it was. */
export function openSheet(title, ...children) {
  return open(title, null, children);
}

/** Likewise; `mayLeave` tells whether it is left when a person closes it by its button, beside it or with Escape. */
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

function open(title, mayLeave, children) {
  const before = document.activeElement;
  const name = `sheet-title-${++sheets}`;
  const [typed, words] = asTyped(title);
  const heading = el("h2", { id: name, ...typed }, words);
  const leave = () => (!mayLeave || mayLeave()) && dialog.close();
  const dialog = el("dialog", { class: "sheet-dialog", "aria-labelledby": name });
  dialog.append(el("header", {}, heading, iconButton("close", say("close"), leave)), el("div", { class: "sheet-body" }, children));
  dialog.addEventListener("click", (event) => event.target === dialog && leave());
  dialog.addEventListener("close", () => {
    dialog.remove();
    returnFocus(before);
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Puts the focus where it was, or on what has taken its place since; in sight, where a keyboard put it there. */
export function returnFocus(before) {
  const own = places(before).find((place) => place && !place.disabled && place.checkVisibility());
  own?.focus({ preventScroll: true });
  if (own?.matches(":focus-visible")) own.scrollIntoView({ block: "nearest" });
}

/** Where the focus may go back to, the best first; at the desk to the table, so that Enter opens nothing again. */
function places(before) {
  const { id, dataset } = before ?? {};
  return [document.getElementById("table-title"), before?.isConnected && before !== document.body ? before : null, id ? document.getElementById(id) : null,
    dataset?.square ? document.querySelector(`.map-square[data-square="${dataset.square}"]`) : null, document.getElementById("viewer")];
}

/** Runs what a button starts, and closes the dialog when it is done. */
export async function settle(dialog, action) {
  if (await attempt(dialog, action)) dialog.close();
}

/** Runs what a button starts: the dialog is busy meanwhile, and tells what went wrong; answers whether it was done. */
export async function attempt(dialog, action) {
  const told = dialog.querySelector(".sheet-error") ?? errorOf(dialog);
  told.textContent = "";
  dialog.inert = true;
  try {
    await action();
    return true;
  } catch (error) {
    told.textContent = error.message;
    told.scrollIntoView({ block: "nearest" });
    return false;
  } finally {
    dialog.inert = false;
  }
}

/** Where a sheet tells what went wrong: with its buttons, which stay in sight, else at its end. */
function errorOf(dialog) {
  const told = el("p", { class: "sheet-error", role: "alert" });
  const actions = dialog.querySelector(".sheet-actions");
  if (actions) actions.prepend(told);
  else dialog.querySelector(".sheet-body").append(told);
  return told;
}

/** Asks once more before something is deleted. */
export function confirmDelete(words, action) {
  confirm({ title: say("delete"), words, icon: "bin", go: say("delete-now"), stay: say("keep") }, action);
}

/** Asks once more before something is done that loses something. */
export function confirm({ title, words, icon, go, stay }, action) {
  const dialog = openSheet(title, el("p", {}, words), el("div", { class: "sheet-actions" },
    button(icon, go, () => settle(dialog, action), { class: "danger" }),
    button("close", stay, () => dialog.close())));
}

/** Asks whether changes that were not kept are dropped, and drops them then. */
export function confirmLeave(words, drop) {
  const dialog = openSheet(say("leave-changes"), el("p", {}, words), el("div", { class: "sheet-actions" },
    button("bin", say("leave-now"), () => { dialog.close(); drop(); }, { class: "danger" }),
    button("close", say("go-on-editing"), () => dialog.close(), { class: "primary" })));
}

/** One of a few: radio buttons that look like what they mean. */
export function choices(name, legend, options, chosen, onchange = () => {}) {
  const items = options.map(({ value, label, mark = null }) =>
    el("label", { class: "choice" },
      el("input", { type: "radio", name, value, checked: value === chosen, onchange: () => onchange(value) }), mark, el("span", {}, label)));
  return el("fieldset", { class: "choices" }, el("legend", {}, legend), el("div", { class: "choice-row" }, items));
}

/** What is chosen of them. */
export const chosenOf = (root, name) => root.querySelector(`input[name="${name}"]:checked`)?.value ?? null;
