// @ts-check
/** Behaviour of every page: a language chosen by hand applies without leaving the address. */

const YEAR = 365 * 24 * 3600;

/**
 * Take files that are dropped anywhere on the page.
 *
 * @param {(files: FileList) => unknown} onFiles
 */
export function openDrop(onFiles) {
  /** @param {DragEvent} event */
  const dragged = (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    document.body.classList.toggle("dragging", event.type === "dragover");
    if (event.type === "drop") onFiles(event.dataTransfer.files);
  };
  document.addEventListener("dragover", dragged);
  document.addEventListener("dragleave", dragged);
  document.addEventListener("drop", dragged);
}

/** Make the language links set the choice and reload the page, so that a board in the address stays. */
export function openLanguages() {
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("a[hreflang]"))) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      document.cookie = `language=${link.hreflang}; path=/; max-age=${YEAR}; samesite=lax`;
      location.reload();
    });
  }
}
