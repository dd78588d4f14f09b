"""`wondertally explain` of a report with a copy of a wonder: by that copy's layout, not the shipped one."""

from __future__ import annotations

from pathlib import Path

import pytest
import tomlkit

from api.carcassonne.report.builder import build_board_report
from scoring.carcassonne.board.board import Board, PlacedMeeple, PlacedWonder, Placement
from scoring.carcassonne.wonders.tiles import WonderLayout
from tests.api.carcassonne.explain.accounts import told
from tests.api.carcassonne.report.copied import ALHAMBRA, copy_of, other_copy, shipped
from tests.api.commands import error_of, run
from vision.enrolment.wonders import EnrolledWonder, EnrolledWonders

ROAD = ("--road", "3,2")


def write_report(folder: Path, layout: WonderLayout) -> str:
    """Write the report of the Alhambra with a straight road beneath its first road, and a player on its city."""
    board = Board(
        {**PlacedWonder(layout, (0, 0)).placements, (3, 1): Placement("U", 1)}, (PlacedMeeple("red", (0, 0), 0),)
    )
    file = folder / "report.json"
    file.write_text(build_board_report(board).to_json(), encoding="utf-8")
    return str(file)


def test_the_road_of_a_copy_is_explained(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """It leaves the copy southwards and continues there; the shipped one leaves northwards."""
    (road,) = told(capsys, write_report(tmp_path, copy_of()), *ROAD)["features"]
    assert (road["size"], road["tiles"]) == (2, [[2, 1], [3, 1]])
    assert [(end["tile"], end["side"]) for end in road["open_ends"]] == [([3, 1], "S")]
    (road,) = told(capsys, write_report(tmp_path, shipped()), *ROAD)["features"]
    assert (road["size"], road["tiles"]) == (1, [[2, 1]])


def test_a_named_file_overrides_the_layout_of_the_report(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    report, file = write_report(tmp_path, copy_of()), tmp_path / "mine.toml"
    file.write_text(tomlkit.dumps(dict(other_copy().entry)), encoding="utf-8")
    (road,) = told(capsys, report, *ROAD, "--wonder", str(file))["features"]
    assert (road["size"], [end["side"] for end in road["open_ends"]]) == (1, ["N"])


@pytest.mark.parametrize("name", ["copy", "shipped"])
def test_later_enrolments_do_not_change_the_explanation_of_a_report(
    name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WONDERTALLY_DATA", str(tmp_path / "data"))
    report = write_report(tmp_path, copy_of() if name == "copy" else shipped())
    before = told(capsys, report)
    EnrolledWonders().save(EnrolledWonder(other_copy()))
    assert told(capsys, report) == before


def test_a_report_whose_layout_is_damaged_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    report = Path(write_report(tmp_path, copy_of()))
    report.write_text(report.read_text(encoding="utf-8").replace(f'"id":"{ALHAMBRA}"', '"id":"WH/colossus"'))
    status, out, err = run(capsys, "explain", str(report))
    assert (status, out, error_of(err)["code"]) == (1, "", "bad_report")


@pytest.mark.parametrize("name", ["Alhambra", "alhambra", "Große Mauer"])
def test_a_wonder_is_found_by_its_name_and_missed_by_it(
    name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    report = write_report(tmp_path, shipped())
    if name.lower() == "alhambra":
        assert [feature["wonder"] for feature in told(capsys, report, "--feature", name)["features"]] == ["WH/alhambra"]
    status, _, err = run(capsys, "explain", "D0", "--feature", name)
    assert (status, error_of(err)["code"]) == (2, "no_such_feature")
    assert ("No Alhambra lies on this board." in err) == (name.lower() == "alhambra")
