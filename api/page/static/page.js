/** What every page does: a language that is chosen by hand is taken where one is, without leaving the address. */

const YEAR = 365 * 24 * 3600;

/** Has the language links set the choice and load the page anew, so that a board in the address stays. */
export function openLanguages() {
  for (const link of document.querySelectorAll("a[hreflang]")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      document.cookie = `language=${link.hreflang}; path=/; max-age=${YEAR}; samesite=lax`;
      location.reload();
    });
  }
}
