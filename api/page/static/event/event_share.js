// @ts-check
/** Sharing an event: a link to view it, one for helpers; and deleting it. */

import { picture } from "../lib/api.js";
import { button, el, icon } from "../lib/dom.js";
import { confirmDelete, openSheet } from "../lib/sheet.js";
import { forgetEvent } from "../lib/store.js";
import { say } from "../lib/words.js";
import { linkBlock, onlyHere, siteOrigin } from "../report/share_sheet.js";

/** @param {EventSession} session */
export function openEventShare(session) {
  const link = `${siteOrigin()}/event/${session.id}`;
  const dialog = openSheet(
    say("share"),
    onlyHere(),
    linkBlock("event-link", say("event-link"), link),
    ...(session.mayDecide ? ofOwner(session, link, () => dialog.close()) : []),
  );
}

/**
 * Show the link for players as a QR code, once the server has drawn it.
 *
 * @param {EventSession} session
 */
function handInCode(session) {
  const image = el("img", { alt: say("hand-in-code"), width: 240, height: 240, class: "qr-code" });
  const save = el(
    "a",
    { class: "button", download: "wondertally.svg" },
    icon("download"),
    el("span", {}, say("hand-in-code-save")),
  );
  const told = el("p", { class: "problem", role: "alert" });
  picture(`${session.path}/hand-in.svg?site=${encodeURIComponent(siteOrigin())}`, session.token).then(
    (link) => {
      image.src = link;
      save.href = link;
    },
    (error) => (told.textContent = error.message),
  );
  return el("div", { class: "hand-in-code" }, image, save, told);
}

/**
 * @param {EventSession} session
 * @param {string} link
 * @param {() => unknown} close
 */
function ofOwner(session, link, close) {
  return [
    linkBlock(
      "event-link-hand-in",
      say("event-link-hand-in"),
      `${link}#hand-in=${session.event.hand_in}`,
      say("hand-in-hint"),
    ),
    handInCode(session),
    linkBlock("event-link-check", say("event-link-check"), `${link}#token=${session.token}`, say("event-link-hint")),
    button(
      "bin",
      say("delete"),
      () => {
        close();
        confirmDelete(say("delete-event-sure"), async () => {
          await session.delete();
          forgetEvent(session.id);
          location.assign("/");
        });
      },
      { class: "danger" },
    ),
  ];
}
