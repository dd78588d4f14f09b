"""Probabilities of discs, parts and the marker's row: together, and calibrated."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.calibration import Platt, load_platt_scalings, load_shares
from scoring.tower_of_babel.components import Discs
from vision.flat_boards.layout import Circle
from vision.tower_of_babel.calibration import calibrate_probabilities
from vision.tower_of_babel.colour_likelihood import SURE_BOARD, Paints, fit_paints
from vision.tower_of_babel.fusion import reconcile_heap, reconcile_row
from vision.tower_of_babel.pieces import compute_count_distribution, estimate_disc_probability
from vision.tower_of_babel.view import BoardView
from vision.tower_of_babel.wonders import EMPTY, Heap

DISCS = Discs(of_a_kind=6, on_a_wonder=3, two_coloured=4, least=3, most=6)

chance = st.floats(0.001, 0.999)


@given(st.lists(chance, min_size=3, max_size=3))
def test_disc_counts_have_valid_probabilities(chances: list[float]) -> None:
    left = compute_count_distribution(chances)
    assert set(left) == {0, 1, 2, 3}
    assert sum(left.values()) == pytest.approx(1)
    assert left[3] == pytest.approx(chances[0] * chances[1] * chances[2])


@pytest.mark.parametrize(("shade", "has_disc"), [(1.0, True), (1.0, False), (0.6, False)])
def test_a_pale_disc_of_the_boards_colour_is_a_disc_and_a_shadow_is_none(shade: float, has_disc: bool) -> None:
    """The disc differs from the board in its print alone: none of its places has a colour that the board has not."""
    rng = np.random.default_rng(3)
    prints = [cv2.GaussianBlur(rng.normal(0, 60, (90, 90)), (0, 0), 2.5)[..., None] for _ in range(2)]
    empty, disc = (np.clip(170 + np.repeat(one, 3, axis=2), 0, 255).astype(np.uint8) for one in prints)
    seen = np.asarray((disc if has_disc else empty) * shade, np.uint8)
    everywhere = np.full((90, 90), 255, np.uint8)
    nothing = np.zeros((90, 90), np.float32)
    view = BoardView(
        seen, empty, everywhere > 0, np.array([0.0, 0.0, 500.0]), np.zeros((90, 90, 3), bool), nothing, nothing > 0
    )
    space = Circle(at=(1.0, 1.0), radius=12.0)
    chance = estimate_disc_probability(view, Paints(nothing, {}, {}, {}), space, nothing > 0)
    assert chance > 0.95 if has_disc else chance < 0.05


def test_a_grey_part_under_a_lamps_reflection_is_no_shadow_on_the_board() -> None:
    """Its colour is that of the board in a shadow, but the board's drawing does not show through it."""
    rng = np.random.default_rng(8)
    grain = cv2.GaussianBlur(rng.normal(0, 50, (120, 120)), (0, 0), 2.0)
    empty = np.clip(130 + np.repeat(grain[..., None], 3, axis=2), 0, 255).astype(np.uint8)
    seen = empty.copy()
    seen[20:50, 20:50] = 80
    seen[20:50, 70:100] = empty[20:50, 70:100] * (80 / 130)
    dark, veil = np.zeros((120, 120, 3), bool), np.full((120, 120, 3), 40.0, np.float32)
    camera, everywhere = np.array([0.0, 0.0, 500.0]), np.ones((120, 120), bool)
    part, shadow = np.s_[25:45, 25:45], np.s_[25:45, 75:95]
    against = fit_paints(BoardView(seen, empty, everywhere, camera, dark, veil, ~everywhere), ~everywhere).board
    assert np.median(against[part]) >= SURE_BOARD
    assert np.median(against[shadow]) < 0.5
    clear = fit_paints(BoardView(seen, empty, everywhere, camera, dark, 0 * veil, ~everywhere), ~everywhere).board
    assert np.median(clear[part]) < SURE_BOARD


@given(st.lists(chance, min_size=3, max_size=3), chance)
def test_reconciled_counts_stay_probabilities(chances: list[float], first: float) -> None:
    heap = Heap((), (({("red", 1): 3}, first), ({("red", 1): 2}, 1 - first)))
    both, left = reconcile_heap(heap, compute_count_distribution(chances), DISCS)
    assert sum(left.values()) == pytest.approx(1)
    assert sum(both.chances(("red", 1)).values()) == pytest.approx(1)


def test_parts_are_evidence_against_a_completed_wonder() -> None:
    heap = Heap((), (({("red", 3): 1, ("blue", 1): 2}, 1.0),))
    _, left = reconcile_heap(heap, {0: 0.6, 1: 0.0, 2: 0.4, 3: 0.0}, DISCS)
    assert left[2] > 0.9


def test_a_taken_disc_is_evidence_for_the_parts_it_needs() -> None:
    heap = Heap((), (({("red", 1): 2}, 0.6), ({("red", 1): 3}, 0.4)))
    both, _ = reconcile_heap(heap, compute_count_distribution([1.0, 1.0, 0.0]), DISCS)
    assert both.chances(("red", 1))[3] > 0.9


def test_an_unseen_marker_follows_from_the_completed_wonders() -> None:
    left = [{0: 0.99, 1: 0.01}, {0: 0.01, 3: 0.99}, {0: 0.98, 2: 0.02}]
    rows = reconcile_row({}, left)
    assert max(rows, key=lambda row: rows[row]) == 2
    assert sum(rows.values()) == pytest.approx(1)
    marker_rows = reconcile_row({0: 0.001, 1: 0.997, 2: 0.001, "light": 0.001}, left)
    assert max(marker_rows, key=lambda row: marker_rows[row]) == 1


def test_an_empty_wonder_certainly_has_no_parts() -> None:
    assert EMPTY.chances(("red", 1)) == {0: 1.0}


def test_a_table_with_more_rows_than_the_board_has_wonders_is_read() -> None:
    rows = reconcile_row({0: 0.2, 1: 0.3, 4: 0.5}, [{0: 0.9, 2: 0.1}])
    assert sum(rows.values()) == pytest.approx(1)
    assert rows[1] > rows[0] > rows[4]


SCALINGS, AMISS = load_platt_scalings("tower_of_babel"), load_shares("tower_of_babel")
NUMBERS = [*SCALINGS.values(), Platt(), Platt(0.5, 3.0)]


@pytest.mark.parametrize("by", NUMBERS)
@given(offered=st.lists(st.floats(0, 1), max_size=5))
def test_calibration_keeps_the_order_and_bounds_the_total_of_offers(by: Platt, offered: list[float]) -> None:
    probabilities = calibrate_probabilities("row", sorted(offered, reverse=True), {"row": by})
    assert probabilities == sorted(probabilities, reverse=True)
    assert all(probability > 0 for probability in probabilities)
    assert sum(probabilities) <= 0.5 + 1e-9


def test_without_fitted_numbers_probabilities_stay_unchanged() -> None:
    assert calibrate_probabilities("row", [0.25, 0.125], {}) == pytest.approx([0.25, 0.125])


def test_every_kind_of_spot_has_fitted_numbers() -> None:
    assert SCALINGS.keys() == AMISS.keys() == {"parts", "discs", "track", "row"}
    assert all(0 < share < 0.05 for share in AMISS.values())
