/** What the person at this browser is called: kept here, and told with every change. */

const KEY = "wondertally.who";
let told = null;

/** The name; null where nobody was asked yet, empty where nobody said. */
export function named() {
  try {
    return told ?? localStorage.getItem(KEY);
  } catch {
    return told;
  }
}

export function name(who) {
  told = who;
  try {
    localStorage.setItem(KEY, who);
  } catch {
    // then it lives as long as the page
  }
}
