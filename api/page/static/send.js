/** Handing photos in: sent, remembered on this device, and followed to their reading. */

import { upload } from "./api.js";
import { withKey } from "./key.js";
import { ownWonders } from "./own_wonders.js";
import { remember } from "./store.js";

/** Sends photos of one table, with further fields; `onProgress` hears the share sent, 0 to 1. Throws ApiError. */
export async function sendPhotos(files, onProgress, fields = {}) {
  const form = new FormData();
  for (const file of files) form.append("photo", file);
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const file of Object.values(ownWonders())) form.append("wonder", file);
  const { id, token } = await withKey(() => upload(form, onProgress));
  remember({ id, token, created: new Date().toISOString(), scores: null });
  location.assign(`/r/${id}`);
}

/** Sends the photos of a reading once more: what was taught since is read with. Throws ApiError. */
export async function readAgain({ report, reading, path }) {
  const named = report.photos.length ? report.photos : [report.photo];
  const files = await Promise.all(reading.photos.map(async ({ number }) => {
    const answer = await fetch(`${path}/photo?number=${number}`);
    return new File([await answer.blob()], named[number].file, { type: "image/jpeg" });
  }));
  await sendPhotos(files, () => {}, { rules: report.rules.edition });
}
