"""The server with a game of spots that it did not know: read, asked about, corrected, exported."""

from __future__ import annotations

import json
from ctypes import c_ubyte
from multiprocessing import RawArray
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from api.games.registry import parse_snapshot_json
from api.server.settings import Settings
from api.service import worker
from api.service.worker import Task, Upload
from api.spots.tables import Tables
from api.store.photos import PhotoStore
from tests.api.pebbles.tables import LAID, enrol, photo, register
from tests.api.serving import keep, unopened

READING, TOKEN = "abcdefghijklmnopqrstuv", "the owner's token"


@pytest.fixture(autouse=True)
def pebbles(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch)


def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str = "", **options: Any) -> worker.Outcome:
    """Return the result of a worker process for a photo."""
    photo_path = photo(tmp_path / "table.png", options.pop("laid", LAID), options.pop("blend", 0.0))
    monkeypatch.setattr(worker._desk, "stages", RawArray(c_ubyte, worker.DESK_BYTES), raising=False)
    monkeypatch.setattr(worker._desk, "tables", Tables(tmp_path / "games"), raising=False)
    uploads = (Upload(photo_path, "table.png"),)
    photos = PhotoStore(str(tmp_path / "read"))
    photos.make()
    photos.mark("own")
    task = Task(READING, uploads, "C3", {}, str(tmp_path / "read"), "own", game=game, **options)
    return worker.read_task_photos(0, task)


@pytest.mark.parametrize("game", ["", "pebbles"])
def test_a_photo_is_read_and_reported_as_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    enrol(tmp_path / "games")
    outcome = read(tmp_path, monkeypatch, game)
    assert outcome.error is None
    report = json.loads(outcome.report)
    assert (report["game"], report["rules"]["players"]) == ("pebbles", ["red", "blue"])
    assert report["scores"]["final_scoring"] == {"red": 2, "blue": 2}
    assert report["scores"]["total"] == {"red": 2, "blue": 2}
    assert {(doubt["spot"], doubt["instead"]) for doubt in report["doubts"]} == {("sun", None)}
    assert report["doubtful"]
    assert report["features"][0]["outline_px"]
    assert [photo.key for photo in outcome.photos]
    assert parse_snapshot_json(outcome.snapshot).to_json() == outcome.snapshot


def test_typed_facts_are_applied_with_the_photo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    enrol(tmp_path / "games")
    outcome = read(tmp_path, monkeypatch, corrections=({"kind": "spot", "id": "sun", "value": "red"},))
    report = json.loads(outcome.report)
    assert report["scores"]["final_scoring"] == {"red": 4, "blue": 2}
    assert not report["doubtful"]
    assert not report["doubts"]


def test_a_game_without_enrolment_explains_how_to_enrol(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    error = read(tmp_path, monkeypatch, "pebbles").error
    assert error
    assert error["code"] == "game_not_enrolled"
    assert error["details"]["command"].startswith("wondertally enrol board PHOTO --game pebbles ")


def test_a_missing_component_is_reported_with_the_place_of_its_print(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    enrol(tmp_path / "games", "")
    error = read(tmp_path, monkeypatch, laid={(0, col): "red" for col in range(3)}).error
    assert error
    assert (error["code"], error["details"]["key"]) == ("component_missing", "row_bonus")


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a client of a server that keeps one reading whose pebble at 0,2 is pale."""
    enrol(tmp_path / "games")
    outcome = read(tmp_path, monkeypatch, blend=0.35)
    with unopened(Settings(data=tmp_path)) as app:
        keep(app, READING, TOKEN, parse_snapshot_json(outcome.snapshot))
        yield TestClient(app, "http://localhost:8000", headers={"Authorization": f"Bearer {TOKEN}"})


def patched(client: TestClient, **change: Any) -> dict[str, Any]:
    answer = client.patch(f"/v1/readings/{READING}", json=change)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def test_questions_have_answers_with_their_points(client: TestClient) -> None:
    reading = client.get(f"/v1/readings/{READING}").json()
    first, *others = reading["questions"]
    assert (first["about"], first["spot"], first["quad_px"]) == ("spot", "sun", [])
    assert [(choice["label"], choice["final_scoring"]["red"]) for choice in first["choices"]] == [
        ("nothing", 2),
        ("red", 4),
        ("blue", 2),
    ]
    assert others, "pale pebbles are doubted"
    for question in others:
        assert len(question["quad_px"]) == 4
        assert question["choices"][0]["correction"] == {"kind": "confirm_spot", "id": question["spot"]}
        assert all(choice["probability"] is not None for choice in question["choices"])


def test_no_doubt_is_left_once_all_questions_are_answered(client: TestClient) -> None:
    reading = client.get(f"/v1/readings/{READING}").json()
    answers = 0
    while reading["questions"]:
        reading = patched(client, corrections=[reading["questions"][0]["choices"][0]["correction"]])
        answers += 1
        assert answers < 10
    assert not reading["report"]["doubtful"]
    assert reading["report"]["scores"]["confidence"] == 1
    undone = patched(client, undo=True)
    assert undone["report"]["doubtful"]
    assert patched(client, redo=True)["report"] == reading["report"] | {"timing_ms": patched_times(client)}
    assert patched(client, reset=True)["corrections"] == []


def patched_times(client: TestClient) -> dict[str, float]:
    return dict(client.get(f"/v1/readings/{READING}").json()["report"]["timing_ms"])


def test_corrections_change_spots_and_players(client: TestClient) -> None:
    reading = patched(
        client,
        corrections=[
            {"kind": "spot", "id": "square.0.2", "value": "red"},
            {"kind": "spot", "id": "sun", "value": "blue"},
            {"kind": "player", "colour": "red", "name": "Ana"},
        ],
    )
    assert reading["report"]["scores"]["final_scoring"] == {"red": 7, "blue": 3}
    assert reading["report"]["names"] == {"red": "Ana"}
    spot = next(spot for spot in reading["report"]["board"]["spots"] if spot["id"] == "square.0.2")
    assert (spot["value"], spot["set_by_person"], spot["alternatives"]) == ("red", True, [])
    alone = patched(
        client, corrections=[{"kind": "players", "colours": ["red"]}, {"kind": "spot", "id": "sun", "value": "-"}]
    )
    assert list(alone["report"]["scores"]["final_scoring"]) == ["red"]
    assert [change["what"] for change in client.get(f"/v1/readings/{READING}/history").json()["changes"]][-2:] == [
        "corrected",
        "corrected",
    ]


@pytest.mark.parametrize(
    ("correction", "code"),
    [
        ({"kind": "spot", "id": "square.9.9", "value": "red"}, "spot_unknown"),
        ({"kind": "spot", "id": "square.0.0", "value": "green"}, "spot_value_impossible"),
        ({"kind": "confirm_spot", "id": "nonesuch"}, "spot_unknown"),
        ({"kind": "tile", "row": 0, "col": 0, "tile": "D", "turns": 0}, "other_game"),
        ({"kind": "player", "colour": "green", "name": "Ana"}, "colour_unknown"),
        ({"kind": "players", "colours": ["green"]}, "colour_unknown"),
    ],
)
def test_corrections_that_do_not_fit_the_table_are_refused(client: TestClient, correction: Any, code: str) -> None:
    answer = client.patch(f"/v1/readings/{READING}", json={"corrections": [correction]})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, code)
    assert answer.json()["error"]["details"]["correction"] == 0


def test_exports_agree_with_the_report(client: TestClient) -> None:
    patched(client, corrections=[{"kind": "player", "colour": "red", "name": "=Ana"}])
    path = f"/v1/readings/{READING}"
    report = client.get(f"{path}/report.json").json()
    assert report == client.get(path).json()["report"]
    rows = client.get(f"{path}/report.csv").text.splitlines()
    assert all(row.startswith("'=Ana,red,1,2,") for row in rows if ",red," in row)
    assert client.get(f"{path}/report.pdf?language=ro").content.startswith(b"%PDF")
    assert client.get(f"{path}/overlay.png").content.startswith(b"\x89PNG")
    explanation = client.get(f"{path}/explanation?player=blue").json()
    assert [entry["section"] for entry in explanation["players"][0]["entries"]] == ["Scoring, pebbles"] * 2
    assert client.get(f"{path}/explanation?feature=row9").json()["error"]["code"] == "no_such_feature"
    assert client.get(f"{path}/lesson").json()["error"]["code"] == "nothing_to_enrol"


def test_games_are_listed_with_their_enrolled_pictures(client: TestClient) -> None:
    games = {game["name"]: game for game in client.get("/v1/games").json()["games"]}
    description = {"name": "pebbles", "title": "Pebbles", "reads_photos": True, "pictures": ["board"]}
    assert games["pebbles"] == {**description, "colours": ["red", "blue"]}
    assert games["tower-of-babel"]["reads_photos"] is False
    assert games["carcassonne"]["reads_photos"] is True


def test_a_table_is_scored_without_a_photo(client: TestClient) -> None:
    line = "pebbles red,blue square.0.0=red sun=blue square.1.2=blue"
    report = client.post("/v1/scores", json={"board": line}).json()["report"]
    assert report["scores"]["final_scoring"] == {"red": 1, "blue": 3}
    assert report["doubtful"], "four squares are not told"
    strange = client.post("/v1/scores", json={"board": f"{line} square.0.1=green"}).json()
    assert strange["error"]["code"] == "spot_value_impossible"
