// @ts-check
/** A small copy of a photo that was sent from this window: shown if it cannot be read, since the server keeps none. */

const KEY = "wondertally.sent";
/** Width of the copy in pixels: a phone's screen. */
const WIDTH = 720;

/**
 * Keep a copy of the latest photo until it is read; none if the browser cannot open or store it.
 *
 * @param {string} id
 * @param {File} file
 */
export async function keepSent(id, file) {
  try {
    const photo = await createImageBitmap(file, { resizeWidth: WIDTH });
    const canvas = Object.assign(document.createElement("canvas"), { width: photo.width, height: photo.height });
    canvas.getContext("2d")?.drawImage(photo, 0, 0);
    sessionStorage.setItem(KEY, JSON.stringify({ [id]: canvas.toDataURL("image/jpeg", 0.8) }));
  } catch {
    forgetSent();
  }
}

/**
 * Return the address of a reading's copy, else null.
 *
 * @param {string} id
 */
export function sentPhoto(id) {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "{}")[id] ?? null;
  } catch {
    return null;
  }
}

/** Drop the copy: the photo was read. */
export function forgetSent() {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // then nothing was kept
  }
}
