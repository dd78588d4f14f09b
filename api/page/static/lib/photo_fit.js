// @ts-check
/** Fitting photos to the server: too many pixels are reduced, and formats that only the browser opens become JPEG. */

/** Maximum number of pixels that the server accepts. */
const PIXELS = 64e6;
const BYTES = 64 * 2 ** 20;
/** Numbers of pixels to reduce to, the second if the browser cannot paint more. */
const FEWER = [40e6, 16e6];
const QUALITY = 0.92;
const TAKEN = /^image\/(jpeg|png|webp)$/;
const DRAWN = "image/svg+xml";
const ENDING = /\.[^.]*$/;

/**
 * Return a form whose photos all fit; the other fields are unchanged.
 *
 * @param {FormData} form
 */
export async function fittingForm(form) {
  const fitting = new FormData();
  for (const [name, value] of form)
    fitting.append(name, name === "photo" && value instanceof File ? await fittingPhoto(value) : value);
  return fitting;
}

/**
 * Return the photo, or a JPEG of it that the server accepts; a photo the browser cannot open stays as it is.
 *
 * @param {File} file
 */
async function fittingPhoto(file) {
  if (file.type === DRAWN) return file;
  const photo = await opened(file);
  if (!photo) return file;
  const pixels = photo.naturalWidth * photo.naturalHeight;
  const fits = pixels <= PIXELS && file.size <= BYTES;
  const [data] = fits && TAKEN.test(file.type) ? [] : await painted(photo, fits ? [pixels, ...FEWER] : FEWER);
  URL.revokeObjectURL(photo.src);
  return data ? new File([data], `${file.name.replace(ENDING, "")}.jpg`, { type: "image/jpeg" }) : file;
}

/**
 * Return the photo as an image of which only the size is known yet; null if the browser cannot open it.
 *
 * @param {File} file
 */
function opened(file) {
  return new Promise((resolve) => {
    const photo = new Image();
    photo.onload = () => resolve(photo);
    photo.onerror = () => {
      URL.revokeObjectURL(photo.src);
      resolve(null);
    };
    photo.src = URL.createObjectURL(file);
  });
}

/**
 * Return the photo as a JPEG of the first number of pixels in `counts` that the browser can paint; none if it can none.
 *
 * @param {HTMLImageElement} photo
 * @param {number[]} counts
 */
async function painted(photo, counts) {
  for (const count of counts) {
    const scale = Math.min(1, Math.sqrt(count / (photo.naturalWidth * photo.naturalHeight)));
    const canvas = Object.assign(document.createElement("canvas"), {
      width: Math.max(1, Math.floor(photo.naturalWidth * scale)),
      height: Math.max(1, Math.floor(photo.naturalHeight * scale)),
    });
    canvas.getContext("2d")?.drawImage(photo, 0, 0, canvas.width, canvas.height);
    const data = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
    if (data) return [data];
  }
  return [];
}
