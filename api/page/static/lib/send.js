// @ts-check
/** Handing photos in: sending them, remembering them on this device, and following them to their reading. */

import { upload } from "./api.js";
import { withKey } from "./key.js";
import { ownWonders } from "./own_wonders.js";
import { keepSent } from "./sent_photo.js";
import { remember } from "./store.js";

/**
 * Send photos of one table, with further fields; `onProgress` gets the share sent, 0 to 1. Throws ApiError.
 *
 * @param {Iterable<File>} files
 * @param {(share: number) => unknown} onProgress
 * @param {{ [name: string]: string | number | string[] | null | undefined }} [fields]
 */
export async function sendPhotos(files, onProgress, fields = {}) {
  const form = new FormData();
  const photos = [...files];
  for (const file of photos) form.append("photo", file);
  for (const [name, values] of Object.entries(fields))
    for (const value of /** @type {unknown[]} */ ([values].flat())) form.append(name, String(value));
  for (const file of Object.values(ownWonders())) form.append("wonder", file);
  const { id, token } = await withKey(() => upload(form, onProgress));
  remember({ id, token, created: new Date().toISOString(), scores: null });
  await keepSent(id, photos[0]);
  location.assign(`/r/${id}`);
}

/**
 * Send the photos of a reading again, to be read with the latest enrolments. Throws ApiError.
 *
 * @param {Session} session
 */
export async function readAgain(session) {
  /** @type {Partial<Api.Rules>} */
  const { edition: rules, box_rules = {} } = session.report.rules;
  await sendPhotos(await photosOf(session), () => {}, { rules, box_rules: boxWords(box_rules) });
}

/** Corrections of table facts, which hold for any photos of the table: they go with further photos. */
const OF_TABLE = [
  "player",
  "track",
  "player_count",
  "tiles_in_play",
  "goods",
  "wonder_owner",
  "rules",
  "box_rules",
  "boxes",
];

/**
 * Whether corrections exist that a reading with further photos replaces: those of tiles and pieces on the board.
 *
 * @param {Pick<Session, "reading">} given
 */
export const startsAnew = ({ reading }) => (reading.corrections ?? []).some(({ kind }) => !OF_TABLE.includes(kind));

/**
 * Send the photos of a reading together with further ones, and with its table facts. Throws ApiError.
 *
 * @param {Session} session
 * @param {File[]} files
 * @param {(share: number) => unknown} onProgress
 */
export async function readTogether(session, files, onProgress) {
  const { report, reading } = session;
  const read = "track" in report && report.track?.file ? Object.entries(report.scores.on_track) : []; // its photo is not kept
  const all = /** @type {Correction[]} */ (reading.corrections ?? []);
  /** @param {string} kind */
  const last = (kind) => all.filter((own) => own.kind === kind);
  /** @type {Map<unknown, unknown>} */
  const typed = new Map(
    /** @type {[unknown, unknown][]} */ ([...read, ...last("track").map(({ colour, points }) => [colour, points])]),
  );
  const owners = new Map(last("wonder_owner").map(({ wonder, colour }) => [wonder, colour ?? "nobody"]));
  /** @type {Partial<Api.Rules>} */
  const { edition: rules, player_count: players, goods = {}, box_rules = {}, boxes = {} } = report.rules;
  const tiles = /** @type {number | undefined} */ (last("tiles_in_play").at(-1)?.count);
  await sendPhotos([...(await photosOf(session)), ...files], onProgress, {
    game: report.game,
    rules,
    ...(players ? { players } : {}),
    ...(tiles ? { tiles_in_play: tiles } : {}),
    track: [...typed].filter(([, points]) => points !== null).map((own) => own.join("=")),
    player: named(report.names),
    owner: [...owners].map((own) => own.join("=")),
    box_rules: boxWords(box_rules),
    boxes: Object.entries(boxes).map((own) => own.join("=")),
    goods: Object.entries(goods).flatMap(([kind, counts]) =>
      Object.entries(counts).map(([colour, n]) => `${colour}.${kind}=${n}`),
    ),
  });
}

/**
 * Return the choices of boxes' rules in the server's form: `inns=off`.
 *
 * @param {{ [box: string]: boolean }} choices
 */
const boxWords = (choices) => Object.entries(choices).map(([box, played]) => `${box}=${played ? "on" : "off"}`);

/**
 * Return the players' names in the server's form: each name of a table only once.
 *
 * @param {{ [colour: string]: string }} [names]
 */
export function named(names = {}) {
  const first = new Map(
    Object.entries(names)
      .reverse()
      .map(([colour, name]) => [name, colour]),
  );
  return Object.entries(names)
    .filter(([colour, name]) => first.get(name) === colour)
    .map((own) => own.join("="));
}

/** @param {Session} session */
async function photosOf({ report, reading, path }) {
  const named = /** @type {Api.PhotoInfo[]} */ (report.photos?.length ? report.photos : [report.photo]);
  return Promise.all(
    (reading.photos ?? []).map(async ({ number }) => {
      const answer = await fetch(`${path}/photo?number=${number}`);
      return new File([await answer.blob()], named[number].file, { type: "image/jpeg" });
    }),
  );
}
