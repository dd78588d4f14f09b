"""The report of a printed game in the units of its drawn table: each board flat, those of one player side by side."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from api.documents.report import Point, round_points
from api.documents.spot_report import PrintedBoard, SpotReport
from vision.arrays import Floats
from vision.flat_boards.board import normalise_homography, project_points
from vision.photo.crops import CORNERS

DRAWN_PX_MM = 2.0
"""Pixels of a drawn table per millimetre of its boards. A guess."""
GAP_MM = 20.0
"""Distance between drawn boards, and from the border. A guess."""


def draw_table(report: SpotReport) -> SpotReport:
    """Project a report to its drawn table, as if all spots lay in photo 0; what lies on no printed board has no place.

    A board that several photos show is drawn once, one of somebody who does not play is left out.
    """
    drawn = report.model_copy(deep=True)
    printed = [board for board in report.board.printed if board.owner in ("", *report.rules.players)]
    quads = _lay_out(printed)
    drawn.board.printed = [
        board.model_copy(update={"corners_px": round_points(quad), "photo": 0})
        for board, quad in zip(printed, quads, strict=True)
    ]
    for spot in drawn.board.spots:
        spot.outline_px, spot.photo = _carry_ring(spot.outline_px or (), spot.photo, printed, quads), 0
    for feature in drawn.features:
        rings = [_carry_ring(ring, feature.photo, printed, quads) for ring in feature.outline_px or ()]
        feature.outline_px, feature.photo = [ring for ring in rings if ring] or None, 0
    return drawn


def _lay_out(boards: Sequence[PrintedBoard]) -> list[Floats]:
    """Return the corners (4, 2) of each drawn board: a row for each owner."""
    quads: dict[tuple[str, str], Floats] = {}
    left, top, bottom, owner = GAP_MM, GAP_MM, GAP_MM, None
    for board in sorted(boards, key=lambda board: board.owner):
        if (board.owner, board.picture) in quads:
            continue
        if board.owner != owner:
            left, top, owner = GAP_MM, bottom, board.owner
        quads[board.owner, board.picture] = (CORNERS * board.size_mm + (left, top)) * DRAWN_PX_MM
        left += board.size_mm[0] + GAP_MM
        bottom = max(bottom, top + board.size_mm[1] + GAP_MM)
    return [quads[board.owner, board.picture] for board in boards]


def _carry_ring(
    ring: Sequence[Point], photo: int, boards: Sequence[PrintedBoard], quads: Sequence[Floats]
) -> list[Point] | None:
    """Carry a ring of a photo to the drawn board that holds its centre; None if none does."""
    if not ring:
        return None
    points = np.array(ring, np.float32)
    x, y = points.mean(axis=0).tolist()
    for board, quad in zip(boards, quads, strict=True):
        corners = np.array(board.corners_px, np.float32)
        if board.photo == photo and cv2.pointPolygonTest(corners, (x, y), False) >= 0:
            homography = np.asarray(cv2.getPerspectiveTransform(corners, quad.astype(np.float32)), np.float64)
            homography = normalise_homography(homography, np.array([x, y]))
            return round_points(project_points(homography, points.astype(np.float64)))
    return None
