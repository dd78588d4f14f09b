"""The reach with which discs were laid is recovered, and real discs are evidence for their roads."""

from __future__ import annotations

import numpy as np
import pytest

from models.calibration.ground import Disc, collect_discs, fit_reach, fit_row
from tests.readers import reader
from tests.scoring.outside import SHARED, needs_shared
from vision.evaluation.labels import load_truth


@pytest.mark.parametrize(("reach", "spread"), [(0.15, 0.02), (0.2, 0.05)])
def test_the_reach_and_spread_of_discs_are_recovered(reach: float, spread: float) -> None:
    rng = np.random.default_rng(1)
    distances = rng.uniform(0, 0.35, 800)
    discs = [Disc(float(d), bool(d + rng.normal(0, spread) < reach)) for d in distances]
    assert fit_reach(discs) == pytest.approx((reach, spread), abs=0.01)
    row = fit_row(discs)
    assert (row.values["discs"], row.values["on_road"]) == (800, sum(disc.on_road for disc in discs))


def test_too_few_discs_leave_the_spread_unfitted() -> None:
    few = [Disc(0.05, True), Disc(0.12, True), Disc(0.18, False), Disc(0.3, False)]
    many = few * 25
    assert fit_reach(few)[1] > fit_reach(many)[1]
    assert fit_row([]).values["discs"] == 0
    assert fit_reach([])[1] >= fit_reach(few)[1]


@needs_shared
def test_real_discs_on_a_road_are_nearer_to_it_than_those_beside_it() -> None:
    truth = load_truth(SHARED / "labels" / "jb_200144.json")
    discs = list(collect_discs(reader(), truth, SHARED / "photos" / "failing" / "jb_200144.jpg"))
    assert {disc.on_road for disc in discs} == {True, False}
    nearest = max(disc.distance for disc in discs if disc.on_road)
    assert nearest < 0.15 < min(disc.distance for disc in discs if not disc.on_road)
