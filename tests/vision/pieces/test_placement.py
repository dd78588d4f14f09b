"""What stands where the rules let a piece stand is likelier a piece, and on each tile stands one."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.carcassonne.board.board import Board, PlacedWonder, Placement
from scoring.carcassonne.board.features import build_feature_map
from scoring.carcassonne.deal.boards import sample_foot_point
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from vision.pieces.classifier import Piece
from vision.pieces.placement import KIND_PLACE_ODDS, Place, apply_place_prior, exclude_occupied, find_places

POSES = ("standing", "lying", "disc")
OPEN_CITY = Board({(0, 0): Placement("E", 0)})
CLOSED_CITY = Board({(0, 0): Placement("E", 0), (-1, 0): Placement("E", 2)})


def city_of(board: Board) -> int:
    segments = board.tiles[0, 0].layout.segments  # type: ignore[union-attr]
    return next(i for i, segment in enumerate(segments) if segment.kind == "city")


def piece(at: tuple[float, float], presence: float, pose: str = "standing", red: float = 1.0) -> Piece:
    return Piece(at, presence, np.array([red, 1 - red]), np.array([float(pose == name) for name in POSES]))


def weighed(board: Board, what: Piece) -> Piece:
    return apply_place_prior(what, find_places(what, board, build_feature_map(board), POSES), board)


def knight(presence: float) -> Piece:
    placement = OPEN_CITY.tiles[0, 0]
    assert placement is not None
    return piece(sample_foot_point(placement.layout, 0, city_of(OPEN_CITY), Random(1), (0, 0)), presence)


def test_a_knight_is_likelier_in_a_city_that_is_open() -> None:
    assert weighed(OPEN_CITY, knight(0.8)).presence > 0.8
    assert weighed(CLOSED_CITY, knight(0.8)).presence < 0.6


def test_what_stands_in_the_middle_of_a_field_is_hardly_a_piece() -> None:
    assert weighed(OPEN_CITY, piece((0.5, 0.85), 0.8)).presence < 0.5
    assert weighed(OPEN_CITY, piece((0.5, 0.85), 0.8, "lying")).presence > 0.8


def test_what_seems_to_stand_in_a_lake_must_be_sure_to_be_a_piece() -> None:
    lake = Board({(0, 0): Placement("RI.2/I.v", 0)})
    assert weighed(lake, piece((0.5, 0.55), 0.95, "lying")).presence < 0.5
    assert weighed(lake, piece((0.5, 0.55), 0.9999, "lying")).presence > 0.9
    assert weighed(lake, piece((0.8, 0.85), 0.95, "lying")).presence > 0.9


@given(st.floats(0.02, 0.98), st.sampled_from(["abbot", "pig", "builder"]))
def test_what_stands_on_few_features_is_likelier_there_and_no_likelier_a_piece(share: float, kind: str) -> None:
    square = {"abbot": Placement("B", 0), "pig": Placement("B", 0), "builder": Placement("U", 0)}[kind]
    board, at = Board({(0, 0): square}), (0.5, 0.1) if kind == "pig" else (0.5, 0.5)
    what = replace(piece(at, 0.8, "lying" if kind == "pig" else "standing"), kinds=np.array([1 - share, share]))
    places = find_places(what, board, build_feature_map(board), POSES, ("meeple", kind))
    odds = {name: sum(p.odds for p in places if p.kind == name) for name in ("meeple", kind)}
    assert odds[kind] / odds["meeple"] == pytest.approx(KIND_PLACE_ODDS[kind] * share / (1 - share), rel=1e-3)
    assert sum(odds.values()) <= 1 + 1e-9


@given(st.floats(0, 0.99))
def test_a_disc_is_a_meeples_whatever_it_looks_like(share: float) -> None:
    what = replace(knight(0.8), poses=np.array([0, 0, 1.0]), kinds=np.array([1 - share, share]))
    places = find_places(what, OPEN_CITY, build_feature_map(OPEN_CITY), POSES, ("meeple", "big"))
    assert {place.kind for place in places if place.odds > 0} == {"meeple"}
    assert sum(place.odds for place in places) > 0.5


def test_a_piece_off_the_board_stays_as_likely_as_it_was() -> None:
    beside = piece((4.0, 4.0), 0.8)
    assert find_places(beside, OPEN_CITY, build_feature_map(OPEN_CITY), POSES) == ()
    assert weighed(OPEN_CITY, beside) == beside


@given(st.floats(0.01, 0.99), st.floats(0, 0.1), st.floats(0, 0.019))
def test_the_farther_beside_its_tile_the_less_likely_a_piece(presence: float, beside: float, more: float) -> None:
    near, far = (weighed(OPEN_CITY, piece((0.5, -off), presence)).presence for off in (beside, beside + more))
    assert far <= near + 1e-12
    assert weighed(OPEN_CITY, piece((0.5, -0.1), 0.95)).presence < 0.1 < weighed(OPEN_CITY, knight(0.95)).presence


@given(st.floats(0.01, 0.99), st.lists(st.floats(0, 0.3), min_size=1, max_size=3), st.floats(0, 0.1))
def test_a_better_fit_makes_a_piece_likelier(presence: float, odds: list[float], more: float) -> None:
    what = piece((0.5, 0.5), presence)
    places = [Place((0, 0), i, "standing", share) for i, share in enumerate(odds)]
    better = [*places, Place((0, 0), 3, "standing", more)]
    before, after = (apply_place_prior(what, which, OPEN_CITY).presence for which in (places, better))
    assert 0 < before <= after + 1e-12 < 1


@pytest.mark.parametrize("sure", [0.0, 1.0])
def test_no_fit_and_no_misfit_moves_what_is_certain(sure: float) -> None:
    assert weighed(CLOSED_CITY, knight(sure)).presence == pytest.approx(sure)


HERE, BESIDE = (0, 0), (0, 1)
ROW = Board({HERE: Placement("E", 0), BESIDE: Placement("E", 0)})


def on(**odds: float) -> tuple[Place, ...]:
    return tuple(Place({"here": HERE, "beside": BESIDE}[where], 0, "lying", share) for where, share in odds.items())


def likeliest(places: tuple[Place, ...]) -> tuple[int, int]:
    return max(places, key=lambda place: place.odds).square


@given(seam=st.floats(0.2, 1), presence=st.floats(0.9, 1))
def test_a_piece_on_a_seam_stands_on_the_tile_that_is_free(seam: float, presence: float) -> None:
    pieces = [piece((0.5, 0.5), presence, "lying"), piece((0.98, 0.5), 1.0, "lying", red=0.0)]
    centred, astride = exclude_occupied(pieces, [on(here=1.0), on(here=1.0, beside=seam)], ROW)
    assert likeliest(centred) == HERE
    assert likeliest(astride) == BESIDE


def test_what_is_hardly_a_piece_takes_nobody_s_place() -> None:
    pieces = [piece((0.5, 0.5), 0.1, "lying"), piece((0.98, 0.5), 1.0, "lying", red=0.0)]
    _, astride = exclude_occupied(pieces, [on(here=1.0), on(here=1.0, beside=0.4)], ROW)
    assert likeliest(astride) == HERE


@pytest.mark.parametrize(("apart", "same"), [(0.35, True), (0.6, False)])
def test_what_may_be_the_same_piece_seen_twice_takes_its_own_place(apart: float, same: bool) -> None:
    pieces = [piece((0.5, 0.5), 1.0, "lying"), piece((0.5 + apart, 0.5), 0.7, "lying")]
    _, again = exclude_occupied(pieces, [on(here=1.0), on(here=0.8, beside=0.2)], ROW)
    assert (likeliest(again) == HERE) == same


def test_a_piece_without_another_place_stays_and_one_alone_keeps_its_odds() -> None:
    twice = [piece((0.4, 0.5), 1.0, "lying"), piece((0.6, 0.5), 1.0, "lying", red=0.0)]
    for places in exclude_occupied(twice, [on(here=1.0)] * 2, ROW):
        assert likeliest(places) == HERE
        assert places[0].odds > 0
    assert exclude_occupied(twice[:1], [on(here=0.7, beside=0.2)], ROW) == [on(here=0.7, beside=0.2)]


def test_a_wonder_has_room_for_more() -> None:
    placed = PlacedWonder(load_wonder_catalogue()["WH/alhambra"], HERE)
    pieces = [piece((0.4, 0.5), 1.0), piece((0.6, 0.5), 1.0, red=0.0)]
    places = [(Place(placed.squares[0], 0, "standing", 1.0),)] * 2
    assert exclude_occupied(pieces, places, Board(placed.placements)) == places
