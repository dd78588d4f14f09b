// @ts-check
/** Sharing a reading: a link, the board in a link, files; and deleting it. */

import { download } from "../lib/api.js";
import { button, el, find, icon } from "../lib/dom.js";
import { confirmDelete, openSheet } from "../lib/sheet.js";
import { forget } from "../lib/store.js";
import { say, time } from "../lib/words.js";
import { playAddress } from "./bg_stats.js";
import { fragmentOf } from "./fragment.js";

/** The photo with the points drawn over it, as a file to share. */
const PICTURE = "overlay.jpg";
const FILES = [
  ["report.pdf", "download-pdf"],
  [PICTURE, "download-picture"],
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
  const board = `${siteOrigin()}/b#${await fragmentOf(session.report)}`;
  const dialog = openSheet(
    say("share"),
    onlyHere(),
    linkBlock("share-link", say("link"), `${siteOrigin()}/r/${session.id}`),
    session.owned ? letCorrect(session, () => dialog) : null,
    linkBlock("board-link", say("board-link"), board, say("board-link-hint")),
    picture(view),
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
              href: file === PICTURE ? picturePath(view) : `${session.path}/${file}`,
              download: "", // the server names it by day, place and players
              class: "button",
            },
            icon("download"),
            el("span", {}, say(key)),
          ),
        ),
      ),
    ),
    bgStats(session),
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

/**
 * Create the link that hands the result to BG Stats; none while the result is not certain.
 *
 * @param {Session} session
 */
function bgStats({ report, id, reading }) {
  const href = playAddress(report, id, reading.created);
  return (
    href &&
    el(
      "div",
      {},
      el(
        "a",
        { class: "button", href, target: "_blank", rel: "noreferrer" },
        icon("share"),
        el("span", {}, say("bg-stats")),
      ),
      el("p", { class: "quiet" }, say("bg-stats-hint")),
    )
  );
}

/** @param {OwnView} view */
const picturePath = ({ session, number }) => `${session.path}/${PICTURE}?number=${number}`;

/**
 * Create a button that shares the picture itself; none if the browser shares no files.
 *
 * @param {OwnView} view
 */
function picture(view) {
  /** @type {File[]} */
  let files = [new File([""], "picture.jpg", { type: "image/jpeg" })];
  if (!navigator.canShare?.({ files })) return null;
  files = [];
  const told = el("p", { class: "quiet", role: "status" });
  const share = async () => {
    told.textContent = "";
    if (!files.length) files = [await pictureFile(view)];
    await navigator.share({ files, title: document.title });
  };
  /** @param {Error} error */
  const refused = ({ name, message }) => {
    // a browser that waited too long for the picture wants another tap; who closes its sheet needs no words
    if (name !== "AbortError") told.textContent = name === "NotAllowedError" ? say("share-again") : message;
  };
  return el(
    "div",
    {},
    button("share", say("share-picture"), () => share().catch(refused)),
    told,
  );
}

/**
 * Fetch the picture, with the name that the server gives it. Throws ApiError.
 *
 * @param {OwnView} view
 */
async function pictureFile(view) {
  const { data, name } = await download(picturePath(view));
  return new File([data], name || PICTURE, { type: "image/jpeg" });
}

/** Open the sheet of a board that exists only in its link. */
export function openBoardShare() {
  const link = `${siteOrigin()}${location.pathname}${location.hash}`;
  openSheet(say("share"), onlyHere(), linkBlock("board-link", say("board-link"), link, say("board-link-hint")));
}

const OWN_HOST = /^(localhost|.*\.localhost|127\.[\d.]+|\[::1\])$/;

/** The origin for links: the server's address in its network if this page was opened as localhost. */
export const siteOrigin = () => document.documentElement.dataset.site || location.origin;

/** Say that links open on this computer alone, if they do; null otherwise. */
export const onlyHere = () =>
  OWN_HOST.test(new URL(siteOrigin()).hostname)
    ? el("p", { class: "only-here", role: "note" }, say("link-only-here"))
    : null;

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
