// @ts-check
/** The events of this device, on the first page. */

import { el, iconButton } from "../lib/dom.js";
import { forgetEvent, rememberedEvents } from "../lib/store.js";
import { say } from "../lib/words.js";

/**
 * List the events that this device may change.
 *
 * @param {HTMLElement} root
 */
export function listEvents(root) {
  root.replaceChildren(
    ...rememberedEvents().map(({ id, name }) =>
      el(
        "li",
        {},
        el("a", { href: `/event/${id}` }, el("span", { class: "when" }, name || say("an-event"))),
        iconButton("close", say("forget"), () => {
          forgetEvent(id);
          listEvents(root);
        }),
      ),
    ),
  );
}
