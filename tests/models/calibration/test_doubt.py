"""A known distortion of doubts is recovered, few data have little effect, and photographers weigh nearly alike."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit

from models.calibration.doubt import (
    JudgedTable,
    fit_doubts,
    fit_laplace_share,
    fit_other_doubts,
    fit_platt,
    fit_power,
    format_thresholds,
    judge_tables,
)
from models.calibration.photographers import DRAWN, LIKENESS, CasesOfTable, judge_unseen, weigh_cases
from scoring.carcassonne.doubt.relevance import CONFIDENCE_SURE
from tests.readers import reader
from vision.doubt.alternatives import Doubted
from vision.evaluation.offered import Offered

EXAMPLES = Path(__file__).parents[3] / "datasets" / "examples"


@pytest.mark.parametrize(("slope", "offset"), [(1.0, 0.0), (1.4, -1.5), (0.6, 0.5)])
def test_the_slope_and_offset_that_calibrate_doubts_are_recovered(slope: float, offset: float) -> None:
    rng = np.random.default_rng(5)
    logits = rng.normal(-1, 2, 20_000)
    so = rng.random(len(logits)) < expit(slope * logits + offset)
    assert fit_platt(expit(logits).tolist(), so.tolist()) == pytest.approx((slope, offset), abs=0.1)


def test_a_fit_without_data_is_the_identity() -> None:
    assert fit_platt([], []) == pytest.approx((1, 0), abs=1e-3)


@given(said=st.lists(st.floats(0.01, 0.99), min_size=1, max_size=30))
def test_doubts_that_are_never_true_become_unlikely_but_not_impossible(said: list[float]) -> None:
    slope, offset = fit_platt(said, [False] * len(said))
    for one in said:
        logit = np.log(one / (1 - one))
        assert 0 < expit(slope * logit + offset) < max(one, 0.5) + 1e-3


def test_a_line_states_the_cases_behind_its_numbers() -> None:
    kinds: tuple[Doubted, ...] = ("coat", "coat", "gone")
    offers = tuple(Offered(kind, 0.25, i == 0) for i, kind in enumerate(kinds))
    (coats, gone) = fit_doubts([JudgedTable(DRAWN, offers, is_right=True)])
    assert coats.format_line().startswith('"coat" = {slope = ')
    assert coats.format_line().endswith("fitted_on = {offered = 2, so = 1, said = 0.5}}")
    assert gone.format_line().endswith("fitted_on = {offered = 1, so = 0, said = 0.2}}")


@given(st.lists(st.booleans(), max_size=30))
def test_a_fitted_share_is_never_0_or_1(so: list[bool]) -> None:
    share = fit_laplace_share("crowded_none", [CasesOfTable(DRAWN, (one,)) for one in so]).values["share"]
    assert 0 < share < 1
    assert share == pytest.approx((sum(so) + 1) / (len(so) + 2), abs=0.0051)


def test_the_effect_of_each_threshold_is_listed() -> None:
    lines = list(format_thresholds([0.999, CONFIDENCE_SURE, 0.97, 0.5], [True, False, True, False]))
    assert "# 3 of 4 final scorings are sure from 0.97 on, 2 right" in lines
    assert f"# 2 of 4 final scorings are sure from {CONFIDENCE_SURE} on, in force, 1 right" in lines
    assert lines[-1] == "# 1 of 4 final scorings are sure from 0.99 on, 1 right"


@pytest.mark.parametrize("power", [0.3, 1.0])
def test_the_joint_weight_of_doubts_is_recovered(power: float) -> None:
    rng = np.random.default_rng(6)
    left = rng.random((20_000, 2))
    right = rng.random(len(left)) < left[:, 0] * left[:, 1] ** power
    parts = [(first, others) for first, others in left.tolist()]
    assert fit_power(parts, right.tolist()) == pytest.approx(power, rel=0.05)
    row = fit_other_doubts(parts, right.tolist())
    assert (row.table, row.name) == ("confidence", "other_doubts")
    assert row.values["power"] == pytest.approx(power, abs=0.03)
    assert (row.values["right"], row.values["of"]) == (right.sum(), len(right))


def test_a_refused_photo_is_named_and_adds_no_doubts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    label = json.loads((EXAMPLES / "test_level.json").read_text(encoding="utf-8"))
    (tmp_path / "plain.json").write_text(json.dumps({**label, "photo": "plain.jpg"}), encoding="utf-8")
    assert cv2.imwrite(str(tmp_path / "plain.jpg"), np.full((600, 800, 3), 128, np.uint8))
    assert judge_tables(reader(), [tmp_path / "plain.json"], tmp_path) == []
    assert capsys.readouterr().out == "# plain.jpg: board_not_found\n"


def test_thirty_photos_by_one_person_weigh_like_a_few_by_others() -> None:
    tables = [CasesOfTable("jb", (0, 0, 0))] * 30 + [CasesOfTable("nw", (1,) * 12)]
    cases, weights = weigh_cases(tables)
    of_each = [sum(weight for case, weight in zip(cases, weights, strict=True) if case == one) for one in (0, 1)]
    assert of_each[1] < of_each[0] < 1 / LIKENESS
    assert of_each[0] < 1.5 * of_each[1]


def test_a_single_case_of_each_person_counts_once() -> None:
    assert weigh_cases([CasesOfTable(person, (1,)) for person in ("jb", "kpm", "ls")])[1] == [1, 1, 1]


def test_drawn_tables_count_at_most_as_much_as_all_people() -> None:
    cases, weights = weigh_cases([CasesOfTable(DRAWN, (0,))] * 100 + [CasesOfTable(p, (1,)) for p in ("jb", "ls")])
    assert sum(weight for case, weight in zip(cases, weights, strict=True) if case == 0) == pytest.approx(2)
    assert weigh_cases([CasesOfTable(DRAWN, (0,))] * 4)[1] == [1] * 4


def test_each_person_is_judged_by_fits_on_the_others() -> None:
    tables = [CasesOfTable("jb", (1.0, 1.0)), CasesOfTable("ls", (5.0,)), CasesOfTable(DRAWN, (3.0,))]
    fitted_on: list[list[float]] = []

    def fit(cases: Iterable[float], weights: object) -> float:
        fitted_on.append([*cases])
        return float(len(fitted_on[-1]))

    unseen = judge_unseen(tables, fit, lambda number, cases: number * len(cases))
    assert fitted_on == [[], [5.0, 3.0], [1.0, 1.0, 3.0]]
    assert unseen.fitted == {"jb": 4.0, "ls": 3.0}
    assert unseen.prior == {"jb": 0.0, "ls": 0.0}
    assert unseen.counts == {"photographers": 2, "unseen_nats": 3.5, "prior_nats": 0.0}


def test_doubts_of_two_strangers_outweigh_many_photos_by_one(capsys: pytest.CaptureFixture[str]) -> None:
    """Two strangers' true alternatives keep about their stated probability, although one person's were never so."""
    jb = [JudgedTable("jb", (Offered("tile", 0.1, False),) * 6, is_right=True)] * 30
    strangers = [
        JudgedTable(person, (Offered("tile", 0.15, True), Offered("tile", 0.02, False)), is_right=False)
        for person in ("ls", "nw")
    ]
    (row,) = fit_doubts([*jb, *strangers])
    platt = row.fitted
    odds = (0.15 / 0.85) ** platt["slope"] * 2.718281828 ** platt["offset"]
    assert odds / (1 + odds) > 0.12
    assert row.fitted_on["photographers"] == 3
    assert {"unseen_nats", "prior_nats"} <= row.fitted_on.keys()
    printed = capsys.readouterr().out
    for person in ("jb", "ls", "nw"):
        assert f"# tile without {person}: " in printed
