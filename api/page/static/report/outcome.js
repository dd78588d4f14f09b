// @ts-check
/** Settled and open parts of a report: there is no winner while points are missing or contradictory. */

const CONTRADICTIONS = new Set(["too_many_meeples", "disputed_wonder", "too_many_wonders", "too_many_players"]);
const OPEN_TRACK = new Set([
  "track_laps_unknown",
  "track_not_sure",
  "track_piece_missing",
  "track_too_many",
  "track_stranger",
]);
/** From this share on a percentage would look like certainty. */
export const SURE_SHARE = 0.95;

/**
 * Whether a report is of a game with a printed board, whose places are spots.
 *
 * @param {AnyReport} report
 * @returns {report is Api.SpotReport}
 */
export const hasSpots = (report) => "spots" in report.board;

/**
 * Whether every player's total is known.
 *
 * @param {AnyReport} report
 */
export function isWhole({ scores: { total } }) {
  const totals = Object.values(total);
  return totals.length > 0 && totals.every((points) => points !== null);
}

/**
 * The problems of the score board that leave points open.
 *
 * @param {AnyReport} report
 */
export const openTrack = ({ board }) => board.problems.filter(({ code }) => OPEN_TRACK.has(code));

/**
 * Whether points on the score track are missing, or rest on a guess.
 *
 * @param {AnyReport} report
 */
export const isTrackOpen = (report) => !isWhole(report) || openTrack(report).length > 0;

/**
 * The problems that no game by the rules can end with.
 *
 * @param {AnyReport} report
 */
export const contradictions = ({ board }) => board.problems.filter(({ code }) => CONTRADICTIONS.has(code));

/**
 * More copies of a tile than the boxes hold: two copies of a box were mixed, or a tile was misread.
 *
 * @param {AnyReport} report
 */
export const overSupply = ({ board }) =>
  board.problems.filter(({ code }) => ["more_than_the_box", "several_boxes"].includes(code));

/**
 * The problem that the board continues beyond the picture, if there is one.
 *
 * @param {AnyReport} report
 */
export const cutOff = ({ board }) => board.problems.filter(({ code }) => code === "beyond_the_picture");

/**
 * Whether a photo shows a board without any piece.
 *
 * @param {AnyReport} report
 */
export const isBare = (report) =>
  Boolean(report.photo) &&
  !hasSpots(report) &&
  !report.board.meeples.length &&
  !Object.keys(report.scores.final_scoring).length;

/**
 * Return each player's points: the totals if all are known, else all final scorings; never a mixture.
 *
 * @param {AnyReport} report
 * @returns {Points}
 */
export function pointsOf(report) {
  const { total, final_scoring } = report.scores;
  return isWhole(report) ? total : final_scoring;
}

/**
 * Return the players with most points; none while more than a doubt may change that. A game of spots names its own.
 *
 * @param {AnyReport} report
 */
export function leaders(report) {
  if (isTrackOpen(report) || cutOff(report).length || contradictions(report).length) return [];
  if (hasSpots(report)) return report.scores.winners ?? [];
  const points = report.scores.total;
  const most = Math.max(...Object.values(points).map(Number));
  return Object.keys(points).filter((player) => points[player] === most);
}

/**
 * Return the probability that the points are right, if a number promises no more than it should; else null.
 *
 * @param {AnyReport} report
 */
export function shareOf(report) {
  const { confidence = null } = report.scores;
  const tells = report.doubtful && confidence !== null && confidence <= SURE_SHARE && !contradictions(report).length;
  return tells ? confidence : null;
}
