// @ts-check
/**
 * Chooses the moments of a camera's film that are worth a photo: the first quiet one after each motion.
 *
 * It sees small grey pictures and no colours. Pictures are compared by their contrast with what lies around and by
 * brightness relative to the whole, so that neither a lamp nor a camera that adapts its exposure counts as motion.
 */

/** Width of the small pictures in pixels. A guess: a meeple on a board of ten tiles is then three pixels wide. */
export const WIDTH = 160;
/** Side of a cell in pixels: cells are what moves or stays. A guess: about a meeple. */
const CELL = 4;
/** Pixels on each side of one that make up what lies around it. A guess. */
const AROUND = 4;
/** Brightness added to what lies around: the noise of a dark picture is no contrast. A guess. */
const DARK = 16;
/** Contrast by which a cell differs, beyond three times its own noise. A guess between noise (0.01) and a meeple (0.1). */
const CONTRAST = 0.05;
/** Change of a cell's brightness against that of the whole picture, as a logarithm. A guess: more than a soft shadow's. */
const SHADE = 0.22;
/** Number of cells that make a motion. A guess. */
const MOVING_CELLS = 3;
/** Time without motion that is a quiet moment, in milliseconds, and pictures in it. Guesses: hands pause for less. */
const QUIET = 600;
const QUIET_PICTURES = 4;
/** Time for which something may reach in and rest before it counts as lying there, in milliseconds. A guess. */
const REACHED = 6000;
/** Number of changed cells joined to the border that may be a hand. A guess. */
const ARM_CELLS = 4;
/** Number of cells with contrast that show whether the camera was nudged. A guess. */
const CONTRAST_CELLS = 32;
/** Share of the cells with contrast that change if camera or table were nudged. A guess. */
const NUDGED_SHARE = 0.5;
/** Time without pictures after which anything may have happened, in milliseconds. A guess. */
const GAP = 2000;
/** Step by which a cell's noise is learned in each picture. A guess: a lamp that flickers is known in twenty seconds. */
const LEARNED = 0.001;

/**
 * @typedef {object} Relief A picture by its cells.
 * @property {Float32Array} contrast of each pixel
 * @property {Float32Array} shade logarithm of each cell's brightness, without that of the whole
 */

export class Watcher {
  /** @type {Relief | null} */
  #before = null;
  /** The picture of the last photo. @type {Relief | null} */
  #taken = null;
  /** The picture of the photo before. @type {Relief | null} */
  #earlier = null;
  /** The last quiet picture into which something reached. @type {Relief | null} */
  #reached = null;
  /** The same before the last motion: what looks as it did then lies there. @type {Relief | null} */
  #lying = null;
  #noise;
  #movedAt = 0;
  #seenAt = 0;
  #stillPictures = 0;
  #isPending = true;

  /** @param {number} height of the pictures, which are `WIDTH` wide */
  constructor(height) {
    this.columns = Math.floor(WIDTH / CELL);
    this.rows = Math.floor(height / CELL);
    this.height = height;
    this.#noise = new Float32Array(this.columns * this.rows);
  }

  /**
   * See the next picture; `take` says that now is a moment for a photo, `nudged` that the camera looks elsewhere.
   *
   * @param {ArrayLike<number>} grey
   * @param {number} at milliseconds
   * @returns {{ state: "moving" | "reached" | "still", take: boolean, nudged: boolean }}
   */
  see(grey, at) {
    const now = reliefOf(grey, this);
    const isAway = !this.#before || at - this.#seenAt > GAP;
    if (isAway || this.#moves(now)) {
      this.#movedAt = at;
      this.#stillPictures = 0;
      this.#isPending = true;
      [this.#lying, this.#reached] = [this.#reached ?? this.#lying, null];
    }
    this.#stillPictures++;
    this.#before = now;
    this.#seenAt = at;
    const quiet = at - this.#movedAt;
    if (quiet < QUIET || this.#stillPictures < QUIET_PICTURES) return { state: "moving", take: false, nudged: false };
    return this.#isPending ? this.#settle(now, quiet) : { state: "still", take: false, nudged: false };
  }

  /** Take the last photo again at the next quiet moment: something moved while it was taken. */
  retake() {
    this.#taken = this.#earlier;
    this.#isPending = true;
  }

  /** Take a photo at the next quiet moment, whatever has changed. */
  renew() {
    this.#taken = null;
    this.#isPending = true;
  }

  /**
   * @param {Relief} now
   * @param {number} quiet
   * @returns {{ state: "reached" | "still", take: boolean, nudged: boolean }}
   */
  #settle(now, quiet) {
    const changed = this.#taken && this.#differ(now, this.#taken);
    const nudged = this.#taken !== null && changed !== null && this.#isNudged(changed, this.#taken);
    const since = changed && this.#lying ? this.#differ(now, this.#lying) : changed;
    if (changed && since && quiet < REACHED && reaches(changed, since, this)) {
      this.#reached = now;
      return { state: "reached", take: false, nudged };
    }
    this.#isPending = false;
    this.#lying = this.#reached = null;
    const take = !changed || changed.includes(1);
    if (take) [this.#earlier, this.#taken] = [this.#taken, now];
    return { state: "still", take, nudged };
  }

  /** @param {Relief} now */
  #moves(now) {
    const before = /** @type {Relief} */ (this.#before);
    const moved = this.#contrasts(now, before);
    const count = this.#differ(now, before, moved).reduce((sum, own) => sum + own, 0);
    for (let cell = 0; cell < moved.length; cell++)
      this.#noise[cell] = Math.max(0, this.#noise[cell] + (moved[cell] > this.#noise[cell] ? LEARNED : -LEARNED));
    return count >= MOVING_CELLS;
  }

  /**
   * Mark the cells that differ in contrast or brightness.
   *
   * @param {Relief} now
   * @param {Relief} then
   * @param {Float32Array} [contrasts]
   */
  #differ(now, then, contrasts = this.#contrasts(now, then)) {
    return Uint8Array.from(contrasts, (contrast, cell) => {
      const isShaded = Math.abs(now.shade[cell] - then.shade[cell]) > SHADE;
      return Number(isShaded || contrast > CONTRAST + 3 * this.#noise[cell]);
    });
  }

  /**
   * Return the mean difference of the contrast in each cell.
   *
   * @param {Relief} now
   * @param {Relief} then
   */
  #contrasts(now, then) {
    return averageCells(
      this,
      now.contrast.map((own, at) => Math.abs(own - then.contrast[at])),
    );
  }

  /**
   * @param {Uint8Array} changed
   * @param {Relief} taken
   */
  #isNudged(changed, taken) {
    const contrasts = averageCells(this, taken.contrast.map(Math.abs));
    let [all, other] = [0, 0];
    for (let cell = 0; cell < changed.length; cell++) {
      if (contrasts[cell] <= CONTRAST) continue;
      all++;
      other += changed[cell];
    }
    return all >= CONTRAST_CELLS && other > NUDGED_SHARE * all;
  }
}

/**
 * Return the mean of the pixels in each cell.
 *
 * @param {{ columns: number, rows: number }} grid
 * @param {ArrayLike<number>} pixels
 */
function averageCells({ columns, rows }, pixels) {
  const means = new Float32Array(columns * rows);
  for (let y = 0; y < rows * CELL; y++) {
    const row = Math.floor(y / CELL) * columns;
    for (let x = 0; x < columns * CELL; x++) means[row + Math.floor(x / CELL)] += pixels[y * WIDTH + x] / CELL ** 2;
  }
  return means;
}

/**
 * @param {ArrayLike<number>} grey
 * @param {{ columns: number, rows: number, height: number }} grid
 * @returns {Relief}
 */
function reliefOf(grey, grid) {
  const around = averageAround(averageAround(Float32Array.from(grey), WIDTH, grid.height), grid.height, WIDTH);
  const shade = averageCells(grid, grey).map((mean) => Math.log(mean + DARK));
  const middle = shade.slice().sort()[shade.length >> 1];
  return {
    contrast: around.map((mean, at) => (grey[at] - mean) / (mean + DARK)),
    shade: shade.map((own) => own - middle),
  };
}

/**
 * Return the mean around each pixel in its row, with rows and columns exchanged.
 *
 * @param {Float32Array} pixels
 * @param {number} width
 * @param {number} height
 */
function averageAround(pixels, width, height) {
  const means = new Float32Array(pixels.length);
  for (let y = 0; y < height; y++) {
    const row = y * width;
    let [sum, count] = [0, 0];
    for (let x = -AROUND; x < width; x++) {
      if (x + AROUND < width) [sum, count] = [sum + pixels[row + x + AROUND], count + 1];
      if (x > AROUND) [sum, count] = [sum - pixels[row + x - AROUND - 1], count - 1];
      if (x >= 0) means[x * height + y] = sum / count;
    }
  }
  return means;
}

/**
 * Return whether something as large as an arm reaches in from the border, and did not lie there before.
 *
 * @param {Uint8Array} changed
 * @param {Uint8Array} since cells that differ from before the last motion
 * @param {{ columns: number, rows: number }} grid
 */
function reaches(changed, since, { columns, rows }) {
  const left = changed.slice();
  for (let cell = 0; cell < left.length; cell++) {
    const [x, y] = [cell % columns, Math.floor(cell / columns)];
    const isBorder = x === 0 || y === 0 || x === columns - 1 || y === rows - 1;
    if (!isBorder || !left[cell]) continue;
    const found = clearFrom(left, cell, columns, rows);
    if (found.length >= ARM_CELLS && found.some((one) => since[one])) return true;
  }
  return false;
}

/**
 * Clear a cell and all that are joined to it; returns them.
 *
 * @param {Uint8Array} left
 * @param {number} first
 * @param {number} columns
 * @param {number} rows
 */
function clearFrom(left, first, columns, rows) {
  const found = [first];
  left[first] = 0;
  for (const cell of found) {
    const [x, y] = [cell % columns, Math.floor(cell / columns)];
    for (let row = Math.max(0, y - 1); row <= Math.min(rows - 1, y + 1); row++)
      for (let column = Math.max(0, x - 1); column <= Math.min(columns - 1, x + 1); column++) {
        const next = row * columns + column;
        if (left[next]) {
          left[next] = 0;
          found.push(next);
        }
      }
  }
  return found;
}
