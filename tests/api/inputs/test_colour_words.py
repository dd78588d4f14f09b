"""A colour is accepted alike in every interface: in any case, in three languages; a slip gets a suggestion."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from api.carcassonne.report.builder import build_board_report
from api.carcassonne.report.moves import MoveOptions
from api.carcassonne.report.score_track import add_track_points
from api.documents.corrections import CORRECTIONS
from api.documents.spot_corrections import SetPlayers
from api.documents.tile_corrections import SetGoods, SetPlayer, SetTrack
from api.errors import CorrectionError, TrackError
from api.inputs.table_words import parse_track_points
from api.schemas.events import TableCreate
from api.server.settings import Settings
from api.tournament.errors import BatchError
from api.tournament.listed_tables import group_photos_by_table
from scoring.carcassonne.board.label import read_label
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.final.rulesets import TODAY
from scoring.carcassonne.final.table import read_label_table
from scoring.errors import LabelError, NotationError
from tests.api.commands import error_of, run
from tests.api.inputs.words import NOTATION
from tests.api.serving import error_in, unopened

PLAIN = "E0E0 yellow^0,0=cN red^0,1=cN"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with unopened(Settings(data=tmp_path_factory.mktemp("data"))) as app, TestClient(app) as client:
        yield client


def score(client: TestClient, **said: Any) -> Any:
    return client.post("/v1/scores", json={"board": NOTATION, **said})


@pytest.mark.parametrize("words", [("red", "yellow"), ("RED", "Yellow"), ("Rot", "gelb"), ("Roșu", "galben")], ids=str)
def test_the_command_line_and_v1_scores_accept_the_same_colours(
    words: tuple[str, str], client: TestClient, capsys: pytest.CaptureFixture[str]
) -> None:
    red, yellow = words
    typed = ["--track", f"{red}=90", "--goods", f"{yellow}.wine=2", "--owner", f"alhambra={red}"]
    status, out, _ = run(capsys, "board", "score", NOTATION, *typed, "--json", "-")
    scores = json.loads(out)["scores"]
    assert (status, scores["on_track"]) == (0, {"red": 90, "yellow": None})
    answer = score(client, track={red: 90}, goods={"wine": {yellow: 2}}, owners={"alhambra": red}, names={red: "Ann"})
    report = answer.json()["report"]
    assert report["scores"]["final_scoring"] == scores["final_scoring"]
    assert (report["scores"]["on_track"], report["names"]) == (scores["on_track"], {"red": "Ann"})
    status, out, _ = run(capsys, "explain", PLAIN, "--player", red, "--json", "-")
    assert [player["player"] for player in json.loads(out)["players"]] == ["red"]


def test_a_misspelt_track_colour_gets_a_suggestion(client: TestClient, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(TrackError) as refused:
        add_track_points(build_board_report(parse_notation(PLAIN)), parse_track_points(["yelow=4"]))
    assert (refused.value.code, refused.value.details["meant"]) == ("colour_unknown", "yellow")
    status, _, err = run(capsys, "--errors", "text", "board", "score", PLAIN, "--track", "yelow=4")
    assert (status, "Did you mean yellow?" in err) == (2, True)
    error = error_in(score(client, track={"yelow": 4}))
    assert (error["code"], error["details"]["meant"]) == ("colour_unknown", "yellow")
    status, _, err = run(capsys, "explain", PLAIN, "--player", "yelow")
    assert (error_of(err)["code"], error_of(err)["details"]["meant"]) == ("colour_unknown", "yellow")


@pytest.mark.parametrize(
    "said",
    [{"track": {"red": 1, "Rot": 2}}, {"goods": {"wine": {"red": 1, "RED": 1}}}, {"names": {"red": "a", "rot": "b"}}],
)
def test_a_colour_given_twice_is_refused(said: Any, client: TestClient) -> None:
    answer = score(client, **said)
    assert answer.status_code == 422
    assert "red is named twice" in answer.text


def test_corrections_accept_colour_words() -> None:
    said = [
        {"kind": "player", "colour": "Blau", "name": "Ann"},
        {"kind": "track", "colour": "ALBASTRU", "points": 4},
        {"kind": "goods", "goods": "wine", "colour": "blau", "count": 1},
        {"kind": "players", "colours": ["Rot", "verde"]},
    ]
    assert CORRECTIONS.validate_python(said) == [
        SetPlayer(colour="blue", name="Ann"),
        SetTrack(colour="blue", points=4),
        SetGoods(goods="wine", colour="blue", count=1),
        SetPlayers(colours=["red", "green"]),
    ]


def test_a_batchs_listing_accepts_colour_words() -> None:
    listing = "photo,Blau,BLUE_track,rot_Track,wonders,goods\na.jpg,Ann,4,5,alhambra=Grün,galben.wine=2\n"
    (listed_table,) = group_photos_by_table(["a.jpg"], listing)
    assert (listed_table.names, listed_table.track) == ({"blue": "Ann"}, {"blue": 4, "red": 5})
    assert (listed_table.wonders, listed_table.played.goods) == ({"alhambra": "green"}, {"wine": {"yellow": 2}})
    with pytest.raises(BatchError, match="bad_listing") as refused:
        group_photos_by_table(["a.jpg"], "photo,bleu_track\na.jpg,4\n")
    assert refused.value.details["meant"] == "blue_track"
    listing = "photo,Plain Wood,plain wood_track,wonders,goods\n"
    row = "a.jpg,Ann,4,alhambra=plain wood tikal=rot,plain wood.wine=2 red.cloth=1\n"
    (listed_table,) = group_photos_by_table(["a.jpg"], listing + row)
    assert (listed_table.names, listed_table.track) == ({"wood": "Ann"}, {"wood": 4})
    assert listed_table.wonders == {"alhambra": "wood", "tikal": "red"}
    assert listed_table.played.goods == {"wine": {"wood": 2}, "cloth": {"red": 1}}
    with pytest.raises(BatchError, match="each once"):
        group_photos_by_table(["a.jpg"], "photo,blau,blue\na.jpg,Ann,Bob\n")


def test_a_table_of_an_event_accepts_colour_words() -> None:
    place = {"contest": "", "round": "", "table": "1"}
    seats = TableCreate.model_validate({**place, "names": {"Blau": "Ann"}, "track": {"BLUE": 3}})
    assert (seats.names, seats.track) == ({"blue": "Ann"}, {"blue": 3})
    with pytest.raises(CorrectionError) as refused:
        TableCreate.model_validate({**place, "names": {"bleu": "Ann"}, "track": {}})
    assert refused.value.details["meant"] == "blue"


def test_moves_accept_colour_words() -> None:
    options = MoveOptions.read("Blau, RED", "albastru", None, TODAY)
    assert (options.players, options.on_turn) == (("blue", "red"), "blue")
    options = MoveOptions.read("Plain wood, red", " plain  wood ", None, TODAY)
    assert (options.players, options.on_turn) == (("wood", "red"), "wood")


def test_a_label_accepts_colour_words() -> None:
    table = read_label_table({"goods": {"Blau": {"wine": 3}}, "owners": {"alhambra": "ROT"}})
    assert (table.goods, table.owners) == ({"wine": {"blue": 3}}, {"WH/alhambra": "red"})
    with pytest.raises(LabelError) as refused:
        read_label_table({"goods": {"bleu": {"wine": 3}}})
    assert (refused.value.code, refused.value.details["meant"]) == ("colour_unknown", "blue")
    with pytest.raises(LabelError, match="bad_table"):
        read_label_table({"goods": {"blue": {"wine": 3}, "blau": {"wine": 1}}})


def test_a_colour_of_two_words_is_accepted_everywhere(client: TestClient, capsys: pytest.CaptureFixture[str]) -> None:
    board = NOTATION.replace("red", "wood")
    typed = ["--track", " plain  wood = 3", "--goods", "Plain Wood.wine=2", "--owner", "alhambra=plain wood"]
    status, out, _ = run(capsys, "board", "score", board, *typed, "--json", "-")
    report = json.loads(out)
    assert (status, report["scores"]["on_track"]["wood"]) == (0, 3)
    assert report["rules"]["goods"] == {"wine": {"wood": 2}}
    said = {"track": {"plain wood": 3}, "goods": {"wine": {"plain wood": 2}}, "owners": {"alhambra": "plain wood"}}
    answer = client.post("/v1/scores", json={"board": board, **said}).json()["report"]
    assert answer["scores"] == report["scores"]
    status, out, _ = run(capsys, "explain", board, "--player", "plain wood", "--json", "-")
    assert [player["player"] for player in json.loads(out)["players"]] == ["wood"]


@pytest.mark.parametrize(
    ("word", "colour", "meant"),
    [("gelb", "yellow", None), ("clear", "clear", None), ("yelow", None, "yellow"), ("ultramarine", None, None)],
)
def test_a_piece_has_a_colour_of_pieces(word: str, colour: str | None, meant: str | None) -> None:
    """In the notation and in a label alike; a neutral piece of an expansion has none of them."""
    notation = f"E0 {word}^0,0=cN"
    piece = {"cell": [0, 0], "colour": word, "on": "city:N"}
    label = {"size": [1, 1], "rows": ["E0"], "meeples": [piece]}
    assert parse_notation("E0 fairy.fairy^0,0=?").meeples[0].colour == "fairy"
    if colour is not None:
        assert parse_notation(notation).players == read_label(label).players == (colour,)
        return
    with pytest.raises(NotationError) as refused:
        parse_notation(notation)
    assert (refused.value.code, refused.value.position) == ("colour_unknown", 3)
    assert refused.value.details.get("meant") == meant
    with pytest.raises(LabelError) as refused_label:
        read_label(label)
    assert (refused_label.value.code, refused_label.value.details.get("meant")) == ("colour_unknown", meant)


@pytest.mark.parametrize("word", ["blue", "BLAU", "albastru"])
def test_a_drawn_tile_accepts_colour_words(word: str, client: TestClient) -> None:
    drawn = [
        client.get("/v1/tiles/drawing.svg", params={"tile": "BA/RCr", "place": "road", "colour": colour}).text
        for colour in ("blue", word)
    ]
    assert drawn[0] == drawn[1]
