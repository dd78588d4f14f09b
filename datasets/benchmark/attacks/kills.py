"""Kills of a server while it reads, and of a batch."""

from __future__ import annotations

from pathlib import Path
from random import Random
from time import perf_counter

from datasets.benchmark import server_faults
from datasets.benchmark.attacks import Tally, batch_faults
from datasets.benchmark.killing import Moments, load_lines, run_until
from datasets.benchmark.photos import draw_photos

PHOTOS = 4
"""Number of distinct photos in a batch; one is added twice, and one truncated. A guess."""


def kill_server(scratch: Path, times: int, seed: int) -> Tally:
    """Kill the server while clients send photos."""
    tally = Tally("kills of the server", times)
    tally.add(*server_faults.run(scratch, times, seed))
    return tally


def kill_batch(scratch: Path, times: int, seed: int) -> Tally:
    """Kill a batch, with all its processes, and restart it."""
    tally = Tally("kills of a batch", times)
    photos = batch_faults.copy_with_faults(draw_photos(scratch / "drawn", PHOTOS, seed), scratch / "photos")
    started = perf_counter()
    if (status := run_until(photos, scratch / "whole", None)) != batch_faults.SET_ASIDE:
        tally.wrong.append(f"the undisturbed batch ended with {status}")
        return tally
    moments = Moments(Random(seed), perf_counter() - started)
    _, ended, tally.wrong = batch_faults.kill_batches(photos, scratch, moments, times)
    names = {file.name for file in photos.iterdir()}
    for number in range(ended):
        lines = load_lines(scratch / f"out{number}" / "results.jsonl")
        listed = {name for line in lines for name in line["batch"]["photos"]}
        tally.accepted += len(names)
        tally.done += len(names & listed)
        tally.lost += sorted(names - listed)
    return tally
