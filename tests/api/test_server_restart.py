"""A server that ends in the middle, and starts again on what it kept."""

from __future__ import annotations

import signal
import sqlite3
import time
from pathlib import Path

from tests.api.serving import LEVEL, error_in, photo_form, running

ASYNC = {"Prefer": "respond-async"}


def test_a_killed_server_takes_up_what_it_can_and_sweeps_what_is_past_its_time(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with running(data, readers=1) as first:
        form = photo_form(LEVEL.read_bytes())
        reading, waiting = (first.client.post("/v1/readings", **form, headers=ASYNC).json() for _ in range(2))
        while not any(reading["id"] in name for name in first.photos()):
            time.sleep(0.02)
        first.process.send_signal(signal.SIGKILL)
        first.process.wait()
    assert any((data / "incoming").iterdir())
    with running(data, readers=1, sweep_minutes=0.02) as again:
        assert not any((data / "incoming").iterdir()), "what came with its place is gone"
        lost = again.client.get(waiting["poll"]).json()
        assert (lost["status"], lost["error"]["code"]) == ("failed", "interrupted")
        assert again.followed(reading["id"])["status"] == "done"
        assert len(again.photos()) == 1
        with sqlite3.connect(data / "server.db") as database:
            database.execute("UPDATE readings SET expires = 1 WHERE id = ?", (reading["id"],))
        database.close()
        assert error_in(again.client.get(reading["poll"]), 404)["code"] == "not_found"
        while again.photos():
            time.sleep(0.1)
        with sqlite3.connect(data / "server.db") as database:
            kept = [row[0] for row in database.execute("SELECT id FROM readings")]
        database.close()
        assert kept == [waiting["id"]]
        again.process.send_signal(signal.SIGTERM)
        assert again.process.wait(20) in (0, -signal.SIGTERM)
