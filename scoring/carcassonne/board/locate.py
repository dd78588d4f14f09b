"""Which segment a meeple stands on, by the point where its foot touches the table."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from shapely import Point, unary_union
from shapely.geometry.base import BaseGeometry

from scoring.carcassonne.board.board import Board, Placement
from scoring.carcassonne.board.pieces import PIECES
from scoring.carcassonne.tiles.catalogue import Kind, TileLayout
from scoring.carcassonne.tiles.geometry import UNIT, Square, unplace_point

FOOT_SIGMA_TILES, DISC_SIGMA_TILES = 0.06, 0.05
"""How far a foot, or the middle of a disc, that was read lies from the true one, in tiles (standard deviation along
each axis)."""
REACHES_TILES: Mapping[Kind, float] = {"road": 0.09}
"""A meeple on a road has its foot within this many tiles of the drawn line: printings differ in the road's bends."""
DISC_REACHES_TILES: Mapping[Kind, float] = {"road": 0.15, "monastery": 0.08}
"""A disc is as wide as 0.3 tiles: one that covers a part of a road, or of a monastery, lies on that. Set on the real
tables that were played with discs (`datasets/real`), whose road bends lie beside the catalogue's."""
PLACED_BY_POSE = ("meeple", "big")
"""The kinds that lie on a field and stand elsewhere; what a builder, a pig or an abbot is on, its kind alone tells."""
BORDER_REACH_TILES = 0.12
"""A foot this near the border of its tile, in tiles, may stand on the next one."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A segment that a meeple may stand on, and how likely it does.

    `mass` is how much of the foot's Gaussian lies in the segment: small for all segments where the pose is unlikely.
    """

    square: Square
    segment: int
    probability: float
    mass: float


def locate_piece(board: Board, foot: tuple[float, float], pose: str, kind: str = "meeple") -> tuple[Standing, ...]:
    """Return where a piece of a kind with its foot at (x, y), in lattice units, may stand: likeliest first, together 1.

    A lying meeple is a farmer, a standing one is none; a disc can be on anything, and what is upside down on a wonder
    alone. Empty where no known tile is near, or none that has a feature for the pose.
    """
    near = [
        (square, segment, weight)
        for square, placement in _find_tiles_near(board, foot)
        for segment, weight in _weigh_segments(placement, square, foot, pose, kind)
    ]
    total = sum(weight for _, _, weight in near)
    standings = [Standing(square, segment, weight / total, weight) for square, segment, weight in near]
    return tuple(sorted(standings, key=lambda standing: -standing.probability))


def locate_piece_on_tile(
    placement: Placement, square: Square, foot: tuple[float, float], pose: str, kind: str = "meeple"
) -> list[tuple[int, float]]:
    """Return where on its tile a piece may stand, where the tile is known: (segment, probability), likeliest first."""
    weights = list(_weigh_segments(placement, square, foot, pose, kind))
    total = sum(weight for _, weight in weights)
    return sorted(((segment, weight / total) for segment, weight in weights), key=lambda pair: -pair[1])


def _find_tiles_near(board: Board, foot: tuple[float, float]) -> Iterator[tuple[Square, Placement]]:
    x, y = foot
    columns = {math.floor(x - BORDER_REACH_TILES), math.floor(x + BORDER_REACH_TILES)}
    for row in sorted({math.floor(y - BORDER_REACH_TILES), math.floor(y + BORDER_REACH_TILES)}):
        for col in sorted(columns):
            placement = board.tiles.get((row, col))
            if placement is not None:
                yield (row, col), placement


def _weigh_segments(
    placement: Placement, square: Square, foot: tuple[float, float], pose: str, kind: str
) -> Iterator[tuple[int, float]]:
    at = unplace_point(foot, placement.turns, square)
    for index, segment in enumerate(placement.layout.segments):
        if _may_hold(segment.kind, pose, kind):
            disc = pose == "disc"
            yield (
                index,
                _compute_mass(
                    _measure_depth(placement.layout, index, at, disc), DISC_SIGMA_TILES if disc else FOOT_SIGMA_TILES
                ),
            )


def _may_hold(below: Kind, pose: str, kind: str) -> bool:
    if below == "wonder" or pose == "upside_down":
        return below == "wonder" and pose in ("upside_down", "disc")
    if below not in PIECES[kind].stands_on:
        return False
    return pose == "disc" or kind not in PLACED_BY_POSE or (below == "field") == (pose == "lying")


def _compute_mass(depth: float, sigma: float) -> float:
    """How much of the foot's Gaussian lies in a segment with a straight border this far away; never quite 0."""
    return max(0.5 * math.erfc(-depth / (sigma * math.sqrt(2))), 1e-12 * math.exp(min(depth, 0.0)))


@lru_cache(maxsize=1024)
def _measure_depth(layout: TileLayout, index: int, at: tuple[float, float], disc: bool) -> float:
    """How far inside a segment a point of the unit square lies; negative outside.

    The border of the square does not count: the feature goes on across it. Kept, since every pose and kind is asked.
    """
    point = Point(at)
    area, border = _build_reach(layout, index, disc)
    if area.is_empty:  # a corner of a field between roads, too narrow for any foot
        return -REACHES_TILES["road"] - layout.segments[index].geometry.distance(point)
    if not area.covers(point):
        return -area.distance(point)
    return border.distance(point) if not border.is_empty else math.inf


@cache
def _build_reach(layout: TileLayout, index: int, disc: bool) -> tuple[BaseGeometry, BaseGeometry]:
    """Where a meeple on a segment has its foot, or a disc its middle, and the border of that within the square."""
    reaches = DISC_REACHES_TILES if disc else REACHES_TILES
    wide = {i: s.geometry.buffer(reaches[s.kind]) for i, s in enumerate(layout.segments) if s.kind in reaches}
    free = UNIT.difference(unary_union([*wide.values()]))
    area = UNIT.intersection(wide[index]) if index in wide else free.intersection(layout.segments[index].geometry)
    return area, area.boundary.difference(UNIT.boundary.buffer(1e-9))
