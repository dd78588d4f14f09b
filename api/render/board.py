"""A board without a photo, drawn plainly from the vector layouts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely import box, contains_xy, get_coordinates, get_parts
from shapely.geometry.base import BaseGeometry

from api.errors import QuestionError
from api.render.drawing import get_player_rgb
from scoring.carcassonne.board.board import Board, Placement
from scoring.carcassonne.board.features import place_segment_area
from scoring.carcassonne.tiles.geometry import UNIT, Square, turn_geometry
from scoring.carcassonne.tiles.layout import ROAD_WIDTH_TILES, Segment
from vision.arrays import Floats
from vision.arrays import Image as Pixels
from vision.photo.crops import CORNERS

Quads = Mapping[Square, Floats]
Colour = tuple[int, int, int]

LARGEST, SMALLEST = 96, 12
"""Maximum and minimum side of a square in pixels. A guess."""
LONGEST = 6000
"""Maximum side of the picture in pixels. Bounds memory."""
MEEPLE_RADIUS = 0.09
"""Radius of a meeple's disc, in squares. A guess."""
MARGIN = 0.5
"""Margin around the board, in squares. A guess."""

GRID = np.stack(np.meshgrid(*[np.linspace(0.14, 0.86, 13)] * 2), axis=-1).reshape(-1, 2)
"""Points (n, 2) across the unit square except its border."""
_COLOURS: dict[str, Colour] = {
    "field": (150, 190, 100),
    "city": (205, 160, 105),
    "road": (245, 242, 230),
    "monastery": (170, 95, 75),
    "garden": (95, 150, 70),
    "wonder": (165, 150, 190),
}
_TABLE, _UNKNOWN, _INK, _RIVER, _COAT = (62, 58, 54), (140, 140, 140), (60, 50, 40), (90, 140, 200), (40, 80, 170)
_COAT_SIZE = 0.07
"""Half the side of a coat of arms, in tiles. A guess."""
_ORDER = ("field", "garden", "city", "wonder", "road", "monastery")
_SUBPIXEL = 4


def draw_plain_board(board: Board) -> tuple[Pixels, Quads]:
    """Draw a board's tiles (h, w, 3) RGB; return the picture and each square's corners (4, 2) NW NE SE SW in it.

    Raises QuestionError `too_wide_to_draw`.
    """
    rows, cols = zip(*(board.tiles or {(0, 0): None}), strict=True)
    height, width = max(rows) - min(rows) + 1, max(cols) - min(cols) + 1
    side = min(LARGEST, int(LONGEST / (max(height, width) + 2 * MARGIN)))
    if side < SMALLEST:
        raise QuestionError("too_wide_to_draw", details={"rows": height, "columns": width})
    canvas = np.full((round((height + 2 * MARGIN) * side), round((width + 2 * MARGIN) * side), 3), _TABLE, np.uint8)
    left, top = min(cols) - MARGIN, min(rows) - MARGIN
    quads = {(row, col): (CORNERS + np.array([col - left, row - top])) * side for row, col in board.tiles}
    for square, placement in board.tiles.items():
        _draw_tile(canvas, placement, quads[square])
    return canvas, quads


def draw_meeples(canvas: Pixels, board: Board, quads: Quads) -> None:
    """Draw a disc in the player's colour for each meeple on a known feature."""
    for meeple in board.meeples:
        placement = board.tiles.get(meeple.square)
        if placement is None or meeple.segment is None:
            continue
        quad = quads[meeple.square]
        centre = (
            np.round(project_points(find_segment_middle(placement, meeple.segment), quad)[0] * 2**_SUBPIXEL)
            .astype(int)
            .tolist()
        )
        radius = MEEPLE_RADIUS * float(np.linalg.norm(quad[1] - quad[0])) * 2**_SUBPIXEL
        cv2.circle(canvas, centre, round(radius), get_player_rgb(meeple.colour), -1, cv2.LINE_AA, _SUBPIXEL)
        cv2.circle(canvas, centre, round(radius), _INK, 2, cv2.LINE_AA, _SUBPIXEL)


def project_area(geometry: BaseGeometry, quad: Floats) -> list[NDArray[np.int32]]:
    """Project an area of the unit square to a picture; return its rings in sixteenths of a pixel."""
    rings = (project_points(get_coordinates(ring), quad) for ring in _rings(geometry))
    return [np.asarray(np.round(ring * 2**_SUBPIXEL), np.int32) for ring in rings]


def project_points(points: Floats, quad: Floats) -> Floats:
    """Project points (n, 2) of the unit square to a picture that shows the square as a quad (4, 2)."""
    matrix = cv2.getPerspectiveTransform(CORNERS.astype(np.float32), quad.astype(np.float32))
    return np.asarray(cv2.perspectiveTransform(points.reshape(-1, 1, 2), matrix)[:, 0], np.float64)


def find_segment_middle(placement: Placement, index: int) -> Floats:
    """Return a point (2,) of the unit square well inside a segment of a placed tile."""
    segment = placement.layout.segments[index]
    line = segment.geometry if segment.kind == "road" else None
    if line is not None and line.geom_type == "LineString":
        point = line.interpolate(0.5, normalized=True)
    else:
        centre = segment.geometry.centroid
        point = centre if segment.area.contains(centre) else segment.area.representative_point()
    return np.asarray(turn_geometry(point, placement.turns).coords[0], np.float64)


def sample_segment_points(placement: Placement, index: int) -> Floats:
    """Return points (n, 2) of the unit square on a segment of a placed tile: its middle, then a grid, nearest first."""
    middle = find_segment_middle(placement, index)
    area = place_segment_area(placement.layout, placement.turns, index)
    grid = GRID[contains_xy(area, GRID)]
    return np.vstack([middle, grid[np.argsort(((grid - middle) ** 2).sum(axis=1), kind="stable")]])


def _rings(area: BaseGeometry) -> Iterator[BaseGeometry]:
    for part in get_parts(area):
        if part.geom_type == "Polygon":
            yield from (part.exterior, *part.interiors)


def _draw_tile(canvas: Pixels, placement: Placement | None, quad: Floats) -> None:
    if placement is None:
        _fill(canvas, UNIT, quad, _UNKNOWN)
    else:
        layout, turns = placement.layout, placement.turns
        segments = sorted(enumerate(layout.segments), key=lambda pair: _ORDER.index(pair[1].kind))
        _fill(canvas, UNIT, quad, _COLOURS["field"])
        for river in layout.rivers:
            _fill(canvas, turn_geometry(river.buffer(ROAD_WIDTH_TILES).intersection(UNIT), turns), quad, _RIVER)
        for index, segment in segments:
            _draw_segment(canvas, segment, place_segment_area(layout, turns, index), quad)
        for x, y in layout.coat_spots:
            _fill(
                canvas,
                turn_geometry(box(x - _COAT_SIZE, y - _COAT_SIZE, x + _COAT_SIZE, y + _COAT_SIZE), turns),
                quad,
                _COAT,
            )
    _outline(canvas, UNIT, quad)


def _draw_segment(canvas: Pixels, segment: Segment, area: BaseGeometry, quad: Floats) -> None:
    if segment.kind == "field":
        return
    _fill(canvas, area, quad, _COLOURS[segment.kind])
    _outline(canvas, area, quad)


def _fill(canvas: Pixels, area: BaseGeometry, quad: Floats, colour: Colour) -> None:
    cv2.fillPoly(canvas, project_area(area, quad), colour, cv2.LINE_AA, _SUBPIXEL)


def _outline(canvas: Pixels, area: BaseGeometry, quad: Floats) -> None:
    cv2.polylines(canvas, project_area(area, quad), True, _INK, 1, cv2.LINE_AA, _SUBPIXEL)
