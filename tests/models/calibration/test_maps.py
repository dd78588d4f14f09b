"""Temperatures of maps are fitted without a change of the committed weights; only `--write` sets them there."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

onnx = pytest.importorskip("onnx", reason="weights are written with the extra [train]")

from datasets.world_wonders.__main__ import main as draw  # noqa: E402
from models.calibration import file as calibration  # noqa: E402
from models.calibration import maps  # noqa: E402
from scoring.calibration import CALIBRATION_FILE  # noqa: E402
from vision.runtime.onnx import MODELS  # noqa: E402
from vision.world_wonders.pieces import PieceCosts  # noqa: E402


@pytest.fixture
def weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of the net and of the calibration file beside it, to be written instead of these."""
    folder = tmp_path / "models"
    folder.mkdir()
    for module, name, source in (
        (maps, "FILE", MODELS / "maps.onnx"),
        (calibration, "CALIBRATION_FILE", CALIBRATION_FILE),
    ):
        monkeypatch.setattr(module, name, Path(shutil.copy(source, folder)))
    return folder


def test_temperatures_are_written_with_the_rows_and_not_before(
    tmp_path: Path, weights: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    draw(["--out", str(tmp_path / "basalt"), "--count", "1", "--seed", "31", "--art", "basalt"])
    before = {file.name: file.read_bytes() for file in weights.iterdir()}
    maps.main([str(tmp_path / "basalt")])
    printed = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("temperatures "))
    with pytest.raises(SystemExit) as ended:
        maps.main([str(tmp_path / "basalt"), "--write", "markers"])
    assert ended.value.code == 2
    assert {file.name: file.read_bytes() for file in weights.iterdir()} == before
    maps.main([str(tmp_path / "basalt"), "--write"])
    properties = {entry.key: entry.value for entry in onnx.load(weights / "maps.onnx").metadata_props}
    assert json.loads(properties["temperatures"]) == json.loads(printed.removeprefix("temperatures "))
    assert json.loads(properties["temperatures"]) != [1.0, 1.0]
    assert (weights / "calibration.toml").read_bytes() != before["calibration.toml"]


def test_doubts_are_judged_at_the_costs_that_were_fitted(tmp_path: Path) -> None:
    draw(["--out", str(tmp_path / "basalt"), "--count", "1", "--seed", "31", "--art", "basalt"])
    copy = maps.load_copy(tmp_path / "basalt")
    wholes, single_squares = (
        sum(right for name, _, right in maps.judge_spots(copy, PieceCosts(cost, 0.0)) if name == "building")
        for cost in (2.0, 200.0)
    )
    assert wholes > 5 * single_squares
