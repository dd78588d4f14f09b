"""Doubts of a reading beyond those of its nets: unmarked wonders, and coats of arms in strange art."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from math import floor
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.calibration import CALIBRATION_FILE, load_platt_scalings
from scoring.carcassonne.board.board import Board, PlacedMeeple, PlacedWonder
from scoring.carcassonne.board.features import build_feature_map
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.doubt.kinds.marker import UnseenMarker
from scoring.carcassonne.doubt.kinds.tile import OtherTile
from scoring.carcassonne.doubt.relevance import assess_score_doubts
from scoring.carcassonne.tiles.catalogue import load_base_catalogue
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.carcassonne.wonders.tiles import WONDERS
from vision.doubt.alternatives import Doubted, calibrate_probability, find_alternatives
from vision.doubt.wonder_pieces import find_marker, stand_as_marker
from vision.pieces.kind_prior import MARKER
from vision.reading.board import build_board
from vision.reading.values import MeepleReading, Reading, TileAlternative, TileReading, Warp, WonderReading

ALHAMBRA = PlacedWonder(load_wonder_catalogue()["WH/alhambra"], (0, 0))
READING = Reading(100, 100, (), (), Warp(np.eye(3), {}), {})
doubts = st.sampled_from(get_args(Doubted))
shares = st.floats(0, 1)
UNLIKELY = 0.2


def board(*meeples: PlacedMeeple) -> Board:
    return Board(ALHAMBRA.placements, meeples)


def on(kind: str, colour: str, pose: str) -> PlacedMeeple:
    square, segment = next(feature.members[0] for feature in build_feature_map(board()) if feature.kind == kind)
    return PlacedMeeple(colour, square, segment, pose)


def markers(of: Board, reading: Reading = READING) -> set[str]:
    others = [other for other in find_alternatives(reading, of) if isinstance(other, UnseenMarker)]
    assert {(other.wonder, other.meeple.pose) for other in others} <= {("WH/alhambra", "upside_down")}
    return {other.meeple.colour for other in others}


def test_a_wonder_without_a_marker_is_doubted_for_each_player() -> None:
    unmarked = board(on("road", "red", "standing"), on("field", "blue", "lying"))
    assert markers(unmarked) == {"red", "blue"}
    assert assess_score_doubts(unmarked, find_alternatives(READING, unmarked)).doubtful


def test_a_marked_wonder_is_not_doubted() -> None:
    marked = board(on("road", "red", "standing"), on("wonder", "blue", "upside_down"))
    assert markers(marked) == set()


def test_a_wonder_stated_as_unowned_is_not_doubted() -> None:
    unmarked = board(on("road", "red", "standing"))
    assert markers(unmarked, replace(READING, wonders=(WonderReading(ALHAMBRA, 1.0),))) == {"red"}
    assert markers(unmarked, replace(READING, wonders=(WonderReading(ALHAMBRA, 1.0, nobodys=True),))) == set()


def test_a_table_without_pieces_has_no_possible_owners() -> None:
    assert markers(board()) == set()


def coats(*likely: float) -> list[float]:
    """Return the probability of twins with a coat of arms on city squares that were read without one."""
    tiles = [
        TileReading(
            0,
            col,
            "BA/CccR",
            0,
            np.zeros((4, 2)),
            1 - probability,
            False,
            (TileAlternative("BA/CccR+", 0, probability),),
        )
        for col, probability in enumerate(likely)
    ]
    reading = replace(READING, tiles=tuple(tiles))
    others = list(find_alternatives(reading, build_board(reading)))
    return [other.probability for other in others if isinstance(other, OtherTile) and other.placement is not None]


def test_a_hidden_coat_of_arms_is_less_doubtful_in_a_known_art() -> None:
    one, *_ = coats(0.2, 0.004, 0.004, 0.004)
    strange = coats(0.2, 0.2, 0.2, 0.2)
    assert one < 0.15 < 0.2 < min(strange)


def beside_a_monastery(confidence: float) -> list[OtherTile]:
    """Return the doubts about an unknown tile of such probability beside a monk."""
    tiles = (
        TileReading(0, 0, "BA/L", 0, np.zeros((4, 2)), 1.0, False),
        TileReading(0, 1, None, 0, np.zeros((4, 2)), confidence, True),
    )
    monk = next(
        index for index, segment in enumerate(load_base_catalogue()["BA/L"].segments) if segment.kind == "monastery"
    )
    meeple = MeepleReading("red", "meeple", "standing", (0.0, 0.0), (0.5, 0.5), 0, 0, monk, 1.0, False)
    reading = replace(READING, tiles=tiles, meeples=(meeple,))
    board = build_board(reading)
    doubts = assess_score_doubts(board, find_alternatives(reading, board))
    assert doubts.doubtful == bool(doubts.changes)
    return [change.alternative for change in doubts.changes if isinstance(change.alternative, OtherTile)]


def test_an_unknown_tile_that_counts_for_a_monk_may_be_absent() -> None:
    (bare,) = beside_a_monastery(0.68)
    assert bare.square == (0, 1)
    assert bare.empty
    assert 0.02 < bare.probability < 0.5


def test_a_certain_unknown_tile_is_not_doubted() -> None:
    assert beside_a_monastery(1.0) == []


@given(doubted=doubts, said=st.tuples(shares, shares))
def test_calibration_keeps_the_order_of_probabilities(doubted: Doubted, said: tuple[float, float]) -> None:
    less, more = sorted(said)
    assert 0 < calibrate_probability(doubted, less) <= calibrate_probability(doubted, more) < 1


@given(said=st.floats(1e-5, 1 - 1e-5))
def test_unfitted_kinds_keep_their_probability(said: float) -> None:
    assert "wonder" not in load_platt_scalings("carcassonne")
    assert calibrate_probability("wonder", said) == pytest.approx(said)


def test_every_observed_kind_is_fitted_with_a_positive_slope() -> None:
    assert set(load_platt_scalings("carcassonne")) == set(get_args(Doubted)) - {"wonder", "marker", "crowded", "nobody"}
    assert all(slope > 0 for slope, _ in load_platt_scalings("carcassonne").values())


@given(said=st.floats(0.05, 0.5))
def test_doubts_about_places_match_real_tables(said: float) -> None:
    """A good part of the likely alternatives is true, and hardly more than on the tables of the fit."""
    row = tomllib.loads(CALIBRATION_FILE.read_text(encoding="utf-8"))["carcassonne"]["doubts"]["place"]
    seen = max(1.0, row["fitted_on"]["so"] / row["fitted_on"]["said"])
    assert said / 4 < calibrate_probability("place", said) < max(1.1 * seen * said, UNLIKELY)


def build_meeple(at: tuple[float, float], square: tuple[int, int]) -> MeepleReading:
    return MeepleReading("blue", "meeple", "standing", (0.0, 0.0), at, *square, None, 0.9, False, on_head=0.9)


@pytest.mark.parametrize("id", WONDERS)
@given(x=st.floats(-2, 8), y=st.floats(-2, 8), number=st.integers(0, 4))
def test_a_marker_is_placed_on_its_wonder_wherever_its_foot_is_seen(id: str, x: float, y: float, number: int) -> None:
    (wonder,) = parse_notation(f"({id}#0)0").wonders
    meeple = build_meeple((x, y), wonder.squares[number])
    assert find_marker([meeple], wonder) is meeple
    marker = stand_as_marker(meeple, wonder)
    assert (marker.pose, (marker.row, marker.col) in wonder.squares) == (MARKER, True)
    assert marker.segment is not None
    if (floor(y), floor(x)) not in wonder.squares and not -1 < x < 6:
        cell, segment = wonder.layout.marked
        assert ((marker.row, marker.col), marker.segment) == (wonder.squares[cell], segment)
