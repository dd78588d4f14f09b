"""Threads of a server are awaited in the end, even after a cancellation."""

from __future__ import annotations

import asyncio
import threading

import pytest

from api.service.threads import Threads


def test_a_thread_whose_task_was_cancelled_is_waited_for() -> None:
    start, may_end, ended = threading.Event(), threading.Event(), threading.Event()

    def work() -> None:
        start.set()
        may_end.wait(300)
        ended.set()

    async def story() -> None:
        threads = Threads()
        task = asyncio.create_task(threads.run(work))
        await asyncio.to_thread(start.wait, 300)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await threads.settle(0.05)
        assert not ended.is_set(), "it is not waited for longer than was said"
        may_end.set()
        await threads.settle(300)
        assert ended.is_set()

    asyncio.run(story())


def test_what_a_thread_returns_and_raises_is_told() -> None:
    async def story() -> None:
        threads = Threads()
        assert await threads.run(divmod, 7, 2) == (3, 1)
        with pytest.raises(ZeroDivisionError):
            await threads.run(divmod, 7, 0)
        await threads.settle(1)

    asyncio.run(story())
