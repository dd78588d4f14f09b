"""Labelled photos taken again: the truth follows the pixels, and the command reports the readings."""

from __future__ import annotations

import io
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from datasets.evaluation.rephotographed import CHANGES, LOOKS, VIEWS, main, retake, show
from vision.arrays import Image
from vision.evaluation.judge import Verdict
from vision.evaluation.labels import Truth, load_truth, read_truth
from vision.photo.decoding import Photo

EXAMPLES = Path(__file__).parents[3] / "datasets" / "examples"
LABEL, CLUTTER = EXAMPLES / "table.json", EXAMPLES / "test_clutter.json"


def label() -> dict[str, Any]:
    return dict(json.loads(LABEL.read_text(encoding="utf-8")))


@cache
def table() -> Image:
    return Photo.from_path(EXAMPLES / "table.jpg").pixels


def part() -> Image:
    """Return the middle of the table's photo."""
    return np.ascontiguousarray(table()[400:1200, 600:1600])


def marked(truth: Truth, size: tuple[int, int]) -> Image:
    """Return a grey picture with a white spot at the centre of each tile and a black one at each meeple's foot."""
    picture = np.full((size[1], size[0], 3), 128, np.uint8)
    for tile in truth.tiles:
        x, y = np.round(tile.centre_px).astype(int).tolist()
        cv2.circle(picture, (x, y), 14, (255,) * 3, -1)
    for meeple in truth.meeples:
        cv2.circle(picture, (round(meeple.foot_px[0]), round(meeple.foot_px[1])), 14, (0,) * 3, -1)
    return picture


@pytest.mark.parametrize("change", VIEWS)
def test_a_label_states_all_places_in_the_changed_photo(change: str) -> None:
    image = table()
    truth = read_truth(label(), "before")
    again, changed = retake(label(), marked(truth, (image.shape[1], image.shape[0])), change)
    after = read_truth(again, "after")
    assert after.board == truth.board
    assert len(after.meeples) == len(truth.meeples) > 0
    feet = [np.array(meeple.foot_px) for meeple in after.meeples]
    for tile in after.tiles:
        x, y = np.round(tile.centre_px).astype(int)
        if min(np.linalg.norm(tile.centre_px - foot) for foot in feet) > 40:
            assert changed[y, x].min() > 200
    for x, y in np.round(feet).astype(int):
        assert changed[y, x].max() < 60


@pytest.mark.parametrize("change", LOOKS)
def test_changes_of_light_and_camera_alter_pixels_but_no_places(change: str) -> None:
    image = part()
    again, changed = retake(label(), image, change)
    assert {**again, "view": 0} == {**label(), "view": 0}
    assert again["view"] == {**label()["view"], "condition": change}
    assert changed.shape == image.shape
    assert np.abs(changed.astype(float) - image).mean() > 1
    assert np.array_equal(changed, retake(label(), image, change)[1])


def told_of(change: str) -> dict[str, float]:
    """Return the ratios of a modified picture to the original: brightness, hues, and finest detail."""
    before = part()
    after = retake(label(), before, change)[1]

    def told(picture: Image) -> dict[str, float]:
        blue, green, red = picture.mean(axis=(0, 1))
        half = picture.shape[1] // 2
        return {
            "light": picture.mean(),
            "red over blue": red / blue,
            "green over others": green / (red + blue),
            "colourful": np.ptp(picture, axis=2).mean(),
            "detail": cv2.Laplacian(picture, cv2.CV_32F).std(),
            "left over right": picture[:, :half].mean() / picture[:, half:].mean(),
            "white": (picture.min(axis=2) > 250).mean(),
        }

    now, then = told(after), told(before)
    return {name: float(now[name]) / max(float(then[name]), 1e-4) for name in now}


@pytest.mark.parametrize(
    ("change", "name", "low", "high"),
    [
        ("dark", "light", 0.2, 0.8),
        ("bright", "light", 1.05, 1.6),
        ("warm", "red over blue", 1.5, 2.2),
        ("a red lamp", "red over blue", 1.8, 2.4),
        ("cool", "red over blue", 0.4, 0.7),
        ("greenish", "green over others", 1.2, 1.5),
        ("half in shade", "left over right", 0.4, 0.7),
        ("a glare", "white", 1.5, 1e4),
        ("vivid", "colourful", 1.2, 1.6),
        ("faded", "colourful", 0.4, 0.7),
        ("soft", "detail", 0.1, 0.8),
        ("noisy", "detail", 1.3, 20.0),
        ("JPEG of 35", "light", 0.98, 1.02),
    ],
)
def test_each_change_has_the_effect_of_its_name(change: str, name: str, low: float, high: float) -> None:
    assert low < told_of(change)[name] < high


def test_a_line_for_each_change_counts_that_changes_readings() -> None:
    verdicts = [
        Verdict("a__warm", tiles=10, tiles_exact=9, final_true={"red": 3}, final_exact=True, final_sure=True),
        Verdict("a__cool", tiles=10, tiles_exact=4, meeples=2, meeples_found=1, final_true={"red": 3}),
        Verdict("b__warm", tiles=20, tiles_exact=18, sure_wrong=2),
        Verdict("b__cool", tiles=20, tiles_exact=3, final_true={"red": 1}, final_sure=True, final_sure_wrong=True),
    ]
    output = io.StringIO()
    show(verdicts, ["warm", "cool"], Console(file=output, width=200))
    lines = [re.split(r" {2,}", line.strip()) for line in output.getvalue().splitlines()]
    assert lines[1:] == [
        ["warm", "27 of 30", "0, 0 of 0", "1 of 1", "1 of 2", "0 finals, 2 tiles"],
        ["cool", "7 of 30", "1, 0 of 2", "0 of 2", "1 of 2", "1 finals, 0 tiles"],
        ["all", "34 of 60", "1, 0 of 2", "1 of 3", "2 of 4", "1 finals, 2 tiles"],
    ]


@settings(max_examples=20)
@given(st.sampled_from(sorted(CHANGES)), st.integers(40, 90), st.integers(40, 90))
def test_changed_pictures_have_no_holes(change: str, width: int, height: int) -> None:
    grey = np.full((height, width, 3), 200, np.uint8)
    _, changed = retake({"photo": "grey.jpg"}, grey, change)
    assert changed.dtype == np.uint8
    assert changed.min() > 40


@pytest.mark.soak
def test_the_command_reads_changed_photos_and_keeps_existing_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [str(CLUTTER), "--photos", str(EXAMPLES), "--out", str(tmp_path), "--only", "1,500 pixels", "warm"]
    main(arguments)
    output = capsys.readouterr().out
    lines = {line.split("  ")[0].strip(): line for line in output.splitlines()}
    assert {"1,500 pixels", "warm", "all"} <= lines.keys()
    tiles = sum(tile.readable for tile in load_truth(CLUTTER).tiles)
    assert f"{2 * tiles} of {2 * tiles}" in lines["all"]
    photos = sorted(tmp_path.glob("*.jpg"))
    assert [photo.name for photo in photos] == ["test_clutter__1500_pixels.jpg", "test_clutter__warm.jpg"]
    assert max(Photo.from_path(photos[0]).pixels.shape) == 1500
    photos[1].write_bytes(photos[0].read_bytes())
    main(arguments)
    assert photos[1].read_bytes() == photos[0].read_bytes()


def test_a_missing_label_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([str(tmp_path / "none.json"), "--photos", str(tmp_path), "--out", str(tmp_path)])
    assert ended.value.code == 2
    assert "file_not_found" in capsys.readouterr().err
