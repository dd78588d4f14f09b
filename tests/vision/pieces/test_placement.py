"""A piece is more likely at a place that the rules permit, and each tile bears one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import Point

from datasets.art.procedural import draw_tile_set
from datasets.art.style import STYLES
from datasets.generate import Deal
from datasets.render.shots import Manner, shoot
from scoring.calibration import load_weights
from scoring.carcassonne.board.board import Board, Placement
from scoring.carcassonne.board.features import build_feature_map
from scoring.carcassonne.deal.boards import sample_foot_point
from scoring.carcassonne.tiles.geometry import place_geometry
from tests.readers import reader
from vision.evaluation.labels import load_truth
from vision.evaluation.matching import match_reading
from vision.photo.decoding import Photo
from vision.pieces.placement import (
    KIND_PLACE_ODDS,
    LANDMARK_REACH_TILES,
    Place,
    apply_farmer_habit,
    apply_place_prior,
    estimate_standing_habit,
    find_landmarks,
    find_places,
    is_at_landmark,
)
from vision.reading.piece import Piece
from vision.squares.catalogue import build_reading_catalogue

POSES = ("standing", "lying", "disc")
OPEN_CITY = Board({(0, 0): Placement("E", 0)})
CLOSED_CITY = Board({(0, 0): Placement("E", 0), (-1, 0): Placement("E", 2)})
ENDS = ("RI/s", "RI.1/I.e", "RI.2/I.v", "C3RI/spring", "C3RI/lake", "GQ/RFI")


def city_of(board: Board) -> int:
    segments = board.tiles[0, 0].layout.segments  # type: ignore[union-attr]
    return next(i for i, segment in enumerate(segments) if segment.kind == "city")


def piece(at: tuple[float, float], presence: float, pose: str = "standing", red: float = 1.0) -> Piece:
    return Piece(at, presence, np.array([red, 1 - red]), np.array([float(pose == name) for name in POSES]))


def places_of(board: Board, *pieces: Piece, kinds: Sequence[str] = ("meeple",)) -> list[tuple[Place, ...]]:
    """Return the possible places of all pieces of a table."""
    features = build_feature_map(board)
    return apply_farmer_habit(pieces, [find_places(what, board, features, POSES, kinds) for what in pieces], features)


def weighed(board: Board, what: Piece) -> Piece:
    (places,) = places_of(board, what)
    return apply_place_prior(what, places, board)


def knight(presence: float) -> Piece:
    placement = OPEN_CITY.tiles[0, 0]
    assert placement is not None
    return piece(sample_foot_point(placement.layout, 0, city_of(OPEN_CITY), Random(1), (0, 0)), presence)


def test_a_knight_is_more_likely_in_an_open_city() -> None:
    assert weighed(OPEN_CITY, knight(0.8)).presence > 0.8
    assert weighed(CLOSED_CITY, knight(0.8)).presence < 0.6


def test_a_standing_object_in_the_middle_of_a_field_is_unlikely_a_piece() -> None:
    assert weighed(OPEN_CITY, piece((0.5, 0.85), 0.8)).presence < 0.5
    assert weighed(OPEN_CITY, piece((0.5, 0.85), 0.8, "lying")).presence > 0.8


CROSSING = Board({(row, col): Placement("U") for row in range(3) for col in range(4)})
"""Straight roads from west to east, with a field on either side of each."""


def on_tile(at: tuple[float, float], col: int, pose: str = "standing") -> Piece:
    return piece((at[0] + col, at[1] + 1), 0.99, pose)


def find_kinds(*pieces: Piece) -> list[str]:
    """Return the kind of feature under each piece on straight roads."""
    best = [max(places, key=lambda place: place.odds) for places in places_of(CROSSING, *pieces)]
    return [build_feature_map(CROSSING).at(place.square, place.segment).kind for place in best]


def estimate_habit(*pieces: Piece) -> float:
    features = build_feature_map(CROSSING)
    return estimate_standing_habit(pieces, [find_places(p, CROSSING, features, POSES) for p in pieces], features)


def test_standing_farmers_of_a_table_are_recognised_together() -> None:
    beside, thief, farmer = on_tile((0.5, 0.1), 0), on_tile((0.5, 0.5), 1), on_tile((0.5, 0.9), 2, "lying")
    others = [on_tile((0.4, 0.12), col) for col in (1, 2, 3)]
    assert estimate_habit(thief) == pytest.approx(load_weights("carcassonne", "habits")["tables"]["standing"], rel=0.1)
    assert estimate_habit(beside, thief, *others) > 20 * estimate_habit(beside, thief, farmer)
    assert find_kinds(beside, thief, *others) == ["field", "road", "field", "field", "field"]


def test_a_misplaced_thief_stays_one_if_farmers_lie() -> None:
    nearly = on_tile((0.5, 0.28), 0)
    farmers = [on_tile((0.5, 0.9), col, "lying") for col in (1, 2)]
    assert find_kinds(nearly, *farmers) == ["road", "field", "field"]
    deep = [on_tile((0.5, 0.1), col) for col in (1, 2, 3)]
    assert find_kinds(nearly, *deep)[0] == "field"


@given(st.floats(0.1, 0.9), st.integers(0, 4))
def test_a_pig_stands_on_its_field_for_any_habit_of_farmers(share: float, farmers: int) -> None:
    pig = replace(on_tile((0.5, 0.1), 0), kinds=np.array([1 - share, share]))
    lying = [replace(on_tile((0.5, 0.9), col, "lying"), kinds=np.array([1.0, 0.0])) for col in range(farmers)]
    features = build_feature_map(CROSSING)
    before = find_places(pig, CROSSING, features, POSES, ("meeple", "pig"))
    after, *_ = places_of(CROSSING, pig, *lying, kinds=("meeple", "pig"))
    pig_before, pig_after = (sum(p.odds for p in places if p.kind == "pig") for places in (before, after))
    assert pig_after >= 0.95 * pig_before
    assert pig_after > sum(place.odds for place in after if place.kind == "meeple")
    sure = replace(pig, kinds=np.array([0.0, 1.0]))
    places = [find_places(sure, CROSSING, features, POSES, ("meeple", "pig"))] * 2
    usual = load_weights("carcassonne", "habits")["tables"]["standing"]
    assert estimate_standing_habit([sure, sure], places, features) == pytest.approx(usual)


@given(st.floats(0.9, 0.999))
def test_a_farmer_stands_deep_in_a_field_if_all_farmers_do(standing: float) -> None:
    """The fit for standing farmers moves probability among standing pieces, so that they neither lie nor vanish."""
    poses = np.array([standing, 1 - standing, 0.0])
    farmers = [replace(on_tile((0.5, 0.08), col), poses=poses) for col in range(4)]
    for farmer, piece_places in zip(farmers, places_of(CROSSING, *farmers), strict=True):
        best = max(piece_places, key=lambda place: place.odds)
        assert best.pose == "standing"
        assert apply_place_prior(replace(farmer, presence=0.9), piece_places, CROSSING).presence > 0.7


def test_uncertain_pieces_do_not_affect_the_estimated_habit() -> None:
    phantoms = [replace(on_tile((0.5, 0.1), col), presence=0.85) for col in range(4)]
    thieves = [on_tile((0.5, 0.5), col) for col in range(3)]
    assert estimate_habit(*thieves, *phantoms) == pytest.approx(estimate_habit(*thieves))


def test_very_many_pieces_leave_the_habit_a_valid_probability() -> None:
    assert 0 <= estimate_habit(*[on_tile((0.5, 0.1), 0, "lying")] * 300) < 1e-9


@given(st.lists(st.tuples(st.floats(0.05, 0.95), st.sampled_from(["standing", "lying", "disc"])), max_size=4))
def test_a_habit_neither_removes_nor_adds_places(pieces: list[tuple[float, str]]) -> None:
    laid = [on_tile((0.5, y), col, pose) for col, (y, pose) in enumerate(pieces)]
    features = build_feature_map(CROSSING)
    before = [find_places(what, CROSSING, features, POSES) for what in laid]
    after = apply_farmer_habit(laid, before, features)
    assert [[replace(place, odds=0.0) for place in places] for places in after] == [
        [replace(place, odds=0.0) for place in places] for places in before
    ]
    assert 0 <= estimate_standing_habit(laid, before, features) <= 1
    for new, old in zip(after, before, strict=True):
        assert sum(place.odds for place in new) <= sum(place.odds for place in old) + 1e-12
        assert all(place.odds >= 0 for place in new)


def test_a_piece_in_a_lake_needs_certain_evidence() -> None:
    lake = Board({(0, 0): Placement("RI.2/I.v", 0)})
    assert weighed(lake, piece((0.5, 0.55), 0.95, "lying")).presence < 0.5
    assert weighed(lake, piece((0.5, 0.55), 0.9999, "lying")).presence > 0.9
    assert weighed(lake, piece((0.8, 0.85), 0.95, "lying")).presence > 0.9


@given(st.floats(0.02, 0.98), st.sampled_from(["abbot", "pig", "builder"]))
def test_a_kind_with_few_places_is_likelier_there_but_no_likelier_a_piece(share: float, kind: str) -> None:
    square = {"abbot": Placement("B", 0), "pig": Placement("B", 0), "builder": Placement("U", 0)}[kind]
    board, at = Board({(0, 0): square}), (0.5, 0.1) if kind == "pig" else (0.5, 0.5)
    what = replace(piece(at, 0.8, "lying" if kind == "pig" else "standing"), kinds=np.array([1 - share, share]))
    (places,) = places_of(board, what, kinds=("meeple", kind))
    features = build_feature_map(board)
    places = tuple(
        p for p in places if p.kind == kind or p.pose != "standing" or features.at(p.square, p.segment).kind != "field"
    )
    odds = {name: sum(p.odds for p in places if p.kind == name) for name in ("meeple", kind)}
    assert odds[kind] / odds["meeple"] == pytest.approx(KIND_PLACE_ODDS[kind] * share / (1 - share), rel=5e-3)
    assert sum(odds.values()) <= 1 + 1e-9


@given(st.floats(0, 0.99))
def test_a_disc_always_counts_as_a_meeple(share: float) -> None:
    what = replace(knight(0.8), poses=np.array([0, 0, 1.0]), kinds=np.array([1 - share, share]))
    places = find_places(what, OPEN_CITY, build_feature_map(OPEN_CITY), POSES, ("meeple", "big"))
    assert {place.kind for place in places if place.odds > 0} == {"meeple"}
    assert sum(place.odds for place in places) > 0.5


def test_a_piece_off_the_board_keeps_its_probability() -> None:
    beside = piece((4.0, 4.0), 0.8)
    assert find_places(beside, OPEN_CITY, build_feature_map(OPEN_CITY), POSES) == ()
    assert weighed(OPEN_CITY, beside) == beside


@given(st.floats(0.01, 0.99), st.floats(0, 0.1), st.floats(0, 0.019))
def test_a_piece_farther_from_its_tile_is_less_likely(presence: float, beside: float, more: float) -> None:
    near, far = (weighed(OPEN_CITY, piece((0.5, -off), presence)).presence for off in (beside, beside + more))
    assert far <= near + 1e-12
    assert weighed(OPEN_CITY, piece((0.5, -0.1), 0.95)).presence < 0.1 < weighed(OPEN_CITY, knight(0.95)).presence


@given(st.floats(0.01, 0.99), st.lists(st.floats(0, 0.3), min_size=1, max_size=3), st.floats(0, 0.1))
def test_a_better_fit_makes_a_piece_more_likely(presence: float, odds: list[float], more: float) -> None:
    what = piece((0.5, 0.5), presence)
    places = [Place((0, 0), i, "standing", share) for i, share in enumerate(odds)]
    better = [*places, Place((0, 0), 3, "standing", more)]
    before, after = (apply_place_prior(what, which, OPEN_CITY).presence for which in (places, better))
    assert 0 < before <= after + 1e-12 < 1


@pytest.mark.parametrize("sure", [0.0, 1.0])
def test_the_fit_does_not_change_certain_pieces(sure: float) -> None:
    assert weighed(CLOSED_CITY, knight(sure)).presence == pytest.approx(sure)


@pytest.mark.soak
@pytest.mark.parametrize("standing", [True, False])
def test_farmers_of_a_drawn_table_are_read_standing_or_lying(standing: bool, tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    board = Deal(played=True, players=3, standing=standing).board(rng)
    art = draw_tile_set(STYLES["ink"], 1, 160)
    shoot(board, art, "plain", Manner((2000, 1500), (70, 90), strength=0.3), rng).save(tmp_path, "table")
    truth = load_truth(tmp_path / "table.json")
    match = match_reading(reader().read(Photo.from_path(tmp_path / "table.jpg")), truth)
    farmers = [(read, true) for read, true in match.meeples if truth.board.find_kind_below(true.placed) == "field"]
    assert len(farmers) >= 2
    assert all(read.segment == true.placed.segment and (read.pose == "standing") == standing for read, true in farmers)


def test_only_a_piece_beside_a_road_may_belong_to_it() -> None:
    board = Board({(0, 0): Placement("U")})
    features = build_feature_map(board)
    kinds = {feature.id: feature.kind for feature in features}
    field = {id: 5.0 if kind == "field" else -5.0 for id, kind in kinds.items()}

    def compute_share(at: tuple[float, float], evidence: dict[str, float]) -> float:
        places = find_places(piece(at, 0.99), board, features, POSES, evidence=evidence)
        on_road = sum(place.odds for place in places if kinds[features.at(place.square, place.segment).id] == "road")
        return on_road / sum(place.odds for place in places)

    strays = load_weights("carcassonne", "habits")["pieces"]["strays"]
    assert compute_share((0.5, 0.35), field) == pytest.approx(strays, rel=0.05)
    assert compute_share((0.5, 0.1), {}) < 1e-4


def test_only_springs_lakes_and_the_volcano_are_landmarks() -> None:
    assert {layout.id for layout in build_reading_catalogue() if find_landmarks(layout)} == set(ENDS)
    assert all(len(find_landmarks(build_reading_catalogue()[tile])) == 1 for tile in ENDS)


@given(st.sampled_from(ENDS), st.integers(0, 3), st.integers(-3, 3), st.integers(-3, 3))
def test_a_landmark_turns_with_its_tile(tile: str, turns: int, row: int, col: int) -> None:
    board = Board({(row, col): Placement(tile, turns)})
    spot = place_geometry(Point(find_landmarks(build_reading_catalogue()[tile])[0]), turns, (row, col))
    assert is_at_landmark((spot.x, spot.y), board)
    away = (spot.x + (1.2 * LANDMARK_REACH_TILES if spot.x < col + 0.5 else -1.2 * LANDMARK_REACH_TILES), spot.y)
    assert not is_at_landmark(away, board)


@pytest.mark.parametrize("at", [(0.5, 0.5), (7.5, 0.5)])
def test_other_tiles_and_bare_table_have_none(at: tuple[float, float]) -> None:
    assert not is_at_landmark(at, Board({(0, 0): Placement("BA/RCr", 0)}))
