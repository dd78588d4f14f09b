// @ts-check
/**
 * A picture that is moved and zoomed by fingers, mouse or keys; dispatches `tap` with the point in the picture, and
 * `zoom` with the scale.
 */

const LARGEST = 10;
const STILL = 8;
const STEP = 60;
const ROOM = 1.08;

export class Viewer extends EventTarget {
  /** @type {HTMLElement} */
  world;
  /** @type {number} */
  width;
  /** @type {number} */
  height;
  /** @type {Box} */
  home;
  #fingers = new Map();
  #moved = 0;
  #scale = 1;
  #left = 0;
  #top = 0;
  /** @type {[Box, number?, number?]} */
  #aim = [{ x: 0, y: 0, width: 1, height: 1 }];

  /**
   * `frame` contains `world`, which is `width` by `height` in the picture's own units.
   *
   * @param {HTMLElement} frame
   * @param {HTMLElement} world
   * @param {number} width
   * @param {number} height
   * @param {Box} home
   */
  constructor(frame, world, width, height, home) {
    super();
    this.frame = frame;
    frame.addEventListener("pointerdown", (event) => this.#down(event));
    frame.addEventListener("pointermove", (event) => this.#move(event));
    for (const end of ["pointerup", "pointercancel"])
      frame.addEventListener(end, (event) => this.#up(/** @type {PointerEvent} */ (event)));
    frame.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    frame.addEventListener("keydown", (event) => this.#key(event));
    new ResizeObserver(() => {
      this.world.classList.remove("gliding");
      this.#frame(...this.#aim);
    }).observe(frame);
    this.put(world, width, height, home);
  }

  /**
   * Replace the picture.
   *
   * @param {HTMLElement} world
   * @param {number} width
   * @param {number} height
   * @param {Box} home
   */
  put(world, width, height, home) {
    this.world = world;
    this.width = width;
    this.height = height;
    this.home = home;
    this.frame.replaceChildren(world);
    this.#frame(home);
  }

  /** Set the part of the picture that matters: its `home` {x, y, width, height}. */
  fit() {
    this.show(this.home);
  }

  /**
   * Bring a box {x, y, width, height} of the picture into view, at most `most` times larger than the whole.
   *
   * @param {Box} box
   * @param {number} [most]
   * @param {number} [room]
   */
  show(box, most = 4, room = ROOM) {
    this.world.classList.add("gliding");
    this.#frame(box, most, room);
    this.#tellScale();
  }

  /** Units of the picture per pixel of the window. */
  get perPixel() {
    return 1 / this.#scale;
  }

  /**
   * Fit a box into the frame; after a resize the frame shows the same box.
   *
   * @param {Box} box
   * @param {number} [most]
   * @param {number} [room]
   */
  #frame(box, most = 4, room = ROOM) {
    this.#aim = [box, most, room];
    const { x, y, width, height } = box;
    const scale = Math.min(this.frame.clientWidth / (width * room), this.frame.clientHeight / (height * room));
    this.#scale = Math.max(this.#least(), Math.min(scale, most * this.#least()));
    this.#left = this.frame.clientWidth / 2 - (x + width / 2) * this.#scale;
    this.#top = this.frame.clientHeight / 2 - (y + height / 2) * this.#scale;
    this.#apply();
  }

  /**
   * Zoom about the centre of the frame, or a point of it.
   *
   * @param {number} factor
   * @param {number} [x]
   * @param {number} [y]
   */
  zoom(factor, x = this.frame.clientWidth / 2, y = this.frame.clientHeight / 2) {
    const scale = Math.max(this.#least(), Math.min(LARGEST * this.#least(), this.#scale * factor));
    this.#left = x - ((x - this.#left) * scale) / this.#scale;
    this.#top = y - ((y - this.#top) * scale) / this.#scale;
    this.#scale = scale;
    this.#apply();
    this.#tellScale();
  }

  /**
   * Map a point of the window to the picture.
   *
   * @param {number} x
   * @param {number} y
   */
  point(x, y) {
    const frame = this.frame.getBoundingClientRect();
    return [(x - frame.left - this.#left) / this.#scale, (y - frame.top - this.#top) / this.#scale];
  }

  /**
   * Map a point of the picture to the window: the inverse of `point`.
   *
   * @param {Point} point
   */
  place([x, y]) {
    const frame = this.frame.getBoundingClientRect();
    return [x * this.#scale + this.#left + frame.left, y * this.#scale + this.#top + frame.top];
  }

  #least() {
    return Math.min(this.frame.clientWidth / this.width, this.frame.clientHeight / this.height) || 1;
  }

  #apply() {
    this.#left = kept(this.#left, this.frame.clientWidth, this.width * this.#scale);
    this.#top = kept(this.#top, this.frame.clientHeight, this.height * this.#scale);
    this.world.style.transform = `translate(${this.#left}px, ${this.#top}px) scale(${this.#scale})`;
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (event.button) return;
    this.frame.setPointerCapture(event.pointerId);
    this.world.classList.remove("gliding");
    if (!this.#fingers.size) this.#moved = 0;
    this.#fingers.set(event.pointerId, [event.clientX, event.clientY]);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    if (!this.#fingers.has(event.pointerId)) return;
    const [middle, spread] = this.#grip();
    this.#fingers.set(event.pointerId, [event.clientX, event.clientY]);
    const [now, wide] = this.#grip();
    this.#moved += Math.hypot(now[0] - middle[0], now[1] - middle[1]) + Math.abs(wide - spread);
    if (this.#moved < STILL) return;
    this.#left += now[0] - middle[0];
    this.#top += now[1] - middle[1];
    const frame = this.frame.getBoundingClientRect();
    this.zoom(spread ? wide / spread : 1, now[0] - frame.left, now[1] - frame.top);
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const tapped = this.#fingers.delete(event.pointerId) && !this.#fingers.size && this.#moved < STILL;
    if (tapped && event.type === "pointerup") this.#tell(this.point(event.clientX, event.clientY));
  }

  #tellScale() {
    this.dispatchEvent(new CustomEvent("zoom", { detail: this.#scale }));
  }

  /** @param {Point} point */
  #tell(point) {
    this.dispatchEvent(new CustomEvent("tap", { detail: point }));
  }

  /**
   * Return the centre of the fingers, and the distance between two of them (0 for one).
   *
   * @returns {[Point, number]}
   */
  #grip() {
    const fingers = [...this.#fingers.values()];
    const middle = [0, 1].map((axis) => fingers.reduce((sum, finger) => sum + finger[axis], 0) / fingers.length);
    const [a, b] = fingers;
    return [middle, b ? Math.hypot(a[0] - b[0], a[1] - b[1]) : 0];
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    event.preventDefault();
    this.world.classList.remove("gliding");
    const frame = this.frame.getBoundingClientRect();
    this.zoom(
      Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0018)),
      event.clientX - frame.left,
      event.clientY - frame.top,
    );
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    /** @type {{ [key: string]: number[] }} */
    const steps = { ArrowLeft: [STEP, 0], ArrowRight: [-STEP, 0], ArrowUp: [0, STEP], ArrowDown: [0, -STEP] };
    if (event.target !== this.frame) return;
    if (event.key in steps)
      [this.#left, this.#top] = [this.#left + steps[event.key][0], this.#top + steps[event.key][1]];
    else if (event.key === "+") return this.zoom(1.4);
    else if (event.key === "-") return this.zoom(1 / 1.4);
    else if (event.key === "0") return this.fit();
    else return;
    event.preventDefault();
    this.#apply();
  }
}

/**
 * Clamp along one axis: centred if the picture is smaller, else without a gap at either end.
 *
 * @param {number} offset
 * @param {number} frame
 * @param {number} picture
 */
function kept(offset, frame, picture) {
  return picture <= frame ? (frame - picture) / 2 : Math.min(0, Math.max(frame - picture, offset));
}
