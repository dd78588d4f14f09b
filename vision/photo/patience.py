"""A time limit for decoders."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from threading import Thread
from typing import TypeVar

from vision.errors import PhotoError

DECODE_SECONDS = 20.0
"""Maximum CPU seconds of decoding. Bounds time. Measured: the largest picture that is read takes 1 (JPEG) to 3.5 (HEIC)
on a core of 2 GHz; a machine may be 5 times as slow.
"""

T = TypeVar("T")


def limit_seconds(decode: Callable[[], T]) -> T:
    """Return the result of decoding a picture; raise its errors, or PhotoError `costly_image` after the time limit.

    A decoder that hangs is abandoned in its own thread, which ends with the process.
    """
    outcome = Future[T]()
    thread = Thread(target=_settle, args=(outcome, decode), daemon=True)
    thread.start()
    measure = _find_clock(thread)
    while (left := DECODE_SECONDS - measure()) > 0:
        thread.join(left)
        if not thread.is_alive():
            return outcome.result()
    raise PhotoError("costly_image", details={"max_seconds": DECODE_SECONDS})


def _settle(outcome: Future[T], decode: Callable[[], T]) -> None:
    try:
        outcome.set_result(decode())
    except BaseException as error:
        outcome.set_exception(error)


def _find_clock(thread: Thread) -> Callable[[], float]:
    """Return a clock of a thread's CPU seconds, or of elapsed time if the system has no such clock."""
    started = time.monotonic()
    if not hasattr(time, "pthread_getcpuclockid") or thread.ident is None:
        return lambda: time.monotonic() - started
    with suppress(OSError):
        clock = time.pthread_getcpuclockid(thread.ident)

        def measure() -> float:
            with suppress(OSError):  # it has just ended
                return time.clock_gettime(clock)
            return 0.0

        return measure
    return lambda: 0.0
