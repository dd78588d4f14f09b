"""A stopped server: nothing is lost, and every client gets an answer."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE
from typing import IO

import httpx2 as httpx
import pytest

from datasets.benchmark.serving import Served, run_server
from tests.api.processes import Process
from tests.api.server.held_answers import ASKED, GATE
from tests.api.serving import (
    ASYNC,
    LEVEL,
    Running,
    begun,
    error_in,
    is_stopping,
    photo_form,
    running,
    send,
    statuses,
    until,
)


def post(server: Served) -> httpx.Response:
    return httpx.post(f"{server.url}/v1/readings", **photo_form(LEVEL.read_bytes()), timeout=600)


@contextmanager
def holding(
    data: Path, gate: Path, ask: Callable[[Served], httpx.Response] = post, **settings: object
) -> Iterator[tuple[Served, Future[httpx.Response]]]:
    """Stop a server while its answer about a finished reading waits for a file; yield both."""

    def launch(words: Sequence[str], log: IO[str], env: Mapping[str, str]) -> Process:
        named = {**env, GATE: str(gate)}
        held = "tests.api.server.held_answers"
        return Process(["serve", *words], module=held, stdout=PIPE, stderr=log, text=True, env=named)

    with (
        ThreadPoolExecutor(1) as clients,
        run_server(data, 0, launch, readers=1, wait_seconds=600, **settings) as server,
    ):
        answer = clients.submit(ask, server)
        until(gate.with_suffix(ASKED).exists)
        server.process.send_signal(signal.SIGTERM)
        try:
            yield server, answer
        finally:
            gate.touch()


def waiting_in(server: Running) -> int:
    return int(server.client.get("/healthz").json()["waiting"])


def test_a_stop_finishes_the_current_reading_and_keeps_the_queue(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with ThreadPoolExecutor(2) as clients:
        with running(data, readers=1, stop_seconds=60) as server:
            first: Future[httpx.Response] = clients.submit(post, server)
            until(lambda: len(server.photos()) == 1)
            # A suspended reader is a slow reading.
            (reader,) = server.readers()
            reader.suspend()
            second = clients.submit(post, server)
            until(lambda: waiting_in(server) == 1)
            server.process.send_signal(signal.SIGTERM)
            given_back = second.result()
            assert given_back.status_code == 202
            assert given_back.headers["location"] == given_back.json()["poll"]
            assert is_stopping(server)
            refused = server.client.post("/v1/readings", **photo_form(LEVEL.read_bytes()))
            assert error_in(refused, 503)["details"] == {"reason": "stopping"}
            assert int(refused.headers["retry-after"]) > 0
            assert server.client.get("/healthz").status_code == 200
            reader.resume()
            assert first.result().status_code == 201
            assert server.process.wait(300) == 0
            events = [line["event"] for line in server.lines()]
            assert "stopping" in events
            assert events.count("reading_done") == events.count("reading_returned") == 1
        with running(data, readers=1) as again:
            assert statuses(again, first.result().json()["id"], given_back.json()["id"]) == ["done", "done"]
            assert len(again.photos()) == 2


@pytest.mark.soak
def test_a_slow_answer_is_completed_while_the_server_stops(tmp_path: Path) -> None:
    """All is read, so that nothing else keeps the server: a busy machine writes its document slowly."""
    with holding(tmp_path / "data", tmp_path / "gate", stop_seconds=600) as (server, answer):
        with pytest.raises(TimeoutError):
            answer.result(3.0)
        (tmp_path / "gate").touch()
        assert answer.result().status_code == 201
        assert server.process.wait(300) == 0


@pytest.mark.soak
def test_a_too_slow_answer_of_a_stopping_server_names_the_address_to_poll(tmp_path: Path) -> None:
    with holding(tmp_path / "data", tmp_path / "gate", stop_seconds=0) as (server, answer):
        assert answer.result().status_code == 202
        assert answer.result().headers["location"] == answer.result().json()["poll"]
        (tmp_path / "gate").touch()
        assert server.process.wait(300) == 0
    with running(tmp_path / "data", readers=1) as again:
        assert statuses(again, answer.result().json()["id"]) == ["done"]


@pytest.mark.soak
def test_an_endless_thread_does_not_keep_the_process_alive(tmp_path: Path) -> None:
    with holding(tmp_path / "data", tmp_path / "gate", stop_seconds=0) as (server, answer):
        assert answer.result().status_code == 202
        assert server.process.wait(300) == 0
        assert not (tmp_path / "gate").exists()


@pytest.mark.soak
def test_any_other_too_slow_answer_reports_that_the_server_stops(tmp_path: Path) -> None:
    def get(server: Served) -> httpx.Response:
        poll = httpx.post(f"{server.url}/v1/readings", **photo_form(LEVEL.read_bytes()), headers=ASYNC).json()["poll"]
        until(lambda: "reading_done" in {line["event"] for line in server.lines()})
        return httpx.get(f"{server.url}{poll}", timeout=600)

    with holding(tmp_path / "data", tmp_path / "gate", get, stop_seconds=0) as (server, answer):
        error = error_in(answer.result(), 503)
        assert (error["code"], error["details"]) == ("not_ready", {"reason": "stopping"})
        assert int(answer.result().headers["retry-after"]) > 0
        (tmp_path / "gate").touch()
        assert server.process.wait(300) == 0


@pytest.mark.soak
def test_a_second_signal_ends_the_server_and_the_next_start_resumes(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with running(data, readers=1, stop_seconds=600) as server:
        # A suspended reader is a slow reading.
        readings = [send(server) for _ in range(2)]
        begun(server, readings[0])
        (reader,) = server.readers()
        reader.suspend()
        server.process.send_signal(signal.SIGTERM)
        until(lambda: is_stopping(server))
        time.sleep(0.5)
        assert server.process.poll() is None, "it waits for what it reads"
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(300) == 0, "it does not wait for the 600 seconds that a reading may take"
        assert not reader.is_running()
    with running(data, readers=1, stop_seconds=0) as again:
        assert statuses(again, *(reading["id"] for reading in readings)) == ["done", "done"]
        assert len(again.photos()) == 2


def test_ctrl_c_stops_the_server_like_any_signal(tmp_path: Path) -> None:
    with running(tmp_path / "data", readers=1) as server:
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(300) == 0
