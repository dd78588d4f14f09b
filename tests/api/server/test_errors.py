"""Every address answers errors in one form, with the same headers."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from random import Random
from typing import Any

import fastapi.routing
import pytest
from fastapi import FastAPI
from httpx2 import Response
from starlette.testclient import TestClient

from api.app import create_app
from api.http.dependencies import get_server
from api.http.limits import MAX_JSON_BYTES, is_photo_upload
from api.http.middleware import HEADERS
from api.server.errors import ServerError
from api.server.settings import Settings
from scoring.carcassonne.board.notation import format_notation
from scoring.carcassonne.play.game import Game
from scoring.carcassonne.record.record import Record
from scoring.carcassonne.record.text import format_record
from tests.api.serving import error_in
from tests.scoring.games import SETUPS, random_move

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
HERE = ("127.0.0.1", 50_000)


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> FastAPI:
    """Return the app before it is opened: it reads no photos, and is otherwise complete."""
    return create_app(
        Settings(data=tmp_path_factory.mktemp("errors"), requests_per_minute=100_000, readings_per_minute=1000)
    )


@pytest.fixture
def client(app: FastAPI) -> TestClient:
    return TestClient(app, "http://localhost:8000", raise_server_exceptions=False, client=HERE)


def addresses(app: FastAPI) -> list[tuple[str, str]]:
    """Return every method and path template, except those of the page and of the document of the API."""
    return [
        (method, str(route.path))
        for route in fastapi.routing.iter_route_contexts(app.routes)
        if route.path and str(route.path).startswith(("/v1/", "/healthz", "/readyz", "/metrics"))
        for method in sorted(route.methods or ())
    ]


def routes(app: FastAPI) -> list[tuple[str, str]]:
    """Return every method and address, with a value for each name in an address."""
    method_paths = [(method, re.sub(r"{[^}]*}", "nothing", path)) for method, path in addresses(app)]
    assert len(method_paths) > 15
    return method_paths


def refused(answer: Response, status: int, code: str, listed: bool = True) -> dict[str, Any]:
    """Check the error of an answer: in the common form, with the status, the code and the headers."""
    error = error_in(answer, status, listed)
    assert error["code"] == code
    assert answer.headers["x-request-id"]
    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    return error


def body_for(method: str) -> dict[str, Any]:
    return {"json": {}} if method in ("POST", "PATCH") else {}


def test_unknown_addresses_and_readings_are_not_found(app: FastAPI, client: TestClient) -> None:
    for method, path in routes(app):
        refused(client.request(method, f"{path}/no/such", **body_for(method)), 404, "not_found")
        if "nothing" in path:
            code = "no_such_enrolment" if "enrolments" in path else "not_found"
            body: dict[str, Any] = {"json": {"undo": True}} if method == "PATCH" else {}
            missing = (422, "nothing_to_take_back") if path.endswith("enrolments/nothing/undo") else (404, code)
            refused(client.request(method, path, **body), *missing)


def test_other_methods_are_not_allowed(app: FastAPI, client: TestClient) -> None:
    method_paths = set(routes(app))
    for _, path in method_paths:
        for method in METHODS:
            if (method, path) not in method_paths:
                refused(client.request(method, path), 405, "method_not_allowed")


def with_body(app: FastAPI) -> list[tuple[str, str]]:
    documented = app.openapi()["paths"]
    return [
        address
        for (method, path), address in zip(addresses(app), routes(app), strict=True)
        if method in ("POST", "PATCH") and "requestBody" in documented[path][method.lower()]
    ]


def test_bodies_of_other_types_are_refused(app: FastAPI, client: TestClient) -> None:
    for method, path in with_body(app):
        answer = client.request(method, path, content=b"hello", headers={"content-type": "text/plain"})
        refused(answer, 404 if "nothing" in path else 415, "not_found" if "nothing" in path else "wrong_content_type")


def test_bodies_that_are_too_large_are_refused(app: FastAPI, client: TestClient) -> None:
    for method, path in with_body(app):
        large = b'{"x": "' + b"x" * (MAX_JSON_BYTES + 1)
        answer = client.request(method, path, content=large, headers={"content-type": "application/json"})
        if "nothing" in path and is_photo_upload({"method": method, "path": path}):
            refused(answer, 404, "not_found")  # photos for an unknown event are not read
        elif answer.status_code != 415:  # an address that takes no JSON does not read it
            refused(answer, 413, "body_too_large")


def test_invalid_fields_are_named(client: TestClient) -> None:
    error = refused(client.post("/v1/scores", json={"board": 3}), 422, "bad_field")
    assert error["details"]["fields"] == [{"field": "body.board", "reason": "Input should be a valid string"}]
    refused(client.post("/v1/scores", json={"board": "D0", "record": "x"}), 422, "bad_field")
    refused(client.post("/v1/scores", json={"board": "D0!"}), 422, "bad_row")
    refused(client.post("/v1/scores", json={"record": "players"}), 422, "bad_head")
    kind = {"content-type": "application/json"}
    refused(client.post("/v1/scores", content=b"{", headers=kind), 400, "bad_request")
    refused(client.post("/v1/enrolments", content=b"\xff", headers=kind), 422, "bad_field")
    refused(client.get("/v1/tiles/drawing.svg?tile=BA/RCr&turns=9"), 422, "bad_field")
    refused(client.get("/v1/tiles/drawing.svg?tile=nonsense"), 422, "tile_unknown_name")


def test_internal_errors_are_reported_without_their_details(
    app: FastAPI, client: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(**given: object) -> None:
        raise RuntimeError("the inside of the program")

    monkeypatch.setattr(fastapi.routing, "run_endpoint_function", broken)
    app.dependency_overrides[get_server] = lambda: None
    fault_count = 0
    try:
        for method, path in routes(app):
            answer = client.request(method, path, **body_for(method))
            status = answer.status_code if answer.status_code in (404, 422) else 500
            refused(answer, status, {404: "not_found", 422: "bad_field", 500: "internal_error"}[status])
            assert "inside" not in answer.text
            faults = [vars(record) for record in caplog.records if record.message == "fault"]
            fault_count += any(
                fault["request"] == answer.headers["x-request-id"] and fault["exc_info"] for fault in faults
            )
    finally:
        app.dependency_overrides.clear()
    assert fault_count > 15


def test_a_request_keeps_its_given_id_if_that_is_valid(client: TestClient) -> None:
    def answered(request_id: str) -> str:
        return str(client.get("/v1/games", headers={"X-Request-Id": request_id}).headers["x-request-id"])

    assert answered("proxy-7.f_A") == "proxy-7.f_A"
    made = {answered(request_id) for request_id in ("", "x" * 65, "a b", '{"a"}')}
    assert len(made) == 4
    assert all(len(one) == 16 for one in made)


def test_names_invented_by_clients_create_no_metrics(client: TestClient) -> None:
    def series() -> set[str]:
        return {line.rpartition(" ")[0] for line in client.get("/metrics").text.splitlines() if line[0] != "#"}

    client.request("BREW", "/coffee")
    client.get("/v1/readings/none")
    before = series()
    for number in range(3):
        client.request(f"BREW{number}", f"/coffee/{number}")
        client.get(f"/v1/readings/{number}")
    assert series() - before <= {'wondertally_requests_total{method="GET",path="/metrics",status="200"}'} | {
        'wondertally_requests_created{method="GET",path="/metrics",status="200"}'
    }
    assert not any("BREW" in one or "coffee" in one for one in before)
    assert any('method="other",path="other"' in one for one in before)


def test_a_server_that_cannot_read_reports_it(app: FastAPI, client: TestClient) -> None:
    refused(client.get("/healthz"), 503, "not_ready")
    refused(client.get("/readyz"), 503, "not_ready")

    def nobody() -> None:
        raise ServerError("not_ready")

    app.dependency_overrides[get_server] = nobody
    try:
        for method, path in routes(app):
            answer = client.request(method, path, **body_for(method))
            if answer.status_code >= 400 and answer.status_code != 422:
                refused(answer, 503, "not_ready", listed=False)
    finally:
        app.dependency_overrides.clear()


def test_too_many_requests_of_one_client_are_refused_at_every_address(tmp_path: Path) -> None:
    app = create_app(Settings(data=tmp_path, requests_per_minute=3))
    client = TestClient(app, "http://localhost:8000", client=HERE)
    for _ in range(3):
        assert client.get("/v1/games").status_code == 200
    for method, path in routes(app):
        if path.startswith("/v1/"):
            answer = client.request(method, path, **body_for(method))
            refused(answer, 429, "too_many_requests")
            assert 0 < int(answer.headers["retry-after"]) <= 60
    assert TestClient(app, client=("192.0.2.1", 1)).get("/v1/games").status_code == 200


@pytest.fixture
def guarded(tmp_path: Path) -> TestClient:
    """Start a server that requires a key."""
    key = hashlib.sha256(b"a long secret").hexdigest()
    return TestClient(create_app(Settings(data=tmp_path, api_keys=frozenset({key}))), client=("192.0.2.1", 1))


def test_a_post_needs_a_key_if_keys_are_set(guarded: TestClient) -> None:
    board: dict[str, Any] = {"json": {"board": "D0"}}
    for path in ("/v1/scores", "/v1/readings", "/v1/enrolments"):
        refused(guarded.post(path, **board), 401, "key_wanted")
        refused(guarded.post(path, **board, headers={"X-API-Key": "another"}), 403, "wrong_key")
    assert guarded.post("/v1/scores", **board, headers={"X-API-Key": "a long secret"}).status_code == 200
    assert guarded.get("/v1/tiles").status_code == 200
    refused(guarded.delete("/v1/enrolments/x", headers={"X-API-Key": "a long secret"}), 404, "no_such_enrolment")


def test_without_keys_only_this_machine_enrols(app: FastAPI) -> None:
    stranger = TestClient(app, client=("192.0.2.1", 1))
    refused(stranger.post("/v1/enrolments", json={"reading": "x"}), 403, "local_only")
    refused(stranger.delete("/v1/enrolments/x"), 403, "local_only")
    led = TestClient(app, "http://evil.example", client=HERE)
    refused(led.delete("/v1/enrolments/x"), 403, "local_only")


@pytest.mark.parametrize(
    ("headers", "foreign"),
    [
        ({}, False),
        ({"Origin": "http://localhost:8000"}, False),
        ({"Origin": "https://evil.example"}, True),
        ({"Origin": "null"}, True),
        ({"Sec-Fetch-Site": "same-origin"}, False),
        ({"Sec-Fetch-Site": "none"}, False),
        ({"Sec-Fetch-Site": "cross-site"}, True),
        ({"Sec-Fetch-Site": "same-site"}, True),
    ],
)
def test_pages_of_other_sites_cannot_change_data(headers: dict[str, str], foreign: bool, client: TestClient) -> None:
    answer = client.post("/v1/scores", json={"board": "D0"}, headers=headers)
    if foreign:
        refused(answer, 403, "cross_site")
    else:
        assert answer.status_code == 200
    assert client.get("/v1/games", headers=headers).status_code == 200


def test_a_board_and_a_record_are_scored(client: TestClient) -> None:
    request = {"board": "D0V0/-U1 red^1,1=rN blue^0,0=cN", "track": {"blue": 90}}
    document = client.post("/v1/scores", json=request).json()
    assert document["report"]["scores"]["total"] == {"blue": 91, "red": None}
    assert document["record"] is None
    record = "players blue yellow\nboxes base\nwonders -\nrules C3\nstart D1\n1 blue K3@0,1 cW = 4 0\n"
    answer = client.post("/v1/scores", json={"record": record})
    assert answer.status_code == 200, answer.text
    played = answer.json()["record"]
    assert played["scores"] == {"blue": 4, "yellow": 0}
    assert played["moves"][0]["entries"][0]["points"] == 4
    wrong = client.post("/v1/scores", json={"record": record.replace("4 0", "5 0")})
    assert refused(wrong, 422, "score_differs")["details"]["line"] == 6


def test_a_record_never_lacks_tiles(client: TestClient) -> None:
    game, rng = Game(SETUPS["base"]), Random(3)
    while len(game.board().tiles) < 71:
        move = random_move(game, rng)
        assert move is not None
        game.play(move)

    def problems(asked: dict[str, str]) -> list[str]:
        entries = client.post("/v1/scores", json=asked).raise_for_status().json()["report"]["board"]["problems"]
        return [problem["code"] for problem in entries]

    assert problems({"board": format_notation(game.board())}) == ["tiles_lacking"]
    assert problems({"record": format_record(Record.of(game))}) == []


def test_a_record_states_two_base_games(client: TestClient) -> None:
    record = f"players blue yellow\nboxes base base\nwonders -\nrules C3\nstart board {'A0' * 4}/{'B0' * 8} = 0 0\n"
    report = client.post("/v1/scores", json={"record": record}).raise_for_status().json()["report"]
    assert "more_than_the_box" not in {problem["code"] for problem in report["board"]["problems"]}
