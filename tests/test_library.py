"""The module `wondertally`: its documented examples run, and it reads, scores and explains like the commands."""

from __future__ import annotations

import doctest
import json
import subprocess
import sys
from pathlib import Path

import cv2
import pytest

import wondertally
from api.documents.report import Report
from api.documents.spot_report import SpotReport
from scoring.carcassonne.board.notation import parse_notation
from tests.vision.tower_of_babel.papyrus import enrol_papyrus, photograph_papyrus
from vision.enrolment.games import GameEnrolments

EXAMPLES = Path(__file__).parents[1] / "datasets" / "examples"
SMALL = EXAMPLES / "test_clutter.jpg"
BOARD = "D0V0/-U1 red^1,1=rN blue^0,0=cN"


def test_the_documented_examples_run() -> None:
    results = doctest.testmod(wondertally)
    assert results.attempted >= 4
    assert results.failed == 0


def test_importing_the_library_loads_no_heavy_modules() -> None:
    code = "import sys, wondertally; print([m for m in ('cv2', 'numpy', 'onnxruntime', 'fastapi') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_photo_is_read_from_a_path_and_from_its_bytes_alike() -> None:
    by_path, by_bytes = wondertally.read(SMALL), wondertally.read(SMALL.read_bytes())
    assert isinstance(by_path, Report)
    assert isinstance(by_bytes, Report)
    truth = json.loads(SMALL.with_suffix(".json").read_text(encoding="utf-8"))
    assert len(by_path.board.tiles) == sum(token != ".." for row in truth["rows"] for token in row.split())
    assert by_path.board == by_bytes.board
    assert by_path.scores == by_bytes.scores
    again = wondertally.score(by_path.board.notation)
    assert again.scores.final_scoring == by_path.scores.final_scoring


def test_a_printed_game_whose_board_is_enrolled_is_read_scored_and_explained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WONDERTALLY_DATA", str(tmp_path))
    GameEnrolments().save(enrol_papyrus())
    deal, image = photograph_papyrus()
    photo = cv2.imencode(".png", image)[1].tobytes()
    report = wondertally.read(photo)
    assert isinstance(report, SpotReport)
    assert (report.game, {*report.scores.final_scoring}) == ("tower-of-babel", {*deal.players})
    again = wondertally.score(report.board.notation)
    assert isinstance(again, SpotReport)
    assert again.scores.final_scoring == report.scores.final_scoring
    explained = wondertally.explain(again, player=deal.players[0])
    assert explained.players[0].total == again.scores.final_scoring[deal.players[0]]


def test_a_game_without_an_enrolled_board_or_of_another_name_is_refused() -> None:
    with pytest.raises(wondertally.WondertallyError) as not_enrolled:
        wondertally.read(SMALL, game="tower-of-babel")
    with pytest.raises(wondertally.WondertallyError) as unknown:
        wondertally.score(BOARD, game="chess")
    assert (not_enrolled.value.code, unknown.value.code) == ("game_not_enrolled", "unsupported_game")


def test_several_photos_are_joined_and_an_invalid_one_is_named() -> None:
    report = wondertally.read([SMALL, SMALL, b"no picture"])
    assert isinstance(report, Report)
    assert sorted(photo.reason for photo in report.set_aside) == ["not_an_image", "same_photo"]


def test_a_board_is_explained_from_every_kind_of_source() -> None:
    board = parse_notation(BOARD)
    explained = [wondertally.explain(source, square=(0, 0)) for source in (BOARD, board, wondertally.score(board))]
    assert explained[0] == explained[1] == explained[2] == wondertally.explain(BOARD, square="1,1")
    (player,) = wondertally.explain(BOARD, player="red").players
    assert player.total == 3


@pytest.mark.parametrize(
    ("source", "code"),
    [
        pytest.param("no/such/file.json", "file_not_found", id="a file that is not there"),
        pytest.param("D0Z9", "unknown_letter", id="no board"),
        pytest.param(b"no picture", "not_an_image", id="no picture"),
    ],
)
def test_invalid_input_raises_one_error_with_a_code(source: str | bytes, code: str) -> None:
    with pytest.raises(wondertally.WondertallyError) as caught:
        wondertally.explain(source)
    assert caught.value.code == code
    assert caught.value.text
