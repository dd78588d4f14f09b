"""Tasks for workers that need no photo: what can go wrong with one."""

from __future__ import annotations

import os
import time

from api.batch.work import TaskResult, hash_photos


def echo(number: int) -> TaskResult:
    """Tell the number."""
    return {"number": number}


def end(number: int) -> TaskResult:
    """End the process that does this, as a fault in a library would."""
    os._exit(number)


def fail(number: int) -> TaskResult:
    """Fail as a fault of the program would."""
    raise RuntimeError(f"number {number}")


def hoard(number: int) -> TaskResult:
    """Take memory until somebody ends this; a tenth of a gibibyte at a time, so that it is seen."""
    blocks: list[bytes] = []
    while len(blocks) < 100 * number:
        blocks.append(b"x" * 2**27)
        time.sleep(0.2)
    return {"number": len(blocks)}


def fail_with_many(folder: str, names: tuple[str, ...]) -> TaskResult:
    """Tell photos' contents, one at a time only."""
    if len(names) > 1:
        raise RuntimeError(f"{len(names)} photos")
    return hash_photos(folder, names)
