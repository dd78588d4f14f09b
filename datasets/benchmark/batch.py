"""Overhead of a batch beyond reading: python -m datasets.benchmark.batch [--photos N] [--rounds N] [--memory FEW MANY].

Distinct photos are drawn into the folder (existing ones are reused; `--real` uses the photos of a folder as they are).
Each command is timed from its start to its end, including loading of program and nets, on the first core or the first 2
of this machine:

* bare: one process per core, each with its share of the photos, running only `Reader.read`
  (`datasets.benchmark.reports --bare`): no report, no journal, no results. The thresholds compare with this;
* alone: the same from each photo to its report;
* batch: `wondertally batch`, as it is.

They run in turn for several rounds, and a ratio is the median over the rounds, so that other load affects all alike.
CPU seconds, summed over processes, rise with other load on the machine; wall time rises if cores wait. Memory is the
peak of a batch's processes together, with shared pages counted once (PSS), on 2 cores. Exit status 1 if a threshold is
missed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

from datasets.benchmark.processes import Ran, build_batch_command, copy_first, draw_photos, run_together

MIN_TWO_CORE_RATIO = 1.7
"""Minimum ratio of the rate on 2 cores to that on one. A guess."""
MIN_BARE_RATIO = 0.9
"""Minimum ratio of a batch's rate on 2 cores to that of bare reading on 2, and likewise of CPU seconds. A guess."""
MAX_MEMORY_MIB = 700
"""Maximum memory of all processes of a batch on 2 cores. A guess."""
MAX_GROWTH_SHARE = 0.10
"""Maximum relative difference in memory between few and many photos. A guess."""
CORES = ((0,), (0, 1))
ALONE = (sys.executable, "-m", "datasets.benchmark.reports")
BARE = (*ALONE, "--bare")
WHATS = ("bare", "alone", "batch")

Rounds = list[dict[tuple[str, int], Ran]]
"""Measurements of each round, by command and number of cores."""


def run_on_cores(command: Sequence[str], files: list[Path], cores: tuple[int, ...]) -> Ran:
    """Run a command on the given files, split over one process per core."""
    shares = [files[i :: len(cores)] for i in range(len(cores))]
    commands = [[*command, *map(str, share)] for share in shares]
    return run_together(commands, [(core,) for core in cores])


def run_rounds(files: list[Path], rounds: int, scratch: Path) -> Rounds:
    """Run all commands in turn for the given number of rounds."""
    folder = copy_first(files, len(files), scratch / "all")
    ran: Rounds = []
    for number in range(rounds):
        ran.append({})
        for cores in CORES[::-1]:
            ran[-1]["bare", len(cores)] = run_on_cores(BARE, files, cores)
            ran[-1]["alone", len(cores)] = run_on_cores(ALONE, files, cores)
            command = build_batch_command(folder, scratch / f"out{number}.{len(cores)}")
            ran[-1]["batch", len(cores)] = run_together([command], [cores])
    return ran


def weigh_batch(files: list[Path], count: int, scratch: Path) -> float:
    """Return the peak MiB of a batch of this many photos."""
    photos = copy_first(files, count, scratch / f"of{count}")
    return run_together([build_batch_command(photos, scratch / f"weighed{count}")], CORES[1:], weigh=True).peak_mib


def compare_runs(
    ran: Rounds, which: tuple[str, int], other: tuple[str, int], get: Callable[[Ran], float] = lambda run: run.seconds
) -> float:
    """Return the median over rounds of how much faster one command ran than another."""
    return median(get(runs[other]) / get(runs[which]) for runs in ran)


def main() -> int:
    """Print the ratios, each with its threshold."""
    parser = argparse.ArgumentParser(
        prog="python -m datasets.benchmark.batch", description=(__doc__ or "").split(":")[0]
    )
    parser.add_argument("--photos", type=int, default=80, help="number of photos with which rates are measured")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--memory", type=int, nargs=2, default=(50, 150), metavar=("FEW", "MANY"), help="number of photos"
    )
    parser.add_argument(
        "--folder", type=Path, help="folder that holds the photos, or receives drawn ones; by default a temporary one"
    )
    parser.add_argument("--real", action="store_true", help="take all JPEGs of the folder, and draw none")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        if options.real:
            files = sorted(options.folder.glob("*.jpg"))
        else:
            count = max(options.photos, *options.memory)
            files = draw_photos(options.folder or Path(scratch) / "drawn", count, options.seed)
        ran = run_rounds(files[: options.photos], options.rounds, Path(scratch))
        counts = [min(count, len(files)) for count in options.memory]
        few, many = (weigh_batch(files, count, Path(scratch)) for count in counts)
    print(f"{min(options.photos, len(files))} photos, {options.rounds} rounds; bare reading on one core = 1")
    for what in WHATS:
        for cores in (1, 2):
            rate = compare_runs(ran, (what, cores), ("bare", 1))
            print(f"{what}, {cores} cores: {rate:.2f}")
    return int(not all([_rates_hold(ran), _memory_holds(few, many, counts)]))


def _rates_hold(ran: Rounds) -> bool:
    batch, bare, alone = ("batch", 2), ("bare", 2), ("alone", 2)
    print(f"batch to alone, 2 cores: {compare_runs(ran, batch, alone):.2f}")
    ratios = [
        ("batch, 2 cores to 1", compare_runs(ran, batch, ("batch", 1)), MIN_TWO_CORE_RATIO),
        ("batch to bare, 2 cores", compare_runs(ran, batch, bare), MIN_BARE_RATIO),
        ("the same in CPU seconds", compare_runs(ran, batch, bare, lambda run: run.cpu_seconds), MIN_BARE_RATIO),
    ]
    outcomes = [_holds(what, f"{ratio:.2f}", f"at least {bar}", ratio >= bar) for what, ratio, bar in ratios]
    return all(outcomes)


def _memory_holds(few: float, many: float, counts: Sequence[int]) -> bool:
    grown = many / few
    is_constant = abs(grown - 1) <= MAX_GROWTH_SHARE
    return all(
        [
            _holds(
                f"memory, {counts[1]} photos", f"{many:.0f} MiB", f"at most {MAX_MEMORY_MIB}", many <= MAX_MEMORY_MIB
            ),
            _holds(f"the same to {counts[0]} photos", f"{grown:.2f}", f"within {MAX_GROWTH_SHARE:.0%}", is_constant),
        ]
    )


def _holds(what: str, figure: str, bar: str, holds: bool) -> bool:
    print(f"{what}: {figure}, {bar}: {'holds' if holds else 'MISSED'}")
    return holds


if __name__ == "__main__":
    sys.exit(main())
