/** The view of a report: that of tiles and meeples, or that of spots; only the one needed is loaded. */

/** Return the class of a report's view. */
export async function viewOf({ board }) {
  return board.spots ? (await import("../spots/spot_view.js")).SpotView : (await import("../tiles/view.js")).View;
}
