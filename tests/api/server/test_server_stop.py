"""A server that is told to stop: nothing is lost, nobody is left without an answer."""

from __future__ import annotations

import signal
import time
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

from tests.api.server.test_server_restart import begun, send
from tests.api.serving import LEVEL, Running, error_in, photo_form, running, until


def is_stopping(server: Running) -> bool:
    answer = server.client.get("/readyz")
    return answer.status_code == 503 and error_in(answer)["details"]["reason"] == "stopping"


def post(server: Running) -> httpx.Response:
    return httpx.post(f"{server.url}/v1/readings", **photo_form(LEVEL.read_bytes()), timeout=120)


def waiting_in(server: Running) -> int:
    return int(server.client.get("/healthz").json()["waiting"])


def statuses(server: Running, *readings: str) -> list[Any]:
    return [server.followed(reading)["status"] for reading in readings]


def test_a_stop_finishes_the_current_reading_and_keeps_the_queue(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with ThreadPoolExecutor(2) as clients:
        with running(data, readers=1, stop_seconds=60) as server:
            first: Future[httpx.Response] = clients.submit(post, server)
            until(lambda: len(server.photos()) == 1)
            # A reader that stands still is a reading that takes long.
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
            assert server.process.wait(30) == 0
            events = [line["event"] for line in server.lines()]
            assert "stopping" in events
            assert events.count("reading_done") == events.count("reading_returned") == 1
        with running(data, readers=1) as again:
            assert statuses(again, first.result().json()["id"], given_back.json()["id"]) == ["done", "done"]
            assert len(again.photos()) == 2


@pytest.mark.soak
def test_told_twice_it_ends_at_once_and_the_next_start_reads_what_was_begun(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with running(data, readers=1, stop_seconds=600) as server:
        # A reader that stands still is a reading that takes long.
        readings = [send(server) for _ in range(2)]
        begun(server, readings[0])
        (reader,) = server.readers()
        reader.suspend()
        server.process.send_signal(signal.SIGTERM)
        until(lambda: is_stopping(server))
        time.sleep(0.5)
        assert server.process.poll() is None, "it waits for what it reads"
        start = time.monotonic()
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(30) == 0
        assert time.monotonic() - start < 20
        assert not reader.is_running()
    with running(data, readers=1, stop_seconds=0) as again:
        assert statuses(again, *(reading["id"] for reading in readings)) == ["done", "done"]
        assert len(again.photos()) == 2


def test_ctrl_c_is_an_end_like_any_other(tmp_path: Path) -> None:
    with running(tmp_path / "data", readers=1) as server:
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(30) == 0
