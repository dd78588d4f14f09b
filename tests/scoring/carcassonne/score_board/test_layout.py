"""A layout with only the centres known assigns each place to the nearest of them, and none far away."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.carcassonne.score_board.layout import REACH_STEPS, build_score_layout
from scoring.carcassonne.score_board.spaces import FIRST_EDITION

SIZE = (200.0, 120.0)
sides = st.tuples(st.integers(0, 9), st.integers(0, 5))
paths = st.lists(sides, min_size=2, max_size=25, unique=True).map(
    lambda places: [(10.0 + 20 * x, 10.0 + 20 * y) for x, y in places]
)


@given(paths)
def test_each_middle_lies_on_its_own_space_alone(middles: list[tuple[float, float]]) -> None:
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
def test_a_place_beside_the_board_is_not_on_it(place: tuple[float, float], beyond: float, is_on_board: bool) -> None:
    assert build_score_layout(SIZE, [(10, 10), (30, 10)], 2).holds(place, beyond) == is_on_board


def test_the_first_edition_s_layout_is_guessed_rightly_from_its_middles() -> None:
    middles = [FIRST_EDITION.middle(space) for space in range(50)]
    layout = build_score_layout(FIRST_EDITION.size, middles, 50)
    shared = [
        one.intersection(other).area / one.area for one, other in zip(FIRST_EDITION.areas, layout.areas, strict=True)
    ]
    assert float(np.median(shared)) > 0.75
