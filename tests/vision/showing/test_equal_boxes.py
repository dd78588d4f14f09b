"""Boxes of one size are found together, by the lines along their sides, on boards drawn by the project."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from datasets.evaluation.board_owner import TRUTH
from datasets.tower_of_babel.art import get_art
from datasets.tower_of_babel.board import draw_board
from datasets.tower_of_babel.plan import DISC_RADIUS_MM, SIZE_MM
from scoring.tower_of_babel.components import ROWS
from vision.arrays import Floats, Image
from vision.showing.equal_boxes import (
    AIM_SHARE,
    BoxSearch,
    load_line_weights,
    measure_lines,
    measure_surprise,
    weigh_surprise,
)

LONGER_PX = 1600
MM_PX = SIZE_MM[0] / LONGER_PX
NO_DISCS = np.zeros((0, 3))
AREAS = [name for name in TRUTH if name.endswith(".area")]


@cache
def draw_picture(art: str) -> Image:
    """Draw a board as if from straight above."""
    rng = np.random.default_rng(5)
    size = (LONGER_PX, round(SIZE_MM[1] / MM_PX))
    return np.asarray(cv2.resize(draw_board(get_art(art, rng), rng), size, interpolation=cv2.INTER_AREA), np.uint8)


def search(
    art: str,
    names: Sequence[str],
    places: Floats,
    shares: tuple[float, float] = (0.0, 1.0),
    discs: Floats = NO_DISCS,
    sized: tuple[tuple[float, float], tuple[float, float]] | None = None,
) -> tuple[Floats, Floats]:
    """Return the boxes about some places, and the error of each in millimetres."""
    weights, is_row = load_line_weights(), names[0].startswith("scoring_table")
    limits = sized or ((shares[0] * LONGER_PX, shares[1] * LONGER_PX),) * 2
    spreads = np.tile(((4 if is_row else 1) * AIM_SHARE * LONGER_PX, AIM_SHARE * LONGER_PX), (len(names), 1))
    in_column = np.array([name.endswith(("first", "last")) for name in names])
    evidence = measure_lines(draw_picture(art), weights)
    boxes = BoxSearch(evidence, weights, places, limits, discs, spreads, in_column, ROWS - 2).find()[1]
    true = np.array([TRUTH[name] for name in names]) / MM_PX
    sides = np.column_stack([boxes[:, :2], boxes[:, :2] + boxes[:, 2:]])
    return boxes, np.asarray(np.abs(sides - true).max(axis=1) * MM_PX)


def find_middles(names: Sequence[str]) -> Floats:
    true = np.array([TRUTH[name] for name in names]) / MM_PX
    return np.asarray((true[:, :2] + true[:, 2:]) / 2)


def search_areas(art: str, names: Sequence[str], miss_px: float = 8.0) -> Floats:
    """Return the error of each area in millimetres after a tap with a finger's error."""
    places = find_middles(names) + np.random.default_rng(3).normal(0, miss_px, (len(names), 2))
    discs = np.array([shape / MM_PX for name, shape in TRUTH.items() if ".discs." in name])
    discs[:, 2] = (DISC_RADIUS_MM + 1) / MM_PX
    return search(art, names, places, (0.06, 0.45), discs)[1]


@pytest.mark.parametrize("art", ["marble", "mosaic", "dusk"])
def test_areas_are_found_to_the_millimetre_with_any_contents(art: str) -> None:
    """Each of mosaic's areas can be up to 17 mm off if its drawn tiles count as lines."""
    assert search_areas(art, AREAS).max() < 1.0


def test_all_areas_get_one_size() -> None:
    boxes, _ = search("oasis", AREAS, find_middles(AREAS), sized=((200.0, 200.0), (150.0, 150.0)))
    assert (boxes[:, 2:] == (200.0, 150.0)).all()


def search_rows(art: str, misses: Floats) -> Floats:
    """Return the errors of the first and last row of the scoring table and of the light space, in millimetres.

    The taps miss their centres by such a number of millimetres.
    """
    names = ("scoring_table.first", "scoring_table.last", "scoring_table.light")
    return search(art, names, find_middles(names) + misses / MM_PX, (0.012, 0.45))[1]


def test_a_row_tapped_off_centre_is_identified_by_the_rows_between() -> None:
    """The tap is between the last row and the one before it, and could be mistaken for the latter."""
    assert search_rows("lacquer", np.array([(0.7, 5.2), (-0.7, -8.3), (-4.0, -1.2)])).max() < 2.0


def test_lines_that_run_through_are_not_taken_for_sides() -> None:
    """Enamel's rows could reach from the line about the cells on their left to that of the track on their right."""
    assert search_rows("enamel", np.array([(-1.0, -3.0), (3.0, -3.1), (3.3, 2.5)])).max() < 2.5


def test_a_point_of_a_strong_edge_never_outweighs_a_side() -> None:
    weights = replace(load_line_weights(), seen=0.9, elsewhere=0.1)
    said = weigh_surprise(np.array([0.0, 1.0, 3.0, 8.0, 40.0], np.float32), weights)
    assert (np.diff(said) >= 0).all()
    assert said[0] < 0 < said[-1] <= np.log(9) + 1e-6


def test_the_surprise_of_edges_follows_their_rarity() -> None:
    upright, level = measure_surprise(draw_picture("oasis"))
    for surprise in (upright, level):
        assert surprise.mean() == pytest.approx(1.0, abs=0.1)
        assert np.mean(surprise > np.log(100)) == pytest.approx(0.01, abs=0.003)
