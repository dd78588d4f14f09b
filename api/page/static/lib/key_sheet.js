// @ts-check
/** Asking for an API key. */

import { el, icon } from "./dom.js";
import { forgetKey, keep } from "./key.js";
import { openSheet } from "./sheet.js";
import { say } from "./words.js";

/**
 * Open the sheet; returns whether a key was given. `wrong`: the kept key is unknown to the server.
 *
 * @param {boolean} wrong
 */
export function askKey(wrong) {
  if (wrong) forgetKey();
  const { promise, resolve } = settled();
  const input = el("input", {
    id: "api-key",
    type: "password",
    required: true,
    autocomplete: "off",
    maxlength: 500,
    autofocus: true,
  });
  const remember = el("input", { type: "checkbox", role: "switch" });
  let given = false;
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    keep(input.value.trim(), remember.checked);
    given = true;
    dialog.close();
  };
  const form = el(
    "form",
    { class: "key-form", onsubmit: submit },
    el("div", { class: "field" }, el("label", { for: "api-key" }, say("api-key")), input),
    el("label", { class: "switch" }, remember, el("span", {}, say("remember-key"))),
    el("button", { type: "submit", class: "primary large" }, icon("check"), el("span", {}, say("use-key"))),
  );
  const dialog = openSheet(
    say("api-key"),
    el("p", {}, say("key-about")),
    wrong ? el("p", { class: "sheet-error", role: "alert" }, say("error-wrong_key")) : null,
    form,
  );
  dialog.addEventListener("close", () => resolve(given));
  return promise;
}

function settled() {
  /** @type {(given: boolean) => void} */
  let resolve = () => {};
  /** @type {Promise<boolean>} */
  const promise = new Promise((done) => (resolve = done));
  return { promise, resolve };
}
