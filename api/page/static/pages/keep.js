// @ts-nocheck
/** Keeping the score of a game at the table; its points are sent with the photo of the finished board. */

import { badge, COLOURS, colourName, nameTag, paint } from "../lib/colours.js";
import { el, part } from "../lib/dom.js";
import { field, suggested } from "../lib/fields.js";
import { openLanguages } from "../lib/page.js";
import { uploadBar } from "../lib/progress.js";
import { redraw, saved } from "../lib/redraw.js";
import { named, sendPhotos } from "../lib/send.js";
import { confirm } from "../lib/sheet.js";
import { openUndoKeys } from "../lib/undo_keys.js";
import { number, say, signed } from "../lib/words.js";
import { KEY, ScorePad } from "../report/score_pad.js";

const STEPS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20];
const NAME_MOST = 40;
const CACHE = "keep";
const pad = new ScorePad();
let chosen = null;

openLanguages();
part("seats").open = pad.players.length < 2;
for (const name of ["camera", "gallery"]) part(name).onchange = ({ target }) => send(target);
part("start").onclick = () => {
  part("seats").open = false;
  part("pad").scrollIntoView({ block: "nearest" });
  part("players").querySelector("button").focus({ preventScroll: true });
};
part("undo").onclick = () => undo();
openUndoKeys(document, part("undo"));
part("new-game").onclick = () => askToBegin([]);
part("steps").replaceChildren(
  ...STEPS.map((by) => el("button", { type: "button", "data-step": by, onclick: () => give(chosen, by) }, signed(by))),
);
addEventListener("storage", ({ key }) => key === KEY && refresh()); // another tab keeps the same game
addEventListener("pageshow", ({ persisted }) => persisted && refresh());
draw();
playAgain();
keepOffline().catch(() => {}); // without it the page needs the server, like any other

/** Begin a game with the players that the address names, as the list of games links it: `#again&red=Anna&blue=`. */
function playAgain() {
  const [kind, ...rest] = location.hash.slice(1).split("&");
  if (kind !== "again") return;
  history.replaceState(null, "", location.pathname);
  const named = [...new URLSearchParams(rest.join("&"))].filter(([colour]) => COLOURS.includes(colour));
  const players = named.map(([colour, name]) => ({ colour, name: name.slice(0, NAME_MOST) }));
  if (pad.steps.length) askToBegin(players);
  else begin(players);
}

/** @param {PadPlayer[]} players */
function askToBegin(players) {
  confirm(
    {
      title: say("pad-new"),
      words: say("pad-new-sure"),
      icon: "bin",
      go: say("pad-new-now"),
      stay: say("pad-new-stay"),
    },
    async () => begin(players),
  );
}

/** @param {PadPlayer[]} players */
function begin(players) {
  pad.clear(players);
  part("seats").open = players.length < 2;
  tell("");
  draw();
}

function draw() {
  if (!pad.plays(chosen)) chosen = pad.players[0]?.colour ?? null;
  part("colours").replaceChildren(
    ...COLOURS.map((colour) =>
      el(
        "button",
        {
          type: "button",
          class: "chip",
          "aria-pressed": String(pad.plays(colour)),
          "data-colour": colour,
          onclick: () => toggle(colour),
        },
        badge(colour),
        el("span", {}, colourName(colour)),
      ),
    ),
  );
  redraw(
    part("names"),
    pad.players.map(({ colour, name }) =>
      field(`name-${colour}`, say("name-of", { colour: colourName(colour) }), {
        value: name,
        maxlength: NAME_MOST,
        ...suggested(colour),
        enterkeyhint: "next",
        oninput: ({ target }) => rename(colour, target.value),
      }),
    ),
  );
  part("start").hidden = !pad.players.length;
  drawScores();
}

function refresh() {
  pad.refresh();
  draw();
}

function drawScores() {
  const focused = document.activeElement?.closest?.("#players button")?.dataset;
  for (const own of ["pad", "over"]) part(own).hidden = !pad.players.length;
  part("players").replaceChildren(...pad.players.map(({ colour }) => row(colour)));
  part("gets").textContent = chosen ? say("pad-gets", { player: whoIs(chosen) }) : "";
  part("undo").disabled = !pad.last;
  part("undo").querySelector("small").textContent = pad.last ? `${whoIs(pad.last.colour)} ${signed(pad.last.by)}` : "";
  if (focused) part("players").querySelector(`[data-own="${focused.own}"]`)?.focus({ preventScroll: true });
}

/** @param {string} colour */
function row(colour) {
  /**
   * @param {number} by
   * @param {string} sign
   * @param {string} words
   */
  const step = (by, sign, words) =>
    el(
      "button",
      {
        type: "button",
        class: "stepper",
        "data-own": `${colour}${by}`,
        "aria-label": say(words, { player: whoIs(colour) }),
        onclick: () => give(colour, by),
      },
      sign,
    );
  const own = el(
    "li",
    { class: "pad-player", "data-player": colour },
    el(
      "button",
      {
        type: "button",
        class: "pad-who",
        "data-own": colour,
        "aria-pressed": String(colour === chosen),
        onclick: () => choose(colour),
      },
      badge(colour),
      nameTag({ names: { [colour]: nameOf(colour) } }, colour),
      el("b", { class: "big" }, number(pad.points(colour))),
    ),
    step(-1, "−", "one-less"),
    step(1, "+", "one-more"),
  );
  own.style.setProperty("--own", paint(colour));
  return own;
}

/** @param {string} colour */
function nameOf(colour) {
  return pad.players.find((player) => player.colour === colour)?.name.trim();
}

/** @param {string} colour */
function whoIs(colour) {
  return nameOf(colour) || colourName(colour);
}

/** @param {string} colour */
function choose(colour) {
  chosen = colour;
  drawScores();
}

/** @param {string} colour */
function toggle(colour) {
  pad.toggle(colour);
  draw();
  part("colours").querySelector(`[data-colour="${colour}"]`).focus({ preventScroll: true });
}

/**
 * @param {string} colour
 * @param {string} name
 */
function rename(colour, name) {
  pad.name(colour, name);
  saved(part("names"));
  drawScores();
}

/**
 * @param {string | null} colour
 * @param {number} by
 */
function give(colour, by) {
  chosen = colour;
  if (pad.add(colour, by)) tell(say("pad-told", { player: whoIs(colour), by: signed(by), points: pad.points(colour) }));
  drawScores();
}

function undo() {
  const step = pad.undo();
  if (step) {
    chosen = step.colour;
    tell(say("pad-told", { player: whoIs(step.colour), by: signed(-step.by), points: pad.points(step.colour) }));
  }
  drawScores();
}

/** @param {string} words */
function tell(words) {
  part("told").textContent = words;
}

/**
 * Send the photo of the finished board, with the players and their points on the score track.
 *
 * @param {HTMLInputElement} input
 */
async function send(input) {
  const files = [...input.files];
  if (!files.length) return;
  const bar = uploadBar();
  part("problem").textContent = "";
  part("sending").replaceChildren(bar.element);
  bar.element.scrollIntoView({ block: "center" });
  try {
    await sendPhotos(files, bar.tell, {
      game: "carcassonne",
      ...(pad.players.length > 1 ? { players: pad.players.length } : {}),
      track: pad.players.map(({ colour }) => `${colour}=${pad.points(colour)}`),
      player: named(
        Object.fromEntries(
          pad.players.map(({ colour, name }) => [colour, name.trim().replace(/\s+/g, " ")]).filter(([, name]) => name),
        ),
      ),
    });
  } catch (error) {
    part("sending").replaceChildren();
    part("problem").textContent = error.message;
    part("problem").scrollIntoView({ block: "center" });
  } finally {
    input.value = "";
  }
}

/** Have the browser keep the page and all its parts, so that it opens without a network; only then it says so. */
async function keepOffline() {
  if (!("serviceWorker" in navigator)) return;
  await navigator.serviceWorker.register("/keep-worker.js", { scope: "/keep" });
  const loaded = performance
    .getEntriesByType("resource")
    .map(({ name }) => name)
    .filter((name) => name.startsWith(`${location.origin}/`));
  const cache = await caches.open(CACHE);
  await cache.addAll([...new Set([location.pathname, ...loaded])]);
  await navigator.serviceWorker.ready;
  document.documentElement.dataset.offline = "ready";
  part("offline").hidden = false;
}
