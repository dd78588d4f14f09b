"""Commands of the project as processes: on so many cores, with the memory of all that they start."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import psutil

WONDERTALLY = (sys.executable, "-c", "from api.cli.main import main; main()")
SAMPLE_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Ran:
    """Seconds from a command's start to its end, and the most memory that all its processes held together, MiB."""

    seconds: float
    peak_mib: float = 0.0


def build_batch_command(photos: Path, out: Path, *more: str) -> list[str]:
    """Build the command of a batch as a person starts it."""
    return [*WONDERTALLY, "batch", str(photos), "--out", str(out), *more]


def run_together(commands: Sequence[Sequence[str]], cores: Sequence[Collection[int]]) -> Ran:
    """Run commands side by side, each on its own cores, until the last has ended; raises CalledProcessError."""
    started = time.perf_counter()
    running = [
        subprocess.Popen(command, preexec_fn=partial(os.sched_setaffinity, 0, affinity), stdout=subprocess.DEVNULL)
        for command, affinity in zip(commands, cores, strict=True)
    ]
    for process in running:
        _check(process.wait(), process)
    return Ran(time.perf_counter() - started)


def run_weighed(command: Sequence[str], cores: Collection[int]) -> Ran:
    """Run a command, and measure what it and its children hold at most: shared pages count once."""
    started, peak = time.perf_counter(), 0
    process = psutil.Popen(command, preexec_fn=partial(os.sched_setaffinity, 0, cores), stdout=subprocess.DEVNULL)
    while process.poll() is None:
        peak = max(peak, measure_memory_bytes(process))
        time.sleep(SAMPLE_SECONDS)
    _check(process.returncode, process)
    return Ran(time.perf_counter() - started, peak / 2**20)


def measure_memory_bytes(process: psutil.Process) -> int:
    """Return the bytes of a process and its descendants: each page shared by those that hold it (PSS)."""
    total = 0
    try:
        for member in [process, *process.children(recursive=True)]:
            total += member.memory_full_info().pss
    except psutil.NoSuchProcess:  # one ended just now
        pass
    return total


def _check(status: int, process: psutil.Popen | subprocess.Popen[bytes]) -> None:
    if status:
        raise subprocess.CalledProcessError(status, process.args)
