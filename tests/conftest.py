"""Fixtures that all tests share."""

from __future__ import annotations

import gc
import logging
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from structlog.stdlib import ProcessorFormatter

from tests import kept

if TYPE_CHECKING:
    from vision.reader import Reader

settings.register_profile("wondertally", deadline=None, max_examples=25)  # a shared machine is slow now and then
settings.register_profile("thorough", deadline=None, max_examples=200)
settings.load_profile("wondertally")


gc.disable()  # collecting makes many objects, of which all remain


def pytest_collection_finish() -> None:
    """Collect garbage from now on, but not among the tests and modules, which remain to the end."""
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def kept_folder(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Let all workers keep in one folder what takes long to make."""
    own = tmp_path_factory.getbasetemp()
    kept.folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "kept"


@pytest.fixture(scope="session")
def reader() -> Reader:
    """Return the reader without enrolments; no test may change it."""
    from tests.readers import reader

    return reader()


@pytest.fixture(autouse=True)
def without_enrolments(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide the enrolments of the person at this machine, and prevent tests from adding any."""
    monkeypatch.setenv("WONDERTALLY_DATA", str(tmp_path_factory.getbasetemp() / "nothing-taught"))
    monkeypatch.setenv("WONDERTALLY_WONDERS", "")


@pytest.fixture(autouse=True)
def nothing_written_later() -> Iterator[None]:
    """Remove, after each test, a command's handlers for lines on a standard error that is closed by then."""
    loggers = [logging.getLogger(name) for name in (None, "wondertally", "uvicorn")]
    levels = [logger.level for logger in loggers]
    yield
    for handler in list(logging.root.handlers):
        if isinstance(handler.formatter, ProcessorFormatter):
            logging.root.removeHandler(handler)
            logging.captureWarnings(False)
    for logger, level in zip(loggers, levels, strict=True):
        logger.setLevel(level)
