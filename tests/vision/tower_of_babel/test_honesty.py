from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.calibration import Platt, load_platt_scalings, load_shares
from vision.tower_of_babel.calibration import calibrate_probabilities

SCALINGS, AMISS = load_platt_scalings("tower_of_babel"), load_shares("tower_of_babel")
NUMBERS = [*SCALINGS.values(), Platt(), Platt(0.5, 3.0)]


@pytest.mark.parametrize("by", NUMBERS)
@given(offered=st.lists(st.floats(0, 1), max_size=5))
def test_calibration_keeps_the_order_and_bounds_the_total_of_offers(by: Platt, offered: list[float]) -> None:
    probabilities = calibrate_probabilities("row", sorted(offered, reverse=True), {"row": by})
    assert probabilities == sorted(probabilities, reverse=True)
    assert all(probability > 0 for probability in probabilities)
    assert sum(probabilities) <= 0.5 + 1e-9


def test_without_numbers_what_was_said_is_told() -> None:
    assert calibrate_probabilities("row", [0.25, 0.125], {}) == pytest.approx([0.25, 0.125])


def test_every_kind_of_spot_has_its_numbers() -> None:
    assert SCALINGS.keys() == AMISS.keys() == {"parts", "discs", "track", "row"}
    assert all(0 < share < 0.05 for share in AMISS.values())
