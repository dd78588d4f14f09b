"""The module `wondertally`: its documented examples run, and it reads, scores and explains like the commands."""

from __future__ import annotations

import doctest
import json
import subprocess
import sys
from pathlib import Path

import pytest

import wondertally
from scoring.carcassonne.board.notation import parse_notation

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
    truth = json.loads(SMALL.with_suffix(".json").read_text(encoding="utf-8"))
    assert len(by_path.board.tiles) == sum(token != ".." for row in truth["rows"] for token in row.split())
    assert by_path.board == by_bytes.board
    assert by_path.scores == by_bytes.scores
    again = wondertally.score(by_path.board.notation)
    assert again.scores.final_scoring == by_path.scores.final_scoring


def test_several_photos_are_joined_and_an_invalid_one_is_named() -> None:
    report = wondertally.read([SMALL, SMALL, b"no picture"])
    assert sorted(photo.reason for photo in report.set_aside) == ["not_an_image", "same_photo"]


def test_a_board_is_explained_from_every_kind_of_source() -> None:
    board = parse_notation(BOARD)
    explained = [wondertally.explain(source, square=(0, 0)) for source in (BOARD, board, wondertally.score(board))]
    assert explained[0] == explained[1] == explained[2]
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
