"""Places that show two pieces are told from places that show one twice."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.calibration.touching import Pair, collect_pairs, fit_bound, fit_row, show_two_pieces
from scoring.calibration import load_weights
from vision.evaluation.labels import load_truth
from vision.photo.decoding import Photo
from vision.reader import Reader

EXAMPLES = Path(__file__).parents[3] / "datasets" / "examples"
SHARES = st.floats(0, 1)


@given(below=st.lists(SHARES, max_size=8), above=st.lists(SHARES, max_size=8))
def test_no_bound_misjudges_fewer(below: list[float], above: list[float]) -> None:
    def count_misjudged(bound: float) -> int:
        return sum(value >= bound for value in below) + sum(value < bound for value in above)

    bound = fit_bound(below, above)
    assert 0 <= bound <= 1
    assert count_misjudged(bound) <= min(count_misjudged(other) for other in np.linspace(0.005, 0.995, 100))


def test_the_bound_lies_in_the_middle_of_the_gap() -> None:
    assert fit_bound([0.1, 0.2], [0.4, 0.9]) == pytest.approx(0.3)
    row = fit_row([Pair(0.2, True), Pair(0.1, False), Pair(0.4, False), Pair(0.9, False)])
    assert row.format_line() == '"same_pose" = {agreement = 0.3, pairs = 4, two = 1, misjudged = 1}'


def test_two_places_show_two_pieces_where_each_is_nearer_to_a_foot_of_its_own() -> None:
    assert show_two_pieces(np.array([0.05, 0.3]), np.array([0.28, 0.02]))
    assert not show_two_pieces(np.array([0.05, 0.6]), np.array([0.2, 0.7]))
    assert not show_two_pieces(np.array([0.05, 0.3]), np.array([0.28, 0.25]))
    assert not show_two_pieces(np.zeros(0), np.zeros(0))


def test_looks_at_one_piece_agree_on_its_pose() -> None:
    """On a table of ours no two pieces touch."""
    truth = load_truth(EXAMPLES / "table.json")
    pairs = list(collect_pairs(Reader(), Photo.from_path(EXAMPLES / "table.jpg"), truth))
    bound = load_weights("carcassonne", "touching")["same_pose"]["agreement"]
    assert all(pair.agreement >= bound and not pair.are_two for pair in pairs)
