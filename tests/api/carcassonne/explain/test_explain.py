"""`wondertally explain`: its output for a board, a label file and a report, and its refusals."""

from __future__ import annotations

import io
import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from api.carcassonne.explain.accounts import build_explanation
from api.carcassonne.explain.source import Source, read_source
from api.carcassonne.explain.text import print_explanation
from api.carcassonne.report.builder import build_board_report, build_report
from api.documents.explanation import Explanation
from api.documents.table_options import NamedSquare, Question
from api.inputs.subjects import MAX_LISTED_FEATURES, parse_square
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.features import build_feature_map, list_lines
from scoring.carcassonne.board.label import write_label
from scoring.carcassonne.board.notation import format_notation, parse_notation
from scoring.carcassonne.final.rulesets import TODAY, Ruleset, get_ruleset
from scoring.carcassonne.final.scoring import compute_final_scoring
from tests.api.carcassonne.explain.accounts import build_circus_line, no_photo, told
from tests.api.commands import error_of, run
from tests.api.tables_read import dealt, grey_photo, reading_of
from tests.scoring.laid import laid, wonder
from vision.photo.decoding import Photo

REAL = Path(__file__).parents[5] / "shared" / "labels" / "t3k14_spielende.json"
PHOTO = Path(__file__).parents[4] / "datasets" / "examples" / "test_level.jpg"
ROUND = "V3V0/V2V1 red^0,0=rE"
AXES = (("Row", "column"), ("Column", "row"))


def explained(board: Board, question: Question = Question(), rules: Ruleset = TODAY) -> Explanation:  # noqa: B008
    return build_explanation(Source(board, build_board_report(board, rules), rules), question)[0]


@settings(max_examples=15)
@given(st.integers(0, 10_000))
def test_without_a_selection_everything_is_explained(seed: int) -> None:
    board = dealt(seed)
    explanation, sheet = explained(board), compute_final_scoring(board)
    assert [feature.id for feature in explanation.features] == [feature.id for feature in build_feature_map(board)]
    for feature, account in zip(build_feature_map(board), explanation.features, strict=True):
        assert sorted(account.tiles) == sorted(feature.squares)
        assert account.size == feature.size
    assert {player.player: player.total for player in explanation.players} == dict(sheet.totals)
    for player in explanation.players:
        assert sum(entry.points for entry in player.entries) == player.total
        assert all(entry.section and "explain-" not in entry.section for entry in player.entries)
    assert [(line.axis, line.index) for line in explanation.lines] == [
        (line.axis, line.index) for line in list_lines(board)
    ]


@settings(max_examples=10)
@given(st.integers(0, 10_000))
def test_an_explanation_reads_back(seed: int) -> None:
    explanation = explained(dealt(seed))
    assert Explanation.model_validate_json(explanation.to_json()) == explanation


def test_a_roads_tiles_are_listed_in_walking_order(capsys: pytest.CaptureFixture[str]) -> None:
    document = told(capsys, ROUND, "--road", "2,2")
    (road,) = document["features"]
    assert road["tiles"] == [[0, 0], [0, 1], [1, 1], [1, 0]]
    assert (road["size"], road["complete"], road["points"], road["sum"]) == (4, True, 4, "4 tiles x 1")
    assert document["players"] == document["lines"] == document["squares"] == []


def test_a_city_is_explained_with_its_coats_of_arms(capsys: pytest.CaptureFixture[str]) -> None:
    document = told(capsys, "-E2/E1C0E3/-E0", "--city", "2,2")
    (city,) = document["features"]
    assert city["tiles"] == [[0, 1], [1, 0], [1, 1], [1, 2], [2, 1]]
    assert city["marks"] == [{"what": "coat of arms", "tile": [1, 1], "where": "row 2, column 2"}]
    assert (city["complete"], city["points"], city["open_ends"]) == (True, 12, [])


def test_a_farm_is_explained_with_the_cities_it_touches(capsys: pytest.CaptureFixture[str]) -> None:
    document = told(capsys, "E2E0/E0- blue_0,0=fNL", "--field", "1,1")
    farms = {farm["id"]: farm for farm in document["features"]}
    assert all(farm["kind"] == "field" for farm in farms.values())
    (farm,) = [farm for farm in farms.values() if farm["meeples"] == {"blue": 1}]
    assert {city["complete"] for city in farm["cities"]} == {True, False}


def test_a_square_is_explained_with_every_feature_on_it(capsys: pytest.CaptureFixture[str]) -> None:
    document = told(capsys, "D1 red^0,0=rN", "--square", "1,1")
    (square,) = document["squares"]
    assert (square["name"], square["turns"]) == ("D", 1)
    assert {part["feature"] for part in square["parts"]} == {feature["id"] for feature in document["features"]}
    assert len(document["features"]) == 4


def test_several_selections_are_combined(capsys: pytest.CaptureFixture[str]) -> None:
    document = told(capsys, ROUND, "--feature", "r1", "--feature", "F2", "--player", "red", "--rows")
    assert [feature["id"] for feature in document["features"]] == ["R1", "F2"]
    assert [player["player"] for player in document["players"]] == ["red"]
    assert [line["text"] for line in document["lines"]] == [
        *(f"{axis} {index}: {across}s 1 to 2 (2 tiles)" for axis, across in AXES for index in (1, 2))
    ]


def test_a_feature_is_found_by_the_name_that_texts_use(capsys: pytest.CaptureFixture[str]) -> None:
    line = f"@2,4 {ROUND}".replace("red^0,0", "red^2,4")
    by_id = told(capsys, line, "--feature", "r1", "--square", "1,1")
    by_name = told(capsys, line, "--feature", "r1.1", "--square", "1,1")
    assert by_name == by_id
    road = next(one for one in by_name["features"] if one["id"] == "R1")
    assert road["name"] == "R1.1"
    assert {part["name"] for part in by_name["squares"][0]["parts"]} == {one["name"] for one in by_name["features"]}


@pytest.mark.parametrize(
    ("asked", "meant"),
    [("R1.11", "R1.1"), ("r2.1", "R1.1"), ("C3.1", "C3.1a"), ("C9.9", None), ("R9", None), ("lake", None)],
)
def test_an_unknown_feature_is_answered_with_the_existing_ones(
    asked: str, meant: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    status, _, err = run(capsys, "explain", "V3V0/V2V1/H0G0", "--feature", asked)
    error = error_of(err)
    assert (status, error["code"]) == (2, "no_such_feature")
    names = {feature.label for feature in build_feature_map(parse_notation("V3V0/V2V1/H0G0"))}
    listed = error["details"]["features"]
    assert listed
    assert {*listed} == {name for name in names if asked == "lake" or name[0] == asked[0].upper()}
    assert error["details"].get("meant") == meant


@pytest.mark.parametrize("asked", ["Alhambra", "alhambra", "TERRAKOTTA-ARMEE", "terracotta army", "Armata de Teracota"])
def test_a_wonder_may_be_named_in_each_language(asked: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The name works like its square; its full spelling need not be typed."""
    wonders = ((wonder("alhambra", (0, 10)), "blue"), (wonder("terracotta-army", (0, 20)), "red"))
    line = format_notation(laid("E0", *wonders))
    by_name = told(capsys, line, "--feature", asked)
    assert by_name["features"][0]["wonder"] == ("WH/alhambra" if "lha" in asked else "WH/terracotta-army")
    assert by_name == told(capsys, line, "--feature", by_name["features"][0]["name"])


@pytest.mark.parametrize(
    ("asked", "meant"),
    [("Alhambre", "Alhambra"), ("Circus Maximux", "Circus Maximus"), ("Zirkus", None), ("Tikal", None)],
)
def test_a_mistyped_wonder_gets_a_suggestion(asked: str, meant: str | None, capsys: pytest.CaptureFixture[str]) -> None:
    """The first letter of Circus is that of cities, which must not be suggested instead."""
    board = laid("E0", (wonder("alhambra", (0, 10)), "blue"), (wonder("circus-maximus", (0, 20)), "red"))
    status, _, err = run(capsys, "explain", format_notation(board), "--feature", asked)
    error = error_of(err)
    assert (status, error["code"], error["details"].get("meant")) == (2, "no_such_feature", meant)


@pytest.mark.parametrize("word", ["", "  "])
@pytest.mark.parametrize(("what", "example"), [("feature", "C1.1"), ("player", "red")])
def test_the_error_for_an_empty_name_states_that_it_is_empty(
    what: str, example: str, word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must not be treated as a slip of the first name."""
    status, _, err = run(capsys, "explain", "E0E0 yellow^0,0=cN red^0,1=cN", f"--{what}", word)
    error = error_of(err)
    assert (status, error["code"]) == (2, f"no_such_{what}")
    assert error["text"] == f"The name of a {what} is wanted, such as {example}: what was given is empty."
    assert "meant" not in error["details"]


def test_the_list_of_suggested_features_is_short(capsys: pytest.CaptureFixture[str]) -> None:
    board = dealt(3)
    fields = sum(feature.kind == "field" for feature in build_feature_map(board))
    _, _, err = run(capsys, "explain", format_notation(board), "--feature", "F99")
    details = error_of(err)["details"]
    assert len(details["features"]) + details.get("more", 0) == fields
    assert len(details["features"]) <= MAX_LISTED_FEATURES < len(build_feature_map(board))


def test_a_square_is_found_by_the_name_that_texts_use(capsys: pytest.CaptureFixture[str]) -> None:
    line = f"@2,4 {ROUND.split()[0]} red^2,4=rE"
    by_number = told(capsys, line, "--road", "2,2", "--square", "1,2")
    by_name = told(capsys, line, "--road", "row 2, column 2", "--square", "Row 1, column 2")
    assert by_name == by_number
    assert by_number["origin"] == [2, 4]
    (road,) = by_number["features"][:1]
    assert (road["tiles"][0], road["where"][0]) == ([2, 4], "row 1, column 1")
    assert road["text"][0].startswith("Road R1.1: 4 tiles: row 1, column 1; row 1, column 2; ")


@pytest.mark.parametrize("offset", ["", "@-2,-3 ", "@1,0 "])
def test_a_command_takes_the_name_of_a_feature_s_first_square(
    offset: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Every square bears its name, whichever row its document begins in."""
    path = str(tmp_path / "report.json")
    assert run(capsys, "board", "score", f"{offset}U1V1/-V0", "--json", path)[0] == 0
    for feature in (report := json.loads(Path(path).read_text()))["features"]:
        kind, row, col = feature["kind"], *re.findall(r"\d+", feature["name"])
        found = told(capsys, path, f"--{kind}", f"{row},{col}")["features"]
        assert feature["name"] in [each["name"] for each in found]
        assert feature["where"][0] == f"row {row}, column {col}"
    assert {tile["where"] for tile in report["board"]["tiles"]} == {
        *("row 1, column 1", "row 1, column 2", "row 2, column 2")
    }
    assert [line["number"] for line in report["lines"]] == [1, 2, 1, 2]


@pytest.mark.parametrize(
    ("arguments", "code", "status"),
    [
        ([], "bad_usage", 2),
        (["D0", "--colour"], "bad_usage", 2),
        (["none.json"], "file_not_found", 2),
        (["none.jpg"], "photo_not_found", 2),
        (["Z0"], "unknown_letter", 1),
        (["D0", "--feature", "R9"], "no_such_feature", 2),
        (["D0", "--road", "here"], "bad_square", 2),
        (["D0", "--road", "2,2"], "nothing_there", 2),
        (["D0", "--road", "0,0"], "nothing_there", 2),
        (["B0", "--road", "1,1"], "nothing_there", 2),
        (["D0", "--square", "2,2"], "nothing_there", 2),
        (["D0 red^0,0=cN", "--player", "blue"], "no_such_player", 2),
        (["D0 red^0,0=cN", "--player", "mauve"], "colour_unknown", 2),
        (["D0", "--rules", "C9"], "unknown_rules", 2),
        (["D0", "--json", "no/such/folder.json"], "cannot_write", 2),
        (["D0", "--picture", "out.gif"], "cannot_write", 2),
        (["D0" + "-999" * 9 + "D0", "--picture", "out.png"], "too_wide_to_draw", 2),
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
    returned, out, err = run(capsys, "explain", *arguments)
    assert (returned, out) == (status, "")
    assert error_of(err)["code"] == code


def test_a_report_a_label_and_a_notation_are_explained_alike(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    board = dealt(4)
    (tmp_path / "label.json").write_text(json.dumps(write_label(board)))
    (tmp_path / "board.txt").write_text(format_notation(board))
    run(capsys, "board", "score", format_notation(board), "--json", str(tmp_path / "report.json"))
    first = told(capsys, format_notation(board))
    assert first["players"]
    for name in ("label.json", "board.txt", "report.json"):
        assert told(capsys, str(tmp_path / name)) == first


def test_the_report_of_a_photo_is_explained_as_it_is_scored(tmp_path: Path) -> None:
    report = build_report(grey_photo(), reading_of(dealt(5)))
    path = tmp_path / "report.json"
    path.write_text(report.to_json())
    source = read_source(str(path), None, None, no_photo)
    assert source.photo is None
    explanation, _ = build_explanation(source, Question())
    assert {player.player: player.total for player in explanation.players} == report.scores.final_scoring
    assert "report_differs" not in [problem.code for problem in explanation.problems]


def test_a_modified_report_is_not_trusted(tmp_path: Path) -> None:
    document = json.loads(build_board_report(parse_notation(ROUND)).to_json())
    document["scores"]["final_scoring"]["red"] = 40
    (tmp_path / "report.json").write_text(json.dumps(document))
    explanation, _ = build_explanation(read_source(str(tmp_path / "report.json"), None, None, no_photo), Question())
    assert [problem.code for problem in explanation.problems] == ["report_differs", "complete_but_occupied"]


@pytest.mark.parametrize("change", [{"schema": "wondertally/report/9"}, {"scores": 3}, {"more": 1}], ids=str)
def test_a_damaged_report_is_refused(
    change: dict[str, Any], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    document = json.loads(build_board_report(dealt(4)).to_json())
    (tmp_path / "report.json").write_text(json.dumps({**document, **change}))
    status, _, err = run(capsys, "explain", str(tmp_path / "report.json"))
    assert (status, error_of(err)["code"]) == (1, "bad_report")
    assert error_of(err)["details"]["field"]


def test_a_report_is_explained_by_its_own_rules_unless_others_are_named(tmp_path: Path) -> None:
    board = parse_notation("E2/E0 blue_0,0=fNL red^1,0=cN")
    path = tmp_path / "report.json"
    path.write_text(build_board_report(board, get_ruleset("C1-first")).to_json())
    for name, points in ((None, {"blue": 4, "red": 2}), ("C3", {"blue": 3, "red": 4})):
        explanation, _ = build_explanation(read_source(str(path), name, None, no_photo), Question())
        assert {player.player: player.total for player in explanation.players} == points
        assert explanation.rules.edition == (name or "C1-first")
        assert "report_differs" not in [problem.code for problem in explanation.problems]


def test_a_pipe_gets_unwrapped_lines_and_a_terminal_tables() -> None:
    explanation = explained(dealt(4))
    plain, rich = io.StringIO(), io.StringIO()
    print_explanation(Console(file=plain, width=40), explanation)
    print_explanation(Console(file=rich, width=200, force_terminal=True, color_system=None), explanation)
    for feature in explanation.features:
        for line in feature.text:
            assert line in [row.strip() for row in plain.getvalue().splitlines()]
    for player in explanation.players:
        assert f"{player.player}: {player.total}" in plain.getvalue().splitlines()
        total = [player.player, str(player.total), "Final", "scoring"]
        assert any(row.split() == total for row in rich.getvalue().splitlines())
    assert "Rule" in rich.getvalue()


def test_a_photo_is_read_and_explained(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    picture, written = tmp_path / "told.jpg", tmp_path / "told.json"
    status, out, err = run(
        capsys, "explain", str(PHOTO), "--feature", "C1", "--picture", str(picture), "--json", str(written)
    )
    assert (status, err) == (0, "")
    (city,) = json.loads(written.read_text())["features"]
    assert city["text"][0] in out.splitlines()
    drawing, photo = Photo.from_path(picture), Photo.from_path(PHOTO)
    assert drawing.width == photo.width
    assert drawing.height > photo.height


@pytest.mark.skipif(not REAL.is_file(), reason="the shared label of a real game is not there")
def test_the_explanation_of_a_real_game_has_its_real_totals(capsys: pytest.CaptureFixture[str]) -> None:
    document = told(capsys, str(REAL))
    assert {player["player"]: player["total"] for player in document["players"]} == {"blue": 35, "yellow": 52}
    (road,) = told(capsys, str(REAL), "--road", "4,9")["features"]
    assert road["tiles"] == [[3, 6], [3, 7], [3, 8], [3, 9]]


def own_alhambra(tmp_path: Path, old: str = "", new: str = "") -> Path:
    """Return the Alhambra's shipped file, a little changed."""
    text = files("scoring.carcassonne").joinpath("data", "wonder_alhambra.toml").read_text(encoding="utf-8")
    path = tmp_path / "mine.toml"
    path.write_text(text.replace(old, new) if old else text, encoding="utf-8")
    return path


ALHAMBRA = "(WH/alhambra#0)0/(WH/alhambra#1)0/(WH/alhambra#2)0(WH/alhambra#3)0(WH/alhambra#4)0"


def test_a_wonders_own_file_replaces_its_layout(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The end of the road at the foot of the Alhambra is moved from the north to the south of its square."""
    path = own_alhambra(tmp_path, "M 150 200 C 149 208 151 216 150 232", "M 150 300 L 150 278")
    usual = told(capsys, ALHAMBRA, "--road", "3,2")["features"]
    changed_roads = told(capsys, ALHAMBRA, "--road", "3,2", "--wonder", str(path))["features"]
    assert [end["side"] for road in usual for end in road["open_ends"]] == ["N"]
    assert [end["side"] for road in changed_roads for end in road["open_ends"]] == ["S"]
    status, _, _ = run(capsys, "board", "score", ALHAMBRA, "--wonder", str(path))
    assert status == 0


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        pytest.param("marker = [156, 248]", "marker = [1, 1]", "bad_marker", id="a marker off the wonder"),
        pytest.param("wonder = ", "wonder ", "bad_toml", id="no TOML"),
    ],
)
def test_an_invalid_wonder_file_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, old: str, new: str, code: str
) -> None:
    path = own_alhambra(tmp_path, old, new)
    assert error_of(run(capsys, "explain", ALHAMBRA, "--wonder", str(path))[2])["code"] == code
    assert (
        error_of(run(capsys, "explain", ALHAMBRA, "--wonder", str(tmp_path / "none.toml"))[2])["code"]
        == "file_not_found"
    )
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    assert (
        error_of(run(capsys, "board", "score", ALHAMBRA, "--wonder", str(tmp_path / "bytes.toml"))[2])["code"]
        == "bad_toml"
    )


CIRCUS = build_circus_line()
TOLD = [
    pytest.param(("--players", "5"), "W1", 2, id="how many played"),
    pytest.param(("--track", "green=10", "--track", "black=7"), "W1", 3, id="who has points on the track"),
    pytest.param(("--owner", "circus-maximus=nobody"), "W1", None, id="that nobody holds a wonder"),
    pytest.param(("--owner", "circus-maximus=blue"), "W1", 0, id="that another one holds it"),
]


@pytest.mark.parametrize(("words", "feature", "points"), TOLD)
@pytest.mark.parametrize("source", ["line", "report"])
def test_given_table_facts_are_explained_as_they_are_scored(
    words: tuple[str, ...],
    feature: str,
    points: int | None,
    source: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    subject = CIRCUS
    if source == "report":
        subject = str(tmp_path / "report.json")
        assert run(capsys, "board", "score", CIRCUS, "--json", subject)[0] == 0
    document = told(capsys, subject, *words)
    account = next(account for account in document["features"] if account["id"] == feature)
    assert account["points"] == points
    status, out, _ = run(capsys, "board", "score", CIRCUS, *words, "--json", "-")
    report = json.loads(out)
    assert status == 0
    assert {player["player"]: player["total"] for player in document["players"]} == report["scores"]["final_scoring"]
    assert document["rules"] == report["rules"]
    assert document["problems"] == report["board"]["problems"]


def test_goods_and_tiles_in_play_are_explained_as_given(capsys: pytest.CaptureFixture[str]) -> None:
    document = told(capsys, ROUND, "--goods", "red.wine=3", "--tiles-in-play", "120")
    assert document["rules"]["tiles_in_play"] == 120
    assert [entry["rule"] for entry in document["players"][0]["entries"]][-1] == "goods.majority"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--owner", "tikal=blue"), "wonder_not_there"),
        (("--set", "discs.giza=2"), "bad_usage"),
        (("--players", "0"), "bad_player_count"),
    ],
)
def test_impossible_table_facts_are_refused(
    words: tuple[str, ...], code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run(capsys, "explain", CIRCUS, *words)
    assert (status, out, json.loads(err)["error"]["code"]) == (2, "", code)


def test_the_explanation_of_a_report_shows_who_scores_a_wonder_and_why(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    report = str(tmp_path / "report.json")
    assert run(capsys, "board", "score", CIRCUS, "--json", report)[0] == 0
    status, out, err = run(capsys, "explain", report, "--feature", "W1")
    assert (status, err) == (0, "")
    assert "Red holds Circus Maximus and scores 4 points for it." in out
    assert "With 2 players, each meeple of another player in an unfinished city scores 4 points" in out


@pytest.mark.parametrize(
    "words", ["4,7", "row 4, column 7", "Reihe 4, Spalte 7", "rândul 4, coloana 7", "Randul 4, coloana 7"]
)
def test_a_square_is_found_by_its_name_in_each_language(words: str) -> None:
    assert parse_square(words) == NamedSquare(4, 7)
