"""What the pieces of a table tell about each other, before any of them is believed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.pieces.classifier import Piece
from vision.pieces.colour_prior import (
    MIN_NEW_COLOUR_ODDS,
    PLAYER_COUNTS,
    apply_colour_prior,
    apply_player_prior,
    apply_supply_limit,
    estimate_new_colour_odds,
)

COLOURS = ("red", "blue", "yellow")
POSES = np.array([1.0, 0.0, 0.0])


def piece(at: tuple[float, float], presence: float, *odds: float) -> Piece:
    return Piece(at, presence, np.array(odds), POSES)


def spread(*pieces: tuple[float, tuple[float, ...]]) -> list[Piece]:
    """Pieces a tile apart."""
    return [piece((float(i), 0.5), presence, *odds) for i, (presence, odds) in enumerate(pieces)]


@given(st.floats(0.01, 0.98))
def test_a_sixth_players_colour_needs_more_to_be_believed(share: float) -> None:
    (piece,) = apply_colour_prior(spread((0.8, (share, 1 - share))), ("red", "pink"))
    assert piece.colours[0] > share
    assert piece.colours.sum() == pytest.approx(1)
    assert piece.presence == 0.8
    (usual,) = apply_colour_prior(spread((0.8, (share, 1 - share))), ("red", "blue"))
    assert usual.colours.tolist() == pytest.approx([share, 1 - share])


def test_a_colour_that_others_have_is_believed_over_one_that_nobody_has() -> None:
    sure = (0.99, (0.0, 0.0, 1.0))
    *_, unsure = apply_player_prior(spread(sure, sure, (0.9, (0.6, 0.0, 0.4))))
    assert COLOURS[int(np.argmax(unsure.colours))] == "yellow"


def test_a_piece_in_a_colour_of_its_own_is_believed_less() -> None:
    red, other = (0.99, (1.0, 0.0, 0.0)), (0.8, (0.0, 1.0, 0.0))
    *_, alone = apply_player_prior(spread(red, red, other))
    *_, together = apply_player_prior(spread(red, other, other))
    assert alone.presence < 0.8
    assert together.presence > alone.presence


def test_of_few_pieces_each_may_be_the_only_one_of_its_player() -> None:
    dark = (0.99, (0.8, 0.2, 0.0))
    alone = apply_player_prior(spread((0.99, (0.0, 1.0, 0.0)), (0.99, (0.0, 0.0, 1.0)), dark))[-1]
    late = apply_player_prior(spread(*[(0.99, (0.0, 1.0, 0.0))] * 7, *[(0.99, (0.0, 0.0, 1.0))] * 7, dark))[-1]
    assert COLOURS[int(np.argmax(alone.colours))] == "red"
    assert COLOURS[int(np.argmax(late.colours))] == "blue"


@given(st.integers(0, 30), st.integers(0, 7))
def test_a_new_colour_is_less_likely_than_a_known_one_and_the_less_the_more_pieces(pieces: int, colours: int) -> None:
    assert MIN_NEW_COLOUR_ODDS <= estimate_new_colour_odds(pieces, colours) <= 1
    if pieces >= colours:
        assert estimate_new_colour_odds(pieces + 1, colours) <= estimate_new_colour_odds(pieces, colours)


def test_new_colours_are_as_likely_as_counting_all_games_says() -> None:
    """Two pieces of two colours, and a third: by counting who laid them, each number of players alike."""
    new = repeats = 0.0
    for players in PLAYER_COUNTS:
        for third in range(players):
            ways = players * (players - 1) / players**3
            if third < 2:
                repeats += ways
            else:
                new += ways
    assert estimate_new_colour_odds(2, 2) == pytest.approx((new / (max(PLAYER_COUNTS) - 2)) / (repeats / 2))


def test_one_piece_seen_twice_does_not_speak_for_itself() -> None:
    twice = [piece((0.5, 0.5), 0.8, 0.0, 1.0, 0.0), piece((0.6, 0.5), 0.8, 0.0, 1.0, 0.0)]
    assert all(p.presence < 0.8 for p in apply_player_prior(twice))


def test_no_piece_is_no_trouble() -> None:
    assert apply_player_prior([]) == []


@given(st.lists(st.tuples(st.floats(0.15, 1.0), st.tuples(*[st.floats(0.01, 1.0)] * 3)), min_size=1, max_size=8))
def test_odds_stay_odds(drawn: list[tuple[float, tuple[float, ...]]]) -> None:
    pieces = spread(*((p, tuple(np.array(c) / sum(c))) for p, c in drawn))
    for before, after in zip(pieces, apply_player_prior(pieces), strict=True):
        assert after.colours.sum() == pytest.approx(1)
        assert 0 <= after.presence <= before.presence + 1e-9
        assert after.at == before.at


def test_two_players_in_look_alike_colours_are_two() -> None:
    blue, dark = (1.0, (0.001, 0.997, 0.002)), (0.98, (0.001, 0.98, 0.019))
    pieces = apply_supply_limit(spread(*[blue] * 7, *[dark] * 6), apart(13), 7)
    assert [COLOURS[int(np.argmax(piece.colours))] for piece in pieces] == ["blue"] * 7 + ["yellow"] * 6


def test_one_more_than_a_player_has_may_be_the_one_from_the_score_track() -> None:
    pieces = spread(*[(1.0, (0.001, 0.997, 0.002))] * 8, (0.4, (0.1, 0.8, 0.1)))
    for before, after in zip(pieces, apply_supply_limit(pieces, apart(9), 7), strict=True):
        np.testing.assert_array_equal(after.colours, before.colours)


@given(
    st.lists(st.tuples(st.floats(0.15, 1.0), st.tuples(*[st.floats(0.01, 1.0)] * 3)), max_size=21), st.integers(7, 9)
)
def test_no_colour_has_more_than_a_player_has(drawn: list[tuple[float, tuple[float, float, float]]], most: int) -> None:
    pieces = spread(*((p, tuple(np.array(c) / sum(c))) for p, c in drawn))
    limited_pieces = apply_supply_limit(pieces, apart(len(pieces)), most)
    counts = sum((piece.colours for piece in limited_pieces if piece.presence >= 0.5), np.zeros(3))
    assert counts.max() <= most + 1.6
    assert all(piece.colours.sum() == pytest.approx(1) for piece in limited_pieces)


@pytest.mark.parametrize("squares", [[None] * 13, [(0, 0)] * 13], ids=["beside the board", "on one square"])
def test_what_lies_beside_the_board_or_twice_on_a_square_does_not_count(squares: list[tuple[int, int] | None]) -> None:
    pieces = spread(*[(0.9, (0.001, 0.98, 0.019))] * 13)
    for before, after in zip(pieces, apply_supply_limit(pieces, squares, 7), strict=True):
        np.testing.assert_array_equal(after.colours, before.colours)


def apart(number: int) -> list[tuple[int, int] | None]:
    """Each piece on a square of its own."""
    return [(0, i) for i in range(number)]
