"""Colours that the net has no name for are told by looks, by what the net calls them and by how unsure it is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from datasets.art.procedural import draw_tile_set
from datasets.art.style import STYLES
from datasets.generate import Deal
from datasets.render.shots import Manner, shoot
from tests.scoring.outside import SHARED, needs_shared
from vision.arrays import Floats
from vision.evaluation.labels import load_truth
from vision.evaluation.matching import match_reading
from vision.photo.decoding import Photo
from vision.pieces.classifier import Piece
from vision.pieces.colour_clusters import weigh_colours_by_likeness
from vision.pieces.colour_illumination import compute_usual_paints, illuminate_paints
from vision.pieces.meeples import select_shown_pieces
from vision.pieces.untaught_colours import (
    NEUTRAL_COLOURS,
    UNTAUGHT_COLOURS,
    ColourWeights,
    UntaughtWeights,
    add_untaught_odds,
    compute_lightness_weights,
    list_colours,
    load_colour_weights,
)
from vision.reader import Reader

NET = ("red", "blue", "green", "yellow", "black", "pink", "white")
NAMES = list_colours(NET)
GREY = "grey"
WEIGHTS = ColourWeights({c: UntaughtWeights({"black": 0.5, "white": 1.0}, 0.25, 1.0) for c in UNTAUGHT_COLOURS}, 1.0)
ODDS = arrays(np.float64, (4, len(NET)), elements=st.floats(1e-6, 1)).map(
    lambda odds: odds / odds.sum(axis=1, keepdims=True)
)


@given(ODDS)
def test_they_take_their_shares_of_all_taught_names_alike(odds: Floats) -> None:
    named = add_untaught_odds(odds, NET, WEIGHTS)
    assert named.shape == (4, len(NET) + len(UNTAUGHT_COLOURS))
    assert named.sum(axis=1) == pytest.approx(1)
    assert named[:, : len(NET)] / named[:, : len(NET)].sum(axis=1, keepdims=True) == pytest.approx(odds)


@given(ODDS)
def test_a_net_that_knows_them_is_left_alone(odds: Floats) -> None:
    knowing = (*NET[:3], *UNTAUGHT_COLOURS)
    assert list_colours(knowing) == knowing
    assert add_untaught_odds(odds, knowing) == pytest.approx(odds)


def test_the_less_sure_the_net_is_of_black_the_likelier_a_piece_is_grey() -> None:
    odds = np.full((3, len(NET)), 0.0)
    odds[:, NET.index("black")] = (0.999, 0.95, 0.6)
    odds[:, NET.index("red")] = 1 - odds.sum(axis=1)
    grey = add_untaught_odds(odds, NET, WEIGHTS)[:, NAMES.index(GREY)]
    assert list(grey) == sorted(grey)
    assert grey[0] < 0.01
    assert grey[2] > 0.2


def test_lightness_counts_of_what_has_no_hue() -> None:
    weights = dict(zip(NAMES, compute_lightness_weights(NAMES, 0.25), strict=True))
    assert {name for name, weight in weights.items() if weight != 0.25} == NEUTRAL_COLOURS
    assert weights[GREY] == load_colour_weights().lightness


def name_pieces(pieces: Sequence[Piece]) -> list[str]:
    return [NAMES[int(piece.colours.argmax())] for piece in weigh_colours_by_likeness(pieces, NAMES)]


def lay_piece(paint: Floats, at: float = 0.0, **odds: float) -> Piece:
    """Return a sure piece of such looks, of which the net says so."""
    net_odds = np.array([[odds.get(name, (1 - sum(odds.values())) / (len(NET) - len(odds))) for name in NET]])
    said = add_untaught_odds(net_odds, NET)[0]
    return Piece((at, 0.0), 0.99, said, np.ones(1), paint=paint, said=said)


def compute_paints(brighter: float, tint: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> dict[str, Floats]:
    """Return how the paint of each name looks in such light."""
    return dict(zip(NAMES, illuminate_paints(compute_usual_paints(NAMES), np.array(tint) + brighter), strict=True))


@pytest.mark.parametrize(
    ("colour", "odds"),
    [
        ("purple", {"pink": 0.7, "black": 0.2}),
        ("orange", {"yellow": 0.9, "red": 0.06}),
        pytest.param("wood", {"white": 0.85, "pink": 0.1}, marks=pytest.mark.soak),
    ],
)
@given(brighter=st.floats(-0.6, 0.3), tint=st.tuples(*[st.floats(-0.1, 0.1)] * 3))
def test_a_whole_player_of_a_colour_that_was_not_taught_gets_its_name(
    colour: str, odds: dict[str, float], brighter: float, tint: tuple[float, float, float]
) -> None:
    paints = compute_paints(brighter, tint)
    names = [name for name in ("red", "green", "blue", colour) for _ in range(4)]
    pieces = [
        lay_piece(paints[name], float(at), **(odds if name == colour else {name: 0.995}))
        for at, name in enumerate(names)
    ]
    shown = sorted(select_shown_pieces(pieces, NAMES), key=lambda piece: piece.at)
    assert [NAMES[int(piece.colours.argmax())] for piece in shown] == names


@given(st.floats(-0.6, 0.3), st.floats(0.0, 0.25))
def test_under_a_warm_lamp_yellow_is_not_orange_nor_black_purple(brighter: float, warm: float) -> None:
    paints = compute_paints(brighter, (-warm, 0.0, warm))
    names = [name for name in ("red", "yellow", "black", "blue") for _ in range(4)]
    pieces = [lay_piece(paints[name], float(at), **{name: 0.99}) for at, name in enumerate(names)]
    shown = sorted(select_shown_pieces(pieces, NAMES), key=lambda piece: piece.at)
    assert [NAMES[int(piece.colours.argmax())] for piece in shown] == names
    assert min(piece.colours.max() for piece in shown) > 0.8


@given(st.floats(-0.7, 0.4), st.tuples(*[st.floats(-0.15, 0.15)] * 3), st.booleans())
def test_grey_pieces_that_the_net_calls_black_are_grey_beside_black_ones_and_without(
    brighter: float, tint: tuple[float, float, float], with_black: bool
) -> None:
    paints = dict(zip(NAMES, illuminate_paints(compute_usual_paints(NAMES), np.array(tint) + brighter), strict=True))
    sure = ["red", "blue", "yellow", *(["black"] if with_black else [])]
    others = [lay_piece(paints[name], **{name: 0.999}) for name in sure for _ in range(4)]
    grey = [lay_piece(paints[GREY], black=black, white=0.9 - black) for black in (0.5, 0.7, 0.85)]
    assert name_pieces([*others, *grey]) == [*(name for name in sure for _ in range(4)), *[GREY] * 3]


@given(st.floats(-1.2, 0.2))
def test_black_pieces_stay_black(brighter: float) -> None:
    paints = dict(zip(NAMES, illuminate_paints(compute_usual_paints(NAMES), np.full(3, brighter)), strict=True))
    pieces = [lay_piece(paints[name], **{name: 0.99}) for name in ("red", "yellow", "black") for _ in range(4)]
    assert name_pieces(pieces)[-4:] == ["black"] * 4


def find_named_colours(photo: Path, label: Path) -> list[tuple[str, str]]:
    """Return the true and the read colour of each piece that was found."""
    return [
        (true.placed.colour, read.colour)
        for read, true in match_reading(Reader().read(Photo.from_path(photo)), load_truth(label)).meeples
    ]


@pytest.mark.parametrize(
    ("sixth", "seed"),
    [
        (GREY, 8),
        ("purple", 8),
        *(pytest.param(*other, marks=pytest.mark.soak) for other in (("white", 9), ("pink", 10), ("wood", 8))),
    ],
)
def test_a_player_of_a_sixth_colour_is_read_on_a_drawn_table(sixth: str, seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    board = Deal(played=True, players=3, sixth=sixth).board(rng)
    art = draw_tile_set(STYLES["ink"], 1, 160)
    shoot(board, art, "plain", Manner((2000, 1500), (70, 90), strength=0.3), rng).save(tmp_path, "table")
    named = find_named_colours(tmp_path / "table.jpg", tmp_path / "table.json")
    assert sixth in {true for true, _ in named}
    assert [true for true, _ in named] == [read for _, read in named]


@needs_shared
@pytest.mark.parametrize("name", ["kpm_22", "kpm_57"])
def test_grey_pieces_are_read_on_real_tables(name: str) -> None:
    named = find_named_colours(SHARED / "photos" / "failing" / f"{name}.jpg", SHARED / "labels" / f"{name}.json")
    grey = [read for true, read in named if true == GREY]
    assert len(grey) >= 3
    assert set(grey) == {GREY}
    assert all(true == read for true, read in named)
