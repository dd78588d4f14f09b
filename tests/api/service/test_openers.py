"""Worker processes: opening a client's photos costs only that client, clients take turns, threads are awaited."""

from __future__ import annotations

import asyncio
import errno
import os
import signal
import threading
import time
from collections.abc import Coroutine
from concurrent.futures import wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import forkserver
from pathlib import Path
from typing import Any

import pytest

from api.server.clients import asking_client
from api.server.errors import ServerError
from api.service import openers
from api.service.openers import Openers
from api.service.threads import Threads
from api.service.worker_pool import Processes, Turns
from datasets.benchmark.attacks.hostile import make_half_jpeg
from tests.api.serving import LEVEL
from vision.errors import WondertallyError
from vision.photo import decoding


def end(status: int) -> None:
    os._exit(status)


def hang() -> None:
    time.sleep(600)


def decode_for_ever() -> None:
    decoding.DECODE_SECONDS = 0.2
    decoding.limit_seconds(spin)


def spin() -> None:
    while True:
        pass


def run(trial: Coroutine[Any, Any, None]) -> None:
    asyncio.run(trial)


async def find_code(opening: Coroutine[Any, Any, Any]) -> str:
    with pytest.raises(WondertallyError) as caught:
        await opening
    return caught.value.code


def test_openers_load_valid_photos_and_refuse_damaged_ones(tmp_path: Path) -> None:
    half = tmp_path / "half.jpg"
    half.write_bytes(make_half_jpeg())

    async def trial() -> None:
        opening = Openers()
        try:
            await opening.check(LEVEL, "level.jpg")
            photo = await opening.load(LEVEL, "level.jpg")
            assert photo.pixels.shape == (photo.height, photo.width, 3)
            with pytest.raises(WondertallyError) as caught:
                await opening.check(half, "half.jpg")
            assert (caught.value.code, caught.value.details["file"]) == ("truncated_image", "half.jpg")
        finally:
            await opening.close()

    run(trial())


def test_a_photo_that_kills_or_hangs_its_process_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openers, "OPENING_SECONDS", 1.0)

    async def trial() -> None:
        opening = Openers()
        try:
            assert await find_code(opening.run(end, 3)) == "broken_image"
            assert await find_code(opening.run(hang)) == "costly_image"
            assert await find_code(opening.run(decode_for_ever)) == "costly_image"
            await opening.check(LEVEL, "level.jpg")
        finally:
            await opening.close()

    run(trial())


def test_all_work_ends_where_an_idle_process_is_killed() -> None:
    processes = Processes(1, print, ())
    try:
        for seconds in (0.0, 0.05, 0.1):
            os.kill(processes.schedule(os.getpid, (), 60.0).result(), signal.SIGKILL)
            ending = time.monotonic() + seconds
            works = [processes.schedule(os.getpid, (), 60.0)]
            while time.monotonic() < ending:
                works.append(processes.schedule(os.getpid, (), 60.0))
            assert not wait(works, 60.0).not_done
            while isinstance(processes.schedule(os.getpid, (), 60.0).exception(), BrokenProcessPool):
                pass
    finally:
        run(processes.close())


def test_work_fails_while_no_process_can_start_and_is_done_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise OSError(errno.ENOMEM, "Cannot allocate memory")

    processes = Processes(1, print, ())
    try:
        with monkeypatch.context() as patched:
            patched.setattr(forkserver, "connect_to_new_process", refuse)
            for _ in range(2):
                assert isinstance(processes.schedule(os.getpid, (), 60.0).exception(60.0), BrokenProcessPool)
        while isinstance(ended := processes.schedule(os.getpid, (), 60.0).exception(60.0), BrokenProcessPool):
            pass
        assert ended is None
    finally:
        run(processes.close())


def test_a_client_is_served_while_another_hangs_and_a_stop_ends_all() -> None:
    async def trial() -> None:
        opening = Openers()
        asking_client.set("hostile")
        hanging = [asyncio.create_task(opening.run(hang)) for _ in range(8)]
        await asyncio.sleep(0.5)
        asking_client.set("good")
        await opening.check(LEVEL, "level.jpg")
        assert not any(task.done() for task in hanging)
        opening.stop()
        ended = await asyncio.gather(*hanging, return_exceptions=True)
        assert {error.code for error in ended if isinstance(error, ServerError)} == {"not_ready"}
        assert len(ended) == len(hanging)
        assert await find_code(opening.check(LEVEL, "level.jpg")) == "not_ready"
        await opening.close()

    run(trial())


def drain(turns: Turns[str]) -> list[str]:
    taken = []
    while (item := turns.take()) is not None:
        taken.append(item[1])
    return taken


def test_a_later_client_does_not_wait_for_all_work_of_another() -> None:
    turns = Turns[str]()
    for number in range(3):
        turns.put("many", f"many {number}")
    assert turns.take() == ("many", "many 0")
    turns.put("one", "one 0")
    order = list(turns.list_order())
    assert order == ["one 0", "many 1", "many 2"]
    assert drain(turns) == order
    assert not turns.has("many")


def test_a_client_holds_no_more_than_its_share_at_once() -> None:
    turns = Turns[str](1)
    for client in ("a", "a", "b"):
        turns.put(client, client)
    assert drain(turns) == ["a", "b"]
    turns.end("b")
    assert turns.take() is None
    turns.end("a")
    assert drain(turns) == ["a"]


def test_a_thread_of_a_cancelled_task_is_awaited() -> None:
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
