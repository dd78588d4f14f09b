/** Pieces that were named in a reading: one tap, and the server knows them by sight from then on. */

import { call } from "./api.js";
import { button, el, icon } from "./dom.js";
import { withKey } from "./key.js";
import { list, say, sayOr } from "./words.js";

/** Shows what could be kept in a section; hides it where that is nothing, or may not be done here. */
export async function offerPieces(view, section) {
  const address = `${view.session.path}/pieces`;
  const { pieces, refused } = await call("GET", address).catch(() => ({ pieces: [] }));
  const names = list(pieces.map((name) => sayOr(`value-${name}`, name)));
  section.hidden = !pieces.length || refused === "local_only";
  if (section.hidden) return section.replaceChildren();
  const keep = button("check", say("pieces-keep"), () => view.guard(async () => {
    await withKey(() => call("POST", address));
    section.replaceChildren(icon("check"), el("p", { role: "status" }, say("pieces-kept", { names, n: pieces.length })));
  }), { class: "primary" });
  return section.replaceChildren(icon("wonder"), el("p", {}, say("pieces-offer", { names, n: pieces.length })), keep);
}
