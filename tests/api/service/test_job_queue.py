"""Work in other processes: killed after a time limit, replaced after a crash, dropped if no client waits."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from pathlib import Path

import pytest

from api.server.errors import ServerError
from api.service.job_queue import Jobs, ReturnedError
from api.service.worker import EnrolmentPlaces

SECONDS = 10.0
"""Duration of a job that does nothing on a busy machine. A guess."""


def desk_of(desk: int, value: str) -> tuple[int, str]:
    return desk, value


def sleep(desk: int, seconds: float) -> None:
    time.sleep(seconds)


def end(desk: int) -> None:
    os._exit(3)


def fail(desk: int) -> None:
    raise ValueError("a fault")


async def stop(jobs: Jobs) -> None:
    """Stop a queue: waiting jobs are returned at once, those in progress after a while, and no more are accepted."""
    job, waiting = jobs.add("begun", sleep, 600), jobs.add("waits", desk_of, "x")
    await asyncio.sleep(0.3)
    stopping = asyncio.create_task(jobs.stop(5))
    with pytest.raises(ReturnedError):
        await waiting
    assert not job.done()
    with pytest.raises(ReturnedError):
        await job
    with pytest.raises(ServerError, match="not_ready"):
        jobs.add("late", desk_of, "x")
    await stopping
    assert jobs.counts == (0, 0)


async def trial(folder: Path) -> None:
    jobs = Jobs(1, 1, SECONDS, EnrolmentPlaces(f"sqlite:///{folder / 'server.db'}", folder))
    assert not jobs.alive
    await jobs.open()
    try:
        assert len(jobs.alive) == 1
        assert await jobs.add("plain", desk_of, "x") == (0, "x")
        with pytest.raises(ValueError, match="a fault"):
            await jobs.add("fault", fail)
        with pytest.raises(ServerError, match="reading_crashed"):
            await jobs.add("crash", end)
        started = time.monotonic()
        slow, waiting = jobs.add("slow", sleep, 600), jobs.add("waiting", desk_of, "y")
        await asyncio.sleep(0.3)
        assert jobs.counts == (1, 1)
        progress = jobs.get_progress("waiting")
        assert progress is not None
        assert (progress.stage, progress.ahead) == (None, 1)
        with pytest.raises(ServerError, match="queue_full") as caught:
            jobs.add("too many", desk_of, "z")
        assert int(caught.value.headers["Retry-After"]) > 0
        with pytest.raises(ServerError, match="reading_stopped"):
            await slow
        assert time.monotonic() - started < 300
        assert await waiting == (0, "y")
        unwanted = jobs.add("unwanted", sleep, 600)
        await asyncio.sleep(0.3)
        assert jobs.forget("unwanted")
        assert not jobs.forget("unwanted")
        assert unwanted.cancelled()
        assert await jobs.add("after", desk_of, "z") == (0, "z")
        assert jobs.get_progress("after") is None
        assert jobs.counts == (0, 0)
        while not jobs.alive:  # a killed one is followed by another
            await asyncio.sleep(0.05)
        (idle,) = jobs.alive
        os.kill(idle, signal.SIGKILL)
        assert await jobs.add("after a reader's death", desk_of, "z") == (0, "z")
        await stop(jobs)
    finally:
        await jobs.close()
    assert not jobs.alive


@pytest.mark.soak
def test_jobs_end_or_fail_and_the_next_one_runs(tmp_path: Path) -> None:
    asyncio.run(trial(tmp_path))
