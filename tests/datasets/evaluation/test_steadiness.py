"""A reading hangs on no last digit: other processors' sums and shaken nets give the same names and probabilities."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from datasets.evaluation.steadiness import (
    MAX_DIFFERENCE,
    SHAKEN_BY,
    ShakenNet,
    compare_readings,
    main,
    read_photos,
    read_photos_on_processor,
)
from vision.runtime.onnx import MODELS, Net

EXAMPLES = Path(__file__).parents[3] / "datasets" / "examples"
PHOTOS = {name: EXAMPLES / f"{name}.jpg" for name in ("table", "test_oblique")}


@pytest.fixture(scope="module")
def plain() -> dict[str, dict[str, Any]]:
    return {name: dict(line) for name, line in read_photos(PHOTOS).items()}


def test_a_perturbed_net_gives_nearly_the_same_output() -> None:
    pictures = np.random.default_rng(1).integers(0, 256, (3, 64, 64, 3), np.uint8)
    file = MODELS / "classifier.onnx"
    said, shaken = (net(pictures) for net in (Net(file), ShakenNet(file, by=1e-3, seed=1)))
    off = [np.abs(a - b).max() for a, b in zip(said, shaken, strict=True)]
    assert all(0 < most < 1.01e-3 for most in off)


@pytest.mark.soak
def test_tables_are_read_alike_with_perturbed_nets(plain: dict[str, dict[str, Any]]) -> None:
    for name, line in read_photos(PHOTOS, SHAKEN_BY, seed=1).items():
        difference = compare_readings(plain[name], line)
        assert not difference.is_large, f"{name}: {difference}"
        assert difference.largest > 0.0


@pytest.mark.soak
@pytest.mark.parametrize("processor", ["Haswell", "Nehalem"])
def test_tables_are_read_alike_with_the_rounding_of_other_processors(
    processor: str, plain: dict[str, dict[str, Any]]
) -> None:
    for name, line in read_photos_on_processor(PHOTOS, processor).items():
        difference = compare_readings(plain[name], line)
        assert not difference.is_large, f"{name}: {difference}"
        assert difference.largest < 1e-9


def test_differences_are_named(plain: dict[str, dict[str, Any]]) -> None:
    line = plain["table"]
    assert not compare_readings(line, line).is_large
    first, *rest = line["meeples"]
    other = {
        **line,
        "doubtful": not line["doubtful"],
        "meeples": [*rest, ["pink", *first[1:8], first[8] / 2, *first[9:]]],
    }
    difference = compare_readings(line, other)
    assert difference.is_large
    assert difference.largest == pytest.approx(first[8] / 2)
    assert [name.split()[0] for name in difference.changed] == ["doubtful", "meeple"]
    assert compare_readings(line, {"error": "board_not_found"}).changed == ("read or board_not_found",)
    assert compare_readings(line, {**line, "confidence": line["confidence"] - 2 * MAX_DIFFERENCE}).is_large


@pytest.mark.soak
def test_the_command_prints_a_line_for_each_reading(capsys: pytest.CaptureFixture[str]) -> None:
    label = str(EXAMPLES / "test_level.json")
    assert main([label, "--photos", str(EXAMPLES), "--processors", "Haswell", "--shakes", "1"]) == 0
    first, second, last = capsys.readouterr().out.splitlines()
    assert first.startswith("test_level, Haswell: 0.000")
    assert second.startswith("test_level, shaken by 1e-05, 1: 0.000")
    assert last == "1 photos, 0 readings that differ"
