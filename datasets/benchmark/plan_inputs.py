"""Inputs of the plan, measured on this machine: sizes and times from a finished batch, and Dask's."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from pathlib import Path
from statistics import mean

import tomlkit
from distributed import Client, LocalCluster, as_completed

from datasets.benchmark.processes import build_batch_command

TASKS = 400
IN_FLIGHT = 6
LINES = 100
TIMES = 3
MIN_WHOLE_NUMBER = 1000

Inputs = dict[str, dict[str, float]]


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
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        _run(client, IN_FLIGHT, size)
        started = time.perf_counter()
        _run(client, TASKS, size)
        return (time.perf_counter() - started) / TASKS


def _run(client: Client, tasks: int, size: int) -> None:
    running = as_completed([client.submit(bytes, size, pure=False) for _ in range(IN_FLIGHT)])
    left = tasks - IN_FLIGHT
    for future in running:
        future.result()
        if left > 0:
            left -= 1
            running.add(client.submit(bytes, size, pure=False))


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
