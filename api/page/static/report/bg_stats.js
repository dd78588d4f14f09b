// @ts-check
/** A finished game as BG Stats takes it: one play in the address of its import page, which asks before it keeps anything. */

import { colourName } from "../lib/colours.js";
import { isWhole, leaders, pointsOf } from "./outcome.js";

const IMPORT = "https://app.bgstatsapp.com/createPlay.html";
/**
 * The games by their names there; Carcassonne with its number at BoardGameGeek too.
 *
 * @type {{ [game: string]: { name: string, bggId?: number } }}
 */
const GAMES = {
  carcassonne: { name: "Carcassonne", bggId: 822 },
  "tower-of-babel": { name: "Tower of Babel" },
  "world-wonders": { name: "World Wonders" },
};

/**
 * Return the address that hands a reading's result to BG Stats; null while it has no certain one.
 *
 * @param {AnyReport} report
 * @param {string} reading its id
 * @param {string} played its time, in ISO form
 */
export function playAddress(report, reading, played) {
  const winners = report.doubtful ? [] : leaders(report);
  if (!isWhole(report) || !winners.length) return null;
  const { game, names = {} } = report;
  const play = {
    sourceName: "Wondertally",
    sourcePlayId: reading,
    playDate: new Date(played).toISOString().slice(0, 19).replace("T", " "),
    game: {
      ...GAMES[game],
      sourceGameId: game,
      highestWins: true,
      noPoints: false,
    },
    players: Object.entries(pointsOf(report)).map(([colour, score]) => ({
      name: names[colour] || colourName(colour),
      sourcePlayerId: names[colour] || colour,
      score,
      winner: winners.includes(colour),
      startPlayer: false, // the app for Android wants it, though no photo shows it
    })),
  };
  return `${IMPORT}?data=${encodeURIComponent(JSON.stringify(play))}`;
}
