"""Tasks for workers that need no photo, with every kind of failure."""

from __future__ import annotations

import os
import time

from api.batch.work import TaskResult, hash_photos


def echo(number: int) -> TaskResult:
    """Return the number."""
    return {"number": number}


def end(number: int) -> TaskResult:
    """End this process, like a crash in a library."""
    os._exit(number)


def fail(number: int) -> TaskResult:
    """Fail like a fault of the program."""
    raise RuntimeError(f"number {number}")


def hoard(number: int) -> TaskResult:
    """Allocate memory until the process is ended; a tenth of a gibibyte at a time, so that it is noticed."""
    blocks: list[bytes] = []
    while len(blocks) < 100 * number:
        blocks.append(b"x" * 2**27)
        time.sleep(0.2)
    return {"number": len(blocks)}


def fail_with_many(folder: str, names: tuple[str, ...]) -> TaskResult:
    """Return photos' contents, but only for one at a time."""
    if len(names) > 1:
        raise RuntimeError(f"{len(names)} photos")
    return hash_photos(folder, names)


def report_process(seconds: float) -> TaskResult:
    """Return this process's id, after a while."""
    time.sleep(seconds)
    return {"process": os.getpid()}
