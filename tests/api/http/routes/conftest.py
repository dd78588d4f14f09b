"""A client of an app in this process, for all tests of routes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from tests.api.serving import build_client


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    """Return a client on the server's own machine."""
    yield from build_client(tmp_path)
