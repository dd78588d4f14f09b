"""A rescored report is drawn over its photos as at first: over all of them, beside it or named."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from api.carcassonne.report.several_photos import build_joined_report, project_report, turn_report
from tests.api.commands import run_parsed
from tests.api.doubted import doubted, joined, small

EXAMPLE = Path(__file__).parents[4] / "datasets/examples/test_level.jpg"


@pytest.mark.parametrize("seed", range(3))
def test_a_report_knows_where_each_of_its_photos_shows_what(seed: int) -> None:
    """This agrees with the reading: corners and feet to the tenth of a pixel, outlines within half a pixel."""
    shown = joined(doubted(small(seed), seed), photos=2)
    report = build_joined_report(shown)
    by_reading, by_report = project_report(report, shown.views[1]), turn_report(report, 1)
    assert by_report.board == by_reading.board
    assert by_report.board.tiles[0].corners_px != report.board.tiles[0].corners_px
    pairs = zip(by_reading.features, by_report.features, strict=True)
    rings = [ring for a, b in pairs for ring in zip(a.outline_px or [], b.outline_px or [], strict=True)]
    assert max(np.abs(np.subtract(one, other)).max() for one, other in rings) < 0.5


def test_a_report_of_tiles_is_drawn_on_its_photos(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Two photos of one table: the pictures are those that were drawn when the photos were read."""
    monkeypatch.setenv("WONDERTALLY_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    pixels = cv2.imread(str(EXAMPLE))
    assert pixels is not None
    height, width = pixels.shape[:2]
    cv2.imwrite("first.png", pixels)
    cv2.imwrite("second.png", cv2.resize(pixels, (width * 3 // 4, height * 3 // 4), interpolation=cv2.INTER_AREA))
    read = ["score", "first.png", "second.png", "--json", "report.json", "--annotated", "read.png"]
    assert run_parsed(capsys, *read)[2] is None
    assert run_parsed(capsys, "score", "report.json", "--annotated", "anew.png")[2] is None
    _compare_pictures(Path("read.png"), Path("anew.png"))
    _compare_pictures(Path("read-2.png"), Path("anew-2.png"), 0.006)
    Path("elsewhere").mkdir()
    for name in ("first.png", "second.png"):
        Path(name).rename(Path("elsewhere") / name)
    drawn = ["score", "report.json", "--annotated", "named.png"]
    error = run_parsed(capsys, *drawn)[2]
    assert (error["code"], error["details"]["file"]) == ("photo_wanted", "first.png, second.png")
    error = run_parsed(capsys, *drawn, "--photo", "elsewhere/second.png")[2]
    assert (error["code"], error["details"]["file"]) == ("photo_wanted", "first.png")
    assert run_parsed(capsys, *drawn, "--photo", str(EXAMPLE))[2]["code"] == "wrong_photo"
    named = [word for name in ("second", "first") for word in ("--photo", f"elsewhere/{name}.png")]
    assert run_parsed(capsys, *drawn, *named, "--track", "red=7")[2] is None
    assert cv2.imread("named-2.png") is not None


def test_a_report_without_a_photo_says_what_to_give(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_parsed(capsys, "board", "score", "D0", "--json", "report.json")[2] is None
    error = run_parsed(capsys, "score", "report.json", "--annotated", "a.png")[2]
    assert error["code"] == "photo_wanted"
    assert error["text"].endswith("score the photo itself.")
    for words in (["report.json", "--photo", "x.png"], [str(EXAMPLE), "--photo", "x.png", "--annotated", "a.png"]):
        assert run_parsed(capsys, "score", *words)[2]["code"] == "bad_usage"


def _compare_pictures(one: Path, other: Path, share: float = 1e-6) -> None:
    """Assert that they differ in hardly a pixel, or along some lines if outlines run through rounded corners."""
    first, second = (cv2.imread(str(path)) for path in (one, other))
    assert first is not None
    assert second is not None
    assert first.shape == second.shape
    assert (np.abs(first.astype(int) - second).max(axis=2) > 24).mean() < share
