/** What a report settles and what it leaves open: nobody has won while points are missing or cannot be so. */

const CONTRADICTIONS = new Set(["too_many_meeples", "disputed_wonder", "too_many_wonders", "too_many_players"]);
const OPEN_TRACK = new Set(["track_laps_unknown", "track_not_sure", "track_piece_missing", "track_too_many", "track_stranger"]);
/** From this share on a percentage would look like certainty. */
export const SURE_SHARE = 0.95;

/** Whether every player's total is known. */
export function isWhole({ scores: { total } }) {
  const totals = Object.values(total);
  return totals.length > 0 && totals.every((points) => points !== null);
}

/** What is said of the score board that leaves points of the game open. */
export const openTrack = ({ board }) => board.problems.filter(({ code }) => OPEN_TRACK.has(code));

/** Whether points of the game are missing, or rest on a guess. */
export const isTrackOpen = (report) => !isWhole(report) || openTrack(report).length > 0;

/** What no game by the rules can end with. */
export const contradictions = ({ board }) => board.problems.filter(({ code }) => CONTRADICTIONS.has(code));

/** More of a tile than the boxes hold: two copies of a box were mixed, or something was misread. */
export const overSupply = ({ board }) => board.problems.filter(({ code }) => ["more_than_the_box", "several_boxes"].includes(code));

/** The board runs out of the picture, as a problem; nothing where it does not. */
export const cutOff = ({ board }) => board.problems.filter(({ code }) => code === "beyond_the_picture");

/** Whether nobody stands on the board that a photo shows. */
export const isBare = ({ photo, board, scores }) => Boolean(photo) && !board.spots && !board.meeples.length && !Object.keys(scores.final_scoring).length;

/** What each player has: the totals where all of them are known, else the final scoring of all; never a mixture. */
export function pointsOf(report) {
  const { total, final_scoring } = report.scores;
  return isWhole(report) ? total : final_scoring;
}

/** Those with most points; nobody while that may still change by more than a doubt. */
export function leaders(report) {
  if (isTrackOpen(report) || cutOff(report).length || contradictions(report).length) return [];
  const points = report.scores.total;
  const most = Math.max(...Object.values(points));
  return Object.keys(points).filter((player) => points[player] === most);
}

/** How likely the points are right, where a number says more than it promises; else null. */
export function shareOf(report) {
  const { confidence } = report.scores;
  const tells = report.doubtful && confidence !== null && confidence <= SURE_SHARE && !contradictions(report).length;
  return tells ? confidence : null;
}
