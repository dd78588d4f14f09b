"""The document of the API: names that make a good client, permissions, and every error of an address."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.routing import iter_route_contexts
from fastapi.testclient import TestClient

from api.http.dependencies import HEADER
from api.http.errors import find_code_status
from api.server.settings import Settings
from api.server.tokens import hash_secret
from scoring.carcassonne.final.rulesets import RULESETS
from scoring.errors import ScoringError
from scoring.spots.components import ComponentsError
from tests.api.serving import unopened

ROOT = Path(__file__).parents[3]
ODD = re.compile(r"(Told|Asked|Sent|Taken|Made|Seated|Said|Wanted)$")


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FastAPI]:
    with unopened(Settings(data=tmp_path_factory.mktemp("openapi"))) as app:
        yield app


@pytest.fixture(scope="module")
def document(app: FastAPI) -> dict[str, Any]:
    return dict(TestClient(app).get("/openapi.json").raise_for_status().json())


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield method, path, operation


def test_operations_have_natural_names(document: dict[str, Any]) -> None:
    names = [operation["operationId"] for _, _, operation in operations(document)]
    assert len(set(names)) == len(names) > 30
    assert not [name for name in names if not re.fullmatch(r"[a-z]+(_[a-z]+)+", name) or "_v1_" in name]
    assert {"create_reading", "get_reading", "correct_reading", "create_event", "score_board"} <= {*names}


def test_schemas_are_named_by_nouns(document: dict[str, Any]) -> None:
    names = document["components"]["schemas"]
    assert {"Game", "EventCreate", "HistoryItem", "ReadingCreate", "TableCreate", "RuleSet"} <= {*names}
    assert not [name for name in names if ODD.search(name) or "__" in name]


def test_the_document_states_who_may_call_an_operation(tmp_path: Path, document: dict[str, Any]) -> None:
    schemes = document["components"]["securitySchemes"]
    assert {(scheme["type"], scheme.get("name", scheme.get("scheme"))) for scheme in schemes.values()} == {
        ("apiKey", "X-API-Key"),
        ("http", "bearer"),
    }
    assert document["paths"]["/v1/readings/{reading_id}"]["delete"]["security"] == [{"OwnerToken": []}]
    assert document["paths"]["/v1/readings"]["post"]["security"] == [{}, {"ApiKey": []}]
    assert "security" not in document["paths"]["/v1/rules"]["get"]
    with unopened(Settings(data=tmp_path / "guarded", api_keys=frozenset({hash_secret("a key")}))) as guarded:
        told = TestClient(guarded).get("/openapi.json").json()
    assert told["paths"]["/v1/readings"]["post"]["security"] == [{"ApiKey": []}]
    both = told["paths"]["/v1/events/{event_id}/tables"]["post"]["security"]
    assert both == [{"OwnerToken": [], "ApiKey": []}]


def test_each_address_lists_its_errors_by_status(document: dict[str, Any]) -> None:
    for _, _, operation in operations(document):
        listed = {
            status: answer["x-error-codes"]
            for status, answer in operation["responses"].items()
            if "x-error-codes" in answer
        }
        assert "500" in listed
        assert operation["responses"]["4XX"]["content"]["application/json"]["schema"]["$ref"].endswith("/ErrorDocument")
        assert operation["summary"]
        for status, codes in listed.items():
            assert all(str(find_code_status(code)) == status for code in codes)
            for code in codes:
                assert f"`{code}`: " in operation["responses"][status]["description"]
    correction = document["paths"]["/v1/readings/{reading_id}"]["patch"]
    conflicts = correction["responses"]["409"]["x-error-codes"]
    (header,) = [parameter for parameter in correction["parameters"] if parameter["in"] == "header"]
    assert (header["name"], header["required"]) == (HEADER, False)
    assert document["components"]["schemas"]["ReadingUpdate"]["examples"]
    assert "/docs" not in document["paths"]
    assert conflicts == ["conflict", "not_read_yet", "nothing_to_undo"]
    (photo,) = (operation for _, path, operation in operations(document) if path == "/v1/readings")
    assert "too_large" in photo["responses"]["413"]["x-error-codes"]
    assert "board_not_found" in photo["responses"]["422"]["x-error-codes"]


def test_error_classes_of_scoring_list_their_codes() -> None:
    kinds: dict[str, type[ScoringError]] = {
        kind.__name__: kind for kind in (*ScoringError.__subclasses__(), ComponentsError)
    }
    raised: dict[str, set[str]] = {name: set() for name in kinds}
    for file in (ROOT / "scoring").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in kinds and node.args:
                code = node.args[0]
                if isinstance(code, ast.Constant):
                    raised[node.func.id].add(str(code.value))
    assert sum(map(len, raised.values())) > 60
    for name, codes in raised.items():
        assert codes <= {*kinds[name].list_codes()}, name


def test_every_get_address_answers_head(app: FastAPI) -> None:
    client = TestClient(app, "http://localhost:8000")
    paths = {
        re.sub(r"{[^}]*}", "nothing", str(context.path))
        for context in iter_route_contexts(app.routes)
        if "GET" in (context.methods or ())
    }
    assert len(paths) > 20
    for path in sorted(paths | {"/static/page.css", "/docs/files/swagger-ui.css"}):
        got, head = client.get(path), client.head(path)
        assert (head.status_code, head.content) == (got.status_code, b""), path
        assert head.headers.get("content-type") == got.headers.get("content-type")
        if path != "/metrics":  # their figures count requests
            assert head.headers.get("content-length") == got.headers.get("content-length")
    assert [rules["name"] for rules in client.get("/v1/rules").json()["rules"]] == [*RULESETS]
    refused = client.post("/v1/rules")
    assert refused.headers["allow"] == "GET, HEAD"
    assert client.head("/v1/scores").status_code == 405


def test_head_requests_are_counted_as_such(app: FastAPI) -> None:
    client = TestClient(app, "http://localhost:8000")
    client.head("/v1/games")
    figures = client.get("/metrics").text
    assert re.search(r'requests_total{[^}]*method="HEAD"[^}]*path="/v1/games"[^}]*status="200"', figures)
