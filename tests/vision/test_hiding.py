"""What pieces hide of squares, by where they stand and how they lean."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.samples import POSE_NAMES
from vision.hiding import BROAD, hidden_shares
from vision.pieces import Piece
from vision.stands import HIGH

places = st.floats(-2, 3)
steps = st.tuples(st.floats(-2, 2), st.floats(-2, 2))


def piece_at(col: float, row: float, presence: float = 1.0, pose: str = "standing") -> Piece:
    return Piece((col, row), presence, np.ones(1), np.array([float(name == pose) for name in POSE_NAMES]))


def hidden(squares: list[tuple[int, int]], piece: Piece, lean: tuple[float, float] = (0.0, 0.0)) -> np.ndarray:
    return hidden_shares(squares, [piece], np.array([lean]), POSE_NAMES)


@pytest.mark.parametrize("presence", [1.0, 0.5])
def test_a_piece_seen_from_above_hides_what_it_stands_on_as_far_as_it_is_there(presence: float) -> None:
    own, other = hidden([(0, 0), (3, 3)], piece_at(0.5, 0.5, presence))
    assert own == pytest.approx(presence * np.pi * BROAD**2, rel=0.15)
    assert other == 0


def test_one_on_a_seam_hides_both_sides_alike() -> None:
    west, east = hidden([(0, 0), (0, 1)], piece_at(1.0, 0.5))
    assert west == pytest.approx(east)
    assert west + east == pytest.approx(np.pi * BROAD**2, rel=0.15)


@pytest.mark.parametrize("pose", POSE_NAMES)
def test_a_piece_hides_what_lies_behind_it_as_far_as_it_is_high(pose: str) -> None:
    """It stands on the northern edge of its square and leans north."""
    above, leaning = (hidden([(0, 0)], piece_at(0.5, 1.0, pose=pose), lean)[0] for lean in ((0.0, 0.0), (0.0, -1.0)))
    assert leaning - above == pytest.approx(2 * BROAD * HIGH[pose], rel=0.2)


@given(at=st.tuples(places, places), lean=steps, presence=st.floats(0.1, 1), pose=st.sampled_from(POSE_NAMES))
def test_what_leans_hides_all_that_it_would_hide_upright(
    at: tuple[float, float], lean: tuple[float, float], presence: float, pose: str
) -> None:
    squares = [(row, col) for row in range(-3, 4) for col in range(-3, 4)]
    piece = piece_at(*at, presence, pose)
    upright, leaning = hidden(squares, piece), hidden(squares, piece, lean)
    assert (leaning >= upright - 1e-6).all()
    assert leaning.max() <= presence


def test_no_pieces_hide_nothing() -> None:
    assert not hidden_shares([(0, 0)], [], np.zeros((0, 2)), POSE_NAMES).any()
