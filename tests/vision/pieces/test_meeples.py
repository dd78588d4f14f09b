"""Alternatives of a piece, and whether they require another pose."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scoring.carcassonne.board.board import Board, Placement
from vision.pieces.meeples import read_meeples
from vision.pieces.piece_names import Names
from vision.reading.piece import Piece
from vision.reading.values import MeepleReading, Warp

NAMES = Names(("red", "blue"), ("standing", "lying", "disc", "upside_down"), ("meeple",))
STRAIGHT_ROAD = Board({(0, 0): Placement("U")})
WARP = Warp(np.diag([100.0, 100.0, 1.0]))


def read(at: tuple[float, float], **poses: float) -> MeepleReading:
    odds = np.array([poses.get(pose, 0.0) for pose in NAMES.poses])
    ((meeple,), _) = read_meeples([Piece(at, 0.99, np.array([1.0, 0.0]), odds)], NAMES, WARP, STRAIGHT_ROAD)
    return meeple


def others(meeple: MeepleReading) -> set[tuple[str, str | None]]:
    """Return the alternative features, with the pose each requires; None for the pose that was read."""
    segments = Placement("U").layout.segments
    return {(segments[a.segment].kind, a.pose) for a in meeple.alternatives if a.segment is not None and not a.colour}


@given(st.floats(0.6, 0.9))
def test_what_may_lie_instead_is_another_pose(standing: float) -> None:
    meeple = read((0.5, 0.5), standing=standing, lying=1 - standing)
    assert meeple.pose == "standing"
    assert others(meeple) == {("field", "lying")}


@given(st.floats(0.11, 0.19))
def test_a_disc_that_may_lie_beside_the_road_is_the_same_disc(beside: float) -> None:
    meeple = read((0.5, 0.5 + beside), disc=1.0)
    assert meeple.pose == "disc"
    assert others(meeple) <= {("road", None), ("field", None)}
    assert others(meeple)
