"""Requests that the document of the API allows, and others: no address answers with a fault of the server."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import FlakyStrategyDefinition
from schemathesis.checks import CHECKS, not_a_server_error
from schemathesis.config import SchemathesisConfig

from api.app import create_app
from api.server.settings import Settings
from tests.api.doubted import held
from tests.api.serving import LEVEL, Running, keep, photo_form, running
from tests.api.spots_seen import babel

READINGS, TOKEN = ("abcdefghijklmnopqrstuv", "vutsrqponmlkjihgfedcba"), "the owner's token"
CASES = 8
"""Number for each address."""
WORKFLOWS, STEPS = int(os.environ.get("WONDERTALLY_TEST_WORKFLOWS", "12")), 20
"""Number of sequences of requests, and their length."""
MIN_OPERATIONS = 20
_CONFIG = SchemathesisConfig.from_dict({"phases": {"coverage": {"enabled": False}, "stateful": {"enabled": False}}})


@pytest.fixture(scope="module")
def schema(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return the document of an app that keeps a reading of tiles and one of a printed board, and reads no photos."""
    folder: Path = tmp_path_factory.mktemp("fuzz")
    app = create_app(Settings(data=folder, requests_per_minute=100_000, readings_per_minute=10_000, wait_seconds=0))
    keep(app, READINGS[0], TOKEN, held(3))
    keep(app, READINGS[1], TOKEN, babel(3))
    return schemathesis.openapi.from_asgi("/openapi.json", app, config=_CONFIG)


def checked(case: Any) -> None:
    if "reading_id" in case.path_parameters and (which := len(str(case.path_parameters["reading_id"])) % 3):
        case.path_parameters["reading_id"] = READINGS[which - 1]
    answer = case.call(headers={"Authorization": f"Bearer {TOKEN}"})
    names = ("status_code_conformance", "content_type_conformance", "response_schema_conformance")
    checks: list[Any] = [not_a_server_error, *(CHECKS.get_one(name) for name in names)]
    case.validate_response(answer, checks=checks)
    if answer.status_code >= 400:
        codes = case.operation.definition.raw["responses"].get(str(answer.status_code), {}).get("x-error-codes", ())
        assert answer.json()["error"]["code"] in codes, (case.method, case.path, answer.json())


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Start a server that reads photos, with generous limits for its clients."""
    limits = {"requests_per_minute": 1_000_000, "readings_per_minute": 1_000_000, "readers": 1, "queue": 1000}
    with running(tmp_path_factory.mktemp("workflows") / "data", **limits) as started:
        yield started


class Real:
    """Real data of a server: a reading and an event with a table, and the tokens of everything created meanwhile."""

    def __init__(self, server: Running) -> None:
        self.tokens = dict[str, str]()
        photo = photo_form(LEVEL.read_bytes())
        self.reading = self.note(server.client.post("/v1/readings", **photo))
        self.event = self.note(server.client.post("/v1/events", json={"name": "Cup"}))
        owner = {"Authorization": f"Bearer {self.tokens[self.event]}"}
        table = {"table": "1", "round": "1"}
        server.client.post(f"/v1/events/{self.event}/tables", **photo, data=table, headers=owner).raise_for_status()

    def note(self, answer: Any) -> str:
        """Record the token of a new item; return its id."""
        made = answer.json()
        self.tokens[made["id"]] = made["token"]
        return str(made["id"])

    def put_into(self, case: Any) -> None:
        """Put real ids and a real photo in place of invalid ones."""
        parameters = case.path_parameters or {}
        for name, own in (("reading_id", self.reading), ("event_id", self.event)):
            if name in parameters and parameters[name] not in self.tokens and case.method != "DELETE":
                parameters[name] = own
        if "table" in parameters and case.method != "DELETE":
            parameters["table"] = 1
        if case.media_type == "multipart/form-data" and isinstance(case.body, dict) and "photo" in case.body:
            photo = LEVEL.read_bytes()
            case.body["photo"] = [photo] if isinstance(case.body["photo"], list) else photo

    def find_token(self, case: Any) -> str:
        """Find the token for the subject of a request."""
        ids = (case.path_parameters or {}).values()
        return next((self.tokens[id] for id in map(str, ids) if id in self.tokens), TOKEN)


@pytest.mark.soak
@pytest.mark.fuzz
def test_no_row_of_requests_about_real_things_is_a_fault(attacked: Running) -> None:
    """Each answer's ids are requested in turn, with their owners' tokens."""
    schema = schemathesis.openapi.from_url(f"{attacked.url}/openapi.json")
    real, statuses = Real(attacked), Counter[tuple[str, int]]()

    class Workflow(schema.as_state_machine()):  # type: ignore[misc]
        def before_call(self, case: Any) -> None:
            real.put_into(case)

        def get_call_kwargs(self, case: Any) -> dict[str, Any]:
            return {"headers": {"Authorization": f"Bearer {real.find_token(case)}"}, "timeout": 120}

        def after_call(self, response: Any, case: Any) -> None:
            statuses[f"{case.method} {case.path}", response.status_code] += 1
            if response.status_code in (201, 202) and "token" in response.text:
                real.note(response)

        def validate_response(self, response: Any, case: Any, **named: Any) -> None:
            case.validate_response(response, checks=[not_a_server_error])

    quick = settings(
        max_examples=4,
        stateful_step_count=STEPS,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    for _ in range(WORKFLOWS):
        with suppress(FlakyStrategyDefinition):  # the server's state outlives a sequence: its answers may differ
            Workflow.run(settings=quick)
    assert [what for what in statuses if what[1] >= 500] == []
    asked, answered = {what for what, _ in statuses}, {what for what, status in statuses if status < 300}
    print(f"{statuses.total()} requests of {len(asked)} operations, {len(answered)} of which did something")
    assert len(asked) > MIN_OPERATIONS
    assert len(answered) > MIN_OPERATIONS / 2
    assert [line for line in attacked.lines() if line["event"] == "fault"] == []


@pytest.mark.soak
@pytest.mark.fuzz
def test_no_request_is_too_much_for_any_address(schema: Any) -> None:
    operations = [result.ok() for result in schema.get_all_operations()]
    safe_operations = [
        operation
        for operation in operations
        if operation.method != "delete" and operation.path not in ("/healthz", "/readyz")
    ]
    assert len(safe_operations) > 12
    for operation in safe_operations:
        quick = settings(max_examples=CASES, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
        quick(given(case=operation.as_strategy())(checked))()
