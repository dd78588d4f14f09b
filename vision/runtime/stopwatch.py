"""Durations of the stages of a reading, with a callback at the beginning of each."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager


class Stopwatch:
    """A sum of milliseconds per stage, by name; the callback is called with the name as a stage begins."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self.laps: dict[str, float] = {}
        self._tell = tell

    @contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        """Add the time spent within to a stage."""
        self._tell(stage)
        started = time.perf_counter()
        yield
        self.laps[stage] = self.laps.get(stage, 0.0) + (time.perf_counter() - started) * 1000


def sum_laps(parts: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """Return the milliseconds of each stage over all parts, the stages in order of their first occurrence."""
    laps: dict[str, float] = {}
    for part in parts:
        for stage, spent_ms in part.items():
            laps[stage] = laps.get(stage, 0.0) + spent_ms
    return laps
