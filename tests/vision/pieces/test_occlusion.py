"""Places on the table that pieces hide, by their feet and their lean."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from models.samples.tiles import POSE_NAMES
from vision.pieces.crops import POSE_HEIGHTS_TILES
from vision.pieces.occlusion import HIDING_RADIUS_TILES, POINT_STEP_TILES, compute_occlusion
from vision.reading.piece import Piece

places = st.tuples(st.floats(-2, 3), st.floats(-2, 3))
steps = st.tuples(st.floats(-2, 2), st.floats(-2, 2))

Place = tuple[float, float]


def piece_at(col: float, row: float, presence: float = 1.0, pose: str = "standing") -> Piece:
    return Piece((col, row), presence, np.ones(1), np.array([float(name == pose) for name in POSE_NAMES]))


def hidden(at: list[Place], piece: Piece, lean: Place = (0.0, 0.0)) -> NDArray[np.float64]:
    return compute_occlusion(np.array(at), [piece], np.array([lean]), POSE_NAMES)


@pytest.mark.parametrize("presence", [1.0, 0.5])
def test_a_piece_seen_from_above_hides_what_it_stands_on_as_far_as_it_is_there(presence: float) -> None:
    under, edge, away = hidden([(0.5, 0.5), (0.5 + HIDING_RADIUS_TILES, 0.5), (3.0, 3.0)], piece_at(0.5, 0.5, presence))
    assert under == pytest.approx(presence, rel=0.1)
    assert edge == pytest.approx(presence / 2, rel=0.25)
    assert away == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("pose", POSE_NAMES)
def test_a_piece_hides_what_lies_behind_it_as_far_as_it_is_high(pose: str) -> None:
    """It leans north by its own height."""
    steps = np.linspace(0, 2, 201)
    behind = [(0.5, float(-step)) for step in steps]
    covered = hidden(behind, piece_at(0.5, 0.0, pose=pose), (0.0, -1.0)) > 0.5
    assert steps[covered].max() == pytest.approx(POSE_HEIGHTS_TILES[pose] + HIDING_RADIUS_TILES, abs=POINT_STEP_TILES)
    assert covered[steps < POSE_HEIGHTS_TILES[pose]].all()


@given(at=places, seen=places, lean=steps, presence=st.floats(0.1, 1), pose=st.sampled_from(POSE_NAMES))
def test_what_leans_hides_all_that_it_would_hide_upright(
    at: Place, seen: Place, lean: Place, presence: float, pose: str
) -> None:
    piece = piece_at(*at, presence, pose)
    (upright,), (leaning,) = hidden([seen], piece), hidden([seen], piece, lean)
    assert 0 <= upright <= leaning + 1e-6
    assert leaning <= presence


@given(at=places, other=places, seen=places)
def test_two_pieces_hide_what_either_hides(at: Place, other: Place, seen: Place) -> None:
    one, two = piece_at(*at), piece_at(*other)
    (both,) = compute_occlusion(np.array([seen]), [one, two], np.zeros((2, 2)), POSE_NAMES)
    alone = [hidden([seen], piece)[0] for piece in (one, two)]
    assert max(alone) - 1e-9 <= both <= sum(alone) + 1e-9


def test_no_pieces_hide_nothing() -> None:
    assert not compute_occlusion(np.zeros((3, 2)), [], np.zeros((0, 2)), POSE_NAMES).any()
