"""The command line with a game of spots: a photo scored, a line scored, explained, and the board enrolled."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from api.spots.tables import Tables
from tests.api.commands import run_parsed
from tests.api.pebbles.reader import drawn
from tests.api.pebbles.tables import COMPONENTS, LAID, enrol, photo, register
from tests.scoring.tower_of_babel.tables import COPY
from vision.enrolment.games import GameEnrolment, GameEnrolments

LINE = "pebbles red,blue square.0.0=red square.0.1=red square.0.2=blue square.1.1=blue square.1.0=- square.1.2=-"


@pytest.fixture(autouse=True)
def pebbles(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    register(monkeypatch)
    monkeypatch.setenv("WONDERTALLY_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)


def document(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    """Return a command's output as JSON."""
    return json.loads(run_parsed(capsys, *words, "--json", "-")[1])


@pytest.mark.parametrize("words", [["--game", "pebbles"], []])
def test_a_photo_is_scored(capsys: pytest.CaptureFixture[str], tmp_path: Path, words: list[str]) -> None:
    enrol()
    photo_path = photo(tmp_path / "table.png")
    arguments = [
        "score",
        str(photo_path),
        *words,
        "--set",
        "sun=red",
        "--json",
        "report.json",
        "--annotated",
        "drawn.png",
    ]
    status, out, error = run_parsed(capsys, *arguments)
    assert (status, error) == (0, None)
    assert "most points: red" in out
    assert "annotated: drawn.png" in out
    report = json.loads(Path("report.json").read_text())
    assert report["scores"]["total"] == {"red": 4, "blue": 2}
    assert report["board"]["notation"].startswith("pebbles red,blue square.0.0=red")
    picture, plain = cv2.imread("drawn.png"), cv2.imread(str(photo_path))
    assert picture is not None
    assert plain is not None
    assert picture.shape[0] > plain.shape[0]
    assert document(capsys, "explain", "report.json")["players"][0]["total"] == 4


def test_missing_facts_are_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run_parsed(capsys, "board", "score", LINE)
    assert status == 0
    assert "not known: sun; the score may differ. Type what lies there: --set sun=VALUE" in out
    report = document(capsys, "board", "score", LINE, "--set", "sun=-")
    assert not report["doubtful"]
    again = document(capsys, "board", "score", report["board"]["notation"])
    assert again["scores"] == report["scores"]


def test_a_label_file_is_scored_like_its_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    label = {"game": "pebbles", "photo": "x.png", "players": ["blue", "red"], "laid": {"sun": "red"}}
    (tmp_path / "label.json").write_text(json.dumps(label))
    report = document(capsys, "board", "score", "label.json")
    assert report["scores"]["final_scoring"] == {"red": 2, "blue": 0}


@pytest.mark.parametrize(
    ("words", "code", "status"),
    [
        (["score", "none.png", "--game", "pebbles"], "game_not_enrolled", 2),
        (["score", "none.png", "--game", "tower-of-babel"], "game_not_enrolled", 2),
        (["score", "none.png", "--set", "sun=red", "--game", "carcassonne"], "bad_usage", 2),
        (["score", "none.png", "--game", "pebbles", "--track", "red=4"], "bad_usage", 2),
        (["score", "none.png", "--nothing-more"], "game_wanted", 2),
        (["score", "none.png", "--game", "pebbles", "--values", "none.txt"], "file_not_found", 2),
        (["board", "score", "D0", "--game", "pebbles"], "other_game", 2),
        (["board", "score", "pebbles red", "--game", "tower-of-babel"], "other_game", 2),
        (["board", "score", "pebbles green sun=-"], "bad_players", 1),
        (["board", "score", "pebbles red sun=blue"], "spot_value_impossible", 1),
        (["board", "score", "pebbles red moon=blue"], "spot_unknown", 1),
        (["board", "score", "pebbles red sun=-", "--set", "sun"], "bad_set", 2),
        (["board", "score", "pebbles red sun"], "bad_notation", 1),
        (["explain", LINE, "--feature", "row7"], "no_such_feature", 2),
        (["explain", LINE, "--player", "green"], "no_such_player", 2),
        (["explain", LINE, "--player", "mauve"], "colour_unknown", 2),
        (["explain", LINE, "--rules", "C9"], "unknown_rules", 2),
        (["board", "score", LINE, "--rules", "C9"], "unknown_rules", 2),
        (["explain", LINE, "--road", "9,9"], "nothing_there", 2),
        (["enrol", "board", "none.png", "--game", "pebbles"], "bad_usage", 2),
        (["enrol", "board", "none.png", "--game", "chess", "--picture", "board"], "unsupported_game", 2),
        (["enrol", "forget", "pebbles"], "no_such_enrolment", 2),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else None,
)
def test_errors_have_one_form(capsys: pytest.CaptureFixture[str], words: list[str], code: str, status: int) -> None:
    returned, out, error = run_parsed(capsys, *words)
    assert (returned, out, error["code"]) == (status, "", code)


def test_complete_rows_require_the_printed_bonus(capsys: pytest.CaptureFixture[str]) -> None:
    whole = "pebbles red square.0.0=red square.0.1=red square.0.2=red"
    status, _, error = run_parsed(capsys, "board", "score", whole)
    assert (status, error["code"], error["details"]["key"]) == (1, "component_missing", "row_bonus")
    assert "beside each row" in error["text"]
    enrol()
    assert document(capsys, "board", "score", whole)["scores"]["total"]["red"] == 7


def test_a_feature_and_a_player_are_explained(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run_parsed(capsys, "explain", LINE, "--feature", "row0", "--player", "blue")
    lines = out.splitlines()
    assert lines[0] == "blue: 2"
    assert "row0: row, size 3, finished: red 2, blue 1" in lines
    assert "  red 2: 2 pebbles [Scoring, pebbles]" in lines


def test_a_board_is_enrolled_listed_and_removed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    board = drawn({})
    wide = cv2.copyMakeBorder(board, 10, 10, 20, 20, cv2.BORDER_CONSTANT, value=(90, 90, 90))
    cv2.imwrite("board.png", wide)
    corners = "corners_px = [[20, 10], [200, 10], [200, 130], [20, 130]]\n"
    (tmp_path / "mine.toml").write_text("[pictures.board]\nsize_mm = [90, 60]\n" + corners)
    arguments = ["enrol", "board", "board.png", "--game", "pebbles", "--picture", "board", "--components", "mine.toml"]
    status, out, _ = run_parsed(capsys, *arguments)
    assert status == 0
    assert "still missing: row_bonus is not known: it is printed beside each row" in out
    picture = GameEnrolments().load("pebbles").pictures["board"]
    assert picture.shape == (933, 1400, 3)
    assert abs(cv2.resize(picture, (180, 120), interpolation=cv2.INTER_AREA).astype(int) - board).mean() < 4
    (tmp_path / "mine.toml").write_text(COMPONENTS)
    summary = json.loads(
        run_parsed(capsys, "enrol", "board", "--game", "pebbles", "--components", "mine.toml", "--json", "-")[1]
    )
    assert summary == {"game": "pebbles", "pictures": ["board"], "missing": []}
    assert document(capsys, "enrol", "list")["games"]["pebbles"]["missing"] == []
    run_parsed(capsys, "enrol", "forget", "pebbles")
    assert run_parsed(capsys, "score", "board.png", "--game", "pebbles")[2]["code"] == "game_not_enrolled"


@pytest.mark.parametrize(
    ("components", "code"),
    [
        ("", "component_missing"),
        ("row_bonus = 'much'\n[pictures.board]\nsize_mm = [90, 60]", "components_invalid"),
        ("[pictures.board]\nsize_mm = [90, 0]", "components_invalid"),
        ("[pictures.board]\nsize_mm = [1e9, 1e9]", "components_invalid"),
        ("[pictures.board]\nsize_mm = [0.001, 0.001]", "components_invalid"),
        ("[pictures.board]\nsize_mm = [90000, 60]", "components_invalid"),
        ("[pictures.board]\nsize_mm = [90, 60]\ncorners_px = [[0, 0], [0, 9], [9, 9], [9, 0]]", "components_invalid"),
        ("[pictures.board]\nsize_mm = [90, 60]\ncorners_px = [[0, 0], [9, 0], [9, 999], [0, 9]]", "components_invalid"),
        ("this is no TOML", "components_invalid"),
    ],
)
def test_invalid_components_are_refused_and_nothing_is_stored(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, components: str, code: str
) -> None:
    cv2.imwrite("board.png", drawn({}))
    (tmp_path / "mine.toml").write_text(components)
    arguments = ["enrol", "board", "board.png", "--game", "pebbles", "--picture", "board", "--components", "mine.toml"]
    assert run_parsed(capsys, *arguments)[2]["code"] == code
    assert not Tables().pictures("pebbles")


BABEL = "tower-of-babel red,yellow discs.giza=0 discs.zeus=2 parts.zeus.red.1=3 parts.zeus.yellow.1=0"


def test_omitted_facts_count_as_nothing_with_that_option(capsys: pytest.CaptureFixture[str]) -> None:
    """This concerns facts that no photo shows: unread spots of the board stay unknown."""
    GameEnrolments().save(GameEnrolment("tower-of-babel", COPY))
    report = document(capsys, "board", "score", BABEL, "--set", "held.red.ship=2", "--nothing-more")
    values = {spot["id"]: spot["value"] for spot in report["board"]["spots"]}
    typed = {spot["id"] for spot in report["board"]["spots"] if spot["typed"]}
    assert (values["two-coloured"], values["held.red.ship"], values["held.red.camel-ship"]) == ("no", 2, 0)
    assert {values[spot] for spot in typed - {"two-coloured", "held.red.ship"}} == {0}
    assert not typed & {doubt["spot"] for doubt in report["doubts"]}
    assert "parts.zeus.red.3" in {doubt["spot"] for doubt in report["doubts"]}


def test_a_report_is_rescored_without_its_photo(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Its doubts and its corrections stay; nothing is read again: the photo is gone."""
    enrol()
    file = photo(tmp_path / "table.png", blend=0.45)
    read = document(capsys, "score", "table.png", "--set", "square.1.0=red")
    Path("report.json").write_text(json.dumps(read))
    anew = document(capsys, "score", "table.png", "--set", "square.1.0=red", "--set", "sun=red")
    assert anew["scores"]["confidence"] < 1
    Path("values.txt").write_text("# who has the sun\nsun=red\n")
    picture = file.read_bytes()
    file.unlink()
    again = document(capsys, "score", "report.json", "--values", "values.txt")
    assert [again[part] for part in ("board", "features", "scores", "doubts")] == [
        anew[part] for part in ("board", "features", "scores", "doubts")
    ]
    other = document(capsys, "score", "report.json", "--values", "values.txt", "--set", "sun=blue")
    assert other["scores"]["final_scoring"]["blue"] == read["scores"]["final_scoring"]["blue"] + 2
    assert run_parsed(capsys, "score", "report.json", "--annotated", "a.png")[2]["code"] == "photo_wanted"
    file.write_bytes(picture)
    assert run_parsed(capsys, "score", "report.json", "--annotated", "a.png")[2] is None
    assert cv2.imread("a.png") is not None


def test_a_report_of_tiles_is_rescored(capsys: pytest.CaptureFixture[str]) -> None:
    report = document(capsys, "board", "score", "D0")
    Path("report.json").write_text(json.dumps(report))
    again = document(capsys, "score", "report.json", "--track", "blue=7")
    assert again["board"]["notation"] == report["board"]["notation"]
    assert again["scores"]["on_track"] == {"blue": 7}


def test_doubts_about_a_tile_board_remain_after_rescoring(capsys: pytest.CaptureFixture[str]) -> None:
    """Points that the score board left open are not typed ones, and a doubt is no fact."""
    report = document(capsys, "board", "score", "D0V0/-U1 red^1,1=rN blue^0,0=cN", "--track", "blue=64")
    laps = {"player": "blue", "space": 14, "points": 64, "others": "14, 114"}
    report["board"]["problems"].append({"code": "track_laps_unknown", "tiles": [], "text": "laps", "values": laps})
    coats = {"tile": "D", "turns": 0, "coats": 1}
    doubt = {
        "square": [0, 0],
        "where": "row 1, column 1",
        "about": "tile",
        "instead": "a coat of arms",
        "probability": 0.3,
        "values": coats,
    }
    report["doubts"] = [doubt | {"final_scoring": {"blue": 2, "red": 3}}]
    report["scores"]["confidence"], report["doubtful"] = 0.7, True
    Path("report.json").write_text(json.dumps(report))
    again = document(capsys, "score", "report.json")
    assert [again[part] for part in ("doubtful", "doubts")] == [True, report["doubts"]]
    assert again["board"]["problems"] == report["board"]["problems"]
    assert (again["scores"]["confidence"], again["scores"]["on_track"]["blue"]) == (0.7, 64)
    typed = document(capsys, "score", "report.json", "--track", "blue=14", "--goods", "red.wine=1")
    assert (typed["doubtful"], typed["board"]["problems"]) == (True, [])
    assert typed["doubts"] == [doubt | {"final_scoring": None}]
    _, out, _ = run_parsed(capsys, "score", "report.json", "--goods", "red.wine=1")
    assert "Is there a coat of arms on it? With a coat of arms (30%): the score may differ" in " ".join(out.split())


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["--set", "parts.geza.red.1=2"], "parts.giza.red.1"),
        (["--set", "parts.red.giza.1=2"], "parts.giza.red.1"),
        (["--set", "row=lihgt"], "light"),
        (["--set", "xyzzy=2"], None),
    ],
)
def test_a_mistyped_spot_gets_a_suggestion(
    capsys: pytest.CaptureFixture[str], words: list[str], meant: str | None
) -> None:
    _, _, error = run_parsed(capsys, "board", "score", BABEL, *words)
    assert error["code"] in ("spot_unknown", "spot_value_impossible")
    assert error["details"].get("meant") == meant


def test_an_explanation_is_drawn_on_its_photo(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """On the photo itself, one beside a report, or one named; without any the error names it."""
    enrol()
    file = photo(tmp_path / "table.png")
    run_parsed(capsys, "score", "table.png", "--set", "sun=red", "--json", "report.json")
    height = len(drawn({}, 3))
    for source in ("table.png", "report.json"):
        status, out, _ = run_parsed(capsys, "explain", source, "--feature", "row0", "--picture", f"{source}.png")
        picture = cv2.imread(f"{source}.png")
        assert (status, "picture: " in out) == (0, True)
        assert picture is not None
        assert len(picture) > height
    other = tmp_path / "elsewhere"
    other.mkdir()
    file.rename(other / "table.png")
    arguments = ["explain", "report.json", "--picture", "drawn.png"]
    assert run_parsed(capsys, *arguments)[2]["code"] == "photo_wanted"
    assert run_parsed(capsys, *arguments, "--photo", str(other / "table.png"))[2] is None
    assert run_parsed(capsys, *arguments, "--photo", "report.json.png")[2]["code"] == "wrong_photo"
    assert run_parsed(capsys, "explain", LINE, "--picture", "drawn.png")[2]["code"] == "photo_wanted"


def test_texts_for_people_name_spots_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    GameEnrolments().save(GameEnrolment("tower-of-babel", COPY))
    _, out, _ = run_parsed(capsys, "board", "score", BABEL, "--nothing-more")
    assert "Statue of Zeus at Olympia" in out
    assert "wonder.zeus" not in out
    by_name = run_parsed(capsys, "explain", BABEL, "--feature", "statue of zeus at olympia")
    assert by_name == run_parsed(capsys, "explain", BABEL, "--feature", "wonder.zeus")
    assert by_name[1].startswith("Statue of Zeus at Olympia: ")
    assert "wonder.zeus" not in by_name[1]
    assert "Statue of Zeus at Olympia, red: building parts of value 1: 3" in by_name[1]
    _, _, error = run_parsed(capsys, "explain", BABEL, "--feature", "Statue of Zeus at Olimpia")
    assert (error["code"], error["details"]["meant"]) == ("no_such_feature", "Statue of Zeus at Olympia")
    for word in ("zeus", "zues", "olympia"):
        _, _, error = run_parsed(capsys, "explain", BABEL, "--feature", word)
        assert error["details"]["meant"] == "Statue of Zeus at Olympia"
        assert not [name for name in error["details"]["features"] if name.startswith("wonder.")]
    _, _, error = run_parsed(capsys, "explain", BABEL, "--feature", "of babylon or giza")
    assert len(error["details"]["features"]) == 8
    _, _, error = run_parsed(capsys, "explain", BABEL, "--feature", " at ")
    assert {*error["details"]["features"]} == {"Statue of Zeus at Olympia", "Temple of Artemis at Ephesus"}
    assert "meant" not in error["details"]


def test_mistyped_names_get_a_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    enrol()
    GameEnrolments().add_pieces("pebbles", {"giza": [np.full((40, 40, 4), 90, np.uint8)]})
    for arguments, meant in (
        (("score", "none.png", "--game", "Tower-of-Bable"), "tower-of-babel"),
        (("enrol", "board", "none.png", "--picture", "map", "--game", "world-wonder"), "world-wonders"),
        (("enrol", "forget", "pebles"), "pebbles"),
        (("enrol", "forget", "gizza"), "giza"),
        (("enrol", "forget", "gizza", "--game", "pebbles"), "giza"),
    ):
        assert run_parsed(capsys, *arguments)[2]["details"]["meant"] == meant


def test_the_contents_of_spots_apply_to_an_enrolled_game(capsys: pytest.CaptureFixture[str]) -> None:
    """Without an enrolled board the game must be named, and then the error explains how to enrol its board."""
    cv2.imwrite("board.png", drawn({}))
    _, _, error = run_parsed(capsys, "score", "board.png", "--nothing-more")
    assert (error["code"], error["details"]["boards_shown"]) == ("game_wanted", [])
    arguments = ("score", "board.png", "--nothing-more", "--game", "pebbles")
    assert run_parsed(capsys, *arguments)[2]["code"] == "game_not_enrolled"


def test_an_enrolled_game_need_not_be_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """It follows from the components file, or from the only enrolled game; otherwise the error names those enrolled."""
    Path("babel.toml").write_text(COPY)
    enrolled = document(capsys, "enrol", "board", "--components", "babel.toml")
    assert enrolled["game"] == "tower-of-babel"
    cv2.imwrite("grey.png", np.full((300, 400, 3), 90, np.uint8))
    _, _, error = run_parsed(capsys, "score", "grey.png")
    assert (error["code"], error["details"]["boards_shown"]) == ("board_not_found", ["tower-of-babel"])
    run_parsed(capsys, "enrol", "forget", "tower-of-babel")
    enrol()
    cv2.imwrite("board.png", drawn({}))
    assert document(capsys, "enrol", "board", "board.png", "--picture", "board")["game"] == "pebbles"
    assert run_parsed(capsys, "score", "grey.png", "--set", "sun=red")[2]["code"] == "board_not_found"
    GameEnrolments().save(GameEnrolment("tower-of-babel", COPY))
    for words in (["score", "grey.png", "--set", "sun=red"], ["enrol", "board", "board.png", "--picture", "board"]):
        _, _, error = run_parsed(capsys, *words)
        assert (error["code"], error["details"]["boards_shown"]) == ("game_wanted", ["tower-of-babel", "pebbles"])


def test_labels_name_their_game(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    enrol()
    photo(tmp_path / "x.png")
    laid = {f"square.{row}.{col}": LAID.get((row, col), "-") for row in range(2) for col in range(3)}
    label = {"game": "pebbles", "photo": "x.png", "players": ["red", "blue"], "laid": {**laid, "sun": "-"}}
    (tmp_path / "label.json").write_text(json.dumps(label))
    arguments = ["evaluate", "label.json", "--photos", ".", "--out", "out"]
    assert document(capsys, *arguments)["totals"]["spots"]["pebble_square"]["part"] == 6
