"""Many damaged pictures, and many clients at once: each request is answered soon, and no answer is a fault."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import httpx2 as httpx

from datasets.benchmark import uploads
from datasets.benchmark.attacks import Tally
from datasets.benchmark.mutants import EXAMPLE, make_mutant
from datasets.benchmark.serving import Served, run_server
from datasets.benchmark.uploads import BOARDS, Uploads, enlarge_example, follow_uploads, read_alone, send_photos

SENDERS = 2
"""Number of damaged pictures that are sent at once. A guess."""
WIDTH_PX, MEBIBYTES = 4000, 3.0
"""Size of the photos sent beside the requests, like a phone's. A guess."""
MAX_SECONDS = 1.0
"""Maximum median time of a request. A guess."""
MEMORY_SECONDS = 0.5
MAX_GROWTH_RATIO = 1.25
"""Maximum ratio of peak memory in the second half to that in the first. A guess."""
SETTINGS: dict[str, Any] = {
    **uploads.SETTINGS,
    "readings_per_minute": 1_000_000,
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


def mail_mutants(scratch: Path, count: int, seed: int) -> Tally:
    """Send damaged pictures (`datasets.benchmark.mutants`) as photos, a few at a time."""
    tally = Tally("damaged pictures", count)
    with run_server(scratch / "data", **SETTINGS) as server:
        answers = send_mutants(server.url, seed, count)
        tally.answers, tally.wrong = answers.counts, answers.wrong + find_faults(server)
    return tally


def send_mutants(url: str, first: int, count: int) -> Answers:
    """Send damaged pictures as photos; delete their readings."""
    answers = Answers()
    with httpx.Client(base_url=url, timeout=300) as client, ThreadPoolExecutor(SENDERS) as pool:

        def send(number: int) -> None:
            photo = ("mutant.jpg", make_mutant(number), "application/octet-stream")
            answers.note(f"mutant {number}", answer := client.post("/v1/readings", files={"photo": photo}))
            if answer.is_success:
                reading, token = answer.json()["id"], {"Authorization": f"Bearer {answer.json()['token']}"}
                while client.get(f"/v1/readings/{reading}").raise_for_status().json()["status"] in (
                    "queued",
                    "reading",
                ):
                    time.sleep(0.2)
                answers.note(f"mutant {number}", client.get(f"/v1/readings/{reading}/report.json"))
                client.delete(f"/v1/readings/{reading}", headers=token)

        list(pool.map(send, range(first, first + count)))
    return answers


def crowd_server(scratch: Path, clients: int, seconds: float) -> Tally:
    """Have many clients request a reading and its parts while others send large photos."""
    tally, sent = Tally("many clients", clients), Uploads()
    photos = {board: enlarge_example(board, WIDTH_PX, MEBIBYTES) for board in BOARDS}
    with run_server(scratch / "data", **SETTINGS) as server:
        alone = read_alone(server.url, photos)
        with send_photos(server.url, photos, sent):
            answers, memory = request_from_many(server, clients, seconds)
        tally.add(sent, follow_uploads(server, sent, alone))
        tally.wrong += answers.wrong + find_growth(memory) + find_faults(server)
    tally.notes.append(f"{len(answers.seconds)} requests, half of them within {median(answers.seconds):.2f} s")
    if median(answers.seconds) > MAX_SECONDS:
        tally.wrong.append("half of the requests were answered late")
    return tally


def request_from_many(server: Served, clients: int, seconds: float) -> tuple[Answers, list[int]]:
    """Have many clients request a reading for some time; return the answers, and samples of the server's memory."""
    answers, memory, ended = Answers(), list[int](), time.monotonic() + seconds
    with httpx.Client(base_url=server.url, timeout=300) as first:
        photo = {"photo": ("table.jpg", EXAMPLE.read_bytes(), "image/jpeg")}
        reading = first.post("/v1/readings", files=photo).raise_for_status().json()["id"]

    def request(client: httpx.Client) -> None:
        for path in [f"/r/{reading}", *(f"/v1/readings/{reading}{part}" for part in _PARTS)]:
            started = time.monotonic()
            answer = client.get(path)
            answers.seconds.append(time.monotonic() - started)
            answers.note(path.replace(reading, "ID"), answer)

    def repeat(act: Callable[[httpx.Client], None]) -> None:
        with httpx.Client(base_url=server.url, timeout=300) as client:
            while time.monotonic() < ended:
                try:
                    act(client)
                except httpx.HTTPError as error:
                    answers.wrong.append(f"{type(error).__name__}: {error}")

    def sample_memory(_: httpx.Client) -> None:
        memory.append(server.memory())
        time.sleep(MEMORY_SECONDS)

    with ThreadPoolExecutor(clients + 1) as pool:
        list(pool.map(repeat, [sample_memory] + [request] * clients))
    return answers, memory


def find_growth(memory: list[int]) -> list[str]:
    """Return a fault if the peak of the second half of the samples exceeds that of the first too far."""
    middle = -(-len(memory) // 2)
    growth = max(memory[middle:], default=0) / max(memory[:middle], default=1)
    return [f"memory grew to {growth:.2f} times"] if growth > MAX_GROWTH_RATIO else []


def find_faults(server: Served) -> list[str]:
    """Return the faults in a server's log, with their tracebacks."""
    return [f"{line}" for line in server.lines() if line["event"] == "fault" or "Traceback" in str(line)]
