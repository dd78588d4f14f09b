"""Commands of the project as processes: on given cores, with the memory of all their descendants."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import psutil

WONDERTALLY = (sys.executable, "-c", "from api.cli.main import main; main()")
SAMPLE_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Ran:
    """Wall time of a command, CPU seconds of all its processes, and their memory in MiB.

    `memory_mib` is the total of all processes every SAMPLE_SECONDS, if requested.
    """

    seconds: float
    cpu_seconds: float
    memory_mib: tuple[float, ...] = ()

    @property
    def peak_mib(self) -> float:
        """Return the peak memory of all processes together."""
        return max(self.memory_mib, default=0.0)


def build_batch_command(photos: Path, out: Path, *more: str) -> list[str]:
    """Return the command of a batch as a person starts it."""
    return [*WONDERTALLY, "batch", str(photos), "--out", str(out), *more]


def run_together(commands: Sequence[Sequence[str]], cores: Sequence[Collection[int]], weigh: bool = False) -> Ran:
    """Run commands in parallel, each on its own cores, until the last has ended; raise CalledProcessError.

    All processes and their descendants are sampled every SAMPLE_SECONDS, their memory only if `weigh`.
    """
    started, cpu_seconds, memory_mib = time.perf_counter(), dict[int, float](), list[float]()
    running = [
        psutil.Popen(command, preexec_fn=partial(os.sched_setaffinity, 0, affinity), stdout=subprocess.DEVNULL)
        for command, affinity in zip(commands, cores, strict=True)
    ]
    while any(process.poll() is None for process in running):
        members = [member for process in running for member in _list_members(process)]
        cpu_seconds |= _measure_cpu_seconds(members)
        if weigh:
            memory_mib.append(sum(map(_measure_memory_bytes, members)) / 2**20)
        time.sleep(SAMPLE_SECONDS)
    for process in running:
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, process.args)
    return Ran(time.perf_counter() - started, sum(cpu_seconds.values()), tuple(memory_mib))


def _list_members(process: psutil.Popen) -> list[psutil.Process]:
    """Return a process and its descendants while it lives."""
    try:
        return [process, *process.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def _measure_cpu_seconds(members: Iterable[psutil.Process]) -> dict[int, float]:
    measured = {}
    for member in members:
        with suppress(psutil.NoSuchProcess):  # it has just ended
            times = member.cpu_times()
            measured[member.pid] = times.user + times.system
    return measured


def _measure_memory_bytes(member: psutil.Process) -> int:
    """Return the bytes of a process, with shared pages split between their users (PSS); 0 if it has ended."""
    try:
        return int(member.memory_full_info().pss)
    except (psutil.NoSuchProcess, psutil.ZombieProcess):
        return 0
