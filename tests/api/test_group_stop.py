"""A stop sent to the whole process group, as by systemd: readings in progress are not lost."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2 as httpx
import pytest

from datasets.benchmark.serving import COMMAND, build_environment, get_log_file
from tests.api.serving import Running, begun, is_stopping, running, send, statuses, until

ENDING_SECONDS = 300


def _hear_hangups() -> None:
    """Undo the effect of `nohup` on its children, including these tests."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@contextmanager
def leading(data: Path, **settings: object) -> Iterator[Running]:
    """Start a server that leads a process group of its own."""
    with (
        get_log_file(data).open("a", encoding="utf-8") as log,
        subprocess.Popen(
            [*COMMAND, "--port", "0"],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env=build_environment(data, settings),
            start_new_session=True,
            preexec_fn=_hear_hangups,
        ) as process,
    ):
        assert process.stdout is not None
        url = process.stdout.readline().removeprefix("Wondertally: ").strip()
        try:
            with httpx.Client(base_url=url, timeout=120) as client:
                yield Running(url, data, process, client=client)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


@pytest.mark.soak
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP], ids=lambda number: number.name)
def test_a_signal_to_the_group_loses_no_photo(tmp_path: Path, number: signal.Signals) -> None:
    data = tmp_path / "data"
    with leading(data, readers=1, stop_seconds=30) as server:
        readings = [send(server) for _ in range(2)]
        begun(server, readings[0])
        os.killpg(server.process.pid, number)
        server.process.wait(ENDING_SECONDS)
    with running(data, readers=1) as again:
        assert statuses(again, *(reading["id"] for reading in readings)) == ["done", "done"]
        assert len(again.photos()) == 2


@pytest.mark.soak
def test_readings_in_progress_finish_though_the_group_is_signalled(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with leading(data, readers=1, stop_seconds=600) as server:
        reading = send(server)
        begun(server, reading)
        os.killpg(server.process.pid, signal.SIGTERM)
        assert server.process.wait(ENDING_SECONDS) == 0
        events = [line["event"] for line in server.lines()]
        assert (events.count("reading_done"), events.count("reading_failed")) == (1, 0)


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
def test_a_reader_killed_at_the_signal_leaves_its_reading_queued(tmp_path: Path) -> None:
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
