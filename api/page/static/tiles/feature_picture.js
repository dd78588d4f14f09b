// @ts-check
/** One dispute to pass on: its link, and its picture to print, the feature on the photo with the counted items in words. */

import { button, el, icon } from "../lib/dom.js";
import { openSheet } from "../lib/sheet.js";
import { say } from "../lib/words.js";
import { linkBlock, onlyHere, siteOrigin } from "../report/share_sheet.js";

/**
 * Create a link that downloads the picture of a feature.
 *
 * @param {Session} session
 * @param {string} feature
 */
export function pictureLink(session, feature) {
  const href = `${session.path}/explanation.png?feature=${encodeURIComponent(feature)}`;
  return el(
    "a",
    { class: "button", href, download: `wondertally-${feature}.png` },
    icon("download"),
    el("span", {}, say("feature-picture")),
  );
}

/**
 * Create a button that shows the link to a feature of a reading: whoever opens it sees this dispute.
 *
 * @param {Session} session
 * @param {string} feature
 */
export function linkButton(session, feature) {
  const link = `${siteOrigin()}/r/${session.id}#${encodeURIComponent(feature)}`;
  return button("share", say("feature-link"), () =>
    openSheet(say("feature-link"), onlyHere(), linkBlock("feature-address", say("link-to", { feature }), link)),
  );
}
