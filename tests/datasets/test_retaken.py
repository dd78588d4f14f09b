"""Labelled photos taken again: the truth goes with the pixels, and the command says what became of the reading."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.labels import Truth, read_truth
from datasets.retaken import CHANGES, LOOKS, VIEWS, Image, main, retake
from vision.photo import Photo

EXAMPLES = Path(__file__).parents[2] / "datasets" / "examples"
LABEL = EXAMPLES / "table.json"


def label() -> dict[str, Any]:
    return dict(json.loads(LABEL.read_text(encoding="utf-8")))


def photo_of(label: dict[str, Any]) -> Image:
    return Photo.from_path(EXAMPLES / label["photo"]).pixels


def marked(truth: Truth, size: tuple[int, int]) -> Image:
    """A grey picture with a white spot at the middle of each tile and a black one at each meeple's foot."""
    picture = np.full((size[1], size[0], 3), 128, np.uint8)
    for tile in truth.tiles:
        x, y = np.round(tile.centre_px).astype(int).tolist()
        cv2.circle(picture, (x, y), 14, (255,) * 3, -1)
    for meeple in truth.meeples:
        cv2.circle(picture, (round(meeple.foot_px[0]), round(meeple.foot_px[1])), 14, (0,) * 3, -1)
    return picture


@pytest.mark.parametrize("change", VIEWS)
def test_a_label_tells_where_everything_lies_in_the_changed_photo(change: str) -> None:
    image = photo_of(label())
    truth = read_truth(label(), "before")
    again, seen = retake(label(), marked(truth, (image.shape[1], image.shape[0])), change)
    after = read_truth(again, "after")
    assert after.board == truth.board
    assert len(after.meeples) == len(truth.meeples) > 0
    feet = [np.array(meeple.foot_px) for meeple in after.meeples]
    for tile in after.tiles:
        x, y = np.round(tile.centre_px).astype(int)
        if min(np.linalg.norm(tile.centre_px - foot) for foot in feet) > 40:
            assert seen[y, x].min() > 200
    for x, y in np.round(feet).astype(int):
        assert seen[y, x].max() < 60


@pytest.mark.parametrize("change", LOOKS)
def test_light_and_camera_move_nothing_and_change_what_is_seen(change: str) -> None:
    image = np.ascontiguousarray(photo_of(label())[200:1400, 300:1900])
    again, seen = retake(label(), image, change)
    assert {**again, "view": 0} == {**label(), "view": 0}
    assert again["view"] == {**label()["view"], "condition": change}
    assert seen.shape == image.shape
    assert np.abs(seen.astype(float) - image).mean() > 1
    assert np.array_equal(seen, retake(label(), image, change)[1])


@settings(max_examples=20)
@given(st.sampled_from(sorted(CHANGES)), st.integers(40, 90), st.integers(40, 90))
def test_any_picture_is_changed_without_a_hole(change: str, width: int, height: int) -> None:
    grey = np.full((height, width, 3), 120, np.uint8)
    _, seen = retake({"photo": "grey.jpg"}, grey, change)
    assert seen.dtype == np.uint8
    assert seen.min() > 0


def test_the_command_reads_what_it_changed_and_leaves_what_is_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [str(LABEL), "--photos", str(EXAMPLES), "--out", str(tmp_path), "--only", "1,500 pixels", "warm"]
    main(given)
    told = capsys.readouterr().out
    lines = {line.split("  ")[0].strip(): line for line in told.splitlines()}
    assert {"1,500 pixels", "warm", "all"} <= lines.keys()
    tiles = sum(tile.readable for tile in read_truth(label(), "").tiles)
    assert f"{2 * tiles} of {2 * tiles}" in lines["all"]
    photos = sorted(tmp_path.glob("*.jpg"))
    assert [photo.name for photo in photos] == ["table__1500_pixels.jpg", "table__warm.jpg"]
    assert max(Photo.from_path(photos[0]).pixels.shape) == 1500
    photos[1].write_bytes(photos[0].read_bytes())
    main(given)
    assert photos[1].read_bytes() == photos[0].read_bytes()


def test_a_label_that_is_not_there_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([str(tmp_path / "none.json"), "--photos", str(tmp_path), "--out", str(tmp_path)])
    assert ended.value.code == 2
    assert "file_not_found" in capsys.readouterr().err
