"""Costly photos: a good one sent at the same time is answered promptly, and the server still stops."""

from __future__ import annotations

import signal
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from time import monotonic, sleep
from typing import Any

import httpx2 as httpx

from datasets.benchmark.attacks import Tally
from datasets.benchmark.attacks.hostile import HOSTILE
from datasets.benchmark.mutants import EXAMPLE
from datasets.benchmark.serving import ServerProcess, run_server

SENDERS = 8
MAX_TIMES_ALONE = 3.0
"""Maximum time of a good photo beside hostile ones, as a multiple of its time alone. A guess."""
STOP_SECONDS = 30.0
"""Setting `stop_seconds` of the attacked server, which must end within it. A guess."""
LEAD_SECONDS = 0.5
"""Seconds between sending hostile photos and the good one. A guess."""
HOSTILE_ADDRESS = "127.0.0.2"
SETTINGS: dict[str, Any] = {
    "readings_per_minute": 1000,
    "requests_per_minute": 100_000,
    "stop_seconds": STOP_SECONDS,
    "wait_seconds": 600,
}


def send_hostile_photos(scratch: Path, kinds: Iterable[str]) -> Tally:
    """Send a good photo alongside 8 hostile ones of each kind, from another address; then stop the server."""
    tally = Tally("photos", 0)
    with run_server(scratch / "data", **SETTINGS) as server, ThreadPoolExecutor(SENDERS) as pool:
        _time_good_photo(server.url)
        alone = median(_time_good_photo(server.url) for _ in range(3))
        for kind in kinds:
            data = HOSTILE[kind]()
            sent = [pool.submit(_send, server.url, data, HOSTILE_ADDRESS) for _ in range(SENDERS)]
            sleep(LEAD_SECONDS)
            times = _time_good_photo(server.url) / alone
            answers = [future.result() for future in sent]
            tally.times += 1
            tally.accepted += 1
            tally.done += 1
            tally.answers.update(f"{kind}: {answer}" for answer in answers)
            tally.notes.append(f"{kind}: a good photo takes {times:.1f} times its {alone:.1f} s alone")
            if times > MAX_TIMES_ALONE:
                tally.wrong.append(f"{kind}: {times:.1f} times as long as alone")
            tally.wrong += [f"{kind}: {answer}" for answer in answers if answer.startswith("5")]
        for _ in range(SENDERS):
            pool.submit(_send, server.url, data, HOSTILE_ADDRESS)
        sleep(LEAD_SECONDS)
        seconds = _time_stop(server.process)
        tally.notes.append(f"beside the last of them it stops within {seconds:.1f} s")
        if seconds > STOP_SECONDS:
            tally.wrong.append(f"told to stop it goes on for {seconds:.0f} s")
    return tally


def _time_good_photo(url: str) -> float:
    started = monotonic()
    if (answer := _send(url, EXAMPLE.read_bytes(), "127.0.0.1")) != "201":
        raise RuntimeError(f"a good photo is answered {answer}")
    return monotonic() - started


def _send(url: str, data: bytes, address: str) -> str:
    """Send a photo from an address of this machine; return the status of the answer, with the error's code."""
    try:
        with httpx.Client(base_url=url, timeout=600, transport=httpx.HTTPTransport(local_address=address)) as client:
            answer = client.post("/v1/readings", files={"photo": ("photo", data, "application/octet-stream")})
    except httpx.HTTPError as error:
        return type(error).__name__
    return f"{answer.status_code} {'' if answer.is_success else answer.json()['error']['code']}".strip()


def _time_stop(process: ServerProcess) -> float:
    started = monotonic()
    process.send_signal(signal.SIGTERM)
    process.wait(10 * STOP_SECONDS)
    return monotonic() - started
