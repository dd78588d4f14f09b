// @ts-check
/** Ctrl+Z and its like: they press the buttons that undo and redo, unless a person types or a dialog lies above. */

const TYPED = "input:not([type=radio], [type=checkbox]), textarea, select";

/**
 * Bind the keys within a page or a dialog; a Mac's command key counts as Ctrl.
 *
 * @param {Document | HTMLDialogElement} root
 * @param {HTMLButtonElement} undo
 * @param {HTMLButtonElement | null} [redo]
 */
export function openUndoKeys(root, undo, redo = null) {
  undo.setAttribute("aria-keyshortcuts", "Control+Z");
  redo?.setAttribute("aria-keyshortcuts", "Control+Shift+Z");
  root.addEventListener("keydown", (given) => {
    const event = /** @type {KeyboardEvent} */ (given);
    const key = event.key.toLowerCase();
    if (!(event.ctrlKey || event.metaKey) || event.altKey || !["z", "y"].includes(key)) return;
    const [above] = [...document.querySelectorAll("dialog[open]")].slice(-1);
    const own = /** @type {Element} */ (event.target);
    if ((above && above !== root) || own.matches?.(TYPED)) return;
    const button = key === "y" || event.shiftKey ? redo : undo;
    if (!button?.checkVisibility()) return;
    event.preventDefault();
    button.click();
  });
}
