"""The assignment of a reading's squares and meeples to those of the truth, by their places in the photo.

A reading's lattice has its own origin and its own "up", so squares are matched by their middles, and the quarter turn
between the frames comes from their corners.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from scoring.carcassonne.board.board import PlacedWonder, Placement
from scoring.carcassonne.board.features import build_feature_map
from scoring.carcassonne.tiles.geometry import SIDES, Square, turn_edge
from scoring.carcassonne.tiles.layout import summarise_topology
from scoring.carcassonne.tiles.other_boxes import get_layout
from vision.arrays import Floats
from vision.geometry.lattice_transform import Step
from vision.reading.board import place_tile
from vision.reading.values import MeepleReading, Reading, TileReading, WonderReading
from vision.squares.catalogue import find_read_name

if TYPE_CHECKING:
    from vision.evaluation.labels import TrueMeeple, TrueTile, Truth

TILE_REACH = 0.35
"""Maximum distance in tiles between the middles of a square that was read and the true one. A guess."""
MAX_FOOT_DISTANCE_TILES = 0.4
"""Maximum distance in tiles between the feet of a meeple that was read and the true one: a standing meeple leans, and
its label's foot is an estimate. A guess."""


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """A reading compared with the truth.

    `quarters` are the clockwise quarter turns that lead from the reading's frame to the truth's. Unreadable squares are
    neither missed nor invented, and are in no pair.
    """

    quarters: int
    tiles: tuple[tuple[TileReading, TrueTile], ...]
    missed: tuple[TrueTile, ...]
    invented: tuple[TileReading, ...]
    meeples: tuple[tuple[MeepleReading, TrueMeeple], ...]
    missed_meeples: tuple[TrueMeeple, ...]
    extra_meeples: tuple[MeepleReading, ...]
    wonders: tuple[WonderReading, ...] = ()

    def place(self, read: TileReading) -> Placement | None:
        """Return a tile of the reading as placed in the truth's frame, None for an unknown one."""
        return place_tile(replace(read, turns=(read.turns + self.quarters) % 4), self.wonders)

    def true_square(self, row: int, col: int) -> Square | None:
        """Return the truth's square of a square of the reading."""
        return next((true.square for read, true in self.tiles if (read.row, read.col) == (row, col)), None)

    @property
    def step(self) -> Step | None:
        """The step from the truth's lattice to the reading's; None without pairs."""
        if not self.tiles:
            return None
        read, true = self.tiles[0]
        turns = -self.quarters % 4
        row, col = Step(turns).square(true.square)
        return Step(turns, read.row - row, read.col - col)

    def locate_square(self, square: Square) -> Square | None:
        """Return the square in the truth's frame of a square of the reading, tile or not; None without pairs."""
        return None if self.step is None else self.step.inverse().square(square)

    def move_wonder(self, true: PlacedWonder) -> PlacedWonder | None:
        """Return a wonder of the truth as placed in the reading's frame; None without pairs."""
        return None if self.step is None else self.step.wonder(true)

    def find_read_square(self, true: Square) -> Square | None:
        """Return the reading's square of a square of the truth."""
        return next((tile.square for tile, other in self.tiles if other.square == true), None)

    def find_true_meeple(self, read: MeepleReading) -> TrueMeeple | None:
        """Return the true meeple of one that was read; those of a pile have one each."""
        return next((true for other, true in self.meeples if other is read), None)


def match_reading(reading: Reading, truth: Truth) -> Match:
    """Match a reading with the truth."""
    size = float(np.median([tile.size_px for tile in truth.tiles])) if truth.tiles else 1.0
    sizes = np.array([tile.size_px for tile in truth.tiles])
    pairs = _pair_nearest(
        [tile.corners_px.mean(axis=0) for tile in reading.tiles],
        [tile.centre_px for tile in truth.tiles],
        TILE_REACH * sizes,
    )
    feet = _pair_nearest(
        [meeple.foot_px for meeple in reading.meeples],
        [meeple.foot_px for meeple in truth.meeples],
        np.full(len(truth.meeples), MAX_FOOT_DISTANCE_TILES * size),
    )
    both = [(reading.tiles[i], truth.tiles[j]) for i, j in pairs.items()]
    matched = set(pairs.values())
    return Match(
        quarters=_vote_quarters(both),
        tiles=tuple((read, true) for read, true in both if true.readable),
        missed=tuple(t for j, t in enumerate(truth.tiles) if t.readable and j not in matched),
        invented=tuple(tile for i, tile in enumerate(reading.tiles) if i not in pairs),
        meeples=tuple((reading.meeples[i], truth.meeples[j]) for i, j in feet.items()),
        missed_meeples=tuple(meeple for j, meeple in enumerate(truth.meeples) if j not in feet.values()),
        extra_meeples=tuple(meeple for i, meeple in enumerate(reading.meeples) if i not in feet),
        wonders=reading.wonders,
    )


def is_near_foot(read: MeepleReading, true: TrueMeeple, truth: Truth) -> bool:
    """Return whether a meeple that was read may be a true one, by the distance of their feet."""
    return measure_foot_distance(read, true, truth) < MAX_FOOT_DISTANCE_TILES


def measure_foot_distance(read: MeepleReading, true: TrueMeeple, truth: Truth) -> float:
    """Measure the distance of two feet, in sizes of the tile below the true one."""
    size = next(tile.size_px for tile in truth.tiles if tile.square == true.placed.square)
    return float(np.hypot(*np.subtract(read.foot_px, true.foot_px))) / size


def is_same_tile(read: TileReading, true: TrueTile, match: Match) -> bool:
    """Return whether the topology of the tile as placed is right, whatever its name; no layout is right for a strange
    tile.

    A wonder's square is right if it is the same wonder and has the same kind at each of its sides: copies differ.
    """
    if read.tile is None or true.placement is None:
        return read.tile is None and true.placement is None
    if true.placement.wonder is not None or read.cell is not None:
        placed = match.place(read)
        return (
            placed is not None
            and placed.tile == true.placement.tile
            and _list_sides(placed) == _list_sides(true.placement)
        )
    topology = _summarise_drawing(read.tile, read.turns + match.quarters)
    return topology == _summarise_drawing(true.placement.tile, true.placement.turns)


def _summarise_drawing(tile: str, turns: int) -> Counter[tuple[object, ...]]:
    """Return everything that the rules see of a tile's drawing as placed: another box's garden or goods are names."""
    name, turns = find_read_name(tile, turns) or (tile, turns)
    return summarise_topology(get_layout(name), turns)


def is_same_place(read: MeepleReading, true: TrueMeeple, truth: Truth, match: Match) -> bool:
    """Return whether a meeple stands on the true feature: on the same kind of segment with the same edges as placed, of
    its own tile or of another tile with that feature, since a piece that slid over a seam scores the same."""
    square, segment = match.true_square(read.row, read.col), true.placed.segment
    tile = next((tile for tile, other in match.tiles if other.square == square), None)
    placement = None if square is None else truth.board.tiles[square]
    if square is None or tile is None:
        return False
    if tile.tile is None or placement is None or read.segment is None or segment is None:
        return square == true.placed.square and read.segment is None and segment is None
    placed = match.place(tile)
    assert placed is not None
    edges = _get_edges(placed, read.segment)
    like = [(square, i) for i in range(len(placement.layout.segments)) if _get_edges(placement, i) == edges]
    true_place = (true.placed.square, segment)
    return true_place in like or bool(like and set(like) & set(build_feature_map(truth.board).at(*true_place).members))


def _list_sides(placement: Placement) -> list[str]:
    return [placement.edge(side) for side in SIDES]


def _get_edges(placement: Placement, segment: int) -> tuple[str, frozenset[str]]:
    part = placement.layout.segments[segment]
    return part.kind, frozenset(turn_edge(edge, placement.turns) for edge in part.edges)


def _pair_nearest(read: Sequence[object], true: Sequence[object], reach: Floats) -> dict[int, int]:
    """Return one-to-one pairs of points (x, y) nearer than `reach` (per true point), the nearest pair first."""
    if not read or not true:
        return {}
    apart = np.linalg.norm(np.array(read, np.float64)[:, None] - np.array(true, np.float64)[None], axis=2) / reach
    pairs: dict[int, int] = {}
    matched: set[int] = set()
    for flat in np.argsort(apart, axis=None):
        i, j = divmod(int(flat), len(true))
        if apart[i, j] < 1 and i not in pairs and j not in matched:
            pairs[i] = j
            matched.add(j)
    return pairs


def _vote_quarters(pairs: Sequence[tuple[TileReading, TrueTile]]) -> int:
    """Return the turn between the frames on which most squares agree."""
    votes = Counter(
        _count_turns_between(np.roll(read.corners_px, read.turns, axis=0), true.corners_px) for read, true in pairs
    )
    return votes.most_common(1)[0][0] if votes else 0


def _count_turns_between(read: Floats, true: Floats) -> int:
    """Count the clockwise quarter turns from a square's frame as read to the truth's, by its (4, 2) corners."""
    apart = [np.abs(np.roll(read, quarters, axis=0) - true).sum() for quarters in range(4)]
    return int(np.argmin(apart))
