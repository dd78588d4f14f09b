// @ts-check
/** Pieces that were named in a reading: one tap enrols them, so that the server recognises them. */

import { call } from "../lib/api.js";
import { button, el, icon } from "../lib/dom.js";
import { withKey } from "../lib/key.js";
import { list, say, sayOr } from "../lib/words.js";

const newest = new WeakMap();

/**
 * Show the pieces that can be enrolled in a section; hide it if there are none, or enrolling is not allowed here.
 * An answer that arrives after a newer request, or after the pieces were enrolled, changes nothing.
 *
 * @param {SpotView} view
 * @param {HTMLElement} section
 */
export async function offerPieces(view, section) {
  const overtaken = begin(section);
  const address = `${view.session.path}/pieces`;
  const { pieces, refused } = await call("GET", address).catch(() => ({ pieces: [] }));
  if (overtaken()) return;
  const names = list(pieces.map((/** @type {string} */ name) => sayOr(`value-${name}`, name)));
  section.hidden = !pieces.length || refused === "local_only";
  if (section.hidden) section.replaceChildren();
  if (section.hidden) return;
  const keep = button(
    "check",
    say("pieces-keep"),
    () =>
      view.guard(async () => {
        begin(section);
        await withKey(() => call("POST", address));
        begin(section);
        section.hidden = false;
        section.replaceChildren(
          icon("check"),
          el("p", { role: "status" }, say("pieces-kept", { names, n: pieces.length })),
        );
      }),
    { class: "primary" },
  );
  section.replaceChildren(icon("wonder"), el("p", {}, say("pieces-offer", { names, n: pieces.length })), keep);
}

/**
 * Start new contents of a section: returns a function that reports whether newer ones were started since.
 *
 * @param {HTMLElement} section
 */
function begin(section) {
  const own = (newest.get(section) ?? 0) + 1;
  newest.set(section, own);
  return () => newest.get(section) !== own;
}
