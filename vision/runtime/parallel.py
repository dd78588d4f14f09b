"""Concurrent work, and durations of stages: OpenCV and the nets let other threads run while they compute.

If OpenCV is limited to one thread (a batch has a process for each core), everything runs sequentially.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import cache
from typing import TypeVar

import cv2

T = TypeVar("T")
U = TypeVar("U")


def run_concurrently(first: Callable[[], T], second: Callable[[], U]) -> tuple[T, U]:
    """Run two pieces of work at once; the first must not call this function. Raises the errors of either."""
    if (threads := cv2.getNumThreads()) < 2:
        return first(), second()
    ahead = _workers(threads).submit(first)
    try:
        result = second()
    finally:
        wait([ahead])
    return ahead.result(), result


def map_concurrently(work: Callable[[T], U], items: Iterable[T]) -> list[U]:
    """Return the results of `work` for each item in order; it must not call this function. Raises its errors."""
    if (threads := cv2.getNumThreads()) < 2:
        return [work(item) for item in items]
    return list(_workers(threads).map(work, items))


@cache
def _workers(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, thread_name_prefix="abreast")


# A forked process has none of its parent's threads; Windows does not fork.
if sys.platform != "win32":
    os.register_at_fork(after_in_child=_workers.cache_clear)


class Stopwatch:
    """A sum of milliseconds per stage, by name; the callback is called with the name as a stage begins."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self.laps: dict[str, float] = {}
        self._announce = tell

    @contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        """Add the time spent within to a stage."""
        self._announce(stage)
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
