"""The segment a piece stands on, from the point where its foot touches the table."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from shapely import Point, Polygon
from shapely.geometry.base import BaseGeometry

from scoring.calibration import load_weights
from scoring.carcassonne.board.board import Board, Placement
from scoring.carcassonne.board.pieces import PIECES
from scoring.carcassonne.tiles.catalogue import Kind, TileLayout
from scoring.carcassonne.tiles.geometry import NO_PRINTED_ROADS, UNIT, PrintedRoads, Square, unplace_point
from scoring.carcassonne.tiles.kinds import HOUSES

Course = tuple[int, BaseGeometry]
"""A road's segment on its tile, and its printed line."""

FOOT_SIGMA_TILES, DISC_SIGMA_TILES = 0.06, 0.05
"""Standard deviation of a read foot, or of the centre of a disc, from the true one, in tiles along each axis. A guess.
"""
REACHES_TILES: Mapping[Kind, float] = {"road": 0.09}
"""Maximum distance of a foot from the line of the road it stands on, in tiles: printings differ in the road's bends. A
guess.
"""
DISC_RADIUS_TILES = 0.15
"""Radius of a disc. Geometry of a piece: it is 0.3 tiles wide."""
DISC_REACHES_TILES: Mapping[Kind, float] = {"road": DISC_RADIUS_TILES, **dict.fromkeys(HOUSES, 0.08)}
"""Maximum distance of a disc's centre from a road's line or a monastery, in tiles. A disc lies on a road or monastery
that it partly covers.

Measured on the real tables played with discs (`datasets/real`), whose road bends differ from the catalogue's.
"""
WALLED: tuple[Kind, ...] = ("city", *HOUSES)
"""The kinds of features that roads end at."""
PLACED_BY_POSE = ("meeple", "big")
"""Kinds of pieces that lie on a field and stand elsewhere; a builder's, pig's or abbot's feature follows from its kind
alone.
"""
BORDER_REACH_TILES = 0.12
"""Maximum distance of a foot from the border of its tile, in tiles, at which it may stand on the next tile. A guess."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A segment that a piece may stand on, with its probability.

    `mass` is the share of the foot's Gaussian inside the segment; it is small for all segments if the pose is unlikely.
    """

    square: Square
    segment: int
    probability: float
    mass: float


def locate_piece(
    board: Board, foot: tuple[float, float], pose: str, kind: str = "meeple", printed: PrintedRoads = NO_PRINTED_ROADS
) -> tuple[Standing, ...]:
    """Return the segments that a piece of a kind with its foot at (x, y), in lattice units, may stand on, most likely
    first; their probabilities sum to 1.

    A lying meeple is a farmer. A standing one is assumed not to be; `vision.pieces.placement` weighs whether a table
    leaves farmers standing. A disc may be on anything, and an upside-down piece only on a wonder. The result is empty
    if no known tile is near, or none with a feature for the pose. A road with a known `printed` course is compared by
    the nearer of that course and its drawing.
    """
    near = [
        (square, segment, weight)
        for square, placement in _find_tiles_near(board, foot)
        for segment, weight in _weigh_segments(placement, square, foot, pose, kind, printed)
    ]
    if pose == "upside_down":
        near = [*_place_markers(board, foot, near)]
    total = sum(weight for _, _, weight in near)
    standings = [Standing(square, segment, weight / total, weight) for square, segment, weight in near]
    return tuple(sorted(standings, key=lambda standing: -standing.probability))


def _place_markers(
    board: Board, foot: tuple[float, float], near: Sequence[tuple[Square, int, float]]
) -> Iterator[tuple[Square, int, float]]:
    """Yield the places of an upside-down piece. It marks the wonder it is on, wherever on its squares: nothing else
    there is marked this way, and the printed place of the wonder on a copy may be unknown.
    """
    on = math.floor(foot[1]), math.floor(foot[0])
    for wonder in board.wonders:
        parts = [part for part in near if part[0] in wonder.squares]
        if on in wonder.squares:
            cell, marked = wonder.layout.marked
            if not parts and wonder.squares[cell] in board.tiles:
                parts = [(wonder.squares[cell], marked, 1.0)]
            if parts:
                square, segment, _ = max(parts, key=lambda part: part[2])
                yield square, segment, 1.0
        else:
            yield from parts


def locate_piece_on_tile(
    placement: Placement, square: Square, foot: tuple[float, float], pose: str, kind: str = "meeple"
) -> list[tuple[int, float]]:
    """Return the segments of a known tile that a piece may stand on, with probabilities, most likely first.

    A farmer seldom stands, but this is possible.
    """
    weights = list(_weigh_segments(placement, square, foot, pose, kind, NO_PRINTED_ROADS))
    if pose == "standing" and kind in PLACED_BY_POSE:
        _, seldom = load_farmer_odds()
        farmers = _weigh_segments(placement, square, foot, "lying", kind, NO_PRINTED_ROADS)
        weights += [(segment, seldom * weight) for segment, weight in farmers]
    total = sum(weight for _, weight in weights)
    return sorted(((segment, weight / total) for segment, weight in weights), key=lambda pair: -pair[1])


def load_farmer_odds() -> tuple[float, float]:
    """Return the odds that a standing piece is a farmer, on tables that leave farmers standing and on tables that lay
    them down.

    Raises ScoringError `models_missing` if the calibration file is missing.
    """
    habit = load_weights("carcassonne", "habits")["pieces"]
    farmers = habit["farmers"] / (1 - habit["farmers"])
    return farmers, farmers * habit["standing"]


def _find_tiles_near(board: Board, foot: tuple[float, float]) -> Iterator[tuple[Square, Placement]]:
    x, y = foot
    columns = {math.floor(x - BORDER_REACH_TILES), math.floor(x + BORDER_REACH_TILES)}
    for row in sorted({math.floor(y - BORDER_REACH_TILES), math.floor(y + BORDER_REACH_TILES)}):
        for col in sorted(columns):
            placement = board.tiles.get((row, col))
            if placement is not None:
                yield (row, col), placement


def _weigh_segments(
    placement: Placement, square: Square, foot: tuple[float, float], pose: str, kind: str, printed: PrintedRoads
) -> Iterator[tuple[int, float]]:
    at = unplace_point(foot, placement.turns, square)
    layout, disc = placement.layout, pose == "disc"
    courses = tuple((i, printed[square, i]) for i in range(len(layout.segments)) if (square, i) in printed)
    for index, segment in enumerate(layout.segments):
        if _may_hold(segment.kind, pose, kind):
            yield index, _compute_mass(layout, index, at, disc, courses)


def _may_hold(below: Kind, pose: str, kind: str) -> bool:
    if below == "wonder" or pose == "upside_down":
        return below == "wonder" and pose in ("upside_down", "disc")
    if below not in PIECES[kind].stands_on:
        return False
    return pose == "disc" or kind not in PLACED_BY_POSE or (below == "field") == (pose == "lying")


class _Reach(NamedTuple):
    """Distance from a feature's line or area within which a piece is on it, and the spread of the measured distance, in
    tiles.
    """

    reach: float
    spread: float


@lru_cache(maxsize=4096)
def _compute_mass(
    layout: TileLayout, index: int, at: tuple[float, float], disc: bool, courses: tuple[Course, ...]
) -> float:
    """Return the likelihood that a piece with its foot read at a point of the unit square stands on a segment.

    This is the share of the foot's Gaussian inside the segment, whose border is approximated as straight. A road ends
    at the walls it leads to. The border of the square does not count, because the feature continues across it. The
    result is cached, because every pose and kind requests it, and is never exactly 0.
    """
    depths = _measure_depths(layout, at, disc, courses)
    mass = _compute_share(depths[index])
    if layout.segments[index].kind == "road":
        for other, part in enumerate(layout.segments):
            if part.kind in WALLED and part.kind not in (DISC_REACHES_TILES if disc else REACHES_TILES):
                mass *= _compute_share(-depths[other])
    return max(mass, 1e-12 * math.exp(min(depths[index], 0.0)))


def _compute_share(depth: float) -> float:
    """Return the share of the foot's Gaussian inside a straight border that is `depth` standard deviations away."""
    return 0.5 * math.erfc(-depth / math.sqrt(2))


@lru_cache(maxsize=1024)
def _measure_depths(
    layout: TileLayout, at: tuple[float, float], disc: bool, courses: tuple[Course, ...]
) -> tuple[float, ...]:
    """Return the depth of a point of the unit square inside each segment, in standard deviations; negative outside.

    A point within reach of a road, or a disc within reach of a monastery, is on it and in no field. Beyond a road, the
    next field begins farther away by the road's reach. If the drawn and the printed course of a road differ, fields
    meet halfway between them.
    """
    point, known = Point(at), dict(courses)
    kinds = [part.kind for part in layout.segments]
    reaches = DISC_REACHES_TILES if disc else REACHES_TILES
    spread = DISC_SIGMA_TILES if disc else FOOT_SIGMA_TILES
    depths = [
        _measure_reach_depth(layout, index, point, disc, known.get(index))
        if kind in reaches
        else _measure_area_depth(part.geometry, point) / spread
        for index, (kind, part) in enumerate(zip(kinds, layout.segments, strict=True))
    ]
    within_reach = max((depth for depth, kind in zip(depths, kinds, strict=True) if kind in reaches), default=-math.inf)
    built = max(
        (d for d, kind in zip(depths, kinds, strict=True) if kind not in (*reaches, "field")), default=-math.inf
    )
    fields = {i: _measure_field_distance(layout, i, point, courses) for i, kind in enumerate(kinds) if kind == "field"}
    for index, away in fields.items():
        beyond = min((other for i, other in fields.items() if i != index), default=math.inf) - away
        depths[index] = min(-built, -within_reach - 2 * away / spread, beyond / spread)
        if not UNIT.covers(point):
            depths[index] = min(depths[index], -away / spread)
    return tuple(depths)


def _measure_field_distance(layout: TileLayout, index: int, point: Point, courses: tuple[Course, ...]) -> float:
    """Return the distance of a point from a field, 0 inside: the mean of those by drawn and printed roads."""
    drawn = float(layout.segments[index].geometry.distance(point))
    for road, course in courses:
        if layout.segments[road].kind == "road":
            between = _find_between(layout, road, course)
            if between.covers(point) and between.intersects(layout.segments[index].geometry):
                return (drawn + (0.0 if drawn else float(course.distance(point)))) / 2
    return drawn


@lru_cache(maxsize=1024)
def _find_between(layout: TileLayout, road: int, course: BaseGeometry) -> BaseGeometry:
    """Return the area between the drawn and the printed course of a road."""
    drawn = layout.segments[road].geometry
    return Polygon([*drawn.coords, *reversed(course.coords)]).buffer(0)


def _measure_reach_depth(
    layout: TileLayout, index: int, point: Point, disc: bool, course: BaseGeometry | None
) -> float:
    """Return the depth of a point within the reach of a road or a monastery, in standard deviations."""
    segment = layout.segments[index]
    reach, spread = _get_reach(segment.kind, disc, course is not None)
    distance = -_measure_area_depth(segment.geometry, point)
    if course is not None:
        distance = min(distance, course.distance(point))
    return (reach - distance) / spread


@cache
def _get_reach(kind: Kind, disc: bool, is_printed: bool) -> _Reach:
    if disc and is_printed:
        row = load_weights("carcassonne", "ground")["disc_on_road"]
        return _Reach(row["reach"], row["spread"])
    return _Reach(DISC_REACHES_TILES[kind], DISC_SIGMA_TILES) if disc else _Reach(REACHES_TILES[kind], FOOT_SIGMA_TILES)


def _measure_area_depth(geometry: BaseGeometry, point: Point) -> float:
    """Return the depth of a point inside an area, in tiles from its border within the square; a line has no inside."""
    if not geometry.covers(point) or not geometry.area:
        return -float(geometry.distance(point))
    border = _find_border(geometry)
    return math.inf if border.is_empty else float(border.distance(point))


@lru_cache(maxsize=2048)
def _find_border(geometry: BaseGeometry) -> BaseGeometry:
    return geometry.boundary.difference(UNIT.boundary.buffer(1e-9))
