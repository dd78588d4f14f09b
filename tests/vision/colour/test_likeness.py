"""A player's pieces look alike: a piece that looks like the blue ones is blue, whatever its own reading was."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.arrays import Floats
from vision.colour.illumination import USUAL_PAINTS_LAB, compute_usual_paints, illuminate_paints
from vision.colour.likeness import weigh_colours_by_likeness
from vision.pieces.meeples import select_shown_pieces
from vision.reading.piece import Piece

BLUE, BLACK, RED = range(3)
COLOURS = ("blue", "black", "red")
LOOKS = {BLUE: (30.0, 15.0, -45.0), BLACK: (15.0, 0.0, -8.0), RED: (45.0, 60.0, 35.0)}


def piece(paint: Sequence[float], colours: Sequence[float], presence: float = 0.99, at: float = 0.0) -> Piece:
    return Piece((at, at), presence, np.array(colours), np.array([1.0]), paint=np.array(paint))


def said(colour: int, odds: float) -> list[float]:
    return [odds if index == colour else (1 - odds) / 2 for index in range(3)]


def named(pieces: Sequence[Piece], colours: Sequence[str] = COLOURS) -> list[int]:
    return [int(np.argmax(piece.colours)) for piece in weigh_colours_by_likeness(pieces, colours)]


def test_a_piece_that_looks_like_the_black_ones_is_black() -> None:
    sure = [piece(LOOKS[colour], said(colour, 0.99)) for colour in (BLUE, BLUE, BLACK, BLACK)]
    misread = piece((17.0, 1.0, -10.0), said(BLUE, 0.8))
    assert named([*sure, misread]) == [BLUE, BLUE, BLACK, BLACK, BLACK]


def test_the_less_certain_of_two_groups_with_one_name_is_renamed() -> None:
    blue = [piece(LOOKS[BLUE], said(BLUE, 0.99)) for _ in range(4)]
    black = [piece(LOOKS[BLACK], [0.7, 0.28, 0.02]) for _ in range(3)]
    assert named([*blue, *black]) == [BLUE] * 4 + [BLACK] * 3


def test_improbable_pieces_are_no_evidence_about_others() -> None:
    roofs = [piece(LOOKS[BLACK], said(RED, 0.99), presence=1e-6) for _ in range(5)]
    black = [piece(LOOKS[BLACK], said(BLACK, 0.9)) for _ in range(2)]
    assert named([*black, *roofs])[:2] == [BLACK, BLACK]


def test_an_unexamined_piece_is_unchanged() -> None:
    unseen = piece((np.nan,) * 3, said(RED, 0.5))
    others = [piece(LOOKS[BLUE], said(BLUE, 0.9)) for _ in range(3)]
    assert weigh_colours_by_likeness([unseen, *others], COLOURS)[0] is unseen
    assert weigh_colours_by_likeness([others[0]], COLOURS) == [others[0]]


def test_a_washed_out_piece_keeps_the_nets_colour() -> None:
    red = [piece(LOOKS[RED], said(RED, 0.99)) for _ in range(4)]
    glaring = piece((92.0, 12.0, 2.0), said(RED, 0.8))
    assert weigh_colours_by_likeness([*red, glaring], COLOURS)[-1] is glaring
    pale = piece((92.0, 50.0, 20.0), said(RED, 0.8))
    assert weigh_colours_by_likeness([*red, pale], COLOURS)[-1] is not pale


@settings(deadline=None, max_examples=50)
@given(
    st.lists(
        st.tuples(st.sampled_from(sorted(LOOKS)), st.floats(0.34, 0.999), st.floats(0.1, 1.0)), min_size=2, max_size=12
    ),
    st.randoms(use_true_random=False),
)
def test_the_order_of_pieces_does_not_matter(drawn: list[tuple[int, float, float]], random: Random) -> None:
    pieces = [
        piece(LOOKS[colour], said(colour, odds), presence, at=i) for i, (colour, odds, presence) in enumerate(drawn)
    ]
    order = list(range(len(pieces)))
    random.shuffle(order)
    odds_by_place = {meeple.at: meeple.colours for meeple in weigh_colours_by_likeness(pieces, COLOURS)}
    again = {meeple.at: meeple.colours for meeple in weigh_colours_by_likeness([pieces[i] for i in order], COLOURS)}
    for at, colours in odds_by_place.items():
        assert colours.sum() == pytest.approx(1)
        assert again[at] == pytest.approx(colours, abs=1e-12)


GREENISH, BLACKISH = (35.0, -29.0, 20.0), (22.0, -9.0, 7.0)


def about(look: Sequence[float], spread: float, count: int, rng: np.random.Generator) -> list[list[float]]:
    return [list(map(float, sample)) for sample in np.array(look) + rng.normal(0, spread, (count, 3))]


def test_in_even_light_a_piece_that_looks_like_black_ones_is_black() -> None:
    rng = np.random.default_rng(4)
    green = [piece(look, said(BLUE, 0.99)) for look in about(GREENISH, 1, 7, rng)]
    black = [piece(look, said(BLACK, 0.9)) for look in about(BLACKISH, 1, 6, rng)]
    misread = piece((20.0, -9.0, 7.0), said(BLUE, 0.93))
    assert named([*green, *black, misread], ("green", "black", "red")) == [BLUE] * 7 + [BLACK] * 7


EVERY = tuple(USUAL_PAINTS_LAB)


def lay(paint: Sequence[float] | Floats, presence: float = 0.99, at: float = 0.0, **odds: float) -> Piece:
    rest = (1 - sum(odds.values())) / (len(EVERY) - len(odds))
    colours = np.array([odds.get(colour, rest) for colour in EVERY])
    return Piece((at, 0.0), presence, colours, np.ones(1), paint=np.array(paint))


@settings(deadline=None, max_examples=60)
@given(
    st.tuples(*[st.floats(-0.3, 0.3)] * 3), st.floats(-1.2, 0.3), st.permutations(["red", "blue", "green", "yellow"])
)
def test_a_piece_alone_of_its_colour_is_identified_by_the_others_light(
    tint: tuple[float, float, float], brighter: float, order: list[str]
) -> None:
    """The net's remaining doubt, whether a paint is one of the others', is resolved by the light."""
    paints = dict(zip(EVERY, illuminate_paints(compute_usual_paints(EVERY), np.array(tint) + brighter), strict=True))
    alone, *others = order
    pieces = [lay(paints[colour], **{colour: 0.99}) for colour in ("black", *others) for _ in range(3)]
    *_, lone_piece = weigh_colours_by_likeness([*pieces, lay(paints[alone], **{alone: 0.98, "black": 0.01})], EVERY)
    assert lone_piece.colours[EVERY.index(alone)] > 0.98


def test_a_piece_that_looks_black_in_that_light_is_not_alone_of_its_colour() -> None:
    paints = dict(zip(EVERY, illuminate_paints(compute_usual_paints(EVERY), np.full(3, -1.0)), strict=True))
    pieces = [lay(paints[colour], **{colour: 0.99}) for colour in ("black", "red", "yellow") for _ in range(3)]
    *_, lone_piece = weigh_colours_by_likeness([*pieces, lay(paints["black"], green=0.6, black=0.35)], EVERY)
    assert lone_piece.colours[EVERY.index("black")] > 0.9


def test_in_uneven_light_the_net_decides() -> None:
    rng = np.random.default_rng(4)
    green = [piece(look, said(BLUE, 0.99)) for look in about(GREENISH, 12, 7, rng)]
    black = [piece(look, said(BLACK, 0.99)) for look in about(BLACKISH, 12, 6, rng)]
    assert named([*green, *black, piece((20.0, -9.0, 7.0), said(BLUE, 0.99))])[-1] == BLUE


def test_many_shadows_do_not_define_the_look_of_black_pieces() -> None:
    rng = np.random.default_rng(4)
    black = [piece(look, [0.35, 0.6, 0.05]) for look in about((16.0, -1.0, -10.0), 1, 7, rng)]
    shadows = [piece(look, said(BLACK, 0.95), presence=0.7) for look in about((12.0, 0.0, 3.0), 2, 8, rng)]
    assert named([*black, *shadows])[:7] == [BLACK] * 7


NAVY = (16.0, 1.0, -8.0)
"""Black under a bluish lamp."""


def test_pieces_that_look_the_same_are_shown_in_one_colour() -> None:
    split = [lay(NAVY, at=float(i), black=0.6, blue=0.35) for i in range(3)]
    split += [lay(NAVY, at=float(i), blue=0.7, black=0.25) for i in (3, 4)]
    yellow = [lay(USUAL_PAINTS_LAB["yellow"], at=float(i), yellow=0.99) for i in range(5, 8)]
    pieces = sorted(select_shown_pieces([*split, *yellow], EVERY), key=lambda meeple: meeple.at)
    assert [EVERY[int(meeple.colours.argmax())] for meeple in pieces] == ["black"] * 5 + ["yellow"] * 3
