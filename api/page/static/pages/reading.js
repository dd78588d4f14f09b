// @ts-check
/** The page of a reading: follows it until it is done, then shows it, asks its questions and takes corrections. */

import { el, part } from "../lib/dom.js";
import { openLanguages } from "../lib/page.js";
import { Stages } from "../lib/progress.js";
import { forgetSent, sentPhoto } from "../lib/sent_photo.js";
import { eventToken } from "../lib/store.js";
import { say } from "../lib/words.js";
import { screenWidth } from "../report/picture.js";
import { labelOf } from "../report/scores.js";
import { Session } from "../report/session.js";
import { viewOf } from "./views.js";

const { id = "" } = part("reading").dataset;
const event = new URLSearchParams(location.hash.slice(1)).get("event");
const session = new Session(id, event ? eventToken(event) : undefined);
openLanguages();
start().catch((error) => failed(error));

async function start() {
  const stages = new Stages(part("progress-title"), part("stages"), part("stage-told"));
  await session.follow((reading) => stages.tell(reading));
  if (session.reading.status === "done") forgetSent();
  if (session.reading.status === "failed") {
    const { ApiError } = await import("../lib/api.js");
    const { code, text } = /** @type {Api.ErrorBody} */ (session.reading.error);
    part("failed-more").textContent = code === "component_missing" ? text : "";
    throw new ApiError(code, text);
  }
  const [view, { Desk }, photo] = await Promise.all([
    viewOf(session.report),
    import("./desk.js"),
    session.preview(0, screenWidth()),
  ]);
  part("progress").hidden = true;
  part("result").hidden = false;
  const shown = new view(/** @type {any} */ (session.report), photo, session);
  new Desk(shown);
  openDispute(shown);
  addEventListener("hashchange", () => openDispute(shown));
}

/**
 * Show the feature that the address names: `#R4.7` is a road.
 *
 * @param {AnyView} view
 */
function openDispute(view) {
  const name = location.hash.slice(1);
  if (!/^[A-Z]+\d+\.\d+[a-z]*$/.test(name) || !("squares" in view)) return;
  const feature = view.report.features.find((own) => labelOf(own) === name);
  if (feature) view.choose(feature);
  else view.tell(say("feature-gone", { feature: name }), true);
}

/** @param {Error} given */
async function failed({ message: words }) {
  part("progress").hidden = true;
  part("failed").hidden = false;
  part("failed-why").textContent = words || say("error-internal_error");
  if (session.reading?.status !== "failed" || !session.owned) return;
  const sent = sentPhoto(id);
  if (sent) part("failed-photo").replaceChildren(el("img", { src: sent, alt: say("failed-photo") }));
  const { failedTip } = await import("../report/retake.js");
  part("failed-tip").replaceChildren(failedTip((error) => (part("failed-why").textContent = error.message)));
}
