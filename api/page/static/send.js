/** Handing photos in: sent, remembered on this device, and followed to their reading. */

import { upload } from "./api.js";
import { withKey } from "./key.js";
import { ownWonders } from "./own_wonders.js";
import { remember } from "./store.js";

/** Sends photos of one table, with further fields; `onProgress` hears the share sent, 0 to 1. Throws ApiError. */
export async function sendPhotos(files, onProgress, fields = {}) {
  const form = new FormData();
  for (const file of files) form.append("photo", file);
  for (const [name, values] of Object.entries(fields)) for (const value of [values].flat()) form.append(name, value);
  for (const file of Object.values(ownWonders())) form.append("wonder", file);
  const { id, token } = await withKey(() => upload(form, onProgress));
  remember({ id, token, created: new Date().toISOString(), scores: null });
  location.assign(`/r/${id}`);
}

/** Sends the photos of a reading once more: what was taught since is read with. Throws ApiError. */
export async function readAgain(session) {
  await sendPhotos(await photosOf(session), () => {}, { rules: session.report.rules.edition });
}

/** Sends the photos of a reading together with further ones; what was said of the table goes with them. Throws ApiError. */
export async function readTogether(session, files, onProgress) {
  const { report, reading } = session;
  const read = report.track?.file ? Object.entries(report.scores.on_track) : []; // its photo is not kept
  const typed = new Map([...read, ...reading.corrections.filter(({ kind }) => kind === "track").map(({ colour, points }) => [colour, points])]);
  const { edition: rules, player_count: players } = report.rules;
  await sendPhotos([...await photosOf(session), ...files], onProgress, {
    game: report.game, rules, track: [...typed].filter(([, points]) => points !== null).map((own) => own.join("=")), ...(players ? { players } : {}),
  });
}

async function photosOf({ report, reading, path }) {
  const named = report.photos.length ? report.photos : [report.photo];
  return Promise.all(reading.photos.map(async ({ number }) => {
    const answer = await fetch(`${path}/photo?number=${number}`);
    return new File([await answer.blob()], named[number].file, { type: "image/jpeg" });
  }));
}
