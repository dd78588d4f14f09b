// @ts-check
/** One key per decision, active while nothing is typed and no dialog is open. */

const TYPED = "input, textarea, select";
const PRESSED = "a, button, summary";

/**
 * Bind keys: `does` maps a key to a function that gets the key.
 *
 * @param {{ [key: string]: (key: string) => unknown }} does
 */
export function openKeyboard(does) {
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || document.querySelector("dialog[open]"))
      return;
    const own = /** @type {Element} */ (target);
    if (own.matches?.(TYPED) || (key === "Enter" && own.matches?.(PRESSED))) return;
    const action = does[key] ?? (/^[1-9]$/.test(key) ? does.digit : null);
    if (!action) return;
    event.preventDefault();
    action(key);
  });
}
