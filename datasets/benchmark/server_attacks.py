"""The server attacked: python -m datasets.benchmark.server_attacks [--mutants 10000] [--clients 50] [--seconds 60].

Damaged pictures (`datasets.benchmark.mutants`) are sent as photos, 2 at a time, until all are sent or
`--mutant-seconds` have passed: each must be answered, without any fault of the server in answers or log. `python -m
datasets.benchmark.mutants --read` reads the same pictures without a server, in less time. Then many clients
continuously request a reading and its parts, while some send photos: each request must be answered, each accepted photo
read, and half of the requests answered within a second. The server is started here.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from statistics import median
from typing import Any

import httpx2 as httpx

from datasets.benchmark.mutants import EXAMPLE, make_mutant
from datasets.benchmark.serving import Served, run_server

SENDERS = 2
PHOTO_CLIENTS = 2
"""Number of clients that send photos. A guess."""
MAX_SECONDS = 1.0
"""Maximum median time of a request. A guess."""
SETTINGS: dict[str, Any] = {
    "readings_per_minute": 1_000_000,
    "requests_per_minute": 1_000_000,
    "uploads_per_client": 1000,
    "connections_per_client": 500,
}
"""Settings for clients that share one address, as in a hall."""
_PARTS = ("", "/photo?width=640", "/report.json", "/explanation", "/report.csv")


@dataclass
class Answers:
    """Answers: the count of each status with its code, the seconds of requests, and the faults."""

    counts: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def note(self, what: str, answer: httpx.Response) -> None:
        """Count an answer; a server error is a fault."""
        code = "" if answer.status_code < 400 else str(answer.json()["error"]["code"])
        self.counts[f"{answer.status_code} {code}".strip()] += 1
        if answer.status_code >= 500:
            self.wrong.append(f"{what}: {answer.status_code} {code}")


def send_mutants(url: str, first: int, count: int, seconds: float = inf) -> Answers:
    """Send damaged pictures as photos, a few at a time, up to a time limit; delete their readings."""
    answers, ended = Answers(), time.monotonic() + seconds
    with httpx.Client(base_url=url, timeout=300) as client, ThreadPoolExecutor(SENDERS) as pool:

        def send(number: int) -> None:
            if time.monotonic() > ended:
                return
            photo = ("mutant.jpg", make_mutant(number), "application/octet-stream")
            answers.note(f"mutant {number}", answer := client.post("/v1/readings", files={"photo": photo}))
            if answer.is_success:
                reading, token = answer.json()["id"], {"Authorization": f"Bearer {answer.json()['token']}"}
                if answer.status_code == 202:
                    _is_read(client, reading)
                answers.note(f"mutant {number}", client.get(f"/v1/readings/{reading}/report.json"))
                client.delete(f"/v1/readings/{reading}", headers=token)

        list(pool.map(send, range(first, first + count)))
    return answers


def ask_from_many(url: str, clients: int, seconds: float) -> Answers:
    """Have many clients request a reading for some time, while some of them send photos."""
    answers, ended = Answers(), time.monotonic() + seconds
    with httpx.Client(base_url=url, timeout=300) as first:
        reading = _send_photo(first).raise_for_status().json()["id"]

    def repeat(act: Callable[[httpx.Client], None]) -> None:
        with httpx.Client(base_url=url, timeout=300) as client:
            while time.monotonic() < ended:
                try:
                    act(client)
                except httpx.HTTPError as error:
                    answers.wrong.append(f"{type(error).__name__}: {error}")

    def ask(client: httpx.Client) -> None:
        for path in [f"/r/{reading}", *(f"/v1/readings/{reading}{part}" for part in _PARTS)]:
            started = time.monotonic()
            answer = client.get(path)
            answers.seconds.append(time.monotonic() - started)
            answers.note(path.replace(reading, "ID"), answer)

    def send(client: httpx.Client) -> None:
        answer = _send_photo(client)
        answers.note("photo", answer)
        if answer.status_code in (201, 202) and not _is_read(client, answer.json()["id"]):
            answers.wrong.append(f"reading {answer.json()['id']} is lost")

    with ThreadPoolExecutor(clients) as pool:
        list(pool.map(repeat, [send] * PHOTO_CLIENTS + [ask] * (clients - PHOTO_CLIENTS)))
    return answers


def _send_photo(client: httpx.Client) -> httpx.Response:
    return client.post("/v1/readings", files={"photo": ("table.jpg", EXAMPLE.read_bytes(), "image/jpeg")})


def _is_read(client: httpx.Client, reading: str) -> bool:
    while (status := client.get(f"/v1/readings/{reading}").raise_for_status().json()["status"]) in (
        "queued",
        "reading",
    ):
        time.sleep(0.2)
    return bool(status == "done")


def find_faults(server: Served) -> list[str]:
    """Return the faults in a server's log, with their tracebacks."""
    return [f"{line}" for line in server.lines() if line["event"] == "fault" or "Traceback" in str(line)]


def _describe(answers: Answers) -> Iterator[str]:
    yield ", ".join(f"{count} x {what}" for what, count in answers.counts.most_common())
    if answers.seconds:
        yield f"{len(answers.seconds)} asked for, half within {median(answers.seconds):.2f} s"


def main() -> int:
    """Print the answers; return 1 if there was a fault, a loss, or the median request was late."""
    parser = argparse.ArgumentParser(prog="python -m datasets.benchmark.server_attacks", description=__doc__)
    parser.add_argument("--mutants", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0, help="the number of the first damaged picture")
    parser.add_argument("--mutant-seconds", type=float, default=inf, help="at most")
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60.0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, run_server(Path(folder) / "data", **SETTINGS) as server:
        mutants = send_mutants(server.url, options.seed, options.mutants, options.mutant_seconds)
        load = ask_from_many(server.url, options.clients, options.seconds) if options.clients else Answers()
        faults = find_faults(server)
    for line in [*_describe(mutants), *_describe(load)]:
        print(line)
    late = bool(load.seconds) and median(load.seconds) > MAX_SECONDS
    for line in [*mutants.wrong, *load.wrong, *faults, *(["half of what was asked for came late"] if late else [])][
        :20
    ]:
        print("wrong:", line)
    return 1 if mutants.wrong or load.wrong or faults or late else 0


if __name__ == "__main__":
    sys.exit(main())
