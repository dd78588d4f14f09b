"""A stop sent to the whole process group, as by systemd: readings in progress are not lost."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE
from typing import IO

import httpx2 as httpx
import pytest

from datasets.benchmark.serving import run_server
from tests.api.processes import Process
from tests.api.serving import Running, begun, is_stopping, running, send, statuses, until

ENDING_SECONDS = 300


def launch_leader(words: Sequence[str], log: IO[str], env: Mapping[str, str]) -> Process:
    """Start the server's command as the leader of a process group of its own."""
    return Process(["serve", *words], stdout=PIPE, stderr=log, text=True, env=env, own_group=True)


@contextmanager
def leading(data: Path, **settings: object) -> Iterator[Running]:
    """Run a server that leads a process group of its own."""
    with (
        run_server(data, 0, launch_leader, **settings) as started,
        httpx.Client(base_url=started.url, timeout=120) as client,
    ):
        yield Running(**vars(started), client=client)


@pytest.mark.parametrize(
    "number",
    [signal.SIGTERM, *(pytest.param(number, marks=pytest.mark.soak) for number in (signal.SIGINT, signal.SIGHUP))],
    ids=lambda number: number.name,
)
def test_a_signal_to_the_group_loses_no_photo(tmp_path: Path, number: signal.Signals) -> None:
    """The current reading is finished, and the next one is left to the next start."""
    data = tmp_path / "data"
    with leading(data, readers=1, stop_seconds=60) as server:
        readings = [send(server) for _ in range(2)]
        begun(server, readings[0])
        os.killpg(server.process.pid, number)
        assert server.process.wait(ENDING_SECONDS) == 0
        events = [line["event"] for line in server.lines()]
        assert (events.count("reading_done"), events.count("reading_failed")) == (1, 0)
    with running(data, readers=1) as again:
        assert statuses(again, *(reading["id"] for reading in readings)) == ["done", "done"]
        assert len(again.photos()) == 2


@pytest.mark.soak
def test_a_reader_killed_while_the_server_stops_leaves_its_reading_queued(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with leading(data, readers=1, stop_seconds=600) as server:
        reading = send(server)
        begun(server, reading)
        (reader,) = server.readers()
        reader.suspend()
        server.process.send_signal(signal.SIGTERM)
        until(lambda: is_stopping(server))
        reader.kill()
        assert server.process.wait(ENDING_SECONDS) == 0
        assert "reading_returned" in {line["event"] for line in server.lines()}
    with running(data, readers=1) as again:
        assert statuses(again, reading["id"]) == ["done"]


@pytest.mark.soak
def test_a_reader_killed_in_the_moment_of_the_signal_leaves_its_reading_queued(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with leading(data, readers=1, stop_seconds=30) as server:
        reading = send(server)
        begun(server, reading)
        (reader,) = server.readers()
        server.process.send_signal(signal.SIGTERM)
        reader.kill()
        assert server.process.wait(ENDING_SECONDS) == 0
    with running(data, readers=1) as again:
        assert statuses(again, reading["id"]) == ["done"]
