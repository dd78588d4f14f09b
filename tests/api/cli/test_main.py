"""The command line: its output and files, its exit statuses, and its errors in one form."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from api.cli import main as cli
from api.games.protocol import TableGame
from scoring.carcassonne.board.features import build_feature_map
from scoring.carcassonne.board.label import write_label
from scoring.carcassonne.board.notation import format_notation, parse_notation
from scoring.carcassonne.final.scoring import compute_final_scoring
from tests.api.commands import EXAMPLE, error_of, run
from tests.api.tables_read import dealt


def console_script(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(Path(sys.executable).with_name("wondertally")), *arguments], capture_output=True, text=True, check=False
    )


def test_only_the_document_goes_to_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "board", "score", format_notation(dealt(3)), "--json", "-")
    assert (status, err) == (0, "")
    assert json.loads(out)["scores"]["final_scoring"] == dict(compute_final_scoring(dealt(3)).totals)
    status, out, err = run(capsys, "enrol", "list", "--json", "-")
    assert (status, json.loads(out), err) == (
        0,
        {"enrolments": {}, "score_boards": {}, "score_tokens": {}, "wonders": {}, "games": {}},
        "",
    )


def test_the_help_lists_the_exit_statuses(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "--help")
    assert status == 0
    assert " ".join(cli.EXIT_STATUS.split()[:6]) in " ".join(out.split())
    assert "--install-completion" in out


@pytest.mark.parametrize(
    ("arguments", "code", "status"),
    [
        ([], "bad_usage", 2),
        (["nonsense"], "bad_usage", 2),
        (["score"], "bad_usage", 2),
        (["score", "x.jpg", "--colour"], "bad_usage", 2),
        (["score", "none.jpg"], "photo_not_found", 2),
        (["explain", "none.jpg"], "photo_not_found", 2),
        (["score", "none.jpg", "also-none.jpg"], "photo_not_found", 2),
        (["score", "none.jpg", "--game", "chess"], "unsupported_game", 2),
        (["score", "."], "photo_unreadable", 1),
        (["board"], "bad_usage", 2),
        (["board", "score", "none.json"], "file_not_found", 2),
        (["board", "score", "D0", "--game", "chess"], "unsupported_game", 2),
        (["board", "score", "Z0"], "unknown_letter", 1),
        (["board", "score", "D0", "--rules", "C9"], "unknown_rules", 2),
        (["batch", ".", "--out", "out", "--rules", "C9"], "unknown_rules", 2),
        (["moves", "a.jpg", "b.jpg", "--rules", "C9"], "unknown_rules", 2),
        (["score", "none.jpg", "--rules", "C9"], "unknown_rules", 2),
        (["board", "score", "-4W9"], "bad_turn", 1),
        (["board", "score", "D0 blue^0,0=M"], "no_such_place", 1),
        (["board", "score", ""], "no_tiles", 1),
        (["board", "score", "D0" * 390 + "!"], "bad_row", 1),
        (["board", "score", "D0" * 3000 + "!"], "board_too_large", 1),
        (["board", "score", "D0", "--json", "no/such/folder.json"], "cannot_write", 2),
        (["evaluate", "none.json", "--photos", ".", "--out", "out"], "file_not_found", 2),
        (["evaluate", "none.json"], "bad_usage", 2),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else None,
)
def test_errors_have_one_form(
    arguments: list[str],
    code: str,
    status: int,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    returned, out, err = run(capsys, *arguments)
    assert (returned, out) == (status, "")
    assert error_of(err)["code"] == code


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "empty_file"),
        (b"35 to 52\n", "not_an_image"),
        (b"GIF89a....", "unsupported_image"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "truncated_image"),
    ],
    ids=["empty", "text", "gif", "cut jpeg"],
)
def test_invalid_photos_are_refused_with_a_code(
    content: bytes, code: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "table.jpg"
    path.write_bytes(content)
    status, out, err = run(capsys, "score", str(path))
    assert (status, out) == (1, "")
    assert error_of(err)["code"] == code
    assert error_of(err)["details"]["file"] == "table.jpg"


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"{", "bad_label"),
        (b'{"rows": 5}', "no_rows"),
        (b'{"rows": ["D0"], "meeples": 3}', "bad_label"),
        (b'{"rows": ["D0"], "meeples": [{}]}', "bad_meeple"),
        (b"\xff\xfe\x00", "bad_label"),
        (b"not a board", "bad_row"),
    ],
)
def test_invalid_board_files_are_refused_with_a_code(
    content: bytes, code: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "label.json"
    path.write_bytes(content)
    status, _, err = run(capsys, "board", "score", str(path))
    assert status == 1
    assert error_of(err)["code"] == code


@settings(max_examples=40)
@given(st.text(max_size=40).filter(lambda text: not text.startswith("--") and "\0" not in text))
def test_any_board_argument_is_scored_or_refused(text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["wondertally", "board", "score", text])
        with pytest.raises(SystemExit) as caught:
            cli.main()
    assert caught.value.code in (0, 1, 2)


def test_notation_file_and_label_give_the_same_board(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    board = dealt(4)
    (tmp_path / "board.txt").write_text(format_notation(board) + "\n")
    (tmp_path / "label.json").write_text(json.dumps(write_label(board)))
    for source in (format_notation(board), str(tmp_path / "board.txt"), str(tmp_path / "label.json")):
        status, out, err = run(capsys, "board", "score", source, "--json", str(tmp_path / "report.json"))
        assert (status, err) == (0, "")
        document = json.loads((tmp_path / "report.json").read_text())
        assert parse_notation(document["board"]["notation"]) == board
        assert document["scores"]["final_scoring"] == dict(compute_final_scoring(board).totals)
        assert "report:" in out


def test_the_table_shows_every_entry_and_total(capsys: pytest.CaptureFixture[str]) -> None:
    board = dealt(4)
    _, out, _ = run(capsys, "board", "score", format_notation(board))
    rows = [line.split() for line in out.splitlines()]
    assert "\x1b" not in out
    sheet, features = compute_final_scoring(board), build_feature_map(board)
    for entry in sheet.entries:
        assert [entry.player, str(entry.points), features[entry.feature].label] in [row[:3] for row in rows]
    for player, points in sheet.totals.items():
        assert [player, str(points), "final", "scoring"] in rows, "the points of the game are not known"


def test_notation_that_begins_with_empty_squares_is_not_taken_for_an_option(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "board", "score", "-4D0/-4D0")
    assert status == 0
    assert "tiles: 2" in out


def test_an_internal_error_is_reported_in_the_same_form(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(argument: str, name: str | None) -> TableGame:
        raise RuntimeError("a fault")

    monkeypatch.setattr(cli, "find_game_of_board", fail)
    status, _, err = run(capsys, "board", "score", "D0")
    assert status == 3
    assert error_of(err)["code"] == "internal_error"
    assert error_of(err)["details"]["at"].startswith(f"{Path(__file__).name}:")


def test_the_installed_command_scores_and_fails_as_documented(tmp_path: Path) -> None:
    done = console_script("board", "score", "D0 red^0,0=cN", "--json", str(tmp_path / "report.json"))
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads((tmp_path / "report.json").read_text())["scores"]["final_scoring"] == {"red": 1}
    failed = console_script("score", str(tmp_path / "none.jpg"))
    assert (failed.returncode, failed.stdout) == (2, "")
    assert error_of(failed.stderr)["code"] == "photo_not_found"


def test_the_example_photo_is_read_and_annotated(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    report, picture, text = tmp_path / "report.json", tmp_path / "annotated.jpg", tmp_path / "notes.txt"
    text.write_text("no photo\n")
    photos = [str(EXAMPLE), str(text)]
    status, out, err = run(capsys, "score", *photos, "--json", str(report), "--annotated", str(picture))
    assert (status, err) == (0, "")
    document = json.loads(report.read_text())
    assert document["set_aside"] == [{"file": "notes.txt", "reason": "not_an_image"}]
    board = parse_notation(document["board"]["notation"])
    assert document["scores"]["final_scoring"] == dict(compute_final_scoring(board).totals)
    for player, points in document["scores"]["final_scoring"].items():
        assert [player, str(points), "final", "scoring"] in [line.split() for line in out.splitlines()]
    assert picture.stat().st_size > 10_000


def test_a_photo_without_a_board_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "wall.png"
    cv2.imwrite(str(path), np.full((600, 800, 3), 90, np.uint8))
    status, _, err = run(capsys, "score", str(path))
    assert status == 1
    assert error_of(err)["code"] == "board_not_found"


@pytest.fixture(scope="module")
def halves(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return the example photo in two parts that overlap, the second one upside down."""
    folder = tmp_path_factory.mktemp("halves")
    pixels = cv2.imread(str(EXAMPLE))
    assert pixels is not None
    width = pixels.shape[1]
    cv2.imwrite(str(folder / "left.png"), pixels[:, : 2 * width // 3])
    cv2.imwrite(str(folder / "right.png"), np.rot90(pixels[:, width // 3 :], 2))
    return [str(folder / "left.png"), str(folder / "right.png")]


def test_parts_of_a_photo_are_joined(halves: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    whole, parts, picture = tmp_path / "whole.json", tmp_path / "parts.json", tmp_path / "parts.jpg"
    assert run(capsys, "score", str(EXAMPLE), "--json", str(whole))[0] == 0
    status, out, err = run(capsys, "score", *halves, "--json", str(parts), "--annotated", str(picture))
    assert (status, err) == (0, "")
    one, joined = (json.loads(path.read_text()) for path in (whole, parts))
    assert one["photos"] == []
    assert "seen" not in one["board"]["tiles"][0]
    assert sorted(photo["file"] for photo in joined["photos"]) == ["left.png", "right.png"]
    assert joined["photo"] == joined["photos"][0]
    assert sorted(t["letter"] for t in joined["board"]["tiles"]) == sorted(t["letter"] for t in one["board"]["tiles"])
    assert {view["photo"] for tile in joined["board"]["tiles"] for view in tile["seen"][:1]} == {0, 1}
    assert all(meeple["seen"] for meeple in joined["board"]["meeples"])
    assert joined["board"]["problems"] == joined["set_aside"] == []
    assert out.count("joined:") == 2
    for path in (picture, tmp_path / "parts-2.jpg"):
        assert f"annotated: {path}" in out
        assert path.stat().st_size > 10_000


def test_another_board_among_the_photos_is_reported_and_nothing_is_lost(
    halves: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    stranger = str(EXAMPLE.with_name("test_snow.jpg"))
    report = tmp_path / "report.json"
    status, out, _ = run(capsys, "score", *halves, stranger, halves[0], "--json", str(report))
    document = json.loads(report.read_text())
    assert status == 0
    assert len(document["photos"]) == 2
    assert document["doubtful"]
    assert {(one["file"], one["reason"]) for one in document["set_aside"]} == {
        ("left.png", "same_photo"),
        ("test_snow.jpg", "photos_do_not_join"),
    }
    (problem,) = (p for p in document["board"]["problems"] if p["code"] == "photos_do_not_join")
    assert problem["text"].startswith("test_snow.jpg: ")
    assert "problem: test_snow.jpg" in out
