/** Pieces that were named in a reading: one tap, and the server knows them by sight from then on. */

import { call } from "./api.js";
import { button, el, icon } from "./dom.js";
import { withKey } from "./key.js";
import { list, say, sayOr } from "./words.js";

const newest = new WeakMap();

/** Shows what could be kept in a section; hides it where that is nothing, or may not be done here.
 * An answer that comes when something newer was asked, or the pieces are kept by then, changes nothing. */
export async function offerPieces(view, section) {
  const overtaken = begin(section);
  const address = `${view.session.path}/pieces`;
  const { pieces, refused } = await call("GET", address).catch(() => ({ pieces: [] }));
  if (overtaken()) return;
  const names = list(pieces.map((name) => sayOr(`value-${name}`, name)));
  section.hidden = !pieces.length || refused === "local_only";
  if (section.hidden) section.replaceChildren();
  if (section.hidden) return;
  const keep = button("check", say("pieces-keep"), () => view.guard(async () => {
    begin(section);
    await withKey(() => call("POST", address));
    begin(section);
    section.hidden = false;
    section.replaceChildren(icon("check"), el("p", { role: "status" }, say("pieces-kept", { names, n: pieces.length })));
  }), { class: "primary" });
  section.replaceChildren(icon("wonder"), el("p", {}, say("pieces-offer", { names, n: pieces.length })), keep);
}

/** Something new is to stand in a section: tells from then on whether something newer is. */
function begin(section) {
  const own = (newest.get(section) ?? 0) + 1;
  newest.set(section, own);
  return () => newest.get(section) !== own;
}
