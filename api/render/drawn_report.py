"""The report in the units of its drawn board: squares of one size, pieces on the features they stand on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
from shapely import Point as Spot
from shapely import get_coordinates
from shapely.ops import nearest_points

from api.carcassonne.report.board import read_report_board
from api.carcassonne.report.several_photos import Frame, carry_points, project_onto
from api.documents.report import Meeple, Point, Report, Tile, round_points
from api.render.board import MARGIN, find_segment_middle
from scoring.carcassonne.board.board import Board, PlacedMeeple
from scoring.carcassonne.board.features import build_feature_map, place_segment_area
from vision.arrays import Floats
from vision.photo.crops import CORNERS
from vision.reading.values import Warp

SIDE_PX = 120
"""Side of a drawn square. A guess."""
INSET_TILES = 0.03
"""Distance of a drawn piece from the border of its feature, if the feature is wide enough. A guess."""


def draw_report(report: Report) -> Report:
    """Project a report to its drawn board; a piece is as near as its feature allows to the place seen in the photo."""
    board = read_report_board(report)
    rows, cols = zip(*(board.tiles or {(0, 0): None}), strict=True)
    origin = np.array([min(cols) - MARGIN, min(rows) - MARGIN])
    to_drawing = np.array([[SIDE_PX, 0, -SIDE_PX * origin[0]], [0, SIDE_PX, -SIDE_PX * origin[1]], [0, 0, 1]])
    corners = [_find_corners(tile, origin) for tile in report.board.tiles]
    prints = {
        (tile.row, tile.col): (tile.corners_px, there) for tile, there in zip(report.board.tiles, corners, strict=True)
    }
    feet = [
        _draw_foot(board, stands, _carry_foot(meeple, *prints.get(meeple.tile, (None, []))), origin)
        for meeple, stands in zip(report.board.meeples, _match_meeples(report, board), strict=True)
    ]
    drawn = project_onto(report, Frame(None, Warp(to_drawing), corners, feet))
    drawn.track = None
    _move_doubts(report, drawn)
    return drawn


def _match_meeples(report: Report, board: Board) -> Iterator[PlacedMeeple]:
    """Yield the board's piece for each piece of the report: the notation lists them in another order."""
    features, standing = build_feature_map(board), defaultdict[object, list[PlacedMeeple]](list)
    for placed in board.meeples:
        feature = features.under(placed)
        key = placed.square, placed.colour, placed.kind, placed.pose, feature and feature.id
        standing[key].append(placed)
    for meeple in report.board.meeples:
        yield standing[meeple.tile, meeple.colour, meeple.kind, meeple.pose, meeple.feature].pop(0)


def _find_corners(tile: Tile, origin: Floats) -> list[Point]:
    """Return a drawn square's corners, beginning with the corner of its tile's print."""
    quad = (CORNERS + np.array([tile.col, tile.row]) - origin) * SIDE_PX
    return round_points(np.roll(quad, -tile.turns, axis=0))


def _carry_foot(meeple: Meeple, corners: Sequence[Point] | None, there: Sequence[Point]) -> Point | None:
    """Carry the foot of a piece from the photo to the drawing; None if the photo does not show it."""
    return carry_points([meeple.foot_px], corners, there)[0] if meeple.foot_px and corners else None


def _draw_foot(board: Board, stands: PlacedMeeple, spot: Point | None, origin: Floats) -> Point:
    """Return the foot of a piece in the drawing: on its feature, near the place where it was seen."""
    placement, corner = board.tiles.get(stands.square), np.array(stands.square[::-1]) - origin
    at = None if spot is None else np.array(spot) / SIDE_PX - corner
    if placement is None or stands.segment is None:
        at = np.array([0.5, 0.5]) if at is None else at
    else:
        area = place_segment_area(placement.layout, placement.turns, stands.segment)
        inner = area.buffer(-INSET_TILES)
        wanted = Spot(find_segment_middle(placement, stands.segment) if at is None else at)
        at = get_coordinates(nearest_points(area if inner.is_empty else inner, wanted)[0])[0]
    return round_points((corner + at) * SIDE_PX)[0]


def _move_doubts(report: Report, drawn: Report) -> None:
    """Put the marks of doubts about pieces that were read onto their drawn feet."""
    pairs = zip(report.board.meeples, drawn.board.meeples, strict=True)
    feet = {meeple.foot_px: there.foot_px for meeple, there in pairs if meeple.foot_px}
    for before, doubt in zip(report.doubts, drawn.doubts, strict=True):
        carried = dict(zip(before.feet_px, doubt.feet_px, strict=False))
        doubt.feet_px = [at for foot in before.feet_px if (at := feet.get(foot) or carried.get(foot))]
