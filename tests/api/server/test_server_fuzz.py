"""Requests that the document of the API allows, and others: no address answers with a fault of the server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import CHECKS, not_a_server_error
from schemathesis.config import SchemathesisConfig

from api.app import create_app
from api.server.settings import Settings
from tests.api.doubted import held
from tests.api.serving import keep
from tests.api.spots_seen import babel

READINGS, TOKEN = ("abcdefghijklmnopqrstuv", "vutsrqponmlkjihgfedcba"), "the owner's token"
CASES = 8
"""Number for each address."""
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


@pytest.mark.soak
@pytest.mark.fuzz
def test_no_request_causes_a_server_error_at_any_address(schema: Any) -> None:
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
