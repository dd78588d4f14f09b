"""A thing that takes long to make is made once, however many workers need it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import kept


def test_a_kept_function_runs_once_for_each_of_its_arguments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "folder", tmp_path)
    made: list[int] = []

    def make(number: int) -> list[int]:
        made.append(number)
        return [number]

    worker, other = kept.keep(make), kept.keep(make)
    assert worker(1) == worker(1) == other(1) == [1]
    assert other(2) == [2]
    assert made == [1, 2]
