"""The timings of the scoring benchmark, and its output."""

from __future__ import annotations

import sys

import pytest

from datasets.benchmark import scoring
from scoring.carcassonne.board.features import build_feature_map
from scoring.carcassonne.play.running_features import Tracker


def test_tiles_are_laid_side_to_side_until_the_whole_board_lies() -> None:
    board = scoring.deal_board(72, 3)
    tracker = Tracker()
    for square, tile in scoring.order_tiles(board):
        assert not tracker.tiles or square in tracker.frontier
        scoring._lay(tracker, {square: tile})
    assert tracker.tiles == board.tiles
    assert len(list(tracker.holdings())) == len(build_feature_map(board))


def test_a_board_of_two_boxes_has_as_many_tiles_as_asked() -> None:
    assert len(scoring.deal_board(144, 1).tiles) == 144


def test_timings_are_of_work_that_was_done() -> None:
    timing = scoring.measure(72, 1, referee=None)
    assert timing.tiles == 72
    assert min(timing.features_ms, timing.scoring_ms, timing.laying_ms) > 0
    assert timing.referee_ms is None
    assert timing.laying_ms < timing.features_ms


def test_the_command_prints_a_line_for_each_size(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scoring, "SIZES", (72, 144))
    monkeypatch.setattr(sys, "argv", ["scoring", "--repeat", "1"])
    assert scoring.main() == 0
    first, _, *sizes, turn = capsys.readouterr().out.splitlines()
    assert first.startswith("median of 1")
    assert [int(line.split()[0]) for line in sizes] == [72, 144]
    assert turn.startswith("a turn of the play engine")
