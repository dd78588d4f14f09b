// @ts-check
/** Another photo of a table that was read: all its photos are read together, as a new reading. */

import { el, icon } from "../lib/dom.js";
import { uploadBar } from "../lib/progress.js";
import { readTogether, startsAnew } from "../lib/send.js";
import { say } from "../lib/words.js";

/**
 * Create a button that asks for a photo and reports the progress right beneath.
 *
 * @param {OwnView} view
 * @param {string} words
 */
export function addPhotoButton(view, words) {
  const told = el("p", { class: "sheet-error", role: "alert" });
  const progress = el("div", {});
  const input = el("input", {
    class: "hidden",
    type: "file",
    accept: "image/*",
    multiple: true,
    onchange: () => send(),
  });
  const send = async () => {
    const files = [...(input.files ?? [])];
    if (!files.length) return;
    const bar = uploadBar();
    told.textContent = "";
    progress.replaceChildren(bar.element);
    bar.element.scrollIntoView({ block: "nearest" });
    try {
      await readTogether(view.session, files, bar.tell);
    } catch (error) {
      progress.replaceChildren();
      told.textContent = error.message;
      told.scrollIntoView({ block: "nearest" });
    } finally {
      input.value = "";
    }
  };
  return el(
    "div",
    { class: "add-photo" },
    el("label", { class: "button" }, icon("camera"), el("span", {}, words), input),
    startsAnew(view.session) ? el("p", { class: "quiet starts-anew" }, say("starts-anew")) : null,
    progress,
    told,
  );
}
