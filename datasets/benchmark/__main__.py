"""Time one photo's reading: python -m datasets.benchmark PHOTO [--repeat N] [--babel PHOTO]."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from datasets.benchmark import Benchmark, measure, read_spots, read_tiles
from vision.enrolment.games import GameEnrolments
from vision.errors import WondertallyError
from vision.reader import Reader
from vision.tower_of_babel.reader import GAME, build_reader


def main() -> int:
    """Print each stage as a ratio to decoding the photo; print errors to standard error in the common form."""
    parser = argparse.ArgumentParser(prog="python -m datasets.benchmark", description=__doc__)
    parser.add_argument("photo", type=Path)
    parser.add_argument(
        "--repeat", type=_count, default=5, metavar="N", help="readings to take the least of, after the first"
    )
    parser.add_argument(
        "--babel", type=Path, metavar="PHOTO", help="a table of Tower of Babel to read as well, on the enrolled board"
    )
    arguments = parser.parse_args()
    try:
        reader = Reader()
        result = measure(read_tiles(reader), arguments.photo, arguments.repeat, reader.nets)
        _print(result, "tiles")
        if arguments.babel:
            babel_reader = build_reader(GameEnrolments().load(GAME))
            babel = measure(read_spots(babel_reader), arguments.babel, arguments.repeat)
            _print(babel, "spots of Tower of Babel")
            print(f"{'beside':>10} {babel.total_ms / result.total_ms:6.2f} times the reading of the tiles")
    except WondertallyError as error:
        print(json.dumps(error.as_dict()), file=sys.stderr)
        return 1
    return 0


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least one reading is needed")
    return number


def _print(result: Benchmark, counted: str) -> None:
    megapixels = result.width * result.height / 1e6
    print(f"{megapixels:.1f} megapixels, {result.count} {counted}, least of {result.repeats}; decoding in full = 1")
    for stage, ratio in result.ratios.items():
        print(f"{stage:>10} {ratio:6.2f}")
    if result.nets_ms:
        print(f"{'nets':>10} {result.shares['nets']:6.2f} of these")
    print(f"{'first':>10} {result.shares['first']:6.2f} in all, the first reading with its set-up")
    print(f"{'memory':>10} {result.peak_mib:6.0f} MiB at most")


if __name__ == "__main__":
    sys.exit(main())
