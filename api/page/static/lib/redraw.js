// @ts-check
/** Drawing anew without losing what a person types: unsaved inputs, the focus and the caret survive. */

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Control */

const CONTROLS = "input, select, textarea";
/** Inputs typed and not saved, by what was drawn, then by their keys; those of a subject that is not shown wait here. */
const drafts = new WeakMap();
/** The subject that an element shows. */
const shown = new WeakMap();

/**
 * Replace the children of an element. What was typed, ticked or chosen there and differs from what was drawn is put into
 * the new input of the same id or name. `subject` says whose inputs they are: another subject gets its own ones back.
 *
 * @param {Element} root
 * @param {Child[]} children
 * @param {string | number} [subject]
 */
export function redraw(root, children, subject = "") {
  keepDraft(root);
  const focused = shown.get(root) === subject ? focusIn(root) : null;
  root.replaceChildren(.../** @type {Node[]} */ (children.flat().filter(Boolean)));
  shown.set(root, subject);
  const typed = draftsOf(root).get(subject) ?? new Map();
  for (const control of controlsIn(root)) putBack(control, typed.get(keyOf(control)));
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

/** @param {Control} control */
const keyOf = (control) => `${control.id || control.name}${isTicked(control) ? ` ${control.value}` : ""}`;

/** @param {Control} control */
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
 * Return what gives the focus back to the input that has it, with its caret; null if none has it.
 *
 * @param {Element} root
 */
function focusIn(root) {
  const own = /** @type {Control | null} */ (document.activeElement);
  if (!own?.matches(CONTROLS) || !root.contains(own)) return null;
  const { selectionStart: from = null, selectionEnd: to = null } = /** @type {HTMLInputElement} */ (own);
  return () => {
    const now = [...controlsIn(root)].find((control) => keyOf(control) === keyOf(own));
    now?.focus({ preventScroll: true });
    if (from !== null) /** @type {HTMLInputElement} */ (now)?.setSelectionRange(from, to);
  };
}
