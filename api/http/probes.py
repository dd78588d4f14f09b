"""Something tried now and then beside the event loop: it may hang, and nobody hangs on it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread

PROBE_SECONDS = 5.0
"""What a probe may take: a network folder that has gone may let one wait for ever."""


class Probe:
    """A trial; it raises where something is wrong."""

    def __init__(self, trial: Callable[[], None]) -> None:
        self._trial = trial
        self._going: Future[None] | None = None

    async def try_once(self) -> Exception | None:
        """Try once, or await the trial that goes on; returns what it raises, TimeoutError where it takes too long."""
        if self._going is None or self._going.done():
            self._going = Future()
            # No thread of a pool: one that hangs would keep the program from ending.
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
