"""`--box-rules` in every command that takes it, in labels and CSVs, and at `/v1`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from api.batch.work import read_table
from api.documents.corrections import CORRECTIONS
from api.documents.table_options import build_reading_options
from api.server.settings import Settings
from api.tournament.errors import BatchError
from api.tournament.listed_tables import group_photos_by_table
from scoring.carcassonne.board.box_rules import BoxRules
from scoring.carcassonne.board.label import write_label
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.final.table import Table, read_label_table, write_label_table
from tests.api.commands import error_of, run
from tests.api.serving import LEVEL, error_in, unopened
from vision.board.board import BoardTiles

INN = (
    "@-3,-1 (WH/alhambra#0)0/(WH/alhambra#1)0/(WH/alhambra#2)0(WH/alhambra#3)0(WH/alhambra#4)0/-(IC/RFr.i)0U0 "
    "blue~-1,0=W red^0,1=rE"
)
FRAMED = "-(WH/alhambra#0)0/-(WH/alhambra#1)0/-(WH/alhambra#2)0(WH/alhambra#3)0(WH/alhambra#4)0/--(IC/RFr.i)0U0"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with unopened(Settings(data=tmp_path)) as app, TestClient(app) as opened:
        yield opened


def score(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    status, out, err = run(capsys, "board", "score", *words, "--json", "-")
    assert status == 0, err
    return dict(json.loads(out))


def test_the_command_line_asks_with_both_results_and_accepts_the_answer(capsys: pytest.CaptureFixture[str]) -> None:
    before = score(capsys, INN)
    assert (before["doubtful"], before["scores"]["final_scoring"]) == (True, {"blue": 0, "red": 0})
    (assumed,) = before["scores"]["assumed"]
    assert (assumed["fact"], assumed["values"]) == ("box_rules", {"boxes": "inns"})
    assert assumed["final_scoring"] == {"1": {"blue": 0, "red": 0}, "0": {"blue": 0, "red": 2}}
    _, out, _ = run(capsys, "board", "score", INN)
    asked = " ".join(out.split())
    assert "did you play with the rules of Inns & Cathedrals? With them (as counted here): blue 0, red 0; " in asked
    assert "without them: blue 0, red 2 (say it with --box-rules inns=on or inns=off)" in asked
    for words, red in ((("inns=off,traders=on",), 2), (("inns=on",), 0), (("traders=on", "inns=off"), 2)):
        told = score(capsys, INN, *(part for word in words for part in ("--box-rules", word)))
        assert (told["doubtful"], told["scores"]["final_scoring"]["red"]) == (False, red)
        assert "assumed" not in told["scores"]
        assert told["rules"]["box_rules"]["inns"] is (red == 0)
        assert score(capsys, told["board"]["notation"])["scores"] == told["scores"]


def test_an_explanation_uses_the_box_rules_played(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "explain", INN, "--box-rules", "inns=off", "--road", "4,2")
    assert "without the rules of Inns & Cathedrals" in out
    assert "2" in out
    assert "(inn)" not in out
    board = "E1E3 red_0,0=fSL red.pig_0,0=fSL red.big_0,0=fSL blue_0,0=fSL"
    _, out, _ = run(capsys, "explain", board, "--box-rules", "inns=off,traders=off", "--field", "1,1")
    assert "A big meeple counts as two" not in out
    assert "'s pig, each city" not in out
    assert "without the rules of Inns & Cathedrals and Traders & Builders" in out
    _, german, _ = run(capsys, "explain", INN, "--box-rules", "inns=off", "--road", "4,2", "--language", "de")
    assert "ohne die Regeln von „Wirtshäuser & Kathedralen“" in german


def test_a_label_states_the_box_rules_and_options_override_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "table.json"
    framed = parse_notation(f"{FRAMED} blue~2,1=W red^3,3=rE")
    file.write_text(json.dumps({**write_label(framed), "box_rules": {"inns": False}}), encoding="utf-8")
    assert score(capsys, str(file))["scores"]["final_scoring"] == {"blue": 0, "red": 2}
    assert score(capsys, str(file), "--box-rules", "inns=on")["scores"]["final_scoring"] == {"blue": 0, "red": 0}
    file.write_text(json.dumps({**write_label(framed), "box_rules": {"inns": "off"}}), encoding="utf-8")
    status, _, err = run(capsys, "board", "score", str(file))
    assert (status, error_of(err)["code"]) == (1, "bad_box_rules")
    table = Table(box_rules=BoxRules.of({"inns": False, "abbot": True}))
    assert read_label_table(write_label_table(table)) == table


@pytest.mark.parametrize(
    "words",
    [
        ["board", "score", "D0", "--box-rules", "inns=maybe"],
        ["explain", "D0", "--box-rules", "base=on"],
        ["score", "none.jpg", "--box-rules", "inns"],
        ["moves", "a.jpg", "b.jpg", "--box-rules", "inns=on,inns=off"],
        ["batch", ".", "--out", "out", "--box-rules", "inns=2"],
    ],
    ids=lambda words: words[0],
)
def test_every_command_refuses_invalid_box_rules(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = run(capsys, *words)
    assert (status, error_of(err)["code"]) == (2, "bad_box_rules")


def test_a_listing_sets_box_rules_for_a_table_and_a_batch_for_all() -> None:
    listing = "photo,table,box_rules\na.jpg,1,inns=off traders=on\nb.jpg,2,\n"
    usual = Table(box_rules=BoxRules.of({"inns": True}))
    one, two = group_photos_by_table(["a.jpg", "b.jpg"], listing, usual=usual)
    assert one.played.box_rules == BoxRules.of({"inns": False, "traders": True})
    assert two.played.box_rules == BoxRules()
    (said,) = json.loads(two.said)
    assert said == {"kind": "box_rules", "boxes": ["inns"], "played": True, "beforehand": True}
    assert [word["boxes"] for word in json.loads(one.said)] == [["inns"], ["traders"], ["inns"]]
    with pytest.raises(BatchError) as error:
        group_photos_by_table(["a.jpg"], "photo,box_rules\na.jpg,inns=perhaps\n")
    assert "line 2" in error.value.text


def test_a_batch_reads_each_table_with_its_stated_boxes() -> None:
    listing = "photo,boxes\na.jpg,base=1 AM=1\nb.jpg,\n"
    tables = group_photos_by_table(["a.jpg", "b.jpg"], listing, usual=Table(boxes={"base": 2, "inns": 0}))
    stated = [CORRECTIONS.validate_json(table.said) for table in tables]
    boxes = [build_reading_options("C3", corrections).table.boxes for corrections in stated]
    assert boxes == [{"base": 1, "inns": 0, "AM": 1}, {"base": 2, "inns": 0}]


class StatedError(BaseException):
    """The reader was given stated copies of boxes; no door handles this."""


def read_in_batch(capsys: pytest.CaptureFixture[str]) -> None:
    (table,) = group_photos_by_table([LEVEL.name], None, usual=Table(boxes={"base": 2}))
    read_table(str(LEVEL.parent), ((LEVEL.name, sha256(LEVEL.read_bytes()).hexdigest()),), "C3", table.said)


DOORS: Mapping[str, Callable[[pytest.CaptureFixture[str]], object]] = {
    "score": lambda capsys: run(capsys, "score", str(LEVEL), "--boxes", "base=2"),
    "moves": lambda capsys: run(capsys, "moves", str(LEVEL), str(LEVEL), "--players", "red,blue", "--boxes", "base=2"),
    "batch": read_in_batch,
}


@pytest.mark.parametrize("door", DOORS)
def test_every_door_gives_the_reader_the_stated_boxes(
    door: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def state(_: BoardTiles, copies: Mapping[str, int]) -> BoardTiles:
        raise StatedError(dict(copies))

    monkeypatch.setattr(BoardTiles, "state", state)
    with pytest.raises(StatedError) as reached:
        DOORS[door](capsys)
    assert reached.value.args == ({"base": 2},)


def test_http_asks_for_box_rules_and_accepts_the_answer(client: TestClient) -> None:
    asked = client.post("/v1/scores", json={"board": INN}).raise_for_status().json()["report"]
    assert (asked["doubtful"], asked["scores"]["assumed"][0]["fact"]) == (True, "box_rules")
    told = client.post("/v1/scores", json={"board": INN, "box_rules": {"inns": False}}).raise_for_status().json()
    report = told["report"]
    assert (report["doubtful"], report["scores"]["final_scoring"]["red"]) == (False, 2)
    for wrong in ({"base": False}, {"inns": "perhaps"}):
        assert error_in(client.post("/v1/scores", json={"board": INN, "box_rules": wrong}))["code"] == "bad_field"
    refused = client.post("/v1/scores", json={"board": f"{INN} rules:inns=2"})
    assert error_in(refused)["code"] == "bad_box_rules"


def test_an_event_is_created_and_changed_with_box_rules(client: TestClient) -> None:
    made = client.post("/v1/events", json={"name": "Cup", "box_rules": {"inns": False}}).raise_for_status().json()
    assert made["box_rules"] == {"inns": False}
    address, headers = f"/v1/events/{made['id']}", {"Authorization": f"Bearer {made['token']}"}
    change = {"box_rules": {"traders": True}}
    changed = client.patch(address, json=change, headers=headers).raise_for_status().json()
    assert (changed["box_rules"], changed["tie_breakers"]) == ({"traders": True}, made["tie_breakers"])
    assert client.get(address).json()["box_rules"] == {"traders": True}
    assert error_in(client.patch(address, json=change))["code"] == "token_wanted"
    assert error_in(client.patch(address, json={}, headers=headers))["code"] == "bad_field"
