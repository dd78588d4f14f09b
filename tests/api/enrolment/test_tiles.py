"""Enrolling tiles from the command line: by a photo with a stated order, and by a corrected report."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest

from api.enrolment.tiles import enrol_report
from datasets.art.procedural import draw_tile_set
from datasets.art.style import STYLES
from datasets.render.shots import Manner, shoot
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.notation import format_notation, parse_notation
from scoring.carcassonne.deal.boards import deal_random_board
from scoring.carcassonne.tiles.catalogue import Catalogue, load_base_catalogue
from tests.api.commands import error_of, run
from tests.api.enrolment.marked import BOARD, report_of
from tests.api.tables_read import WIDTH
from tests.readers import reader
from vision.enrolling.tiles import fit_board
from vision.enrolment.prints import Enrolments, TileKey
from vision.errors import EnrolmentError
from vision.photo.decoding import Photo
from vision.reader import Reader


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WONDERTALLY_DATA", str(tmp_path / "data"))


def test_a_report_enrols_its_tiles_in_their_turns(tmp_path: Path) -> None:
    photo, report = report_of(tmp_path)
    enrolled = enrol_report("mine", report, photo, None).enrolment
    assert enrolled.keys == tuple(TileKey(placement.tile, placement.turns) for _, placement in BOARD.known)
    red = enrolled.crops[..., 2].astype(float) - enrolled.crops[..., 0]
    corners = [
        red[:, rows, cols].mean() for rows in (slice(5, 18), slice(46, 59)) for cols in (slice(5, 18), slice(46, 59))
    ]
    assert corners[0] > 150 > 20 > max(corners[1:])


def test_correcting_a_turn_does_not_turn_the_print(tmp_path: Path) -> None:
    photo, report = report_of(tmp_path)
    before = enrol_report("mine", report, photo, None).enrolment
    tile = report.board.tiles[3]
    tile.turns = (tile.turns + 1) % 4
    with pytest.raises(EnrolmentError, match="report_disagrees"):
        enrol_report("mine", report, photo, None)
    placements = {(t.row, t.col): (t.tile, t.turns) for t in report.board.tiles}
    board = parse_notation("/".join(_row(placements, row) for row in range(1 + max(row for row, _ in placements))))
    after = enrol_report("mine", report, photo, board).enrolment
    assert after.keys[3] == before.keys[3].turned(1)
    assert (after.crops == before.crops).all()


def _row(placements: dict[tuple[int, int], tuple[str | None, int]], row: int) -> str:
    cols = range(1 + max(col for _, col in placements))
    return "".join("({}){}".format(*placements[row, col]) if (row, col) in placements else "-" for col in cols)


def test_a_square_that_the_photo_does_not_show_is_left_out(tmp_path: Path) -> None:
    photo, report = report_of(tmp_path)
    corners = report.board.tiles[0].corners_px
    assert corners is not None
    report.board.tiles[0].corners_px = [(x - 2 * WIDTH, y) for x, y in corners]
    assert len(enrol_report("mine", report, photo, None).enrolment.keys) == len(BOARD.tiles) - 1


def test_a_tile_set_is_enrolled_listed_and_removed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, report = report_of(tmp_path)
    file = tmp_path / "report.json"
    file.write_text(report.to_json())
    assert run(capsys, "enrol", "tiles", str(file)) == (0, "enrolled: report, 14 tiles\n", "")
    assert run(capsys, "enrol", "tiles", str(file), "--name", "again")[0] == 0
    status, _, error = run(capsys, "enrol", "tiles", str(file), "--name", "again")
    assert (status, error_of(error)["code"]) == (2, "enrolment_exists")
    (Enrolments().folder / "report.npz").write_bytes(b"no archive")
    status, listed, _ = run(capsys, "enrol", "list")
    assert status == 0
    assert listed.startswith("again: 14 tiles of table.png, ")
    assert "report: The enrolment is damaged" in listed
    for name in ("again", "report"):
        assert run(capsys, "enrol", "forget", name) == (0, f"forgotten: {name}\n", "")
    nothing = (0, "Nothing is enrolled. `wondertally enrol --help` shows what can be.\n", "")
    assert run(capsys, "enrol", "list") == nothing


@pytest.mark.parametrize(
    ("arguments", "code", "status"),
    [
        (["forget", "mine"], "no_such_enrolment", 2),
        (["forget", "../mine"], "bad_name", 2),
        (["tiles", "report.json", "--name", "a/b"], "bad_name", 2),
        (["tiles", "report.json", "--board", "D0"], "board_does_not_fit", 2),
        (["tiles", "report.json", "--board", "Z0"], "unknown_letter", 1),
        (["tiles", "none.png", "--board", "D0"], "photo_not_found", 2),
        (["tiles", "moved.json"], "photo_wanted", 2),
        (["tiles", "moved.json", "--photo", "other.png"], "wrong_photo", 2),
        (["tiles", "broken.json"], "bad_report", 1),
    ],
)
def test_an_invalid_enrolment_gives_an_error_with_a_code(
    arguments: list[str], code: str, status: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, report = report_of(tmp_path)
    (tmp_path / "report.json").write_text(report.to_json())
    (tmp_path / "broken.json").write_text(json.dumps({"schema": "wondertally/report/1"}))
    assert report.photo
    report.photo.sha256 = "0" * 64
    (tmp_path / "moved.json").write_text(report.to_json())
    (tmp_path / "other.png").write_bytes((tmp_path / "table.png").read_bytes())
    named = [str(tmp_path / a) if a.endswith((".json", ".png")) else a for a in arguments]
    exit_code, _, error = run(capsys, "enrol", *named)
    assert (error_of(error)["code"], exit_code) == (code, status)
    assert Enrolments().names() == []


def test_enrolled_art_is_read_better(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Coats of arms in colours that the nets never saw: on another photo of the same tiles they are recognised."""
    board = Board(deal_random_board(Random(16), 16).tiles)
    layouts = {placement.tile for _, placement in board.known}
    catalogue = Catalogue(tuple(layout for layout in load_base_catalogue() if layout.id in layouts))
    art = draw_tile_set(STYLES["ink"], seed=2, size=120, variants=1, catalogue=catalogue)
    manner = Manner((800, 600), (60.0, 90.0))
    first, second = (shoot(board, art, "checks", manner, np.random.default_rng(seed)).image for seed in (1, 2))
    cv2.imwrite(str(tmp_path / "first.jpg"), first)
    status, output, _ = run(capsys, "enrol", "tiles", str(tmp_path / "first.jpg"), "--board", format_notation(board))
    assert (status, output.split("\n")[0]) == (0, "enrolled: first, 16 tiles")
    photo = Photo.from_bytes(cv2.imencode(".jpg", second)[1].tobytes())
    plain = reader()
    before = fit_board(plain.look(photo), board, plain.square_reader.catalogue)
    after = fit_board(Reader(enrolments=Enrolments().all()).look(photo), board, plain.square_reader.catalogue)
    assert after.otherwise == ()
    assert after.nats > before.nats
