"""The prior of colours, before the pieces of a table are compared."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.colour.prior import (
    MIN_NEW_COLOUR_ODDS,
    PLAYER_COUNTS,
    apply_colour_prior,
    estimate_new_colour_odds,
)
from vision.reading.piece import Piece

POSES = np.array([1.0, 0.0, 0.0])


def piece(at: tuple[float, float], presence: float, *odds: float) -> Piece:
    return Piece(at, presence, np.array(odds), POSES)


def spread(*pieces: tuple[float, tuple[float, ...]]) -> list[Piece]:
    """Lay pieces a tile apart."""
    return [piece((float(i), 0.5), presence, *odds) for i, (presence, odds) in enumerate(pieces)]


@given(st.floats(0.01, 0.98))
def test_a_sixth_players_colour_needs_stronger_evidence(share: float) -> None:
    (piece,) = apply_colour_prior(spread((0.8, (share, 1 - share))), ("red", "pink"))
    assert piece.colours[0] > share
    assert piece.colours.sum() == pytest.approx(1)
    assert piece.presence == 0.8
    (usual,) = apply_colour_prior(spread((0.8, (share, 1 - share))), ("red", "blue"))
    assert usual.colours.tolist() == pytest.approx([share, 1 - share])


@given(st.integers(0, 30), st.integers(0, 7))
def test_a_new_colour_becomes_less_likely_with_more_pieces(pieces: int, colours: int) -> None:
    assert MIN_NEW_COLOUR_ODDS <= estimate_new_colour_odds(pieces, colours) <= 1
    if pieces >= colours:
        assert estimate_new_colour_odds(pieces + 1, colours) <= estimate_new_colour_odds(pieces, colours)


def test_the_probability_of_new_colours_equals_an_enumeration_of_games() -> None:
    """Two pieces of two colours, and a third: counting who laid them, with equal weight for each number of players."""
    new = repeats = 0.0
    for players in PLAYER_COUNTS:
        for third in range(players):
            ways = players * (players - 1) / players**3
            if third < 2:
                repeats += ways
            else:
                new += ways
    assert estimate_new_colour_odds(2, 2) == pytest.approx((new / (max(PLAYER_COUNTS) - 2)) / (repeats / 2))
