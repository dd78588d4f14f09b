"""A place that looks like a sure piece elsewhere is more likely a piece, and so is one in a player's colour."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit, logit

from vision.pieces.classifier import load_presence_weights
from vision.pieces.company import EVEN, compute_colour_company, compute_paint_likeness, weigh_presence_by_company
from vision.reading.piece import Piece

BLUE, BLACK, RED = range(3)
LOOKS = {BLUE: (30.0, 15.0, -45.0), BLACK: (15.0, 0.0, -8.0), RED: (45.0, 60.0, 35.0)}


def piece(paint: Sequence[float], colours: Sequence[float], presence: float = 0.99, at: float = 0.0) -> Piece:
    return Piece((at, at), presence, np.array(colours), np.array([1.0]), paint=np.array(paint))


def said(colour: int, odds: float) -> list[float]:
    return [odds if index == colour else (1 - odds) / 2 for index in range(3)]


def likely(pieces: Sequence[Piece]) -> list[float]:
    return [piece.presence for piece in weigh_presence_by_company(pieces)]


def test_a_place_that_looks_like_a_certain_piece_is_more_likely_one() -> None:
    red = [piece(LOOKS[RED], said(RED, 0.99), at=float(i)) for i in range(3)]
    also_red = piece((46.0, 58.0, 33.0), said(RED, 0.9), presence=0.4, at=5)
    brown = piece((40.0, 20.0, 30.0), said(RED, 0.9), presence=0.4, at=7)
    *_, here, there = likely([*red, also_red, brown])
    assert here > 0.9
    company = load_presence_weights().company * 0.9  # red plays, but no red piece looks like that
    assert there == pytest.approx(expit(logit(0.4) + company))


def test_a_doubtful_piece_is_no_evidence_for_others() -> None:
    roofs = [piece(LOOKS[RED], said(RED, 0.9), presence=0.6, at=float(i)) for i in range(6)]
    assert likely(roofs) == pytest.approx([0.6] * 6)
    assert likely(roofs[:1]) == pytest.approx([0.6])
    assert likely([]) == []


def test_a_duplicate_of_a_piece_is_no_evidence_for_it() -> None:
    twice = [piece(LOOKS[RED], said(RED, 0.9), presence=p, at=at) for p, at in ((0.95, 1.0), (0.4, 1.1))]
    assert likely(twice) == pytest.approx([0.95, 0.4])


def test_a_player_may_have_a_single_piece() -> None:
    red = [piece(LOOKS[RED], said(RED, 0.99), at=float(i)) for i in range(3)]
    assert likely([*red, piece(LOOKS[BLUE], said(BLUE, 0.9), presence=0.7, at=5)])[-1] == pytest.approx(
        expit(logit(0.7) + load_presence_weights().company * 0.05)
    )


@given(paint=st.tuples(*[st.floats(-60, 60)] * 3), part=st.floats(0, 1))
def test_a_place_more_like_a_certain_piece_is_more_likely_a_piece(paint: tuple[float, ...], part: float) -> None:
    blue = np.array(LOOKS[BLUE])
    nearer = blue + part * (np.array(paint) - blue)
    at, presence = np.array([[0.0, 0.0], [3.0, 1.0], [6.0, 1.0]]), np.array([0.5, 0.99, 0.99])
    far, near, same = (
        compute_paint_likeness(np.array([colour, blue, LOOKS[RED]]), at, presence)[0]
        for colour in (np.array(paint), nearer, blue)
    )
    assert near >= far - 1e-9 or np.linalg.norm((np.array(paint) - LOOKS[RED]) * (0.5, 1, 1)) < EVEN
    assert same >= max(far, near) >= min(far, near) >= 0


def test_a_place_in_a_players_colour_is_more_likely_a_piece() -> None:
    """This holds with one other piece too, at half the effect; a piece's own duplicate is no evidence for it."""
    odds = np.eye(3)[[0, 0, 1, 0, 1, 2]]
    at = np.array([[0.5, 0.5], [3.5, 0.5], [6.5, 0.5], [9.5, 0.5], [9.5, 3.5], [9.5, 6.5]])
    presence = np.array([0.99, 0.95, 0.95, 0.3, 0.3, 0.3])
    assert compute_colour_company(odds, at, presence).tolist() == [0.5, 0.5, 0.0, 1.0, 0.5, 0.0]
    beside = at.copy()
    beside[3] = (3.5, 0.8)
    assert compute_colour_company(odds, beside, presence)[3] == 0.5
    assert compute_colour_company(np.full((6, 3), 1 / 3), at, np.full(6, 0.5)).tolist() == [0.0] * 6


def veil(paint: tuple[float, ...], share: float) -> tuple[float, ...]:
    """Return a paint under a lamp's reflection, which mixes it with white."""
    lightness, a, b = (1 - share) * np.array(paint) + share * np.array([100.0, 0, 0])
    return float(lightness), float(a), float(b)


@pytest.mark.parametrize("colour", [BLUE, RED])
def test_a_piece_under_a_reflection_resembles_its_players_pieces(colour: int) -> None:
    fellows = [piece(LOOKS[colour], said(colour, 0.99), at=float(i)) for i in range(3)]
    veiled = piece(veil(LOOKS[colour], 0.35), said(colour, 0.9), presence=0.05, at=5)
    unlike = piece(veil((80.0, 0.0, 75.0), 0.35), said(colour, 0.9), presence=0.05, at=7)
    *_, here, there = likely([*fellows, veiled, unlike])
    company = expit(logit(0.05) + load_presence_weights().company * 0.9)
    assert here > company + 0.05
    assert there == pytest.approx(company)


def test_a_grey_print_is_not_taken_for_a_black_piece_under_a_reflection() -> None:
    fellows = [piece(LOOKS[BLACK], said(BLACK, 0.99), at=float(i)) for i in range(3)]
    stone = piece(veil(LOOKS[BLACK], 0.5), said(BLACK, 0.9), presence=0.05, at=5)
    company = load_presence_weights().company * 0.9
    assert likely([*fellows, stone])[-1] == pytest.approx(expit(logit(0.05) + company))
