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
import math
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TASKS_A_PHOTO = 1 + 1 / 8
"""Tasks per photo: one reads it, and one hashes the contents of 8 (`PHOTOS_PER_TASK` in `api.batch.run`)."""
FETCHES_A_PHOTO = 2
"""Fetches per photo: one to hash its content, one to read it."""
MAX_BUSY_SHARE = 0.7
"""Maximum load of a coordinator, by which shards are counted: a busier part makes others wait. A guess."""
SHARD_PARTS = ("coordinator", "coordinator's link")
"""Parts that every shard has for itself."""
HOUR, GB = 3600, 1e9


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


def main() -> int:
    """Print the plan, after measuring its inputs if requested."""
    parser = argparse.ArgumentParser(prog="python -m datasets.benchmark.plan")
    parser.add_argument("inputs", type=Path, nargs="?", default=Path(__file__).with_name("plan.toml"))
    parser.add_argument("--workers", type=int, nargs="+", default=(10, 100, 1000))
    parser.add_argument("--measure", type=Path, nargs=2, metavar=("PHOTOS", "OUT"))
    options = parser.parse_args()
    if options.measure:
        from datasets.benchmark.plan_inputs import measure_inputs, put_into  # starts processes

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
