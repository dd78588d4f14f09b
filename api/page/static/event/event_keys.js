// @ts-check
/** One key per decision, active while nothing is typed and no dialog is open. */

const TYPED = "input, textarea, select";
const PRESSED = "a, button, summary";

/**
 * Bind keys: `does` maps a key to a function that gets the key; Ctrl+Z stands for `u`, which undoes.
 *
 * @param {{ [key: string]: (key: string) => unknown }} does
 */
export function openKeyboard(does) {
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    const held = event.ctrlKey || event.metaKey;
    if ((held && key !== "z") || event.altKey || event.repeat || document.querySelector("dialog[open]")) return;
    const own = /** @type {Element} */ (target);
    if (own.matches?.(TYPED) || (key === "Enter" && own.matches?.(PRESSED))) return;
    const action = (held ? does.u : does[key]) ?? (/^[1-9]$/.test(key) ? does.digit : null);
    if (!action) return;
    event.preventDefault();
    action(key);
  });
}
