"""The calibration file is written in place: one number changes, and what a reading takes from it."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from models.calibration import file as calibration
from models.calibration.file import Fitted, fit_share, write_fitted
from scoring import calibration as reading
from scoring.calibration import CALIBRATION_FILE, load_platt_scalings, load_shares
from scoring.errors import ScoringError


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the file, which is written instead of it."""
    copy = tmp_path / "calibration.toml"
    copy.write_text(CALIBRATION_FILE.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr(calibration, "CALIBRATION_FILE", copy)
    return copy


def test_writing_changes_the_one_line(copied: Path) -> None:
    before = copied.read_text(encoding="utf-8").splitlines()
    values = {"slope": 1.5, "offset": -0.25, "offered": 7, "so": 1, "said": 1.2}
    write_fitted("carcassonne", [Fitted("doubts", "place", values)])
    after = copied.read_text(encoding="utf-8").splitlines()
    assert [new for old, new in zip(before, after, strict=True) if old != new] == [
        '"place" = {slope = 1.5, offset = -0.25, offered = 7, so = 1, said = 1.2}'
    ]


def test_writing_what_stands_there_changes_nothing(copied: Path) -> None:
    before = copied.read_text(encoding="utf-8")
    for game, tables in tomllib.loads(before).items():
        for table, rows in tables.items():
            write_fitted(game, [Fitted(table, name, values) for name, values in rows.items()])
    assert copied.read_text(encoding="utf-8") == before


def test_every_share_is_what_its_counts_give() -> None:
    for game, before, weight, digits in (("carcassonne", 1, 2, 2), ("tower_of_babel", 0.5, 1, 4)):
        rows = tomllib.loads(CALIBRATION_FILE.read_text(encoding="utf-8"))[game]["shares"]
        assert load_shares(game) == {name: own["share"] for name, own in rows.items()}
        for name, own in rows.items():
            assert fit_share(name, own["so"], own["of"], before, weight, digits).values == own


@pytest.mark.parametrize("game", ["carcassonne", "tower_of_babel", "world_wonders"])
def test_every_doubt_has_a_slope_that_keeps_the_order(game: str) -> None:
    scalings = load_platt_scalings(game)
    assert len(scalings) >= 4
    for scaling in scalings.values():
        assert scaling.apply(0.2, 1e-6) < scaling.apply(0.3, 1e-6)


def test_a_file_that_is_missing_is_an_error_with_a_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load_platt_scalings.cache_clear()
    reading._load_file.cache_clear()
    monkeypatch.setattr(reading, "CALIBRATION_FILE", tmp_path / "calibration.toml")
    with pytest.raises(ScoringError) as caught:
        load_platt_scalings("carcassonne")
    assert (caught.value.code, caught.value.details) == ("models_missing", {"file": "calibration.toml"})
