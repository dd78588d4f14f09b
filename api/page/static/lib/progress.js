// @ts-check
/** The true progress of an upload or a reading. */

import { el } from "./dom.js";
import { percent, say, sayOr } from "./words.js";

/** Create a bar for the upload: 0 to 1, or null while the server has no room. */
export function uploadBar() {
  const bar = el("progress", { max: 1, value: 0, "aria-label": say("uploading") });
  const words = el("p", {}, say("uploading"));
  /** @param {number | null} share */
  const tell = (share) => {
    if (share === null) {
      words.textContent = say("server-full");
      return;
    }
    bar.value = share;
    words.textContent =
      share < 1 ? say("uploaded", { share: percent(Math.floor(share * 100) / 100) }) : say("uploaded-all");
  };
  return { element: el("div", { class: "upload-bar", role: "status" }, words, bar), tell };
}

/** The stages of a reading, in order, with the current one. */
export class Stages {
  #drawn = "";

  /**
   * @param {HTMLElement} title
   * @param {HTMLElement} root
   * @param {HTMLElement} live
   */
  constructor(title, root, live) {
    this.title = title;
    this.root = root;
    this.live = live;
  }

  /** @param {Api.ReadingDocument} readingDocument */
  tell({ status, stage, stages = [], ahead = 0 }) {
    const now = `${status} ${stage} ${ahead}`;
    if (now === this.#drawn) return;
    this.#drawn = now;
    this.live.textContent = headline(status, stage, ahead);
    if (status !== "done") this.title.textContent = say("reading-photo");
    const at = stages.indexOf(stage ?? "");
    this.root.replaceChildren(
      ...stages.map((name, index) => item(name, status === "done" || index < at, index === at)),
    );
  }
}

/**
 * @param {string} status
 * @param {string | null | undefined} stage
 * @param {number} ahead
 */
function headline(status, stage, ahead) {
  if (status === "done") return say("reading-opens");
  if (status === "queued") return ahead ? say("queued", { n: ahead }) : say("queued-next");
  return stage ? sayOr(`stage-${stage}`, stage) : say("reading-starts");
}

/**
 * @param {string} name
 * @param {boolean} done
 * @param {boolean} now
 */
function item(name, done, now) {
  const state = done ? "done" : now ? "now" : "ahead";
  return el("li", { class: state, "aria-current": now ? "step" : null }, el("span", {}, sayOr(`stage-${name}`, name)));
}
