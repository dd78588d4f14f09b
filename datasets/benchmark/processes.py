"""Commands of the project as processes: on given cores, with the memory of all their descendants."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

import cv2
import numpy as np
import psutil

from datasets.generate import gather_art
from datasets.render.photometric import photograph
from datasets.render.shots import Manner, shoot
from scoring.carcassonne.deal.boards import deal_random_board

WONDERTALLY = (sys.executable, "-c", "from api.cli.main import main; main()")
SAMPLE_SECONDS = 0.1
SIZE_PX = (1200, 900)
TILES = 30
STYLES = ("meadow", "terra")
TABLETOPS = ("wood", "planks")
SCENES = 4
STRENGTH = 0.3
"""Strength of light and lens effects: low, so that all photos of a scene cost about the same. A guess."""
MAX_CROP_PX = 12
"""Maximum number of pixels cut off at an edge. A guess."""


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


def draw_photos(folder: Path, count: int, seed: int) -> list[Path]:
    """Draw `count` distinct JPEGs, the same for the same seed: each cropped at 2 edges, in its own light.

    Existing ones are not drawn again.
    """
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / f"photo_{i:04d}.jpg" for i in range(count)]
    missing = [i for i, file in enumerate(files) if not file.exists()]
    scenes = _scenes(seed) if missing else []
    for i in missing:
        rng = np.random.default_rng([seed, i])
        top, left = rng.integers(MAX_CROP_PX, size=2)
        photo = photograph(np.ascontiguousarray(scenes[i % SCENES][top:, left:]), rng, STRENGTH)
        cv2.imwrite(str(files[i]), photo, [cv2.IMWRITE_JPEG_QUALITY, 90])
    return files


def copy_first(files: list[Path], count: int, folder: Path) -> Path:
    """Copy the first of some photos into a new folder."""
    folder.mkdir(parents=True)
    for file in files[:count]:
        shutil.copy(file, folder)
    return folder


def _scenes(seed: int) -> list[np.ndarray]:
    sets, manner = gather_art([], STYLES, seed), Manner(SIZE_PX, (60.0, 90.0), free=(0.05, 0.15), strength=None)
    boards = [deal_random_board(Random(seed + i), tiles=TILES) for i in range(SCENES)]
    return [
        shoot(board, sets[i % 2], TABLETOPS[i // 2 % 2], manner, np.random.default_rng([seed, i])).image
        for i, board in enumerate(boards)
    ]
