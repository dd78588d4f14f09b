"""A machine whose clock is wrong for a while: no kept data is deleted for that."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from subprocess import PIPE
from typing import IO

import httpx2 as httpx
import pytest

from api.server.tokens import generate_id
from api.service.readings import Readings
from api.store.clock import Clock
from api.store.tables import REPLACED
from datasets.benchmark.serving import run_server
from tests.api.processes import Process
from tests.api.server.ahead import AHEAD
from tests.api.service.waiting import opened_readings, take
from tests.api.serving import LEVEL, Running, error_in, photo_form, running, until

DAY_SECONDS = 24 * 3600.0
MONTH_SECONDS = 31 * DAY_SECONDS


def launch_ahead(words: Sequence[str], log: IO[str], env: Mapping[str, str]) -> Process:
    """Start the server on a clock that is ahead."""
    module, late = "tests.api.server.ahead", {**env, AHEAD: str(MONTH_SECONDS)}
    return Process(["serve", *words], module=module, stdout=PIPE, stderr=log, text=True, env=late)


@pytest.mark.soak
def test_a_clock_a_month_ahead_for_one_start_deletes_nothing(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with running(data, readers=1, wait_seconds=100) as server:
        made = server.client.post("/v1/readings", **photo_form(LEVEL.read_bytes())).raise_for_status().json()
    with (
        run_server(data, 0, launch_ahead, readers=1, sweep_minutes=0.01, stray_minutes=0) as ahead,
        httpx.Client(base_url=ahead.url) as client,
    ):
        until(lambda: [line["event"] for line in ahead.lines()].count("clock_doubted") >= 3)
        assert error_in(client.get(f"/v1/readings/{made['id']}"), 404)
        assert {file.name for file in (data / "photos").glob("*.jpg")} == {f"{made['id']}.0.jpg"}
    with running(data, readers=1, sweep_minutes=0.01) as again:
        assert _is_there(again, made["id"])


def _is_there(server: Running, reading: str) -> bool:
    server.client.get(f"/v1/readings/{reading}/photo").raise_for_status()
    return bool(server.client.get(f"/v1/readings/{reading}").raise_for_status().json()["status"] == "done")


def note(data: Path, **times: float) -> None:
    """Write a note of the clock, in seconds from now."""
    now = time.time()
    (data / "clock.json").write_text(json.dumps({name: now + seconds for name, seconds in times.items()}))


def sweep_beside(data: Path) -> set[str]:
    """Return the remains, after a sweep, of a reading past its time, and of one that another has replaced."""

    async def sweep(readings: Readings) -> None:
        readings.store.add("expired", "hash", {"files": []}, -MONTH_SECONDS)
        readings.store.add("replaced", "hash", {"files": []}, REPLACED - time.time())
        await readings.sweep()

    with opened_readings(data) as (readings, _):
        asyncio.run(sweep(readings))
        return readings.store.list_ids()


@pytest.mark.parametrize(
    ("times", "left"),
    [
        pytest.param({"believed": -0.5 * DAY_SECONDS}, set(), id="off for half a day"),
        pytest.param({"believed": 0.5 * DAY_SECONDS}, set(), id="half a day behind"),
        pytest.param({"believed": -3 * DAY_SECONDS}, {"expired"}, id="off for three days"),
        pytest.param({"believed": MONTH_SECONDS}, {"expired"}, id="a month behind"),
        pytest.param(
            {"believed": -MONTH_SECONDS, "doubted_since": -1.5 * DAY_SECONDS, "noted": -60}, set(), id="for over a day"
        ),
        pytest.param(
            {"believed": -MONTH_SECONDS, "doubted_since": -1.5 * DAY_SECONDS, "noted": -1.2 * DAY_SECONDS},
            {"expired"},
            id="another leap",
        ),
    ],
)
def test_a_clock_that_jumped_is_trusted_after_running_for_a_day(
    tmp_path: Path, times: dict[str, float], left: set[str]
) -> None:
    note(tmp_path, **times)
    assert sweep_beside(tmp_path) == left


def test_an_unrecorded_clock_is_compared_with_the_newest_reading(tmp_path: Path) -> None:
    assert Clock(tmp_path / "clock.json").check(lambda: None)
    (tmp_path / "clock.json").unlink()
    assert not Clock(tmp_path / "clock.json").check(lambda: time.time() - MONTH_SECONDS)
    (tmp_path / "clock.json").write_bytes(b"{")
    assert Clock(tmp_path / "clock.json").check(lambda: time.time() - 60)


def test_readings_accepted_while_the_clock_is_behind_are_kept_as_long_as_any(tmp_path: Path) -> None:
    note(tmp_path, believed=MONTH_SECONDS)
    with opened_readings(tmp_path) as (readings, _):
        reading = readings.store.get(asyncio.run(take(readings)))
    assert reading.expires - time.time() > MONTH_SECONDS + 29 * DAY_SECONDS


def test_stray_files_are_kept_while_the_clock_is_doubted(tmp_path: Path) -> None:
    with opened_readings(tmp_path) as (readings, _):
        stray = tmp_path / "photos" / f"{generate_id()}.0.jpg"
        stray.write_bytes(b"x")
        note(tmp_path, believed=-MONTH_SECONDS)
        asyncio.run(readings.sweep())
        assert stray.exists()
