// @ts-check
/** Creating an event. */

import { call } from "../lib/api.js";
import { button, el } from "../lib/dom.js";
import { boxChoices, boxRules, control, field, labelled, ruleSets, textOf } from "../lib/fields.js";
import { withKey } from "../lib/key.js";
import { openSheet, settle } from "../lib/sheet.js";
import { rememberEvent } from "../lib/store.js";
import { say } from "../lib/words.js";
import { rankingSelect } from "./event_ranking.js";

const NAME_MOST = 80;

/** Ask for the event's name and rules, and open it. Throws ApiError. */
export async function openMakeEvent() {
  const { rules } = await call("GET", "/v1/rules");
  const form = el(
    "form",
    { class: "table-form" },
    field("event-named", say("event-named"), { maxlength: NAME_MOST, required: true, autocomplete: "off" }),
    ruleSets(rules, rules[0].name),
    boxRules(),
    labelled("ranking", say("ranked-by-label"), rankingSelect("ranking", ["wins", "points", "share"])),
    el(
      "div",
      { class: "sheet-actions" },
      button("plus", say("make-event"), null, { type: "submit", class: "primary" }),
    ),
  );
  const dialog = openSheet(say("make-event"), form);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    settle(dialog, async () => {
      const body = {
        name: textOf(form, "event-named"),
        rules: control(form, "rules").value,
        tie_breakers: control(form, "ranking").value.split(","),
        box_rules: Object.fromEntries(boxChoices(form)),
      };
      const { id, token, name } = await withKey(() => call("POST", "/v1/events", { body }));
      rememberEvent(id, token, name);
      location.assign(`/event/${id}`);
    });
  });
  control(form, "event-named").focus();
}
