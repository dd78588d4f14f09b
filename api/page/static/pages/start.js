// @ts-nocheck
/** The first page: photos are chosen, sent, and followed to their reading. */

import { listEvents } from "../event/event_mine.js";
import { badge, who } from "../lib/colours.js";
import { el, icon, iconButton, part } from "../lib/dom.js";
import { forgetKey, key } from "../lib/key.js";
import { openDrop, openLanguages } from "../lib/page.js";
import { uploadBar } from "../lib/progress.js";
import { sendPhotos } from "../lib/send.js";
import { forget, forgetGame, remembered, rememberedGames } from "../lib/store.js";
import { list, number, say, time } from "../lib/words.js";

/** Width of a thumbnail in pixels, for screens with two per pixel of the page. */
const THUMBNAIL = 128;
const chosen = [];

openLanguages();
for (const name of ["camera", "gallery"])
  part(name).onchange = ({ target }) => {
    add(target.files);
    target.value = "";
  };
part("send").onclick = () => send(chosen.map(({ file }) => file));
part("example").onclick = () => guard(() => example("example", EXAMPLE_TRACK));
part("example-question").onclick = () => guard(() => example("example-question", []));
document.addEventListener("paste", ({ clipboardData }) => add(clipboardData.files));
openDrop(add);
part("forget-key").onclick = () => {
  forgetKey();
  part("key-kept").hidden = true;
};
part("key-kept").hidden = key() === null;
listReadings();
catchUp();
listEvents(part("my-events"));
listGames();
part("wonders").onclick = () => guard(async () => (await import("../wonders/wonders_sheet.js")).openWonders());
const phone = document.getElementById("phone");
if (phone) phone.onclick = () => guard(async () => (await import("../lib/phone_sheet.js")).openPhones());
pairHere();
part("make-event").onclick = () => guard(async () => (await import("../event/event_make.js")).openMakeEvent());

/** Pair this device if its address has a code of the server. */
async function pairHere() {
  const code = new URLSearchParams(location.hash.slice(1)).get("pair");
  if (code === null) return;
  history.replaceState(null, "", "/"); // a code is not to be kept or shared with the address
  try {
    await (await import("../lib/phone_sheet.js")).pair(code);
    part("pairing").textContent = say("phone-paired");
  } catch (error) {
    part("pairing").textContent = error.message;
  }
  part("key-kept").hidden = key() === null;
}

/** @param {FileList} files */
function add(files) {
  const photos = [...files].filter(
    (file) => file.type.startsWith("image/") || /\.(jpe?g|png|webp|heic|heif)$/i.test(file.name),
  );
  if (files.length && !photos.length) return tell(say("no-photo"));
  tell("");
  chosen.push(...photos.map((file) => ({ file, link: URL.createObjectURL(file) })));
  return drawTray();
}

/** @param {{ file: File, link: string }} photo */
function drop(photo) {
  URL.revokeObjectURL(photo.link);
  chosen.splice(chosen.indexOf(photo), 1);
  drawTray();
  part(chosen.length ? "send" : "gallery").focus();
}

function drawTray() {
  part("tray").hidden = !chosen.length;
  part("chosen").replaceChildren(
    ...chosen.map((photo, index) =>
      el(
        "li",
        {},
        el("img", { src: photo.link, alt: say("photo-number", { n: index + 1 }) }),
        iconButton("close", say("remove-photo", { n: index + 1 }), () => drop(photo)),
      ),
    ),
  );
  part("send").focus({ preventScroll: true });
  part("send-words").textContent = say("read", { n: chosen.length });
  part("tray").scrollIntoView({ block: "nearest" });
}

/** The points of the example's players before the final scoring. */
const EXAMPLE_TRACK = ["blue=61", "green=73", "red=78"];

/**
 * @param {string} name
 * @param {string[]} track
 */
async function example(name, track) {
  const answer = await fetch(`/${name}.jpg`);
  const photo = new File([await answer.blob()], `${name}.jpg`, { type: "image/jpeg" });
  await send([photo], { game: "carcassonne", track });
}

/** @returns {{ game?: string }} */
function chosenGame() {
  const game = document.querySelector('input[name="game"]:checked').value;
  return game ? { game } : {};
}

/**
 * @param {File[]} files
 * @param {{ game?: string, track?: string[] }} [fields]
 */
function send(files, fields = chosenGame()) {
  return guard(async () => {
    const bar = uploadBar();
    tell("");
    part("sending").replaceChildren(bar.element);
    part("sending").scrollIntoView({ block: "center" });
    choosing(false);
    await sendPhotos(files, bar.tell, fields);
  });
}

/**
 * Enable or disable choosing photos; the progress of sent photos is shown all the while.
 *
 * @param {boolean} may
 */
function choosing(may) {
  for (const own of part("choose").children) own.inert = !may && !["sending", "problem"].includes(own.id);
}

/** @param {() => unknown} action */
async function guard(action) {
  try {
    await action();
  } catch (error) {
    part("sending").replaceChildren();
    choosing(true);
    tell(error.message);
  }
}

/** @param {string} words */
function tell(words) {
  part("problem").textContent = words;
  if (words) part("problem").scrollIntoView({ block: "center" });
}

/** Ask for the results of readings that were left before they were done, and list them; those deleted meanwhile go. */
async function catchUp() {
  const left = remembered().filter(({ scores, failed }) => !scores && !failed);
  if (!left.length) return;
  const { Session } = await import("../report/session.js");
  const load = ({ id }) => new Session(id).load().catch(({ code }) => code === "not_found" && forget(id));
  await Promise.all(left.map(load));
  listReadings();
}

/** List the games whose score this device keeps. */
function listGames() {
  const games = rememberedGames();
  part("games").hidden = !games.length;
  part("my-games").replaceChildren(
    ...games.map((game) => {
      const players = list((game.players ?? []).map((colour) => who(game, colour)));
      return row(`/game/${game.id}`, { when: game.opened, players }, () => {
        forgetGame(game.id);
        listGames();
      });
    }),
  );
}

/**
 * Create a row of a list of this device: a link, what stands beside it, and a button that removes it from the list.
 *
 * @param {string} href
 * @param {{ when: string, players: Child, picture?: Child, beside?: Child }} given
 * @param {() => unknown} onForget
 */
function row(href, { when, players, picture = null, beside = null }, onForget) {
  const day = el("span", { class: "when" }, when ? time(when) : "");
  const link = el("a", { href }, picture, day, el("span", { class: "players" }, players));
  return el("li", {}, link, beside, iconButton("close", say("forget"), onForget));
}

function listReadings() {
  const readings = remembered().sort((one, other) => other.created.localeCompare(one.created));
  part("mine").hidden = !readings.length;
  part("readings").replaceChildren(
    ...readings.map((reading) => {
      const picture = reading.scores ? thumbnail(reading) : null;
      const given = { when: reading.created, players: summary(reading), picture, beside: again(reading) };
      return row(`/r/${reading.id}`, given, () => {
        forget(reading.id);
        listReadings();
      });
    }),
  );
}

/** @param {Remembered} remembered */
function thumbnail({ id }) {
  const src = `/v1/readings/${encodeURIComponent(id)}/photo?width=${THUMBNAIL}`;
  return el("img", { src, alt: "", loading: "lazy", width: 64, height: 48, onerror: ({ target }) => target.remove() });
}

/**
 * Create the link to a new game of the same players, where their points are kept.
 *
 * @param {Remembered} remembered
 */
function again({ scores, names, game }) {
  if (!scores || game !== "carcassonne") return null;
  const players = new URLSearchParams(Object.keys(scores).map((colour) => [colour, names?.[colour] ?? ""]));
  const seats = Object.keys(scores).map((colour) => who({ names }, colour));
  return el(
    "a",
    { class: "button again", href: `/keep#again&${players}` },
    say("play-again"),
    el("span", { class: "hidden" }, ` ${list(seats)}`),
  );
}

/** @param {Remembered} remembered */
function summary({ scores, names, failed, winners = [] }) {
  if (!scores) return say(failed ? "state-failed" : "not-read-yet");
  return Object.entries(scores).map(([player, points]) => {
    const won = winners.includes(player);
    return el(
      "span",
      { class: won ? "score won" : "score" },
      won ? [icon("wonder"), el("span", { class: "hidden" }, `${say("won")} `)] : null,
      badge(player),
      el("span", { class: won ? null : "hidden" }, `${who({ names }, player)} `),
      number(points),
    );
  });
}
