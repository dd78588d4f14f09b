"""What all tests share."""

from __future__ import annotations

import pytest
from hypothesis import settings

settings.register_profile("wondertally", deadline=None, max_examples=40)  # a shared machine is slow now and then
settings.register_profile("thorough", deadline=None, max_examples=200)
settings.load_profile("wondertally")


@pytest.fixture(autouse=True)
def nothing_taught(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test knows what the person at this machine has taught, and none adds to it."""
    monkeypatch.setenv("WONDERTALLY_DATA", str(tmp_path_factory.getbasetemp() / "nothing-taught"))
    monkeypatch.setenv("WONDERTALLY_WONDERS", "")
