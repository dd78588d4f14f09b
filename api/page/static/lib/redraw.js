// @ts-check
/** Drawing anew without losing what a person does: unsaved inputs, open folds, the focus and the caret survive. */

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Control */

const CONTROLS = "input, select, textarea";
const FOCUSABLE = `${CONTROLS}, button, summary, a[href]`;
/** Inputs typed and not saved, by what was drawn, then by their keys; those of a subject that is not shown wait here. */
const drafts = new WeakMap();
/** The folds that were drawn open: such a one is not kept open. */
const drawnOpen = new WeakSet();
/** The subject that an element shows. */
const shown = new WeakMap();

/**
 * Replace the children of an element. What was typed, ticked or chosen there and differs from what was drawn is put into
 * the new input of the same id or name, or of the same place in the part with the same `data-key`; folds and the focus
 * likewise. `subject` says whose inputs they are: another subject gets its own ones back.
 *
 * @param {Element} root
 * @param {Child[]} children
 * @param {string | number} [subject]
 */
export function redraw(root, children, subject = "") {
  keepDraft(root);
  const isSame = shown.get(root) === subject;
  const focused = isSame ? focusIn(root) : null;
  const open = new Set(
    isSame
      ? foldsIn(root)
          .filter((fold) => fold.open && !drawnOpen.has(fold))
          .map(keyOf)
      : [],
  );
  root.replaceChildren(.../** @type {Node[]} */ (children.flat().filter(Boolean)));
  shown.set(root, subject);
  const typed = draftsOf(root).get(subject) ?? new Map();
  for (const control of controlsIn(root)) putBack(control, typed.get(keyOf(control)));
  for (const fold of foldsIn(root)) {
    if (fold.open) drawnOpen.add(fold);
    fold.open ||= open.has(keyOf(fold));
  }
  focused?.();
}

/**
 * Take what was typed in an element as saved.
 *
 * @param {Element} root
 */
export function saved(root) {
  for (const control of controlsIn(root)) {
    if (control instanceof HTMLSelectElement)
      for (const option of control.options) option.defaultSelected = option.selected;
    else {
      control.defaultValue = control.value;
      if (control instanceof HTMLInputElement) control.defaultChecked = control.checked;
    }
  }
}

/** @param {Element} root */
function keepDraft(root) {
  if (!shown.has(root)) return;
  const typed = [...controlsIn(root)].filter(isTyped).map((control) => [keyOf(control), control]);
  draftsOf(root).set(shown.get(root), new Map(/** @type {[string, Control][]} */ (typed)));
}

/**
 * @param {Element} root
 * @returns {Map<string | number, Map<string, Control>>}
 */
function draftsOf(root) {
  if (!drafts.has(root)) drafts.set(root, new Map());
  return drafts.get(root);
}

/**
 * @param {Element} root
 * @returns {NodeListOf<Control>}
 */
const controlsIn = (root) => root.querySelectorAll(CONTROLS);

/**
 * List the folds that can be recognised when they are drawn anew.
 *
 * @param {Element} root
 */
const foldsIn = (root) => [...root.querySelectorAll("details")].filter((fold) => keyOf(fold));

/** @param {any} element */
const keyOf = (element) =>
  `${element.id || element.name || placeOf(element)}${isTicked(element) ? ` ${element.value}` : ""}`;

/**
 * Return the place of an element in the part that has a key; empty without one.
 *
 * @param {HTMLElement} element
 */
function placeOf(element) {
  const keyed = /** @type {HTMLElement | null} */ (element.closest("[data-key]"));
  return keyed ? `${keyed.dataset.key} ${[...keyed.querySelectorAll("*")].indexOf(element)}` : "";
}

/** @param {{ type?: string }} control */
const isTicked = ({ type }) => type === "checkbox" || type === "radio";

/** @param {Control} control */
function isTyped(control) {
  if (control instanceof HTMLSelectElement)
    return [...control.options].some((option) => option.selected !== option.defaultSelected);
  if (control instanceof HTMLInputElement && isTicked(control)) return control.checked !== control.defaultChecked;
  return control.type === "file" ? control.value !== "" : control.value !== control.defaultValue;
}

/**
 * Return whether an input was drawn with what had been typed: it has been saved since.
 *
 * @param {Control} control
 * @param {Control} typed
 */
const isAlike = (control, typed) =>
  isTicked(control)
    ? /** @type {HTMLInputElement} */ (control).checked === /** @type {HTMLInputElement} */ (typed).checked
    : control.value === typed.value;

/**
 * @param {Control} control
 * @param {Control | undefined} typed
 */
function putBack(control, typed) {
  if (!typed || isAlike(control, typed)) return;
  if (isTicked(control)) Object.assign(control, { checked: /** @type {HTMLInputElement} */ (typed).checked });
  else if (control.type === "file") Object.assign(control, { files: /** @type {HTMLInputElement} */ (typed).files });
  else control.value = typed.value;
  const folded = control.closest("details");
  if (folded) folded.open = true;
}

/**
 * Return what gives the focus back to the element that has it, with its caret; null if none has it.
 *
 * @param {Element} root
 */
function focusIn(root) {
  const own = /** @type {Control | null} */ (document.activeElement);
  if (!own?.matches(FOCUSABLE) || !root.contains(own) || !keyOf(own)) return null;
  const key = keyOf(own);
  const { selectionStart: from = null, selectionEnd: to = null } = /** @type {HTMLInputElement} */ (own);
  return () => {
    const now = /** @type {HTMLElement | undefined} */ (
      [...root.querySelectorAll(FOCUSABLE)].find((control) => keyOf(control) === key)
    );
    now?.focus({ preventScroll: true });
    if (from !== null) /** @type {HTMLInputElement} */ (now)?.setSelectionRange(from, to);
  };
}
