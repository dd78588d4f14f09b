"""Whatever the document of the API allows, and what it does not: no address answers with a fault of the server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import CHECKS, not_a_server_error
from schemathesis.config import SchemathesisConfig

from api.app import create_app
from api.corrections import corrected
from api.settings import Settings
from api.store.readings import StoredPhoto
from api.tokens import hash_of
from tests.api.doubted import held

READING, TOKEN = "abcdefghijklmnopqrstuv", "the owner's token"
CASES = 8
"""Of each address."""
_CONFIG = SchemathesisConfig.from_dict({"phases": {"coverage": {"enabled": False}, "stateful": {"enabled": False}}})


@pytest.fixture(scope="module")
def schema(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The document of an app that keeps one reading and reads no photos."""
    folder: Path = tmp_path_factory.mktemp("fuzz")
    app = create_app(Settings(data=folder, requests_per_minute=100_000, readings_per_minute=10_000, wait_seconds=0))
    readings, kept = app.state.server.readings, held(3)
    readings.store.add(READING, hash_of(TOKEN), {"rules": "C3", "track": {}, "files": ["x.jpg"]}, 3600)
    readings.photos.put(f"{READING}.0.jpg", np.full((kept.views[0].photo.height, 600, 3), 90, np.uint8))
    photo = StoredPhoto(0, f"{READING}.0.jpg", 600, kept.views[0].photo.height)
    assert readings.store.finish(READING, kept.to_json(), corrected(kept).to_json(), [photo])
    return schemathesis.openapi.from_asgi("/openapi.json", app, config=_CONFIG)


def checked(case: Any) -> None:
    if "reading_id" in case.path_parameters and len(str(case.path_parameters["reading_id"])) % 3:
        case.path_parameters["reading_id"] = READING
    answer = case.call(headers={"Authorization": f"Bearer {TOKEN}"})
    names = ("status_code_conformance", "content_type_conformance", "response_schema_conformance")
    checks: list[Any] = [not_a_server_error, *(CHECKS.get_one(name) for name in names)]
    case.validate_response(answer, checks=checks)


@pytest.mark.fuzz
def test_no_request_is_too_much_for_any_address(schema: Any) -> None:
    operations = [found.ok() for found in schema.get_all_operations()]
    asked = [own for own in operations if own.method != "delete" and own.path not in ("/healthz", "/readyz")]
    assert len(asked) > 12
    for operation in asked:
        quick = settings(max_examples=CASES, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
        quick(given(case=operation.as_strategy())(checked))()
