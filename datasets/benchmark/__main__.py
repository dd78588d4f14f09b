"""Time one photo's reading: python -m datasets.benchmark PHOTO [--repeat N]."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from datasets.benchmark import Benchmark, measure
from vision.errors import WondertallyError
from vision.reader import Reader


def main() -> int:
    """Print each stage as a ratio to decoding the photo; print errors to standard error in the common form."""
    parser = argparse.ArgumentParser(prog="python -m datasets.benchmark", description=__doc__)
    parser.add_argument("photo", type=Path)
    parser.add_argument(
        "--repeat", type=_count, default=5, metavar="N", help="readings to take the least of, after the first"
    )
    arguments = parser.parse_args()
    try:
        reader = Reader()
        result = measure(reader, arguments.photo, arguments.repeat, reader.nets)
    except WondertallyError as error:
        print(json.dumps(error.as_dict()), file=sys.stderr)
        return 1
    _print(result)
    return 0


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least one reading is needed")
    return number


def _print(result: Benchmark) -> None:
    megapixels = result.width * result.height / 1e6
    print(f"{megapixels:.1f} megapixels, {result.tiles} tiles, least of {result.repeats}; decoding in full = 1")
    for stage, ratio in result.ratios.items():
        print(f"{stage:>10} {ratio:6.2f}")
    print(f"{'nets':>10} {result.shares['nets']:6.2f} of these")
    print(f"{'first':>10} {result.shares['first']:6.2f} in all, the first reading with its set-up")
    print(f"{'memory':>10} {result.peak_mib:6.0f} MiB at most")


if __name__ == "__main__":
    sys.exit(main())
