// @ts-check
/** Sharing a reading: a link, the board in a link, files; and deleting it. */

import { button, el, find, icon } from "../lib/dom.js";
import { confirmDelete, openSheet } from "../lib/sheet.js";
import { forget } from "../lib/store.js";
import { say, time } from "../lib/words.js";
import { fragmentOf } from "./fragment.js";

const FILES = [
  ["report.pdf", "download-pdf"],
  ["overlay.png", "download-picture"],
  ["report.csv", "download-csv"],
  ["report.json", "download-json"],
];

/**
 * Open the sheet of a reading that the server keeps.
 *
 * @param {OwnView} view
 */
export async function openShare(view) {
  const { session } = view;
  const board = `${location.origin}/b#${await fragmentOf(session.report)}`;
  const dialog = openSheet(
    say("share"),
    linkBlock("share-link", say("link"), `${location.origin}/r/${session.id}`),
    session.owned ? letCorrect(session, () => dialog) : null,
    linkBlock("board-link", say("board-link"), board, say("board-link-hint")),
    el("h3", {}, say("download")),
    el(
      "ul",
      { class: "files" },
      FILES.map(([file, key]) =>
        el(
          "li",
          {},
          el(
            "a",
            {
              href: `${session.path}/${file}${file.endsWith(".png") ? `?number=${view.number}` : ""}`,
              download: file,
              class: "button",
            },
            icon("download"),
            el("span", {}, say(key)),
          ),
        ),
      ),
    ),
    session.reading.expires
      ? el("p", { class: "quiet" }, say("kept-until", { time: time(session.reading.expires) }))
      : null,
    session.owned
      ? button(
          "bin",
          say("delete"),
          () => {
            dialog.close();
            deleteIt(session);
          },
          { class: "danger" },
        )
      : null,
  );
}

/** Open the sheet of a board that exists only in its link. */
export function openBoardShare() {
  openSheet(say("share"), linkBlock("board-link", say("board-link"), location.href, say("board-link-hint")));
}

/**
 * Create a link to copy or share.
 *
 * @param {string} id
 * @param {string} label
 * @param {string} link
 * @param {string | null} [hint]
 */
export function linkBlock(id, label, link, hint = null) {
  const told = el("span", { role: "status" });
  /** @type {HTMLInputElement} */
  const input = el("input", { id, readonly: true, value: link, onfocus: () => input.select() });
  return el(
    "div",
    { class: "link-block" },
    el("label", { for: id }, label),
    hint ? el("p", { class: "quiet" }, hint) : null,
    el(
      "div",
      { class: "link-row" },
      input,
      button("copy", say("copy"), () => copy(input, told)),
      navigator.share
        ? button("share", say("share-with"), () =>
            navigator.share({ title: document.title, url: link }).catch(() => {}),
          )
        : null,
    ),
    told,
  );
}

/**
 * @param {HTMLInputElement} input
 * @param {HTMLElement} told
 */
async function copy(input, told) {
  try {
    await navigator.clipboard.writeText(input.value);
  } catch {
    input.select();
    document.execCommand("copy");
  }
  told.textContent = say("copied");
}

/**
 * @param {Session} session
 * @param {() => HTMLDialogElement} dialog
 */
function letCorrect(session, dialog) {
  const box = el("input", {
    type: "checkbox",
    role: "switch",
    checked: session.reading.shared_correction,
    onchange: async () => {
      const wanted = box.checked;
      await session.change({ shared_correction: wanted }).catch((error) => {
        box.checked = !wanted;
        find(dialog(), ".sheet-body").append(el("p", { class: "sheet-error", role: "alert" }, error.message));
      });
    },
  });
  return el("label", { class: "switch" }, box, el("span", {}, say("others-may-correct")));
}

/** @param {Session} session */
function deleteIt(session) {
  confirmDelete(say("delete-sure"), async () => {
    await session.delete();
    forget(session.id);
    location.assign("/");
  });
}
