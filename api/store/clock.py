"""What a machine's clock is believed: one that has leapt deletes nothing until it has gone on for a day as it is."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from vision.enrolment.durable import write_durably

MAX_LEAP_SECONDS = 24 * 3600.0
"""By how much a clock may differ from what it said last; a server that was off for longer leaps as well."""
DOUBT_SECONDS = 24 * 3600.0
"""How long a clock that has leapt is to go on before it is believed."""

log = logging.getLogger("wondertally")


@dataclass(frozen=True, slots=True)
class _Times:
    """Seconds since 1970: when the clock was believed last, since when it is doubted, and when that was noted."""

    believed: float
    doubted_since: float | None = None
    noted: float = 0.0


class Clock:
    """This machine's clock, with a file in which it is noted from one start to the next."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._times: _Times | None = None
        self._noted_at = time.monotonic()

    def check(self, find_newest: Callable[[], float | None]) -> bool:
        """Note the time; whether what is past its time by it is so for sure.

        A clock of which nothing was noted yet is held against the time when the newest of what is kept was made; where
        there is none, nothing can be lost.
        """
        now, elapsed = time.time(), self._measure_elapsed()
        times = self._times or self._read() or _Times(find_newest() or now)
        self._times = _follow(times, now, elapsed)
        self._noted_at = time.monotonic()
        if (since := self._times.doubted_since) is not None:
            log.warning("clock_doubted", extra={"seconds": round(now - since)})
        self._write()
        return since is None

    def measure_lag_seconds(self) -> float:
        """Measure how far the clock is behind what was believed; what is taken meanwhile is kept longer by as much."""
        times = self._times or self._read()
        return 0.0 if times is None else max(0.0, times.believed - time.time())

    def _measure_elapsed(self) -> float:
        """Measure what has passed for sure since the time was noted; of what passed between two starts nothing is."""
        return 0.0 if self._times is None else time.monotonic() - self._noted_at

    def _read(self) -> _Times | None:
        try:
            return _Times(**json.loads(self._file.read_bytes()))
        except (OSError, ValueError, TypeError):
            return None

    def _write(self) -> None:
        assert self._times is not None
        try:
            write_durably(self._file, json.dumps(asdict(self._times)).encode() + b"\n")
        except OSError:
            log.warning("clock_not_noted", exc_info=True)


def _follow(times: _Times, now: float, elapsed: float) -> _Times:
    """Follow the clock to a time: it is believed, or doubted further, or for a while to come."""
    if abs(now - times.believed - elapsed) <= MAX_LEAP_SECONDS:
        return _Times(now)
    since = times.doubted_since
    if since is None or abs(now - times.noted - elapsed) > MAX_LEAP_SECONDS:
        since = now
    return _Times(now) if now - since >= DOUBT_SECONDS else _Times(times.believed + elapsed, since, now)
