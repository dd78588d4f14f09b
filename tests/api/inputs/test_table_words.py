"""A person's typed table facts: read from words, refused with a code, and the same in all interfaces."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from api.carcassonne.corrections.url_fragment import SharedBoard
from api.documents.report import Report
from api.documents.table_options import TableOptions
from api.errors import TableError
from api.games.registry import find_game
from api.i18n import load_words
from api.inputs.table_words import parse_table_words
from api.languages import LANGUAGES
from api.server.settings import Settings
from api.spots.tables import Tables
from scoring.carcassonne.board.label import write_label
from scoring.carcassonne.final.table import Table
from tests.api.commands import error_of, run
from tests.api.inputs.words import BOARD, NOTATION
from tests.api.serving import error_in, unopened

TABLE = Table((), 130, {"wine": {"red": 1, "yellow": 2}}, 3, {"WH/circus-maximus": "red", "WH/alhambra": "red"})
WORDS = (
    *("--players", "3", "--tiles-in-play", "130", "--goods", "red.wine=1", "--goods", "Yellow.wine = 2"),
    *("--owner", "circus-maximus=red", "--owner", "Alhambra=red", "--box-rules", "traders=on"),
    *("--boxes", "base=2,am=0"),
)
FINALS = {"red": 2 * 3 + 6 + 1, "yellow": 2 + 10}
"""Two knights of yellow's in a game of three, a farmer in one of 130 tiles, an unfinished city; and the most wine."""


def score_words(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    status, out, _ = run(capsys, "board", "score", *arguments, "--json", "-")
    assert status == 0
    return dict(json.loads(out))


def test_words_are_parsed_into_table_facts() -> None:
    assert parse_table_words("3", 130, ["red.wine=1", "yellow.wine=2"], ["circus maximus=red", "alhambra=red"]) == TABLE
    assert parse_table_words() == Table()
    assert parse_table_words(owners=["tikal=nobody"]).owners == {"WH/tikal": None}


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"players": "0"}, "bad_player_count"),
        ({"players": "three"}, "bad_player_count"),
        ({"players": "13"}, "bad_player_count"),
        ({"tiles": "-3"}, "bad_tile_count"),
        ({"tiles": "1001"}, "bad_tile_count"),
        ({"goods": ["wine=3"]}, "bad_goods"),
        ({"goods": ["blue.beer=3"]}, "bad_goods"),
        ({"goods": ["blue.wine=100"]}, "bad_goods"),
        ({"goods": ["plaid.wine=1"]}, "colour_unknown"),
        ({"goods": ["blue.wine=1", "blue.wine=2"]}, "goods_twice"),
        ({"owners": ["alhambra"]}, "bad_owner"),
        ({"owners": ["colossus=blue"]}, "bad_owner"),
        ({"owners": ["alhambra=plaid"]}, "colour_unknown"),
        ({"owners": ["alhambra=red", "Alhambra=blue"]}, "owner_twice"),
    ],
    ids=str,
)
def test_invalid_words_are_refused_with_a_code(given: dict[str, Any], code: str) -> None:
    with pytest.raises(TableError) as caught:
        parse_table_words(**given)
    assert caught.value.code == code
    assert caught.value.text != code
    for language in LANGUAGES:
        assert load_words(language).say(f"error-{code}")


def test_without_given_owners_unmarked_wonders_score_for_nobody() -> None:
    report = find_game("carcassonne").score_board(
        find_game("carcassonne").parse_board(NOTATION), TableOptions(), Tables()
    )
    assert report.scores.final_scoring == {"red": 1, "yellow": 2}
    assert [p.code for p in report.board.problems].count("unmarked_wonder") == 2


def test_the_command_line_accepts_all_table_facts(capsys: pytest.CaptureFixture[str]) -> None:
    report = score_words(capsys, NOTATION, *WORDS)
    assert report["scores"]["final_scoring"] == FINALS
    assert "assumed" not in report["scores"]
    rules = report["rules"]
    assert (rules["player_count"], rules["tiles_in_play"], rules["boxes"]) == (3, 130, {"base": 2, "AM": 0})
    assert report["board"]["notation"].endswith(" boxes:base=2,AM=0 rules:traders=on")
    assert rules["goods"] == {"wine": {"red": 1, "yellow": 2}}
    assert [problem["code"] for problem in report["board"]["problems"]].count("unmarked_wonder") == 0


def test_a_label_accepts_all_table_facts_and_options_override_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file, goods = tmp_path / "table.json", {"red": {"wine": 1}, "yellow": {"wine": 2}}
    owners = {"circus-maximus": "red", "alhambra": "red"}
    label = {
        **write_label(BOARD),
        "boxes": {"base": 2},
        "players": 3,
        "tiles_in_play": 130,
        "goods": goods,
        "owners": owners,
    }
    file.write_text(json.dumps(label), encoding="utf-8")
    assert score_words(capsys, str(file))["scores"]["final_scoring"] == FINALS
    other = score_words(capsys, str(file), "--players", "2", "--goods", "red.wine=5", "--tiles-in-play", "100")
    assert other["scores"]["final_scoring"] == {"red": 2 * 4 + 5 + 1 + 10, "yellow": 2}
    status, out, _ = run(capsys, "explain", str(file), "--json", "-")
    assert status == 0
    told = {account["player"]: account["total"] for account in json.loads(out)["players"]}
    assert told == FINALS


def test_a_report_keeps_table_facts_for_explanations_and_shared_boards(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    document = score_words(capsys, NOTATION, *WORDS)
    shared = SharedBoard.of(Report.model_validate(document))
    assert shared.report().scores.final_scoring == FINALS
    file = tmp_path / "report.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    _, out, _ = run(capsys, "explain", str(file), "--json", "-")
    assert {account["player"]: account["total"] for account in json.loads(out)["players"]} == FINALS


def test_http_accepts_all_table_facts(tmp_path: Path) -> None:
    body = {
        "board": NOTATION,
        "player_count": 3,
        "tiles_in_play": 130,
        "boxes": {"base": 2},
        "goods": {"wine": {"red": 1, "yellow": 2}},
        "owners": {"circus-maximus": "red", "alhambra": "red"},
    }
    with unopened(Settings(data=tmp_path)) as app, TestClient(app) as client:
        report = client.post("/v1/scores", json=body).json()["report"]
        assert report["scores"]["final_scoring"] == FINALS
        for change, code in (
            ({"owners": {"tikal": "red"}}, "wonder_not_there"),
            ({"owners": {"colossus": "red"}}, "bad_owner"),
            ({"tiles_in_play": 3}, "too_few_tiles"),
            ({"player_count": 0}, "bad_field"),
            ({"goods": {"beer": {"red": 1}}}, "bad_field"),
        ):
            assert error_in(client.post("/v1/scores", json={**body, **change}))["code"] == code


def test_assumptions_are_printed_with_the_points_and_the_option_to_set_them(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "board", "score", NOTATION, "--owner", "circus-maximus=red", "--owner", "alhambra=red")
    assert status == 0
    (players,) = [line for line in out.splitlines() if "Circus Maximus is counted" in line]
    assert players.startswith("doubtful: Circus Maximus is counted for 2 players")
    assert "was there a third player? With 3 or 4: red 12, yellow 2" in players
    assert "--players 3)" in " ".join(out.split())
    (tiles,) = [line for line in out.splitlines() if "Alhambra is counted" in line]
    assert tiles.startswith("assumed: Alhambra is counted for a game of 13 tiles")
    _, out, _ = run(capsys, "board", "score", NOTATION, *WORDS)
    assert "is counted for" not in out


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--players", "many"), "bad_player_count"),
        (("--owner", "tikal=red"), "wonder_not_there"),
        (("--tiles-in-play", "3"), "too_few_tiles"),
    ],
    ids=str,
)
def test_the_command_line_refuses_invalid_table_facts(
    words: tuple[str, ...], code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run(capsys, "board", "score", NOTATION, *words)
    assert (status, out, error_of(err)["code"]) == (2, "", code)
