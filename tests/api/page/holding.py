"""A server that holds one reading from the beginning, and the data in the browser of its owner."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from api.documents.forms import GameSnapshot
from api.server.settings import Settings
from tests.api.page.browser import chromium_path
from tests.api.serving import Running, keep, running, unopened

READING, TOKEN = "atableofthetestsofpage", "the owner of the table"


@contextmanager
def holding(snapshot: GameSnapshot, folder: Path) -> Iterator[Running]:
    """Start a real server whose data folder holds the reading."""
    chromium_path()
    with unopened(Settings(data=folder)) as app:
        keep(app, READING, TOKEN, snapshot)
    with running(folder, readers=1) as started:
        yield started


def report_of(server: Running) -> dict[str, Any]:
    """Return the report of the reading that a server holds."""
    return dict(server.client.get(f"/v1/readings/{READING}").raise_for_status().json()["report"])


def kept_by_browser(server: Running) -> Any:
    """Return the data in the browser of the reading's owner."""
    readings = json.dumps([{"id": READING, "token": TOKEN, "created": "2026-01-01T00:00:00Z", "scores": None}])
    storage = [{"name": "wondertally.readings", "value": readings}]
    return {"cookies": [], "origins": [{"origin": server.url, "localStorage": storage}]}
