"""Photographers weigh nearly alike however many photos they took, and judge the numbers fitted without them."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from models.calibration.doubt import JudgedTable, fit_doubts
from models.calibration.photographers import DRAWN, LIKENESS, CasesOfTable, judge_unseen, weigh_cases
from vision.evaluation.offered import Offered


def test_thirty_photos_by_one_person_weigh_as_few_by_others() -> None:
    tables = [CasesOfTable("jb", (0, 0, 0))] * 30 + [CasesOfTable("nw", (1,) * 12)]
    cases, weights = weigh_cases(tables)
    of_each = [sum(weight for case, weight in zip(cases, weights, strict=True) if case == one) for one in (0, 1)]
    assert of_each[1] < of_each[0] < 1 / LIKENESS
    assert of_each[0] < 1.5 * of_each[1]


def test_one_case_of_each_person_counts_once() -> None:
    assert weigh_cases([CasesOfTable(person, (1,)) for person in ("jb", "kpm", "ls")])[1] == [1, 1, 1]


def test_drawn_tables_count_at_most_as_much_as_all_people() -> None:
    cases, weights = weigh_cases([CasesOfTable(DRAWN, (0,))] * 100 + [CasesOfTable(p, (1,)) for p in ("jb", "ls")])
    assert sum(weight for case, weight in zip(cases, weights, strict=True) if case == 0) == pytest.approx(2)
    assert weigh_cases([CasesOfTable(DRAWN, (0,))] * 4)[1] == [1] * 4


def test_each_person_is_judged_by_the_others_alone() -> None:
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


def test_a_doubt_of_two_strangers_outweighs_many_photos_by_one(capsys: pytest.CaptureFixture[str]) -> None:
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
