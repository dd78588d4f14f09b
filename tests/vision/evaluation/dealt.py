"""Dealt tables with their truth, and readings of them that are right except for a test's own mistakes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from scoring.carcassonne.board.board import Placement
from scoring.carcassonne.board.label import write_label
from scoring.carcassonne.deal.boards import deal_random_board, sample_foot_points
from scoring.carcassonne.tiles.geometry import SIDES, Square, get_neighbour, turn_edge
from vision.arrays import Floats
from vision.errors import ReadingError
from vision.evaluation.labels import Truth, read_truth
from vision.multiview.reading import JoinedReading, View
from vision.photo.decoding import Photo
from vision.reading.values import MeepleReading, Reading, TileReading, Warp

VIEW = np.array([[90.0, -25.0, 300.0], [31.0, 80.0, 150.0], [0.004, -0.002, 1.0]])
TIMES = {"decode": 60.0, "lattice": 80.0, "tiles": 100.0}


def to_pixels(points: Iterable[tuple[float, float]]) -> Floats:
    """Return lattice points (col, row) in pixels of these tests' photo, a view from the side."""
    homogeneous = np.array([(x, y, 1.0) for x, y in points]) @ VIEW.T
    return np.asarray(homogeneous[:, :2] / homogeneous[:, 2:])


def dealt_label(seed: int, tiles: int = 30) -> dict[str, Any]:
    """Return the label of a dealt board, seen in that view."""
    rng = Random(seed)
    board = deal_random_board(rng, tiles)
    label = write_label(board)
    for meeple, foot in zip(label["meeples"], sample_foot_points(board, rng), strict=True):
        meeple["at"] = list(foot)
    nodes = [(0, 0), (9, 0), (0, 9), (9, 9), (4, 5)]
    points = [[*pixel, *node] for pixel, node in zip(to_pixels(nodes).tolist(), nodes, strict=True)]
    return {**label, "photo": f"{seed}.jpg", "id": f"dealt-{seed}", "points": points}


def dealt(seed: int, tiles: int = 30) -> Truth:
    return read_truth(dealt_label(seed, tiles), str(seed))


@dataclass(frozen=True)
class Frame:
    """A reading's own frame: `quarters` clockwise turns lead from it to the truth's; squares are also shifted."""

    quarters: int = 0
    shift: Square = (0, 0)

    def square(self, square: Square) -> Square:
        row, col = square
        for _ in range(-self.quarters % 4):
            row, col = col, -row
        return row + self.shift[0], col + self.shift[1]

    def placement(self, true: Placement) -> Placement:
        """Return the same tile in this frame, with the smallest turn that is equivalent under the rules."""
        return Placement(true.tile, (true.turns - self.quarters) % true.layout.symmetry)

    def segment(self, true: Placement | None, segment: int | None) -> int | None:
        """Return the segment of the normalised tile at the position of one of the true tile."""
        if true is None or segment is None:
            return None
        here, part = self.placement(true), true.layout.segments[segment]
        edges = {turn_edge(edge, true.turns - self.quarters) for edge in part.edges}
        return next(
            index
            for index, other in enumerate(here.layout.segments)
            if other.kind == part.kind and {turn_edge(edge, here.turns) for edge in other.edges} == edges
        )


def perfect(truth: Truth, frame: Frame) -> Reading:
    """Return the reading of a faultless reader in its own frame."""
    tiles = []
    for true in truth.tiles:
        row, col = frame.square(true.square)
        here = frame.placement(true.placement) if true.placement else None
        turns = here.turns if here else 0
        corners = np.roll(true.corners_px, -frame.quarters - turns, axis=0)
        tiles.append(TileReading(row, col, here.tile if here else None, turns, corners, 0.9999, here is None))
    meeples = []
    for meeple in truth.meeples:
        placed = meeple.placed
        segment = frame.segment(truth.board.tiles[placed.square], placed.segment)
        row, col = frame.square(placed.square)
        foot, at = meeple.foot_px, (col + 0.5, row + 0.5)
        meeples.append(
            MeepleReading(placed.colour, placed.kind, placed.pose, foot, at, row, col, segment, 0.999, False)
        )
    return Reading(1600, 1200, tuple(tiles), tuple(meeples), Warp(VIEW), TIMES)


def join_reading(photo: Photo, reading: Reading) -> JoinedReading:
    """Return the reading of one photo that shows the whole table, with nothing beside the board."""
    squares, meeples = frozenset(tile.square for tile in reading.tiles), frozenset(range(len(reading.meeples)))
    bare = frozenset(get_neighbour(square, side) for square in squares for side in SIDES) - squares
    return JoinedReading((View(photo, reading, squares, meeples, squares, meeples, bare),))


class FromTruth:
    """A reader that takes the dealt tables of these tests by their files' names; one of them shows no board."""

    def __init__(self, truths: dict[str, Truth]) -> None:
        self.truths = truths

    def read(self, photo: Photo) -> Reading:
        if photo.file not in self.truths:
            raise ReadingError("board_not_found")
        return perfect(self.truths[photo.file], Frame(3))

    def survey(self, photo: Photo) -> Any:
        """Return the photo itself: nothing else is known of it before it is read."""
        return photo

    def join(self, surveys: Sequence[Any]) -> JoinedReading:
        (photo,) = surveys
        return join_reading(photo, self.read(photo))
