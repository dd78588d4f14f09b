/** Handing an event on: a link to look at it, one for helpers; and deleting it. */

import { button } from "./dom.js";
import { linkBlock } from "./share_sheet.js";
import { confirmDelete, openSheet } from "./sheet.js";
import { forgetEvent } from "./store.js";
import { say } from "./words.js";

export function openEventShare(session) {
  const link = `${location.origin}/event/${session.id}`;
  const dialog = openSheet(say("share"), linkBlock("event-link", say("event-link"), link), ...(session.mayDecide ? ofOwner(session, link, () => dialog.close()) : []));
}

function ofOwner(session, link, close) {
  return [
    linkBlock("event-link-check", say("event-link-check"), `${link}#token=${session.token}`, say("event-link-hint")),
    button("bin", say("delete"), () => {
      close();
      confirmDelete(say("delete-event-sure"), async () => {
        await session.delete();
        forgetEvent(session.id);
        location.assign("/");
      });
    }, { class: "danger" }),
  ];
}
