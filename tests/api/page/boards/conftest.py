"""A server for the tests that enrol boards: each test finds it without any."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from tests.api.page.browser import chromium_path
from tests.api.serving import Running, running


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Start a real server with nothing in its data folder."""
    chromium_path()
    with running(tmp_path_factory.mktemp("boards"), readers=1, readings_per_minute=1000) as started:
        yield started


@pytest.fixture
def server(started: Running) -> Running:
    """Return the server without boards, shapes and drafts."""
    for name in ("games", "board-drafts"):
        shutil.rmtree(started.data / name, ignore_errors=True)
    return started
