"""The server killed before each of its writes, one after the other: a new start finds every reading whole, or gone."""

from __future__ import annotations

import json
import multiprocessing
import signal
from collections import Counter
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

from tests.api import killed

LEAST = 60
"""Writes of the life that is tried: statements, commits, files begun, half written, moved and removed."""


def ended(work: Callable[..., None], *arguments: Any) -> int:
    """The exit status of some work in a process of its own, forked from one that has loaded all and done nothing."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([killed.__name__])
    process = context.Process(target=work, args=arguments)
    process.start()
    process.join()
    assert process.exitcode is not None
    return process.exitcode


def test_killed_before_any_write_the_server_leaves_no_half_reading(database: str, tmp_path: Path) -> None:
    points, found = Counter[str](), Counter[str]()
    for work in (killed.migrate, killed.live):
        for number in count(1):
            status = ended(work, database, tmp_path, number)
            assert ended(killed.look, database, tmp_path) == 0, (work, number)
            found.update(json.loads((tmp_path / "told.json").read_text()))
            if status == 0:
                break
            assert status == -signal.SIGKILL
            points[work.__name__] += 1
    print(f"killed before {points}; then there were {found}")
    assert points["live"] >= LEAST
    assert {"failed 1", "done 1", "done 2", "done 3", "done 4", "done 5", "done 6", "done 7"} == set(found)
