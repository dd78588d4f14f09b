"""A plan for a million photos: python -m datasets.benchmark.plan [INPUTS.toml] [--workers 10 100 1000].

    python -m datasets.benchmark.plan [INPUTS.toml] --measure PHOTOS OUT

Computes the duration, cost and bottlenecks of a batch with the given number of workers, from the demand of one photo on
each part (`plan.toml` lists the inputs and their units). A batch is a closed network: every worker has one photo, and
fetches the next when it is done; shared parts serve one at a time. The throughput is exact, by mean value analysis
(Reiser and Lavenberg, 1980), which gives the queueing of a simulation without its randomness. `--measure` first updates
the file of inputs with measurements on this machine, from a folder of photos and the output of `wondertally batch` on
it; values entered by hand and all comments stay.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

import tomlkit

from datasets.benchmark.processes import build_batch_command

TASKS_A_PHOTO = 1 + 1 / 8
"""Tasks per photo: one reads it, and one hashes the contents of 8 (`PHOTOS_PER_TASK` in `api.batch.run`)."""
FETCHES_A_PHOTO = 2
"""Fetches per photo: one to hash its content, one to read it."""
MAX_BUSY_SHARE = 0.7
"""Maximum load of a coordinator, by which shards are counted: a busier part makes others wait. A guess."""
SHARD_PARTS = ("coordinator", "coordinator's link")
"""Parts that every shard has for itself."""
HOUR, GB = 3600, 1e9
TASKS = 400
IN_FLIGHT = 6
LINES = 100
TIMES = 3
MIN_WHOLE_NUMBER = 1000

Inputs = dict[str, dict[str, float]]


@dataclass(frozen=True, slots=True)
class Demand:
    """Demand of one photo in seconds: on its worker (`alone`), and on each part shared by all workers."""

    alone: float
    shared: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Outlook:
    """A batch on a number of workers: photos per second, and the load of each part."""

    workers: int
    rate: float
    busy: Mapping[str, float]

    @property
    def busiest(self) -> list[str]:
        """Return the parts, beginning with the bottleneck."""
        return sorted(self.busy, key=lambda part: -self.busy[part])


def compute_demand(
    inputs: Mapping[str, Mapping[str, float]], fetches: int = FETCHES_A_PHOTO, shards: int = 1
) -> Demand:
    """Return the demand of a photo, fetched `fetches` times, in one of `shards` batches with a coordinator each."""
    photo, reading, coordinator = inputs["photos"], inputs["reading"], inputs["coordinator"]
    links, fetched = inputs["links"], fetches * photo["bytes"]
    written = coordinator["journal_seconds"] + coordinator["results_seconds"]
    shared = {
        "storage's link": fetched / links["storage_bytes_per_second"],
        "coordinator": (TASKS_A_PHOTO * coordinator["task_seconds"] + written) / shards,
        "coordinator's link": reading["report_bytes"] / links["coordinator_bytes_per_second"] / shards,
        "database": inputs["database"]["write_seconds"],
    }
    return Demand(reading["core_seconds"] + fetched / links["worker_bytes_per_second"], shared)


def compute_outlook(demand: Demand, workers: int) -> Outlook:
    """Return the throughput of a closed network by mean value analysis, iterating from one worker to all."""
    waiting = dict.fromkeys(demand.shared, 0.0)
    rate = 0.0
    for present in range(1, workers + 1):
        spent = {part: seconds * (1 + waiting[part]) for part, seconds in demand.shared.items()}
        rate = present / (demand.alone + sum(spent.values()))
        waiting = {part: rate * seconds for part, seconds in spent.items()}
    busy = {part: rate * seconds for part, seconds in demand.shared.items()}
    return Outlook(workers, rate, {"workers": rate * demand.alone / workers, **busy})


def count_shards(demand: Demand, workers: int) -> int:
    """Return the number of parallel batches that keeps each coordinator below `MAX_BUSY_SHARE` if nothing else
    limits.
    """
    most = max(demand.shared[part] for part in SHARD_PARTS)
    return max(1, math.ceil(workers / demand.alone * most / MAX_BUSY_SHARE))


def compute_cost(inputs: Mapping[str, Mapping[str, float]], workers: int, seconds: float) -> tuple[float, float]:
    """Return the price of the cores of workers and a coordinator, and that of storing the photos and readings."""
    prices, bytes_a_photo = inputs["prices"], inputs["photos"]["bytes"] + inputs["reading"]["journal_bytes"]
    stored = inputs["photos"]["count"] * bytes_a_photo / GB * prices["gb_month"] * prices["months"]
    return (workers + 1) * seconds / HOUR * prices["core_hour"], stored


def measure_inputs(photos: Path, out: Path) -> Inputs:
    """Return the tables `photos`, `reading` and `coordinator` of the inputs, without the number of photos."""
    lines = [line for line in (out / "journal.jsonl").read_bytes().splitlines(True) if line.startswith(b'{"reading"')]
    documents = [document for document in map(json.loads, lines) if "report" in document]
    line = max(lines, key=len)
    thumbnails = mean(file.stat().st_size for file in (out / "thumbnails").iterdir())
    read = sum(len(document["held"]["views"]) for document in documents)
    journal_bytes = sum(map(len, lines)) / read
    sent = journal_bytes + 4 / 3 * thumbnails * len(documents) / read
    return {
        "photos": {"bytes": mean(file.stat().st_size for file in photos.rglob("*.jpg"))},
        "reading": {
            "core_seconds": sum(document["report"]["timing_ms"]["total"] for document in documents) / 1000 / read,
            "report_bytes": sent,
            "journal_bytes": journal_bytes,
        },
        "coordinator": {
            "task_seconds": measure_task_seconds(int(sent)),
            "journal_seconds": measure_journal_seconds(line, out),
            "results_seconds": measure_results_seconds(photos, out, read),
        },
    }


def measure_task_seconds(size: int) -> float:
    """Return the time of a task that only returns this many bytes, sent and collected by one client."""
    from distributed import Client, LocalCluster, as_completed  # slow to load

    def run(client: Client, tasks: int) -> None:
        running = as_completed([client.submit(bytes, size, pure=False) for _ in range(IN_FLIGHT)])
        left = tasks - IN_FLIGHT
        for future in running:
            future.result()
            if left > 0:
                left -= 1
                running.add(client.submit(bytes, size, pure=False))

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        run(client, IN_FLIGHT)
        started = time.perf_counter()
        run(client, TASKS)
        return (time.perf_counter() - started) / TASKS


def measure_journal_seconds(line: bytes, folder: Path) -> float:
    """Return the time to serialise a reading's line of the journal and write it durably in the batch's folder."""
    document = json.loads(line)
    with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
        started = time.perf_counter()
        for _ in range(LINES):
            file.write(json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode())
            os.fsync(file.fileno())
        return (time.perf_counter() - started) / LINES


def measure_results_seconds(photos: Path, out: Path, readings: int) -> float:
    """Return the time per reading to write the results: a batch with nothing left to read, minus an empty one."""
    again = min(_timed(build_batch_command(photos, out)) for _ in range(TIMES))
    nothing = min(_timed(build_batch_command(out / "nowhere", out)) for _ in range(TIMES))
    return max(0.0, again - nothing) / readings


def put_into(text: str, inputs: Inputs) -> str:
    """Return a file's text with these inputs updated; everything else stays, including comments."""
    document = tomlkit.parse(text)
    for table, values in inputs.items():
        document.setdefault(table, tomlkit.table()).update({name: _rounded(value) for name, value in values.items()})
    return tomlkit.dumps(document)


def _rounded(value: float) -> float:
    """Return a number rounded to 4 digits; large ones as integers."""
    rounded = float(f"{value:.4g}")
    return int(rounded) if rounded >= MIN_WHOLE_NUMBER else rounded


def _timed(command: list[str]) -> float:
    started = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return time.perf_counter() - started


def main() -> int:
    """Print the plan, after measuring its inputs if requested."""
    parser = argparse.ArgumentParser(prog="python -m datasets.benchmark.plan")
    parser.add_argument("inputs", type=Path, nargs="?", default=Path(__file__).with_name("plan.toml"))
    parser.add_argument("--workers", type=int, nargs="+", default=(10, 100, 1000))
    parser.add_argument("--measure", type=Path, nargs=2, metavar=("PHOTOS", "OUT"))
    options = parser.parse_args()
    if options.measure:
        text = put_into(options.inputs.read_text(encoding="utf-8"), measure_inputs(*options.measure))
        options.inputs.write_text(text, encoding="utf-8")
    inputs = tomllib.loads(options.inputs.read_text(encoding="utf-8"))
    print(f"{'workers':>8} {'shards':>6} {'fetches':>7} {'hours':>8} {'cores cost':>10} {'kept':>8}  busiest")
    for workers in options.workers:
        _print(inputs, workers, 1, FETCHES_A_PHOTO)
        _print(inputs, workers, count_shards(compute_demand(inputs), workers), 1)
    return 0


def _print(inputs: dict[str, Any], workers: int, shards: int, fetches: int) -> None:
    plan = compute_outlook(compute_demand(inputs, fetches, shards), workers)
    seconds = inputs["photos"]["count"] / plan.rate
    computing, storing = compute_cost(inputs, workers + shards - 1, seconds)
    parts = ", ".join(f"{part} {plan.busy[part]:.0%}" for part in plan.busiest[:3])
    print(f"{workers:8} {shards:6} {fetches:7} {seconds / HOUR:8.1f} {computing:10.2f} {storing:8.2f}  {parts}")


if __name__ == "__main__":
    sys.exit(main())
