// @ts-check
/** Wonder files: to download, and to choose. */

import { el, icon } from "../lib/dom.js";
import { say } from "../lib/words.js";

/** @type {{ [name: string]: string }} */
const REFUSED = { local_only: "teach-local-only", key_wanted: "teach-key-wanted", wrong_key: "teach-key-wanted" };

/**
 * Explain why this person may not enrol on this server.
 *
 * @param {string} code
 */
export const refusalWords = (code) => say(REFUSED[code]);

/**
 * Create a link that downloads a wonder's file.
 *
 * @param {string} id
 * @param {string} text
 */
export function downloadLink(id, text) {
  const href = URL.createObjectURL(new Blob([text], { type: "application/toml" }));
  return el(
    "a",
    { class: "button", href, download: `${id.replace(/^WH\//, "")}.toml` },
    icon("download"),
    el("span", {}, say("wonder-download")),
  );
}

/**
 * Create a button that takes a wonder's file; `onText` gets its text, and its errors are shown.
 *
 * @param {(text: string) => unknown} onText
 */
export function fileField(onText) {
  const told = el("span", { role: "alert", class: "sheet-error" });
  /** @param {{ target: HTMLInputElement }} given */
  const taken = async ({ target }) => {
    const [file] = target.files ?? [];
    target.value = "";
    told.textContent = "";
    try {
      if (file) await onText(await file.text());
    } catch (error) {
      told.textContent = error.message;
    }
  };
  return el(
    "span",
    { class: "wonder-upload" },
    el(
      "label",
      { class: "button" },
      icon("share"),
      el("span", {}, say("wonder-upload")),
      el("input", { class: "hidden", type: "file", accept: ".toml", onchange: taken }),
    ),
    told,
  );
}
