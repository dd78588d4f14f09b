// @ts-check
/** The view of a report: that of tiles and meeples, or that of spots; only the one needed is loaded. */

import { hasSpots } from "../report/outcome.js";

/**
 * Return the class of a report's view.
 *
 * @param {AnyReport} report
 */
export async function viewOf(report) {
  return hasSpots(report) ? (await import("../spots/spot_view.js")).SpotView : (await import("../tiles/view.js")).View;
}
