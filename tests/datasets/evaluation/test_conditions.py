"""Tables of one condition: labels state the readable part, and each condition gets its line."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from datasets.evaluation.conditions import CONDITIONS, Condition, draw_conditions, shoot_condition, show
from tests.datasets.tables import cheap_art
from vision.evaluation.judge import judge_unread
from vision.evaluation.labels import Truth, load_truth, read_truth
from vision.evaluation.tables import Evaluation
from vision.photo.crops import compute_tile_px

ART = cheap_art()


def truth_of(condition: Condition, seed: int = 3) -> tuple[Truth, tuple[int, ...]]:
    """Return the truth of a table with few tiles, and the height and width of its photo."""
    few_tiles = replace(condition, deal=CONDITIONS["10 tiles"].deal)
    shot = shoot_condition(few_tiles, ART, condition.tops[0], np.random.default_rng(seed))
    return read_truth({"photo": "x.jpg", **shot.label}, "x"), shot.image.shape[:2]


@pytest.mark.parametrize("name", ["score board", "spare tiles"])
def test_the_label_holds_the_board_and_nothing_else(name: str) -> None:
    truth, (height, width) = truth_of(CONDITIONS[name])
    assert len(truth.tiles) == 10
    corners = np.array([tile.corners_px for tile in truth.tiles])
    assert (corners >= 0).all()
    assert (corners <= (width, height)).all()


def test_tiles_are_as_large_as_asked() -> None:
    truth, (height, width) = truth_of(CONDITIONS["tiles of 35 px"])
    assert np.median(compute_tile_px(np.array([tile.corners_px for tile in truth.tiles]))) == pytest.approx(
        35, rel=0.01
    )
    assert width > height


def test_tiles_cut_by_the_frame_are_labelled_unreadable() -> None:
    truth, (height, width) = truth_of(CONDITIONS["cut by the frame"])
    inside = [bool(((t.corners_px >= 0) & (t.corners_px <= (width, height))).all()) for t in truth.tiles]
    assert [tile.readable for tile in truth.tiles] == inside
    assert not all(inside)
    assert any(inside)
    assert all(tile.square in truth.board.tiles for tile in truth.tiles)


def test_each_condition_is_drawn_once_and_reported_in_one_line(tmp_path: Path) -> None:
    ((_, labels),) = draw_conditions(["10 tiles"], [ART], 1, 5, tmp_path)
    written = labels[0].stat().st_mtime_ns
    assert next(iter(draw_conditions(["10 tiles"], [ART], 1, 5, tmp_path)))[1][0].stat().st_mtime_ns == written
    out = StringIO()
    show(Evaluation((judge_unread(load_truth(labels[0]), "board_not_found"),)), Console(file=out, width=160))
    (line,) = [line for line in out.getvalue().splitlines() if line.strip().startswith("10 tiles")]
    assert "0 of 10" in line
