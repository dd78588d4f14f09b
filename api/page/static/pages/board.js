// @ts-check
/** The page of a board that exists only in its address: scored again each time it is opened, stored nowhere. */

import { call } from "../lib/api.js";
import { part } from "../lib/dom.js";
import { withKey } from "../lib/key.js";
import { openLanguages } from "../lib/page.js";
import { say } from "../lib/words.js";
import { sharedBoard } from "../report/fragment.js";
import { openBoardShare } from "../report/share_sheet.js";
import { viewOf } from "./views.js";

openLanguages();
window.addEventListener("hashchange", () => location.reload());
start().catch((error) => {
  part("progress").hidden = true;
  part("failed").hidden = false;
  part("failed-why").textContent = error.message;
});

async function start() {
  const shared = await sharedBoard(location.hash.slice(1));
  if (!shared) throw new Error(say("no-board"));
  const { notation, ...asked } = shared;
  const { report } = await withKey(() =>
    call("POST", "/v1/scores", { body: { board: notation, ...asked, drawn: true } }),
  );
  const view = await viewOf(report);
  part("progress").hidden = true;
  part("result").hidden = false;
  new view(report, null, null);
  part("share").onclick = openBoardShare;
}
