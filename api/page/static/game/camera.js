// @ts-check
/** A camera on a stand: it watches the table in small pictures, and takes a whole one in each quiet moment. */

import { penOf } from "../lib/dom.js";
import { Watcher, WIDTH } from "./watcher.js";

/** Time from one small picture to the next, in milliseconds. A guess. */
const STEP = 150;
/** Time after which a lost camera is tried again, in milliseconds. A guess. */
const AGAIN = 3000;
/** Time without a new picture after which a camera counts as lost, as after a phone's sleep, in milliseconds. A guess. */
const FROZEN = 5000;
/** Quality of the photos as JPEG: browsers' own. */
const QUALITY = 0.92;
/** A camera at the back, with as many pixels as films have: 4K. */
const VIDEO = { facingMode: "environment", width: { ideal: 3840 }, height: { ideal: 2160 } };
/** Refusals that a person has to end. */
const REFUSED = ["NotAllowedError", "SecurityError"];

/**
 * @typedef {"off" | "starting" | "moving" | "reached" | "still" | "lost"} CameraState
 * @typedef {object} Taken
 * @property {Blob} blob
 * @property {Box} cut of the camera's picture
 */

/** Why there is no camera: `insecure` (it needs HTTPS), `denied`, `missing`, or `busy` with another program. */
export class CameraError extends Error {
  /** @param {string} code */
  constructor(code) {
    super(code);
    this.code = code;
  }
}

/** Dispatches `state` when its `state` changes, and `photo` with what was `Taken`. */
export class Camera extends EventTarget {
  /** @type {CameraState} */
  state = "off";
  /** @type {MediaStreamTrack | null} */
  #track = null;
  /** @type {WakeLockSentinel | null} */
  #awake = null;
  #watcher = new Watcher(0);
  #small = document.createElement("canvas");
  #shownAt = 0;
  #shown = -1;
  /** @type {number | undefined} */
  #timer;

  /**
   * @param {HTMLVideoElement} video
   * @param {(size: { width: number, height: number }, nudged: boolean) => Box} cutOf the part of a picture to keep
   */
  constructor(video, cutOf) {
    super();
    this.video = video;
    this.cutOf = cutOf;
    document.addEventListener("visibilitychange", () => this.#wake());
  }

  /** Open the camera and watch the table. Throws CameraError. */
  async start() {
    this.#tell("starting");
    try {
      await this.#open();
    } catch (error) {
      this.stop();
      throw error;
    }
    this.#timer = setInterval(() => this.#look(), STEP);
    await this.#stayAwake();
  }

  stop() {
    clearInterval(this.#timer);
    this.#close();
    this.#awake?.release().catch(() => {});
    this.#awake = null;
    this.#tell("off");
  }

  /** Take a photo at the next quiet moment, whatever has changed. */
  takeSoon() {
    this.#watcher.renew();
  }

  async #open() {
    if (!navigator.mediaDevices?.getUserMedia) throw new CameraError("insecure");
    const stream = await navigator.mediaDevices.getUserMedia({ video: VIDEO }).catch((error) => {
      throw new CameraError(errorCode(error));
    });
    [this.#track] = stream.getVideoTracks();
    this.#track.addEventListener("ended", () => this.#lose());
    this.video.srcObject = stream;
    this.#shownAt = Date.now();
    await this.video.play().catch(() => {}); // it plays when the page is seen again
  }

  #close() {
    this.#track?.stop();
    this.#track = null;
    this.video.srcObject = null;
  }

  /** A camera that another program took, or that was pulled out, is opened again as soon as it is there. */
  #lose() {
    if (this.state === "off" || this.state === "lost") return;
    this.#close();
    this.#tell("lost");
    this.#openAgain();
  }

  async #openAgain() {
    while (this.state === "lost") {
      await new Promise((resolve) => setTimeout(resolve, AGAIN));
      if (this.state !== "lost" || document.hidden) continue;
      await this.#open().then(
        () => this.#tell("starting"),
        () => {},
      );
    }
  }

  async #wake() {
    if (document.hidden || this.state === "off") return;
    await this.#stayAwake();
    await this.video.play().catch(() => {});
  }

  async #stayAwake() {
    this.#awake = (await navigator.wakeLock?.request("screen").catch(() => null)) ?? null;
  }

  #look() {
    const { video } = this;
    if (document.hidden || !this.#track || this.#track.muted || !video.videoWidth) return;
    const shown = video.getVideoPlaybackQuality().totalVideoFrames;
    if (shown === this.#shown) {
      if (Date.now() - this.#shownAt > FROZEN) this.#lose();
      return;
    }
    [this.#shown, this.#shownAt] = [shown, Date.now()];
    const { state, take, nudged } = this.#watcherFor(video).see(this.#grey(), performance.now());
    if (take) this.#take(nudged);
    this.#tell(state);
  }

  /**
   * Return the watcher of pictures with these proportions: another one once the phone is turned.
   *
   * @param {HTMLVideoElement} video
   */
  #watcherFor({ videoWidth, videoHeight }) {
    const height = Math.round((WIDTH * videoHeight) / videoWidth);
    if (height !== this.#watcher.height) {
      this.#watcher = new Watcher(height);
      Object.assign(this.#small, { width: WIDTH, height });
    }
    return this.#watcher;
  }

  #grey() {
    const { width, height } = this.#small;
    const pen = penOf(this.#small, { willReadFrequently: true });
    pen.drawImage(this.video, 0, 0, width, height);
    const { data } = pen.getImageData(0, 0, width, height);
    const grey = new Float32Array(width * height);
    for (let at = 0; at < grey.length; at++)
      grey[at] = 0.3 * data[4 * at] + 0.6 * data[4 * at + 1] + 0.1 * data[4 * at + 2];
    return grey;
  }

  /** @param {boolean} nudged */
  async #take(nudged) {
    const { video } = this;
    const cut = this.cutOf({ width: video.videoWidth, height: video.videoHeight }, nudged);
    const { x, y, width, height } = cut;
    const canvas = new OffscreenCanvas(width, height); // it writes a JPEG at once, where an element waits to be idle
    canvas.getContext("2d")?.drawImage(video, x, y, width, height, 0, 0, width, height);
    if (this.#watcher.see(this.#grey(), performance.now()).state !== "still") return this.#watcher.retake();
    const blob = await canvas.convertToBlob({ type: "image/jpeg", quality: QUALITY });
    this.dispatchEvent(new CustomEvent("photo", { detail: { blob, cut } }));
  }

  /** @param {CameraState} state */
  #tell(state) {
    if (state === this.state) return;
    this.state = state;
    this.dispatchEvent(new Event("state"));
  }
}

/** @param {DOMException} error */
function errorCode({ name }) {
  if (REFUSED.includes(name)) return "denied";
  return name === "NotReadableError" || name === "AbortError" ? "busy" : "missing";
}
