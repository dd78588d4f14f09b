// @ts-check
/** The review desk: an event's tables, those that need a person first, and one key per decision. */

import { EventDesk } from "../event/event_desk.js";
import { EventSession } from "../event/event_session.js";
import { part } from "../lib/dom.js";
import { openLanguages } from "../lib/page.js";
import { eventToken, handInToken, rememberEvent, rememberHandIn } from "../lib/store.js";
import { say } from "../lib/words.js";

const { id = "" } = part("event").dataset;

openLanguages();
const handing = takeToken();
start().catch((error) => {
  part("progress").hidden = true;
  part("failed").hidden = false;
  part("failed-why").textContent = error.message || say("error-internal_error");
});

/**
 * Keep a token from the address, and remove it from the address, which may be shared; returns whether it is a token
 * for handing in tables.
 */
function takeToken() {
  const told = new URLSearchParams(location.hash.slice(1));
  const [token, handIn] = [told.get("token"), told.get("hand-in")];
  if (!token && !handIn) return false;
  if (token) rememberEvent(id, token);
  else rememberHandIn(id, handIn ?? "");
  history.replaceState(null, "", location.pathname + location.search);
  return !token;
}

async function start() {
  const session = new EventSession(id, eventToken(id) ?? handInToken(id));
  await session.load();
  part("progress").hidden = true;
  part("event").hidden = false;
  if (session.mayDecide) rememberEvent(id, session.token ?? "", session.event.name);
  const desk = new EventDesk(session);
  if (handing && session.event.may_add && !session.mayDecide) desk.handIn();
  session.watch();
}
