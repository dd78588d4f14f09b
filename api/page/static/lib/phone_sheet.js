// @ts-check
/** Opening this server on a phone, and pairing phones so that they may enrol and correct. */

import { call } from "./api.js";
import { button, el } from "./dom.js";
import { keep } from "./key.js";
import { attempt, openSheet } from "./sheet.js";
import { say } from "./words.js";

/** Show the address for phones as a QR code, and one that pairs the phone that scans it. Throws ApiError. */
export async function openPhones() {
  const { address, can_pair: canPair, paired } = await call("GET", "/v1/phones");
  const dialog = openSheet(
    say("phone-open"),
    el("p", {}, say("phone-scan")),
    code("address", say("phone-code", { address })),
    el("p", {}, el("a", { href: address }, address)),
    ...(canPair
      ? [
          el("h3", {}, say("phone-pair")),
          el("p", { class: "quiet" }, say("phone-pair-about")),
          code("pairing", say("phone-pair")),
          el("p", { id: "phones-paired" }, say("phone-count", { n: paired })),
          paired ? button("bin", say("phone-forget"), () => attempt(dialog, forget)) : null,
        ]
      : [el("p", { class: "quiet" }, say("phone-plain"))]),
  );

  async function forget() {
    await call("DELETE", "/v1/phones");
    dialog.close();
  }
}

/**
 * @param {string} name
 * @param {string} alt
 */
const code = (name, alt) =>
  el("img", { src: `/v1/phones/${name}.svg`, alt, width: 220, height: 220, class: "qr-code" });

/**
 * Pair this device by a code of the server, and keep its key here. Throws ApiError.
 *
 * @param {string} code
 */
export async function pair(code) {
  const { key } = await call("POST", "/v1/phones", { body: { code } });
  keep(key, true);
}
