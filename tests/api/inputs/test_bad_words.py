"""Unknown colours, digits of other scripts, true for a number, brackets without end: an error in every interface."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from api.carcassonne.corrections.url_fragment import SharedBoard, decode_fragment, encode_fragment
from api.documents.corrections import CORRECTIONS
from api.errors import CorrectionError, FragmentError, QuestionError, TableError, TrackError
from api.inputs.boards import read_given_board
from api.inputs.subjects import parse_square
from api.inputs.table_words import parse_table_words, parse_track_points, refuse_colour
from api.server.settings import Settings
from scoring.carcassonne.board.label import write_label
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.final.table import read_label_table
from scoring.errors import LabelError, NotationError
from scoring.spots.text import parse_label
from tests.api.commands import error_of, run
from tests.api.inputs.words import BOARD, NOTATION
from tests.api.serving import error_in, unopened
from vision.evaluation.labels import load_truth

DEEP = "[" * 100_000


@pytest.fixture
def client(tmp_path: Path) -> Any:
    with unopened(Settings(data=tmp_path)) as app, TestClient(app) as client:
        yield client


def write_table(folder: Path, **said: Any) -> Path:
    file = folder / "label.json"
    file.write_text(json.dumps({"photo": "a.jpg", **write_label(BOARD), **said}), encoding="utf-8")
    return file


@pytest.mark.parametrize("said", [{"goods": {"bleu": {"wine": 1}}}, {"owners": {"alhambra": "bleu"}}], ids=str)
def test_a_label_accepts_only_colours_of_pieces(said: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (("board", "score"), ("explain",)):
        status, out, err = run(capsys, *words, str(write_table(tmp_path, **said)))
        error = error_of(err)
        assert (status, out, error["code"]) == (1, "", "colour_unknown")
        assert (error["details"]["colour"], error["details"]["meant"]) == ("bleu", "blue")
        assert "blue" in error["text"]
    with pytest.raises(LabelError, match="colour_unknown"):
        load_truth(write_table(tmp_path, **said))


def test_a_label_accepts_colours_of_its_own_pieces() -> None:
    meeples = [{"cell": [0, 0], "colour": "mauve", "on": "city:N"}]
    assert read_label_table({"meeples": meeples, "goods": {"mauve": {"wine": 1}}}).goods == {"wine": {"mauve": 1}}


@pytest.mark.parametrize("said", [{"goods": {"wine": {"bleu": 1}}}, {"names": {"bleu": "Ann"}}], ids=str)
def test_a_shared_board_accepts_only_colours_of_pieces(said: Any, client: TestClient) -> None:
    shared = decode_fragment(encode_fragment(SharedBoard(notation=NOTATION, **said)))
    with pytest.raises(TableError) as refused:
        shared.report()
    assert (refused.value.code, refused.value.details["meant"]) == ("colour_unknown", "blue")
    error = error_in(client.post("/v1/scores", json={"board": NOTATION, **said}))
    assert (error["code"], error["details"]["meant"]) == ("colour_unknown", "blue")


def test_every_interface_refuses_too_few_tiles(
    client: TestClient, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    few = len(BOARD.tiles) - 1
    with pytest.raises(TableError, match="too_few_tiles"):
        decode_fragment(encode_fragment(SharedBoard(notation=NOTATION, tiles_in_play=few))).report()
    assert (
        error_in(client.post("/v1/scores", json={"board": NOTATION, "tiles_in_play": few}))["code"] == "too_few_tiles"
    )
    for words in (("board", "score"), ("explain",)):
        _, _, err = run(capsys, *words, str(write_table(tmp_path, tiles_in_play=few)))
        assert error_of(err)["code"] == "too_few_tiles"
    _, out, _ = run(capsys, "board", "score", NOTATION, "--json", "-")
    report = json.loads(out)
    report["rules"]["tiles_in_play"] = few
    (tmp_path / "report.json").write_text(json.dumps(report), encoding="utf-8")
    _, _, err = run(capsys, "explain", str(tmp_path / "report.json"))
    assert error_of(err)["code"] == "too_few_tiles"


def test_digits_of_other_scripts_are_refused() -> None:
    with pytest.raises(TableError, match="bad_goods"):
        parse_table_words(goods=["blue.wine=٣"])
    for number in ("٣", "३"):
        with pytest.raises(TableError):
            parse_table_words(players=number)
        with pytest.raises(TrackError, match="bad_track"):
            parse_track_points([f"blue={number}"])
        with pytest.raises(QuestionError, match="bad_square"):
            parse_square(f"{number},1")
        for board in (f"D0 red^{number},0=rN", f"@{number},0 D0", f"D0 -{number} D0", f"(WH/alhambra#{number})0"):
            with pytest.raises((NotationError, ValueError)):
                parse_notation(board)


@pytest.mark.parametrize(
    "said",
    [
        {"player_count": True},
        {"tiles_in_play": True},
        {"goods": {"wine": {"red": True}}},
        {"track": {"red": False}},
    ],
    ids=str,
)
def test_a_boolean_is_refused_as_a_number(said: dict[str, Any], client: TestClient) -> None:
    error = error_in(client.post("/v1/scores", json={"board": NOTATION, **said}))
    assert error["code"] == "bad_field"
    assert "true or false" in error["details"]["fields"][0]["reason"]
    with pytest.raises(ValueError, match="true or false"):
        SharedBoard.model_validate({"notation": NOTATION, **said})


@pytest.mark.parametrize(
    "correction",
    [
        {"kind": "player_count", "count": True},
        {"kind": "tile", "row": True, "col": 0, "tile": "E"},
        {"kind": "meeple", "square": [0, True], "place": None, "colour": "red"},
        {"kind": "border", "squares": [[0, 1], [True, 0]], "ends": True},
        {"kind": "pile", "ids": ["m1"], "count": False},
    ],
    ids=str,
)
def test_a_boolean_is_refused_as_a_number_of_a_correction(correction: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="true or false"):
        CORRECTIONS.validate_python([correction])
    with pytest.raises(ValueError, match="true or false"):
        CORRECTIONS.validate_json(json.dumps([correction]))


def test_a_boolean_is_refused_as_a_row_of_a_label(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for said in ({"meeples": [{"cell": [True, 0], "colour": "red", "on": "city:N"}]}, {"unseen": [[True, 0]]}):
        status, _, err = run(capsys, "board", "score", str(write_table(tmp_path, **said)))
        assert (status, error_of(err)["code"]) in [(1, "bad_label"), (1, "bad_meeple")]


@pytest.mark.parametrize("text", ['{"rows": ' + DEEP, '{"rows": ["D0"], "goods": ' + "[" * 800 + "]" * 800 + "}"])
def test_endless_brackets_are_refused_as_a_label(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "label.json"
    file.write_text(text, encoding="utf-8")
    for words in (("board", "score"), ("explain",)):
        status, out, err = run(capsys, *words, str(file))
        assert (status, out) == (1, "")
        assert error_of(err)["code"] in ("bad_label", "bad_table")
    with pytest.raises(LabelError):
        load_truth(file)
    with pytest.raises(LabelError, match="bad_label"):
        parse_label(text)
    with pytest.raises(LabelError):
        read_given_board(str(file))


@pytest.mark.parametrize("depth", [400, 800, 100_000])
def test_endless_brackets_are_an_error_over_http(depth: int, client: TestClient) -> None:
    nested = "[" * depth + "]" * depth
    bodies = {
        "/v1/scores": ['{"board": "D0", "wonders": [{"id": %s}]}', '{"board": %s}', "%s"],
        "/v1/wonder-layouts": ['{"plan": %s}', '{"plan": {"id": "WH/tikal", "squares": %s, "wonder": []}}'],
    }
    for address, texts in bodies.items():
        for text in texts:
            answer = client.post(address, content=text % nested, headers={"Content-Type": "application/json"})
            assert 400 <= answer.status_code < 500, (address, text)
            assert answer.json()["error"]["code"] != "internal_error"


def test_endless_brackets_are_refused_as_a_shared_board() -> None:
    with pytest.raises(FragmentError):
        decode_fragment("1." + DEEP[:1000])


def test_an_unknown_colour_in_a_correction_gets_a_suggestion() -> None:
    with pytest.raises(CorrectionError) as refused:
        refuse_colour("bleu")
    assert refused.value.details["meant"] == "blue"
