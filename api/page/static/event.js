/** The review desk: an event's tables, those first that need a person, and one key a decision. */

import { EventDesk } from "./event_desk.js";
import { EventSession } from "./event_session.js";
import { openLanguages } from "./page.js";
import { eventToken, rememberEvent } from "./store.js";
import { say } from "./words.js";

const part = (name) => document.getElementById(name);
const { id } = part("event").dataset;

openLanguages();
takeToken();
start().catch((error) => {
  part("progress").hidden = true;
  part("failed").hidden = false;
  part("failed-why").textContent = error.message || say("error-internal_error");
});

/** A token in the address is kept here, and taken out of the address, which may be shown to others. */
function takeToken() {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (!token) return;
  rememberEvent(id, token);
  history.replaceState(null, "", location.pathname);
}

async function start() {
  const session = new EventSession(id, eventToken(id));
  await session.load();
  part("progress").hidden = true;
  part("event").hidden = false;
  if (session.mayDecide) rememberEvent(id, session.token, session.event.name);
  new EventDesk(session);
  session.watch();
}
