// @ts-check
/** The name of the person at this browser: kept here, and sent with every change. */

const KEY = "wondertally.who";
/** @type {string | null} */
let told = null;

/** The name; null if not asked yet, empty if declined. */
export function named() {
  try {
    return told ?? localStorage.getItem(KEY);
  } catch {
    return told;
  }
}

/** @param {string} who */
export function name(who) {
  told = who;
  try {
    localStorage.setItem(KEY, who);
  } catch {
    // then it lasts as long as the page
  }
}
