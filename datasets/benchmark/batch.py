"""What a batch costs beside reading: python -m datasets.benchmark.batch [--photos N] [--memory FEW MANY].

Distinct photos are drawn into the folder (those that lie there are taken). All times are from a command's start to its
end, with the loading of program and nets, on the first core or the first two of this machine:

* bare: as many processes as cores, each with its share of the photos, with nothing but `Reader.read`
  (`datasets.benchmark.alone`);
* alone: the same from each photo to its report (`datasets.benchmark.reports`): no Dask, no journal, no results. The
  bar is held against this, since a report is what a reading ends with; the ratio to bare reading is printed beside it;
* batch: `wondertally batch`, as it is.

Rates are printed as ratios to bare reading on one core. Memory is the most that a batch's processes hold together,
shared pages once, on two cores. Exit status 1 where a bar is missed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from datasets.benchmark.photos import copy_first, draw_photos
from datasets.benchmark.processes import Ran, build_batch_command, run_together, run_weighed

MIN_TWO_CORE_RATIO = 1.7
"""The rate on two cores to that on one."""
MIN_ALONE_RATIO = 0.85
"""A batch's rate on two cores to that of reading alone on two."""
MAX_GROWTH_SHARE = 0.10
"""By how much the memory may differ between a few and many photos."""
CORES = ((0,), (0, 1))
BARE = (sys.executable, "-m", "datasets.benchmark.alone")
ALONE = (sys.executable, "-m", "datasets.benchmark.reports")


def run_on_cores(command: Sequence[str], files: list[Path], cores: tuple[int, ...]) -> Ran:
    """Run a command that reads the files that it is given, as a process on each core."""
    shares = [files[i :: len(cores)] for i in range(len(cores))]
    commands = [[*command, *map(str, share)] for share in shares]
    return run_together(commands, [(core,) for core in cores])


def measure_rates(files: list[Path], scratch: Path) -> dict[tuple[str, int], float]:
    """Measure the photos a second, by what was done and on how many cores."""
    folder = copy_first(files, len(files), scratch / "all")
    rates = {}
    for cores in CORES:
        rates["bare", len(cores)] = len(files) / run_on_cores(BARE, files, cores).seconds
        rates["alone", len(cores)] = len(files) / run_on_cores(ALONE, files, cores).seconds
        command = build_batch_command(folder, scratch / f"out{len(cores)}")
        rates["batch", len(cores)] = len(files) / run_together([command], [cores]).seconds
    return rates


def measure_memory(files: list[Path], counts: tuple[int, int], scratch: Path) -> tuple[float, float]:
    """Measure the MiB of batches of two sizes."""
    few, many = (
        run_weighed(
            build_batch_command(copy_first(files, count, scratch / f"of{count}"), scratch / f"weighed{count}"), CORES[1]
        )
        for count in counts
    )
    return few.peak_mib, many.peak_mib


def main() -> int:
    """Print the ratios, each with its bar."""
    parser = argparse.ArgumentParser(
        prog="python -m datasets.benchmark.batch", description=(__doc__ or "").split(":")[0]
    )
    parser.add_argument("--photos", type=int, default=200, help="that rates are measured with")
    parser.add_argument("--memory", type=int, nargs=2, default=(50, 400), metavar=("FEW", "MANY"), help="photos")
    parser.add_argument("--folder", type=Path, help="where photos are drawn to, or lie; else one that goes again")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        files = draw_photos(
            options.folder or Path(scratch) / "drawn", max(options.photos, *options.memory), options.seed
        )
        rates = measure_rates(files[: options.photos], Path(scratch))
        few, many = measure_memory(files, tuple(options.memory), Path(scratch))
    unit = rates["bare", 1]
    print(f"{options.photos} photos; bare reading on one core = 1 ({unit:.3f} photos a second here)")
    for (what, cores), rate in rates.items():
        print(f"{what}, {cores} cores: {rate / unit:.2f}")
    return int(not all([_rates_hold(rates), _memory_holds(few, many, options.memory)]))


def _rates_hold(rates: dict[tuple[str, int], float]) -> bool:
    one, two = rates["batch", 1], rates["batch", 2]
    print(f"batch to bare, 2 cores: {two / rates['bare', 2]:.2f}")
    return all(
        [
            _holds(
                "batch, 2 cores to 1",
                two / one,
                f"at least {MIN_TWO_CORE_RATIO}",
                lambda ratio: ratio >= MIN_TWO_CORE_RATIO,
            ),
            _holds("batch to alone, 2 cores", two / rates["alone", 2], f"at least {MIN_ALONE_RATIO}", _enough),
        ]
    )


def _enough(ratio: float) -> bool:
    return ratio >= MIN_ALONE_RATIO


def _memory_holds(few: float, many: float, counts: tuple[int, int]) -> bool:
    what = f"memory, {counts[1]} photos to {counts[0]} ({many:.0f} to {few:.0f} MiB)"
    return _holds(what, many / few, f"within {MAX_GROWTH_SHARE:.0%}", lambda ratio: abs(ratio - 1) <= MAX_GROWTH_SHARE)


def _holds(what: str, ratio: float, bar: str, good: Callable[[float], bool]) -> bool:
    print(f"{what}: {ratio:.2f}, {bar}: {'holds' if good(ratio) else 'MISSED'}")
    return good(ratio)


if __name__ == "__main__":
    sys.exit(main())
