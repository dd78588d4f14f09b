"""The score board's layout is consistent, and no game scores more than its stated maximum."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import box

from scoring.carcassonne.board.features import build_feature_map
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.play.game import Game, Turn
from scoring.carcassonne.score_board.spaces import (
    FIRST_EDITION,
    HEIGHT_MM,
    LAP_SPACES,
    REACH_STEPS,
    WIDTH_MM,
    build_score_layout,
    compute_max_track_points,
    compute_min_track_points,
    is_dark_space,
    list_possible_points,
)
from tests.scoring.games import SETUPS, random_game

SIZE = (200.0, 120.0)
sides = st.tuples(st.integers(0, 9), st.integers(0, 5))
paths = st.lists(sides, min_size=2, max_size=25, unique=True).map(
    lambda places: [(10.0 + 20 * x, 10.0 + 20 * y) for x, y in places]
)


@given(paths)
def test_each_middle_lies_only_on_its_own_space(middles: list[tuple[float, float]]) -> None:
    layout = build_score_layout(SIZE, middles, len(middles))
    assert len(layout.areas) == len(middles)
    for space, middle in enumerate(middles):
        assert layout.spaces_near(middle, reach=5) == (space,)


@given(paths, st.floats(0, 1), st.floats(0, 1))
def test_a_place_belongs_to_the_space_whose_middle_is_nearest(
    middles: list[tuple[float, float]], right: float, down: float
) -> None:
    layout = build_score_layout(SIZE, middles, len(middles))
    place = (right * SIZE[0], down * SIZE[1])
    away = np.linalg.norm(np.array(middles) - place, axis=1)
    first, second = np.sort(away)[:2]
    step = float(np.median(np.linalg.norm(np.diff(np.array(middles), axis=0), axis=1)))
    if second - first > 1e-6 and first < 0.95 * REACH_STEPS * step:
        assert layout.spaces_near(place)[0] == away.argmin()
    if first > REACH_STEPS * step:
        assert layout.spaces_near(place) == ()


@pytest.mark.parametrize(
    ("place", "beyond", "is_on_board"), [((3, 3), 0, True), ((-3, 3), 2.5, False), ((-2, 122), 2.5, True)]
)
def test_a_place_beside_the_score_board_is_not_on_it(
    place: tuple[float, float], beyond: float, is_on_board: bool
) -> None:
    assert build_score_layout(SIZE, [(10, 10), (30, 10)], 2).holds(place, beyond) == is_on_board


def test_the_first_edition_s_layout_is_guessed_rightly_from_its_middles() -> None:
    middles = [FIRST_EDITION.middle(space) for space in range(50)]
    layout = build_score_layout(FIRST_EDITION.size, middles, 50)
    shared = [
        one.intersection(other).area / one.area for one, other in zip(FIRST_EDITION.areas, layout.areas, strict=True)
    ]
    assert float(np.median(shared)) > 0.75


areas, spaces_near, middle = FIRST_EDITION.areas, FIRST_EDITION.spaces_near, FIRST_EDITION.middle
spaces = st.integers(0, LAP_SPACES - 1)
shares = st.floats(0, 1)


def test_fifty_spaces_lie_on_the_sheet_and_none_on_another() -> None:
    assert len(areas) == LAP_SPACES == 50
    assert all(area.is_valid and box(0, 0, WIDTH_MM, HEIGHT_MM).covers(area) for area in areas)
    assert max(one.intersection(other).area for one, other in combinations(areas, 2)) < 10
    assert sum(is_dark_space(space) for space in range(LAP_SPACES)) == 10


def test_the_path_goes_from_each_space_to_the_next_and_back_to_the_first() -> None:
    assert all(areas[one].distance(areas[other]) < 1 for one, other in pairwise([*range(LAP_SPACES), 0]))


@given(spaces)
def test_the_middle_of_a_space_lies_only_on_that_space(space: int) -> None:
    assert spaces_near(middle(space), reach=4) == (space,)


@given(spaces, shares, shares)
def test_a_place_well_inside_a_space_is_read_as_that_space(space: int, right: float, down: float) -> None:
    x0, y0, x1, y1 = areas[space].buffer(-4).bounds
    x, y = x0 + right * (x1 - x0), y0 + down * (y1 - y0)
    if areas[space].buffer(-4).contains(box(x, y, x, y).centroid):
        assert spaces_near((x, y)) == (space,)


def test_a_place_between_two_spaces_names_both_the_nearer_first() -> None:
    border = areas[2].intersection(areas[3]).centroid
    assert set(spaces_near((border.x, border.y), reach=2.5)) == {2, 3}
    assert spaces_near((border.x + 1, border.y), reach=2.5)[0] == 2
    assert spaces_near((-40.0, -40.0), reach=12) == ()


@given(spaces, st.booleans(), st.integers(0, 60), st.none() | st.integers(0, 200))
def test_points_are_the_space_plus_laps_up_to_the_boards_maximum(
    space: int, lying: bool, least: int, most: int | None
) -> None:
    points = list_possible_points(space, lying, least, most)
    assert all(value % LAP_SPACES == space for value in points)
    assert len(set(points)) == len(points)
    laps = range(space, 200, LAP_SPACES)
    assert set(points) == {value for value in laps if least <= value and (most is None or value <= most)}
    if space + LAP_SPACES * lying in points:
        assert points[0] == space + LAP_SPACES * lying


@given(spaces, st.booleans(), st.sampled_from([50, 100, 150]), st.none() | st.integers(0, 300))
def test_tokens_show_the_laps_of_a_piece(space: int, lying: bool, token_points: int, most: int | None) -> None:
    points = list_possible_points(space, lying, 0, most, token_points=token_points)
    wanted = [space + token_points, space + token_points + LAP_SPACES] if lying else [space + token_points]
    assert list(points) == [number for number in wanted if most is None or number <= most]


@pytest.mark.parametrize("name", ["base", "river", "inns", "traders", "abbot"])
def test_no_player_exceeds_the_maximum_track_points_of_the_board(name: str) -> None:
    game = random_game(SETUPS[name], seed=3)
    board = game.board()
    most = compute_max_track_points(board, build_feature_map(board))
    assert most is not None
    assert 0 < max(game.scores.values()) <= most


@pytest.mark.parametrize(("name", "reached"), [("wonders", {0, 10}), ("two wonders", {0, 10, 50})])
def test_the_owner_of_a_wonder_has_at_least_the_points_it_required(name: str, reached: set[int]) -> None:
    wonder_counts: set[int] = set()

    def watch(game: Game, turn: Turn) -> None:
        features = build_feature_map(game.board())
        least = {player: compute_min_track_points(features, player) for player in game.setup.players}
        assert all(least[player] <= game.scores[player] for player in least)
        wonder_counts.update(least.values())

    random_game(SETUPS[name], seed=1, watch=watch)
    assert wonder_counts == reached


def test_wonders_and_unknown_tiles_remove_the_maximum_of_points() -> None:
    unknown = parse_notation("D0V0??")
    wonders = random_game(SETUPS["wonders"], seed=1).board()
    assert compute_max_track_points(unknown, build_feature_map(unknown)) is None
    assert wonders.wonders
    assert compute_max_track_points(wonders, build_feature_map(wonders)) is None
