"""Rows that rest on photographers, fitted without one of them."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from models.calibration.doubt import JudgedTable
from models.calibration.left_out import ReadTable, write_calibration_without
from models.calibration.photographers import CasesOfTable
from scoring.calibration import CALIBRATION_FILE
from vision.evaluation.offered import Offered


def table(person: str, *outcomes: bool, is_measured: bool = False) -> ReadTable:
    """Return a table of a photographer whose other tiles, offered at 0.3 each, are true or not."""
    offers = tuple(Offered("tile", 0.3, so) for so in outcomes)
    return ReadTable(
        Path("label.json"),
        is_measured,
        JudgedTable(person, offers, True),
        (CasesOfTable(person, ()), CasesOfTable(person, ())),
    )


def fit(tables: Sequence[ReadTable], person: str, folder: Path) -> dict[str, Any]:
    file = write_calibration_without(tables, person, folder)
    doubts: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))["carcassonne"]["doubts"]
    return doubts


ANN, BEN = (True,) * 4, (False,) * 5


@pytest.mark.parametrize(("person", "others"), [("ann", BEN), ("ben", ANN)])
def test_a_row_rests_on_the_other_photographers_alone(person: str, others: tuple[bool, ...], tmp_path: Path) -> None:
    row = fit([table("ann", *ANN), table("ben", *BEN)], person, tmp_path)["tile"]
    assert (row["fitted_on"]["offered"], row["fitted_on"]["so"]) == (len(others), sum(others))
    assert (row["offset"] > 0) == others[0]


def test_a_measured_table_and_a_row_without_cases_change_nothing(tmp_path: Path) -> None:
    before = tomllib.loads(CALIBRATION_FILE.read_text(encoding="utf-8"))["carcassonne"]["doubts"]
    assert fit([table("ann", *ANN), table("ben", *BEN, is_measured=True)], "ann", tmp_path) == before
