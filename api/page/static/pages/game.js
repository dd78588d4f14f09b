// @ts-check
/** The page of a game whose score is kept from photos: to begin, follow, correct and finish it. */

import { find, part } from "../lib/dom.js";
import { openLanguages } from "../lib/page.js";
import { say } from "../lib/words.js";

const { id = "" } = part("game").dataset;
openLanguages();
begin().catch(fail);

async function begin() {
  if (id) return open();
  const { openSetup } = await import("../game/setup.js");
  await openSetup(part("new-game"));
  part("progress").hidden = true;
  part("new-game").hidden = false;
}

async function open() {
  const [{ GameSession }, { GameDesk }] = await Promise.all([import("../game/session.js"), import("../game/desk.js")]);
  const session = new GameSession(id);
  await session.open(new URLSearchParams(location.hash.slice(1)).get("token"));
  history.replaceState(null, "", location.pathname); // without the token: the address may be shared
  part("progress").hidden = true;
  part("game").hidden = false;
  new GameDesk(session);
  session.watch().catch(fail);
}

/** @param {Error} error */
function fail({ message }) {
  part("progress").hidden = part("game").hidden = true;
  part("failed").hidden = false;
  part("failed-why").textContent = message || say("error-internal_error");
  find(document, "#failed a").focus();
}
