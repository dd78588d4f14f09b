// @ts-check
/** The picture of one dispute, to print or share: the feature on the photo, and below it the counted items in words. */

import { el, icon } from "../lib/dom.js";
import { say } from "../lib/words.js";

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
