"""`wondertally board score` accepts the program's own output: reports and records of games."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from api.errors import ReportError
from api.inputs.text import load_report_text
from scoring.carcassonne.board.notation import format_notation
from scoring.carcassonne.play.game import Game
from scoring.carcassonne.record.record import Record
from scoring.carcassonne.record.text import format_record
from tests.api.commands import error_of, run
from tests.api.tables_read import dealt
from tests.scoring.games import SETUPS, random_move


def played(moves: int) -> Game:
    game, rng = Game(SETUPS["base"]), Random(3)
    for _ in range(moves):
        move = random_move(game, rng)
        assert move is not None
        game.play(move)
    return game


def test_a_record_is_replayed_and_its_last_board_scored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game, file = played(40), tmp_path / "game.txt"
    file.write_text(format_record(Record.of(game)), encoding="utf-8")
    status, out, err = run(capsys, "board", "score", str(file), "--json", "-")
    assert (status, err) == (0, "")
    scores = json.loads(out)["scores"]
    assert scores["on_track"] == dict(game.scores)
    assert scores["total"] == dict(game.totals())
    file.write_text(file.read_text(encoding="utf-8").replace("= 0", "= 7", 1), encoding="utf-8")
    assert error_of(run(capsys, "board", "score", str(file))[2])["code"] == "score_differs"


def test_a_report_is_scored_as_it_was_and_by_other_rules(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report, board = tmp_path / "report.json", format_notation(dealt(5))
    said = ("--track", "red=90", "--players", "5", "--goods", "red.wine=2", "--rules", "C1-first")
    status, _, err = run(capsys, "board", "score", board, *said, "--json", str(report))
    assert (status, err) == (0, "")
    first = json.loads(report.read_text(encoding="utf-8"))
    again = json.loads(run(capsys, "board", "score", str(report), "--json", "-")[1])
    assert {**again, "timing_ms": None} == {**first, "timing_ms": None}
    today = json.loads(
        run(capsys, "board", "score", str(report), "--rules", "C3", "--track", "red=1", "--json", "-")[1]
    )
    assert (today["rules"]["edition"], today["scores"]["on_track"]["red"]) == ("C3", 1)


@pytest.mark.parametrize("table", ["tiles", "spots"])
def test_a_truncated_or_damaged_report_is_reported_as_a_report(
    table: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, torn = tmp_path / "report.json", tmp_path / "torn.json"
    board = format_notation(dealt(5)) if table == "tiles" else "tower-of-babel red,blue track.red=40 track.blue=35"
    assert run(capsys, "board", "score", board, "--json", str(whole))[0] == 0
    data = whole.read_bytes().replace(b'"names":{}', '"names":{"red":"Ö"}'.encode())
    for length in [*Random(3).sample(range(2, len(data) - 2), 20), 3, data.index("Ö".encode()) + 1]:
        torn.write_bytes(data[:length])
        with pytest.raises(ReportError) as damaged:
            load_report_text(torn)
        assert (damaged.value.code, damaged.value.details["file"]) == ("bad_report", str(torn))
    games: tuple[list[str], ...] = ([], ["--game", "tower-of-babel"], ["--game", "carcassonne"])
    doors = [["score", *game] for game in games] + [["board", "score"], ["explain"]]
    doors += [["enrol", "tiles"], ["enrol", "monuments"], ["enrol", "wonder", "alhambra"]]
    for door in doors:
        status, out, err = run(capsys, *door, str(torn))
        assert (status, out, error_of(err)["code"]) == (1, "", "bad_report"), door


def test_a_report_with_an_unknown_rule_set_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = tmp_path / "report.json"
    assert run(capsys, "board", "score", format_notation(dealt(5)), "--json", str(report))[0] == 0
    report.write_text(report.read_text("utf-8").replace('"edition":"C3"', '"edition":"C9"'), encoding="utf-8")
    for door in ("score", "explain"):
        status, _, err = run(capsys, door, str(report))
        assert (status, error_of(err)["code"], error_of(err)["details"]["field"]) == (1, "bad_report", "rules.edition")


def test_a_report_of_spots_is_scored_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = tmp_path / "report.json"
    table = "tower-of-babel red,blue track.red=40 track.blue=35"
    if run(capsys, "board", "score", table, "--json", str(report))[0]:
        pytest.fail("the table of spots is not scored")
    again = json.loads(run(capsys, "board", "score", str(report), "--json", "-")[1])
    first = json.loads(report.read_text(encoding="utf-8"))
    assert (again["board"]["notation"], again["scores"]) == (first["board"]["notation"], first["scores"])


def test_a_damaged_report_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "report.json"
    file.write_text('{"schema": "wondertally/1", "game": "carcassonne"}', encoding="utf-8")
    assert error_of(run(capsys, "board", "score", str(file))[2])["code"] == "bad_report"


def test_a_wonder_stated_as_unowned_is_no_problem(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The report and its explanation say so; an owner named later holds it."""
    report = tmp_path / "report.json"
    board = "D0(WH/alhambra#0)0/-(WH/alhambra#1)0V0/-(WH/alhambra#2)0(WH/alhambra#3)0(WH/alhambra#4)0 blue~2,2=W"
    run(capsys, "board", "score", board.replace(" blue~2,2=W", ""), "--json", str(report))
    assert "unmarked_wonder" in list_problems(report)
    run(capsys, "board", "score", board, "--owner", "alhambra=nobody", "--json", str(report))
    assert json.loads(report.read_text(encoding="utf-8"))["unowned"] == ["WH/alhambra"]
    for words in ((board, "--owner", "alhambra=nobody"), (str(report),)):
        assert run(capsys, "board", "score", *words, "--json", str(tmp_path / "again.json"))[0] == 0
        assert "unmarked_wonder" not in list_problems(tmp_path / "again.json")
        out = run(capsys, "explain", *words)[1]
        assert "Nobody was entered as the owner of the Alhambra" in out
        assert "no marker" not in out
    out = run(capsys, "explain", str(report), "--owner", "alhambra=blue")[1]
    assert "Blue holds the Alhambra" in out


def list_problems(report: Path) -> list[str]:
    return [problem["code"] for problem in json.loads(report.read_text(encoding="utf-8"))["board"]["problems"]]


def test_one_file_for_two_outputs_is_refused_at_the_start(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, report = tmp_path / "o.png", tmp_path / "report.json"
    run(capsys, "board", "score", "D0", "--json", str(report))
    for words in (
        ("explain", str(report), "--picture"),
        ("score", "no.jpg", "--annotated"),
        ("moves", "a", "--record"),
    ):
        same = str(tmp_path / "x" / ".." / "o.png") if words[0] == "explain" else str(file)
        (tmp_path / "x").mkdir(exist_ok=True)
        status, _, err = run(capsys, *words, str(file), "--json", same)
        assert (status, error_of(err)["code"]) == (2, "output_twice")
        assert not file.exists()
    kept = tmp_path / "kept.json"
    kept.write_text("mine", encoding="utf-8")
    status, _, err = run(capsys, "score", "no.jpg", "--json", str(kept), "--annotated", str(tmp_path / "no" / "a.png"))
    assert (status, error_of(err)["code"], kept.read_text(encoding="utf-8")) == (2, "cannot_write", "mine")


@pytest.mark.parametrize(
    ("words", "written"),
    [
        (("batch", "photos", "--out", "out"), ("results.csv", "index.html", "thumbnails/a.json", "../out")),
        (("event", "import", "out"), ("results.jsonl",)),
        (("event", "token", "out"), ("results.jsonl",)),
        (("evaluate", "a.json", "--photos", "photos", "--out", "out"), ("evaluation.csv", "errors.json")),
    ],
    ids=lambda words: " ".join(words),
)
def test_outputs_into_a_folder_are_checked_at_the_start(
    words: tuple[str, ...],
    written: tuple[str, ...],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """There are no photos, labels or batches at all: the refusal comes before any search for them."""
    monkeypatch.chdir(tmp_path)
    for file, code in [*((f"out/{name}", "output_twice") for name in written), ("no/a.json", "cannot_write")]:
        status, _, err = run(capsys, *words, "--json", file)
        assert (status, error_of(err)["code"]) == (2, code)
        assert not [*tmp_path.iterdir()], "nothing is left"
    for file in ("-", "out/a.json", "a.json"):
        status, _, err = run(capsys, *words, "--json", file)
        assert error_of(err)["code"] not in ("output_twice", "cannot_write")
        assert not (tmp_path / "a.json").exists()


@pytest.mark.parametrize("words", [("batch", "photos"), ("evaluate", "a.json", "--photos", "photos")], ids=" ".join)
def test_a_folder_that_cannot_be_created_is_refused_at_the_start(
    words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    status, _, err = run(capsys, *words, "--out", str(tmp_path / "file" / "out"))
    assert (status, error_of(err)["code"]) == (2, "cannot_write")
    assert (tmp_path / "file").read_text(encoding="utf-8") == "mine"


def test_the_error_for_an_unknown_owner_explains_how_to_write_nobody(capsys: pytest.CaptureFixture[str]) -> None:
    error = error_of(run(capsys, "board", "score", "D0", "--owner", "alhambra=none")[2])
    assert (error["code"], error["details"].get("meant"), error["details"]["nobody"]) == (
        "colour_unknown",
        None,
        "nobody",
    )
    assert "meant" not in error_of(run(capsys, "board", "score", "D0", "--goods", "nobody.wine=1")[2])["details"]
