"""All of a player's pieces may be misnamed alike: the light on the others' pieces gives the alternatives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.calibration import load_shares
from scoring.carcassonne.board.board import Board, Placement
from scoring.carcassonne.doubt.kinds.player import OtherPlayer
from scoring.player_colours import NOBODY
from vision.arrays import Floats
from vision.colour.illumination import USUAL_PAINTS_LAB
from vision.colour.prior import RARE_COLOURS
from vision.colour.renaming import doubt_rare_name, estimate_player_colours, find_strange_players, rename_players
from vision.doubt.alternatives import find_alternatives
from vision.pieces.kind_classifier import Names
from vision.pieces.meeples import SHOWN_PROBABILITY, read_meeples
from vision.reading.board import place_meeple
from vision.reading.piece import Piece
from vision.reading.values import Reading, Warp

COLOURS = tuple(USUAL_PAINTS_LAB)
DARK = (21.0, -15.0, 11.0)
"""The common look of black and green pieces, black under a greenish lamp, green in shade."""
GREENISH_YELLOW = (71.0, -38.0, 70.0)


def piece(paint: Sequence[float], **odds: float) -> Piece:
    rest = (1 - sum(odds.values())) / (len(COLOURS) - len(odds))
    colours = np.array([odds.get(colour, rest) for colour in COLOURS])
    return Piece((0.0, 0.0), 0.99, colours, np.ones(1), paint=np.array(paint), said=colours)


def yellow(paint: Sequence[float]) -> list[Piece]:
    return [piece(paint, yellow=0.99)] * 3


def greens(likely: float = 0.965) -> list[Piece]:
    return [piece(DARK, green=likely, black=0.99 - likely)] * 5


def likely(odds: Floats) -> dict[str, float]:
    return {colour: round(float(share), 1) for colour, share in zip(COLOURS, odds, strict=True) if share > 0.05}


def test_under_a_greenish_lamp_dark_green_pieces_may_be_black_ones() -> None:
    *green_odds, _, _, _ = estimate_player_colours([*greens(), *yellow(GREENISH_YELLOW)], COLOURS)
    for odds in green_odds:
        assert set(likely(odds)) == {"green", "black"}
        assert 0.05 < likely(odds)["black"] < 0.7


@pytest.mark.parametrize("paint", [USUAL_PAINTS_LAB["yellow"], (40.0, -2.0, 45.0)])
def test_in_even_light_and_in_shade_green_pieces_are_green(paint: Sequence[float]) -> None:
    piece_odds = estimate_player_colours([*greens(0.97), *yellow(paint)], COLOURS)
    assert all(likely(odds)["green"] >= 0.9 for odds in piece_odds[:5])
    assert [likely(odds) for odds in piece_odds[5:]] == [{"yellow": 1.0}] * 3


def under(gains: Floats, colour: str) -> Floats:
    """Return CIE Lab of a paint in light with such gains of blue, green and red."""
    linear = cv2.cvtColor(np.array([[USUAL_PAINTS_LAB[colour]]], np.float32), cv2.COLOR_LAB2LBGR) * np.exp(gains)
    return np.asarray(cv2.cvtColor(np.clip(linear, 0, 1).astype(np.float32), cv2.COLOR_LBGR2LAB)[0, 0], np.float64)


@settings(deadline=None)
@given(st.tuples(*[st.floats(-0.4, 0.4)] * 3), st.lists(st.sampled_from(COLOURS), min_size=2, max_size=5, unique=True))
def test_rightly_named_players_keep_their_name_in_any_light(
    gains: tuple[float, float, float], named: list[str]
) -> None:
    pieces = [piece(tuple(under(np.array(gains), name)), **{name: 0.9}) for name in named for _ in range(2)]
    for player_piece, odds in zip(pieces, estimate_player_colours(pieces, COLOURS), strict=True):
        assert odds.argmax() == player_piece.colours.argmax()
    assert len(named) < 3 or not any(find_strange_players(pieces, COLOURS))


def test_the_light_does_not_matter_if_the_net_is_certain_enough() -> None:
    assert likely(estimate_player_colours([*greens(0.9899), *yellow(GREENISH_YELLOW)], COLOURS)[0]) == {"green": 1.0}


@given(st.integers(0, len(COLOURS) - 1), st.lists(st.floats(0.001, 1), min_size=len(COLOURS), max_size=len(COLOURS)))
def test_a_rare_name_is_never_certain(name: int, weights: list[float]) -> None:
    likely = np.array(weights) / sum(weights) * 1e-3 + 0.999 * np.eye(len(COLOURS))[name]
    odds = doubt_rare_name(likely, [], COLOURS)
    rare = [i for i, colour in enumerate(COLOURS) if colour in RARE_COLOURS and i != name]
    assert odds.sum() == pytest.approx(1.0)
    assert odds.argmax() == name
    if COLOURS[name] not in RARE_COLOURS:
        assert odds == pytest.approx(likely, abs=1e-3)
        return
    assert sum(odds[rare]) > 0.99 * load_shares("carcassonne")["rare_misnamed"] > SHOWN_PROBABILITY
    assert odds[rare] / sum(odds[rare]) == pytest.approx(likely[rare] / sum(likely[rare]), rel=0.02)


some_shares = st.lists(st.floats(0, 1), min_size=len(COLOURS), max_size=len(COLOURS)).map(
    lambda weights: (np.array(weights) + 1e-3) / (sum(weights) + 1e-3 * len(COLOURS))
)


@given(some_shares, st.integers(0, len(COLOURS) - 1), st.integers(0, len(COLOURS) - 1))
def test_the_doubt_about_a_name_is_continuous(likely: Floats, more: int, less: int) -> None:
    step = min(1e-6, likely[less])
    moved = likely + step * (np.eye(len(COLOURS))[more] - np.eye(len(COLOURS))[less])
    before, after = (doubt_rare_name(shares, [], COLOURS) for shares in (likely, moved))
    assert np.abs(before - after).max() <= 3e-4


@given(st.floats(0.25, 0.75), st.floats(-0.4, 0.3))
def test_two_names_of_a_player_are_equally_likely_in_either_order(grey: float, brighter: float) -> None:
    said = {"grey": 0.96 * grey, "wood": 0.96 * (1 - grey)}
    looks = [under(np.full(3, brighter), name) for name in ("red", "blue", "wood")]
    others = [piece(tuple(paint), **{name: 0.99}) for name, paint in zip(("red", "blue"), looks, strict=False)] * 3
    tables = [
        [*others, *[replace(piece(tuple(looks[2]), **{name: 0.9}), said=piece(DARK, **said).said)] * 3]
        for name in ("grey", "wood")
    ]
    as_grey, as_wood = (estimate_player_colours(table, COLOURS)[-1] for table in tables)
    assert as_grey == pytest.approx(as_wood, abs=1e-5)
    renamed = [rename_players(table, COLOURS) for table in tables]
    assert {COLOURS[int(p.colours.argmax())] for table in renamed for p in table[-3:]} == {
        COLOURS[int(as_grey.argmax())]
    }
    assert renamed[0][-1].colours.max() == pytest.approx(renamed[1][-1].colours.max())


def test_no_doubt_is_added_if_all_rare_names_are_taken() -> None:
    taken = [i for i, colour in enumerate(COLOURS) if colour in RARE_COLOURS]
    assert doubt_rare_name(np.eye(len(COLOURS))[taken[0]], taken[1:], COLOURS).max() == 1.0


def test_a_name_of_another_player_is_no_alternative() -> None:
    black = [piece((6.0, -6.0, 5.0), black=0.99)] * 2
    for odds in estimate_player_colours([*greens(), *black, *yellow(GREENISH_YELLOW)], COLOURS):
        assert len(likely(odds)) == 1


def test_a_single_player_or_piece_gets_no_alternative_name() -> None:
    assert likely(estimate_player_colours(greens(), COLOURS)[0]) == {"green": 1.0}
    assert likely(estimate_player_colours([greens()[0], *yellow(GREENISH_YELLOW)], COLOURS)[0]) == {"green": 1.0}
    assert estimate_player_colours([], COLOURS) == []


def test_without_paint_or_scores_there_is_no_alternative_name() -> None:
    for unknown in ({"paint": np.full(3, np.nan)}, {"said": np.ones(1)}, {"presence": 0.5}):
        others = [replace(green, **unknown) for green in greens()]
        assert likely(estimate_player_colours([*others, *yellow(GREENISH_YELLOW)], COLOURS)[0]) == {"green": 1.0}


def test_an_uncertain_piece_has_the_name_of_its_player() -> None:
    faint = replace(greens()[0], presence=0.3)
    first, *_, last = estimate_player_colours([*greens(), *yellow(GREENISH_YELLOW), faint], COLOURS)
    assert last.tolist() == first.tolist()


looks = st.tuples(st.floats(0, 100), st.floats(-60, 60), st.floats(-60, 60))
players = st.lists(st.tuples(looks, st.sampled_from(COLOURS), st.floats(0.3, 1.0)), max_size=6)


@settings(deadline=None)
@given(players)
def test_every_piece_gets_odds_of_names(
    table: list[tuple[tuple[float, float, float], str, float]],
) -> None:
    pieces = [piece(paint, **{name: sure}) for paint, name, sure in table for _ in range(2)]
    piece_odds = estimate_player_colours(pieces, COLOURS)
    assert len(piece_odds) == len(pieces)
    named = {int(player_piece.colours.argmax()) for player_piece in pieces}
    for player_piece, odds in zip(pieces, piece_odds, strict=True):
        assert odds.sum() == pytest.approx(1.0)
        assert (odds >= 0).all()
        assert not {*np.flatnonzero(odds > 0).tolist()} & (named - {int(player_piece.colours.argmax())})


def test_a_reading_offers_the_other_name_of_every_piece_of_that_player() -> None:
    roads = Board({(0, col): Placement("U", 1) for col in range(8)})
    names = Names(COLOURS, ("standing", "lying", "disc", "upside_down"), ("meeple",))
    pieces = [
        replace(piece, at=(col + 0.5, 0.5), poses=np.array([1.0, 0.0, 0.0, 0.0]))
        for col, piece in enumerate([*greens(), *yellow(GREENISH_YELLOW)])
    ]
    meeples, _ = read_meeples(pieces, names, Warp(np.diag([100.0, 100.0, 1.0])), roads)
    offered = {meeple.colour: {a.colour for a in meeple.alternatives if a.colour} for meeple in meeples}
    assert offered == {"green": {"black"}, "yellow": set()}
    assert all((meeple.confidence < 0.9) == (meeple.colour == "green") for meeple in meeples)


def test_figures_of_plain_wood_may_be_no_players() -> None:
    """Bridges stood on a stranger's table in such paints, and were named after the yellow player."""
    paints = {"green": (41.0, -30.0, 36.0), "red": (42.0, 56.0, 42.0), "yellow": (39.0, 16.0, 46.0)}
    pieces = [piece(paint, **{name: 0.97}) for name, paint in paints.items() for _ in range(3)]
    assert find_strange_players(pieces, COLOURS) == [False] * 6 + [True] * 3
    roads = Board({(0, col): Placement("U", 1) for col in range(9)})
    names = Names(COLOURS, ("standing", "lying", "disc", "upside_down"), ("meeple",))
    placed = [replace(p, at=(n + 0.5, 0.5), poses=np.array([1.0, 0, 0, 0])) for n, p in enumerate(pieces)]
    warp = Warp(np.diag([100.0, 100.0, 1.0]))
    meeples, _ = read_meeples(placed, names, warp, roads)
    reading = Reading(900, 100, (), meeples, warp, {})
    doubts = find_alternatives(reading, replace(roads, meeples=tuple(map(place_meeple, meeples))))
    asked = [
        (doubt.colour, doubt.instead, round(doubt.probability, 1)) for doubt in doubts if isinstance(doubt, OtherPlayer)
    ]
    assert asked == [("yellow", NOBODY, 0.5)]
