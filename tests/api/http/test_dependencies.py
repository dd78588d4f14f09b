"""The server from outside: photos in, readings out, corrected, shared, exported, deleted."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from PIL import Image

from api.documents.report import Report
from scoring.carcassonne.board.label import read_label
from scoring.carcassonne.tiles.catalogue import load_full_catalogue
from tests.api.conftest import PLACE
from tests.api.serving import LEVEL, Running, error_in, grey_jpeg, photo_form, until
from tests.vision.enrolment.random_prints import enrolment
from vision.enrolment.prints import Enrolments


def owner(made: dict[str, Any]) -> dict[str, str]:
    return {"Authorization": f"Bearer {made['token']}"}


def path(made: dict[str, Any]) -> str:
    return f"/v1/readings/{made['id']}"


def test_a_server_is_healthy_once_it_announces_its_address(server: Running) -> None:
    assert server.client.get("/healthz").json() == {"status": "ok", "readers": 1, "waiting": 0, "working": 0}
    until(lambda: server.client.get("/readyz").status_code == 200)


def timeless(report: dict[str, Any]) -> dict[str, Any]:
    """Return the report without its timings."""
    return {name: value for name, value in report.items() if name != "timing_ms"}


def test_a_photo_becomes_a_correct_report(made: dict[str, Any]) -> None:
    truth = read_label(json.loads(LEVEL.with_suffix(".json").read_text()), load_full_catalogue())
    report = Report.model_validate(made["report"])
    read = Counter(tile.tile for tile in report.board.tiles)
    misread = (read - Counter(placement.tile for _, placement in truth.known)).total()
    assert misread <= len(truth.tiles) / 7, "some of its coats of arms are doubted"
    assert len(report.board.tiles) == len(truth.tiles)
    assert report.scores.on_track["red"] == 90
    assert report.scores.total["pink"] == report.scores.final_scoring["pink"] + 28
    assert report.photo
    assert (made["status"], made["may_correct"]) == ("done", True)
    assert made["photos"] == [{"number": 0, "width": report.photo.width, "height": report.photo.height}]


def test_a_get_returns_the_created_reading_without_its_token(server: Running, made: dict[str, Any]) -> None:
    got = server.client.get(path(made), headers=owner(made)).json()
    assert {**got, "token": made["token"]} == made
    assert server.client.get(path(made)).json()["may_correct"] is False
    assert made["token"] not in server.client.get(path(made)).text
    assert server.client.get(f"{path(made)}/report.json").json() == made["report"]


def test_the_photo_is_returned_without_its_metadata(server: Running, made: dict[str, Any]) -> None:
    answer = server.client.get(f"{path(made)}/photo")
    assert answer.headers["content-type"] == "image/jpeg"
    with Image.open(io.BytesIO(answer.content)) as photo, Image.open(LEVEL) as sent:
        assert photo.size == sent.size
        assert not photo.getexif()
        close = np.abs(np.asarray(photo, np.int16) - np.asarray(sent, np.int16)).mean()
    assert close < 3
    contents = [file.read_bytes() for file in server.data.rglob("*") if file.is_file()]
    assert contents
    assert not any(PLACE.encode() in data for data in contents)
    assert made["report"]["photo"]["file"] == "level.jpg"


def test_missing_photos_are_not_found(server: Running, made: dict[str, Any]) -> None:
    assert error_in(server.client.get(f"{path(made)}/photo?number=1"), 404)["code"] == "not_found"
    assert error_in(server.client.get(f"{path(made)}/overlay.png?number=1"), 404)["code"] == "not_found"
    assert error_in(server.client.get(f"{path(made)}/photo?number=-1"), 422)["code"] == "bad_field"


def test_exports_show_the_same_scores(server: Running, made: dict[str, Any]) -> None:
    picture = server.client.get(f"{path(made)}/overlay.png")
    with Image.open(io.BytesIO(picture.content)) as overlay:
        assert overlay.format == "PNG"
        assert overlay.width == made["photos"][0]["width"]
    rows = csv.DictReader(io.StringIO(server.client.get(f"{path(made)}/report.csv").text, newline=""))
    points = [int(row["points"]) for row in rows if row["colour"] == "red" and row["rule"] != "on_track"]
    assert sum(points) == made["report"]["scores"]["final_scoring"]["red"]
    page = server.client.get(f"{path(made)}/report.pdf?language=de")
    assert page.content.startswith(b"%PDF-")
    assert page.headers["content-disposition"].startswith("attachment")
    explanation = server.client.get(f"{path(made)}/explanation", params={"player": "red"}).json()
    assert explanation["players"][0]["total"] == made["report"]["scores"]["final_scoring"]["red"]
    assert error_in(server.client.get(f"{path(made)}/explanation?feature=R99"), 404)["code"] == "no_such_feature"


def test_corrections_are_applied_undone_redone_and_reset(server: Running, made: dict[str, Any]) -> None:
    def change(**asked: object) -> dict[str, Any]:
        answer = server.client.patch(path(made), json=asked, headers=owner(made))
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    named = {"kind": "player", "colour": "red", "name": "Anna"}
    tracked = {"kind": "track", "colour": "black", "points": 7}
    first = change(corrections=[named], version=made["version"])
    assert (first["report"]["names"], first["can_undo"], first["can_redo"]) == ({"red": "Anna"}, True, False)
    second = change(corrections=[tracked])
    assert second["report"]["scores"]["on_track"]["black"] == 7
    assert second["corrections"] == [named, tracked]
    undone = change(undo=True)
    assert (undone["corrections"], timeless(undone["report"])) == ([named], timeless(first["report"]))
    assert timeless(change(redo=True)["report"]) == timeless(second["report"])
    reset = change(reset=True)
    assert (timeless(reset["report"]), reset["corrections"]) == (timeless(made["report"]), [])
    assert timeless(change(undo=True)["report"]) == timeless(second["report"])
    assert error_in(server.client.patch(path(made), json={"undo": True, "version": 1}, headers=owner(made)), 409)
    assert change(reset=True)["questions"] == made["questions"]


def test_an_answer_to_a_question_is_not_asked_again(server: Running, made: dict[str, Any]) -> None:
    assert made["questions"], "the example has a doubt"
    first = made["questions"][0]
    answer = {"corrections": [first["choices"][0]["correction"]]}
    reading = server.client.patch(path(made), json=answer, headers=owner(made)).json()
    places = [(one["about"], one["square"], one["meeple"]) for one in reading["questions"]]
    assert (first["about"], first["square"], first["meeple"]) not in places
    drawn = [choice["drawing"] for one in made["questions"] for choice in one["choices"] if choice["drawing"]]
    drawing = server.client.get(drawn[0])
    assert drawing.headers["content-type"].startswith("image/svg+xml")
    server.client.patch(path(made), json={"undo": True}, headers=owner(made)).raise_for_status()
    german = server.client.get(path(made), headers={"Accept-Language": "de-AT"}).json()["questions"]
    assert len(german) == len(made["questions"])


def test_the_owner_decides_who_may_correct(server: Running, made: dict[str, Any]) -> None:
    change = {"corrections": [{"kind": "player", "colour": "red", "name": "Bea"}]}
    wrong = {"Authorization": "Bearer " + "x" * 43}
    assert error_in(server.client.patch(path(made), json=change), 401)["code"] == "token_wanted"
    assert error_in(server.client.patch(path(made), json=change, headers=wrong), 403)["code"] == "not_yours"
    assert error_in(server.client.patch(path(made), json={"shared_correction": True}), 401)
    reading = server.client.patch(path(made), json={"shared_correction": True}, headers=owner(made)).json()
    assert reading["shared_correction"] is True
    assert server.client.get(path(made)).json()["may_correct"] is True
    assert server.client.patch(path(made), json=change).json()["report"]["names"] == {"red": "Bea"}
    assert error_in(server.client.patch(path(made), json={"shared_correction": False}), 401)
    assert error_in(server.client.delete(path(made), headers=wrong), 403)["code"] == "not_yours"
    assert error_in(server.client.delete(path(made)), 401)["code"] == "token_wanted"
    server.client.patch(path(made), json={"undo": True}).raise_for_status()
    server.client.patch(path(made), json={"shared_correction": False}, headers=owner(made)).raise_for_status()


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({}, "bad_field"),
        ({"undo": True, "redo": True}, "bad_field"),
        ({"corrections": []}, "bad_field"),
        ({"corrections": [{"kind": "nonsense"}]}, "bad_field"),
        ({"corrections": [{"kind": "tile", "row": 0, "col": 0, "tile": "D", "turns": 1, "extra": 1}]}, "bad_field"),
        ({"corrections": [{"kind": "tile", "row": 900, "col": 0, "tile": "D", "turns": 1}]}, "square_too_far"),
        ({"corrections": [{"kind": "no_meeple", "id": "m999"}]}, "meeple_unknown"),
    ],
)
def test_invalid_corrections_are_refused(
    asked: dict[str, Any], code: str, server: Running, made: dict[str, Any]
) -> None:
    assert error_in(server.client.patch(path(made), json=asked, headers=owner(made)), 422)["code"] == code


def test_a_reading_continues_without_a_waiting_client_and_is_deleted_at_once(server: Running) -> None:
    twice = [("photo", (name, LEVEL.read_bytes(), "image/jpeg")) for name in ("one.jpg", "two.jpg")]
    answer = server.client.post("/v1/readings", files=twice, headers={"Prefer": "respond-async"})
    reading = answer.json()
    assert answer.status_code == 202
    assert answer.headers["preference-applied"] == "respond-async"
    assert answer.headers["location"] == reading["poll"] == f"/v1/readings/{reading['id']}"
    assert error_in(server.client.get(f"{reading['poll']}/report.json"), 409)["code"] == "not_read_yet"
    assert error_in(server.client.get(f"{reading['poll']}/photo"), 409)["code"] == "not_read_yet"
    done = server.followed(reading["id"])
    assert done["status"] == "done"
    assert done["report"]["set_aside"] == [{"file": "two.jpg", "reason": "same_photo"}]
    assert len(done["photos"]) == 1
    assert sum(reading["id"] in name for name in server.photos()) == 1
    assert server.client.delete(reading["poll"], headers=owner(reading)).status_code == 204
    assert error_in(server.client.get(reading["poll"]), 404)["code"] == "not_found"
    assert not any(reading["id"] in name for name in server.photos())


@contextmanager
def still(server: Running) -> Iterator[None]:
    """Return a server whose readers accept jobs and never finish: a small photo would soon be read."""
    readers = server.readers()
    for reader in readers:
        reader.suspend()
    try:
        yield
    finally:
        for reader in readers:
            reader.resume()


def test_a_full_queue_refuses_with_a_time_to_retry(server: Running) -> None:
    def send() -> Any:
        form = photo_form(LEVEL.read_bytes())
        return server.client.post("/v1/readings", **form, headers={"Prefer": "respond-async"})

    with still(server):
        readings = [send().json() for _ in range(2)]
        refused = send()
        assert error_in(refused, 429)["code"] == "queue_full"
        assert int(refused.headers["retry-after"]) > 0
        waiting = server.client.get(readings[1]["poll"]).json()
        assert (waiting["status"], waiting["ahead"], waiting["stage"]) == ("queued", 1, None)
        reading = server.client.get(readings[0]["poll"]).json()
        assert reading["stage"] in reading["stages"]
    for one in reversed(readings):
        assert server.client.delete(one["poll"], headers=owner(one)).status_code == 204
    until(lambda: server.client.get("/readyz").status_code == 200)  # its worker is killed, and another starts
    assert server.client.get("/healthz").json()["waiting"] == 0


def test_a_photo_without_a_board_is_refused_and_not_stored(server: Running) -> None:
    before = server.photos()
    answer = server.client.post("/v1/readings", **photo_form(grey_jpeg()))
    assert error_in(answer, 422)["code"] == "board_not_found"
    assert server.photos() == before


def test_tiles_are_enrolled_from_a_reading_and_removed(server: Running, made: dict[str, Any]) -> None:
    learnt = server.client.post("/v1/enrolments", json={"reading": made["id"], "name": "mine"})
    assert (learnt.status_code, learnt.json()["name"]) == (201, "mine")
    again = server.client.post("/v1/enrolments", json={"reading": made["id"], "name": "mine"})
    assert error_in(again, 409)["code"] == "enrolment_exists"
    photo = photo_form(LEVEL.read_bytes(), "level.jpg")
    enrolled = server.client.post("/v1/enrolments", **photo, data={"board": made["report"]["board"]["notation"]})
    assert (enrolled.status_code, enrolled.json()["name"]) == (201, "level"), enrolled.text
    Enrolments(server.data / "enrolments").save(enrolment("own"))
    enrolments = server.client.get("/v1/enrolments").json()["enrolments"]
    places = {one["name"]: one["kept"] for one in enrolments}
    assert places == {"level": "database", "mine": "database", "own": "folder"}
    assert not any(one["problem"] for one in enrolments)
    for name in ("level", "mine", "own"):
        assert server.client.delete(f"/v1/enrolments/{name}").status_code == 204
    assert error_in(server.client.delete("/v1/enrolments/mine"), 404)["code"] == "no_such_enrolment"
    assert server.client.get("/v1/enrolments").json()["forgotten"] == ["level", "mine", "own"]
    for name in ("level", "own"):
        listed = server.client.post(f"/v1/enrolments/{name}/undo").json()
    assert {one["name"]: one["kept"] for one in listed["enrolments"]} == {"level": "database", "own": "folder"}
    assert listed["forgotten"] == ["mine"]
    for _ in range(2):
        server.client.post("/v1/enrolments/mine/undo").raise_for_status()
    assert error_in(server.client.post("/v1/enrolments/mine/undo"), 422)["code"] == "nothing_to_take_back"
    assert server.client.post("/v1/readings", **photo).status_code == 201, "its prints know no tile of another box"
    for one in server.client.get("/v1/enrolments").json()["enrolments"]:
        assert server.client.delete(f"/v1/enrolments/{one['name']}").status_code == 204


def figure(server: Running, name: str) -> float:
    """Return a figure of /metrics by its name and labels; 0 if it is not there yet."""
    lines = server.client.get("/metrics").text.splitlines()
    return sum(float(line.split()[-1]) for line in lines if line.startswith(f"wondertally_{name} "))


def test_the_server_reports_its_metrics(server: Running, made: dict[str, Any]) -> None:
    text = server.client.get("/metrics").text
    assert made["id"] not in text
    assert figure(server, 'readings_total{code="",outcome="done"}') >= 1
    assert figure(server, "photos_stored_total") >= 1
    assert figure(server, "readers") == 1
    assert figure(server, 'reader_memory_bytes{reader="0"}') > 2**27
    for stage in ("decode", "lattice", "tiles", "legal", "meeples", "score"):
        assert figure(server, f'stage_seconds_count{{stage="{stage}"}}') >= 1, stage
    doubts = sum(figure(server, f'doubts_total{{about="{about}"}}') for about in ("tile", "meeple"))
    assert doubts >= len(made["report"]["doubts"]) > 0
    assert figure(server, "readings_doubtful_total") >= 1


def test_refusals_and_corrections_are_counted_by_kind(server: Running, made: dict[str, Any]) -> None:
    names = (
        'uploads_refused_total{code="not_an_image"}',
        'readings_total{code="board_not_found",outcome="refused"}',
        'corrections_total{kind="player"}',
    )
    before = [figure(server, name) for name in names]
    assert server.client.post("/v1/readings", **photo_form(b"no picture")).status_code == 415
    assert server.client.post("/v1/readings", **photo_form(grey_jpeg())).status_code == 422
    change = {"corrections": [{"kind": "player", "colour": "red", "name": "Cleo"}]}
    server.client.patch(path(made), json=change, headers=owner(made)).raise_for_status()
    server.client.patch(path(made), json={"undo": True}, headers=owner(made)).raise_for_status()
    assert [figure(server, name) for name in names] == [count + 1 for count in before]


@pytest.mark.soak
def test_a_request_and_its_reading_are_followed_through_the_log(server: Running) -> None:
    sent = {"X-Request-Id": "table-17"}
    answer = server.client.post("/v1/readings", **photo_form(LEVEL.read_bytes(), "Grandma.jpg"), headers=sent)
    reading = answer.json()
    assert answer.headers["x-request-id"] == "table-17"
    line_by_event = {line["event"]: line for line in server.lines() if line.get("request") == "table-17"}
    assert set(line_by_event) == {"reading_taken", "photos_read", "reading_done", "request"}
    assert {line["reading"] for line in line_by_event.values()} == {reading["id"]}
    request = line_by_event["request"]
    assert (request["method"], request["path"], request["status"]) == ("POST", "/v1/readings", 201)
    assert request["client"] == "127.0.0.0/24"
    assert 0 < sum(line_by_event["photos_read"]["stages"].values()) < request["seconds"]
    assert line_by_event["photos_read"]["doubts"]
    server.client.delete(path(reading), headers=owner(reading)).raise_for_status()
    text = server.log.read_text(encoding="utf-8")
    assert not any(secret in text for secret in (reading["token"], "Grandma", "127.0.0.1", "level.jpg"))


def test_a_refusal_is_logged_with_its_code(server: Running) -> None:
    server.client.post("/v1/readings", **photo_form(b"no picture", "Grandpa.jpg"), headers={"X-Request-Id": "odd"})
    (line,) = [line for line in server.lines() if line.get("request") == "odd"]
    assert (line["event"], line["status"], line["code"]) == ("request", 415, "not_an_image")
    assert "Grandpa" not in server.log.read_text(encoding="utf-8")
