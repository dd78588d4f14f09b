/** Which view shows a report: that of tiles and meeples, or that of spots; only that one is loaded. */

/** The class of a report's view. */
export async function viewOf({ board }) {
  return board.spots ? (await import("./spot_view.js")).SpotView : (await import("./view.js")).View;
}
