"""Lives in forks of a process that has completed one life: everything it set up is already there."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.api import killed
from tests.api.processes import FORKS

Live = Callable[..., int]
"""A function that runs another in a fork of its own, and returns its exit status, or its signal negated."""

Lived = Callable[[str, Path, int], None]
Looked = Callable[[str, Path], None]
"""The life of a server with a database and a folder that ends before its Nth write, and the new start after it."""


@contextmanager
def forked_lives(live: Lived = killed.live, look: Looked = killed.look) -> Iterator[Live]:
    """Yield the function that forks the process that has lived once."""
    ours, theirs = Pipe()
    process = FORKS.Process(target=_fork_lives, args=(theirs, live, look))
    process.start()
    theirs.close()  # otherwise `recv` would wait for a process that has ended

    def fork(work: Callable[..., None], *arguments: Any) -> int:
        ours.send((work, arguments))
        return int(ours.recv())

    try:
        yield fork
    finally:
        process.kill()
        process.join()


def _fork_lives(connection: Connection, live: Lived, look: Looked) -> None:
    with TemporaryDirectory() as folder:
        database = f"sqlite:///{folder}/server.db"
        live(database, Path(folder), 0)
        look(database, Path(folder))
    while True:
        work, arguments = connection.recv()
        process = os.fork()
        if process == 0:
            work(*arguments)
            os._exit(0)
        connection.send(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
