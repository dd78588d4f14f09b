"""Trials that run in threads beside the event loop, so that one that hangs blocks nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread

PROBE_SECONDS = 5.0
"""Seconds a probe may take: a lost network folder may block forever. A guess."""


class Probe:
    """A trial that raises if something is wrong."""

    def __init__(self, trial: Callable[[], None]) -> None:
        self._trial = trial
        self._going: Future[None] | None = None

    async def try_once(self) -> Exception | None:
        """Try once, or await the trial in progress; return the error it raises, TimeoutError if it takes too long."""
        if self._going is None or self._going.done():
            self._going = Future()
            # Not a thread of a pool: one that hangs would keep the program from exiting.
            Thread(target=self._run, args=(self._going,), daemon=True).start()
        try:
            await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(self._going)), PROBE_SECONDS)
        except Exception as error:
            return error
        return None

    def _run(self, going: Future[None]) -> None:
        try:
            self._trial()
        except Exception as error:
            going.set_exception(error)
        else:
            going.set_result(None)
