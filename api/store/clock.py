"""Trust in a machine's clock: after a leap, nothing is deleted until the clock has run on steadily for a day."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from vision.enrolment.durable import write_durably

MAX_LEAP_SECONDS = 24 * 3600.0
"""Maximum deviation in seconds from the last noted time; a server that was off for longer counts as a leap too. A
guess.
"""
DOUBT_SECONDS = 24 * 3600.0
"""Seconds that a clock must run on steadily after a leap before it is trusted. A guess."""

log = logging.getLogger("wondertally")


@dataclass(frozen=True, slots=True)
class _Times:
    """Seconds since 1970: the last trusted time, the beginning of the doubt, and the time of this note."""

    believed: float
    doubted_since: float | None = None
    noted: float = 0.0


class Clock:
    """This machine's clock, noted in a file between starts."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._times: _Times | None = None
        self._noted_at = time.monotonic()

    def check(self, find_newest: Callable[[], float | None]) -> bool:
        """Note the time; return whether the clock is trusted, so that expired data may be deleted.

        Without a note, the clock is compared with the creation time of the newest stored data; without any data nothing
        can be lost.
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
        """Return the seconds by which the clock is behind the trusted time; new data is kept longer by as much."""
        times = self._times or self._read()
        return 0.0 if times is None else max(0.0, times.believed - time.time())

    def _measure_elapsed(self) -> float:
        """Return the seconds that have certainly passed since the last note: 0 across a restart."""
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
    """Update the times: the clock is trusted, still in doubt, or newly in doubt."""
    if abs(now - times.believed - elapsed) <= MAX_LEAP_SECONDS:
        return _Times(now)
    since = times.doubted_since
    if since is None or abs(now - times.noted - elapsed) > MAX_LEAP_SECONDS:
        since = now
    return _Times(now) if now - since >= DOUBT_SECONDS else _Times(times.believed + elapsed, since, now)
