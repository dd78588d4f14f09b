"""Pieces that cannot be distinguished are one player's, with one name; different ones stay two players'."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.scene.pieces import COLOURS as MAKES
from vision.arrays import Floats
from vision.colour.illumination import USUAL_PAINTS_LAB, compute_usual_paints, illuminate_paints
from vision.colour.likeness import LIGHTNESS
from vision.colour.merging import MAX_ALIKE_LAB, merge_alike_colours
from vision.pieces.meeples import select_shown_pieces
from vision.reading.piece import Piece

COLOURS = tuple(USUAL_PAINTS_LAB)
NAVY = (16.0, 1.0, -8.0)
"""Black under a bluish lamp."""


def piece(paint: Sequence[float] | Floats, presence: float = 0.99, at: float = 0.0, **odds: float) -> Piece:
    rest = (1 - sum(odds.values())) / (len(COLOURS) - len(odds))
    colours = np.array([odds.get(colour, rest) for colour in COLOURS])
    return Piece((at, 0.0), presence, colours, np.ones(1), paint=np.array(paint))


def names(pieces: Sequence[Piece]) -> list[str]:
    return [COLOURS[int(piece.colours.argmax())] for piece in merge_alike_colours(pieces, pieces, COLOURS)]


YELLOW = [piece(USUAL_PAINTS_LAB["yellow"], yellow=0.99) for _ in range(3)]
"""A piece in the same, even light."""


def test_pieces_that_look_the_same_are_of_one_colour() -> None:
    split = [piece(NAVY, black=0.6, blue=0.35) for _ in range(3)] + [piece(NAVY, blue=0.7, black=0.25)] * 2
    assert names([*split, *YELLOW]) == ["black"] * 5 + ["yellow"] * 3


def test_a_player_may_have_a_big_one_as_well() -> None:
    eight = [piece(NAVY, black=0.6, blue=0.35)] * 7 + [piece(NAVY, blue=0.6, black=0.35)]
    assert names(eight) == ["black"] * 8


def test_so_they_are_as_pieces_are_shown() -> None:
    split = [piece(NAVY, at=float(i), black=0.6, blue=0.35) for i in range(3)]
    split += [piece(NAVY, at=float(i), blue=0.7, black=0.25) for i in (3, 4)]
    yellow = [piece(USUAL_PAINTS_LAB["yellow"], at=float(i), yellow=0.99) for i in range(5, 8)]
    pieces = sorted(select_shown_pieces([*split, *yellow], COLOURS), key=lambda meeple: meeple.at)
    assert [COLOURS[int(meeple.colours.argmax())] for meeple in pieces] == ["black"] * 5 + ["yellow"] * 3


@pytest.mark.parametrize(("one", "other"), list(combinations(MAKES, 2)))
def test_no_two_of_our_paints_are_so_alike(one: str, other: str) -> None:
    """Therefore no two of them are merged into one player."""
    for paint, against in product(lab(MAKES[one]), lab(MAKES[other])):
        assert np.linalg.norm((paint - against) * (LIGHTNESS, 1, 1)) > 1.5 * MAX_ALIKE_LAB


def lab(bgr: Sequence[tuple[int, int, int]]) -> Floats:
    pixels = np.array(bgr, np.float32).reshape(-1, 1, 3) / 255
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2LAB).reshape(-1, 3), np.float64)


def test_where_the_net_cannot_tell_the_usual_look_does() -> None:
    split = [piece(NAVY, black=0.45, blue=0.5), piece(NAVY, black=0.5, blue=0.45)]
    assert names([*split, *YELLOW]) == ["black", "black"] + ["yellow"] * 3
    bright = [piece((36.0, 12.0, -40.0), black=0.45, blue=0.5), piece((36.0, 12.0, -40.0), black=0.5, blue=0.45)]
    assert names([*bright, *YELLOW]) == ["blue", "blue"] + ["yellow"] * 3


def test_a_dark_photo_darkens_what_is_expected() -> None:
    """A paint as dark as usual black is blue if everything else gets an eighth of the usual light."""
    yellow, blue = illuminate_paints(compute_usual_paints(["yellow", "blue"]), np.full(3, -np.log(8)))
    assert blue[0] < USUAL_PAINTS_LAB["black"][0]
    dim = [piece(yellow, yellow=0.99) for _ in range(3)]
    navy = [piece(blue, blue=0.5, black=0.45), piece(blue, black=0.5)]
    assert names([*navy, *dim])[:2] == ["blue", "blue"]


def test_a_name_that_hangs_on_little_is_no_sure_one() -> None:
    between = (np.array(USUAL_PAINTS_LAB["black"]) + USUAL_PAINTS_LAB["blue"]) / 2
    split = [piece(between, black=0.6, blue=0.35), piece(between, black=0.35, blue=0.6)]
    for merged_piece in merge_alike_colours([*split, *YELLOW], split + YELLOW, COLOURS)[:2]:
        assert max(merged_piece.colours) < 0.6


@pytest.mark.parametrize(
    "apart",
    [
        pytest.param(
            [piece(USUAL_PAINTS_LAB["black"], black=0.6, blue=0.3), piece(USUAL_PAINTS_LAB["blue"], blue=0.6)],
            id="other looks",
        ),
        pytest.param(
            [piece(NAVY, black=0.999)] * 3 + [piece(NAVY, blue=0.999)] * 3, id="the net is sure of each of them"
        ),
        pytest.param(
            [piece(NAVY, black=0.6, blue=0.35)] * 8 + [piece(NAVY, blue=0.6, black=0.35)], id="more than a player has"
        ),
        pytest.param(
            [piece(NAVY, black=0.6, blue=0.35), piece(NAVY, presence=0.5, blue=0.6)], id="one of them hardly there"
        ),
        pytest.param([piece(NAVY, black=0.6, blue=0.35), piece((np.nan,) * 3, blue=0.6)], id="one of unknown looks"),
        pytest.param([], id="no pieces"),
    ],
)
def test_what_may_be_two_players_stays_so(apart: Sequence[Piece]) -> None:
    pieces = merge_alike_colours(apart, apart, COLOURS)
    assert all((after.colours == before.colours).all() for after, before in zip(pieces, apart, strict=True))


@given(
    st.lists(
        st.tuples(st.sampled_from(COLOURS), st.sampled_from(COLOURS), st.floats(0.3, 0.999), st.floats(0.8, 1.0)),
        max_size=12,
    )
)
def test_odds_stay_odds(drawn: list[tuple[str, str, float, float]]) -> None:
    pieces = [piece(USUAL_PAINTS_LAB[look], presence, **{name: odds}) for look, name, odds, presence in drawn]
    for after, before in zip(merge_alike_colours(pieces, pieces, COLOURS), pieces, strict=True):
        assert after.colours.sum() == pytest.approx(1)
        assert (after.colours >= 0).all()
        assert after.presence == before.presence
