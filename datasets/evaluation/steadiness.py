"""Sensitivity of readings to rounding: each photo is read plainly, with other processors' rounding, and with noise.

    python -m datasets.evaluation.steadiness LABEL... --photos DIR

Prints a line for each photo and each other reading of it: the largest difference of a probability and its subject, and
the names, points and doubts that differ. Other processors are OpenBLAS's kinds (`OPENBLAS_CORETYPE`, which NumPy's and
OpenCV's copies respect), each in its own process; `--shakes` readings add noise of up to `--by` to all outputs of all
nets. The exit status is 1 if a name differs, or a probability by `MAX_DIFFERENCE` or more.
"""

from __future__ import annotations

import argparse
import os
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from math import dist
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from datasets.evaluation.yardstick import describe_photo
from vision.arrays import Image, Singles
from vision.board.legal.problem import SHOWN_PROBABILITY as SHOWN_TILE
from vision.doubt.alternatives import MIN_SCORED_PROBABILITY
from vision.evaluation.labels import load_truth
from vision.evaluation.tables import find_photo
from vision.pieces.meeples import SHOWN_PROBABILITY as SHOWN_MEEPLE
from vision.reader import Reader
from vision.runtime.onnx import Net

PROCESSORS = ("Haswell", "SkylakeX")
"""Kinds of processor whose sums round differently: with 256-bit and with 512-bit vectors."""
SHAKEN_BY = 1e-5
"""Maximum noise added to the nets' outputs: far more than any rounding, far less than a meaningful difference.
A guess.
"""
MAX_DIFFERENCE = 5e-4
"""Minimum difference that counts: probabilities that differ by less agree in 3 digits. A guess."""
SAME_MEEPLE_TILES = 0.15
"""Maximum distance at which meeples of 2 readings are the same, below the minimum distance within one reading
(`vision.pieces.classifier.SAME_FOOT`). A guess.
"""

Line = Mapping[str, Any]
"""A reading as described by `datasets.evaluation.yardstick`."""
BLAS_SETTING = "OPENBLAS_CORETYPE"


class ShakenNet(Net):
    """A net with noise of up to `by` on each output, drawn from a seed."""

    def __init__(self, file: Path, threads: int = 1, apart: bool = False, *, by: float, seed: int) -> None:
        super().__init__(file, threads, apart)
        self._by, self._rng = by, np.random.default_rng([seed, zlib.crc32(file.name.encode())])

    def __call__(self, pictures: Image, **numbers: Singles) -> list[Singles]:
        """Run the net, as `Net` does, and add noise to its outputs."""
        outputs = super().__call__(pictures, **numbers)
        return [output + self._rng.uniform(-self._by, self._by, output.shape).astype(np.float32) for output in outputs]


class Statement(NamedTuple):
    """A probability in a reading; readings omit entries less likely than `listed`."""

    probability: float
    listed: float = 0.0


@dataclass(frozen=True, slots=True)
class Difference:
    """Difference of 2 readings of one photo: the largest difference of a probability, its subject, and the other
    entries that are `changed`: names, places, points and doubts.
    """

    largest: float
    where: str
    changed: tuple[str, ...]

    @property
    def is_large(self) -> bool:
        """Return whether the readings differ significantly."""
        return bool(self.changed) or self.largest >= MAX_DIFFERENCE

    def __str__(self) -> str:
        at = f" ({self.where})" if self.largest >= MAX_DIFFERENCE else ""
        return f"{self.largest:.6f}{at}" + "".join(f"; {name}" for name in self.changed)


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the photos in all ways and print how the readings differ; return 1 if any differs significantly."""
    options = _parse(arguments)
    photos = {label.stem: find_photo(load_truth(label).photo, options.photos, label) for label in options.labels}
    plain = read_photos(photos)
    large = 0
    for way, lines in _read_otherwise(photos, options):
        for name, line in lines.items():
            difference = compare_readings(plain[name], line)
            large += difference.is_large
            print(f"{name}, {way}: {difference}", flush=True)
    print(f"{len(plain)} photos, {large} readings that differ")
    return 1 if large else 0


def read_photos(photos: Mapping[str, Path], by: float = 0.0, seed: int = 0) -> dict[str, Line]:
    """Return the readings of photos, with noise of up to `by` on the nets' outputs."""
    reader = Reader(open_net=partial(ShakenNet, by=by, seed=seed)) if by else Reader()
    return {name: describe_photo(reader, path) for name, path in photos.items()}


def read_photos_on_processor(photos: Mapping[str, Path], processor: str) -> dict[str, Line]:
    """Return the readings of photos in another process that rounds like a kind of processor; raise BrokenProcessPool if
    this machine cannot run its instructions.
    """
    before = os.environ.get(BLAS_SETTING)
    os.environ[BLAS_SETTING] = processor
    try:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            return pool.submit(read_photos, photos).result()
    finally:
        os.environ.pop(BLAS_SETTING)
        if before is not None:
            os.environ[BLAS_SETTING] = before


def compare_readings(plain: Line, other: Line) -> Difference:
    """Compare 2 readings of one photo."""
    if "error" in plain or "error" in other:
        codes = [line.get("error", "read") for line in (plain, other)]
        return Difference(0.0, "", () if codes[0] == codes[1] else (f"{codes[0]} or {codes[1]}",))
    keys = [str(number) for number in range(len(_list_meeples(plain)))]
    (names, statements), (other_names, other_said) = (
        _describe(plain, keys),
        _describe(other, _match_meeples(plain, other)),
    )
    changed = sorted(key for key in {*names, *other_names} if names.get(key) != other_names.get(key))
    off = {key: _measure_difference(statements.get(key), other_said.get(key)) for key in {*statements, *other_said}}
    where = max(sorted(off), key=lambda key: off[key])
    return Difference(off[where], where, tuple(f"{key} {names.get(key)} or {other_names.get(key)}" for key in changed))


def _measure_difference(one: Statement | None, other: Statement | None) -> float:
    if one is not None and other is not None:
        return abs(one.probability - other.probability)
    return sum(max(there.probability - there.listed, 0.0) for there in (one, other) if there is not None)


def _list_meeples(line: Line) -> list[list[Any]]:
    return [*line["meeples"], *line["possible_meeples"]]


def _match_meeples(plain: Line, other: Line) -> list[str]:
    """Return the keys of another reading's meeples: the number of the same meeple in the plain reading."""
    left = dict(enumerate(meeple[6:8] for meeple in _list_meeples(plain)))
    keys = []
    for number, meeple in enumerate(_list_meeples(other)):
        nearest = min(left, key=lambda i: dist(left[i], meeple[6:8]), default=None)
        if nearest is not None and dist(left[nearest], meeple[6:8]) <= SAME_MEEPLE_TILES:
            keys.append(str(nearest))
            left.pop(nearest)
        else:
            keys.append(f"new {number}")
    return keys


def _describe(line: Line, meeple_keys: Iterable[str]) -> tuple[dict[str, Any], dict[str, Statement]]:
    """Return the names in a reading, and its probabilities, by subject."""
    names = {key: line[key] for key in ("notation", "final_scoring", "doubtful")}
    statements = {"confidence": Statement(line["confidence"])}
    for subject, probability, totals in line["changes"]:
        key = f"change {subject} {sorted(totals.items())}"
        before = statements[key].probability if key in statements else 0.0
        statements[key] = Statement(before + probability, MIN_SCORED_PROBABILITY)
    for row, col, tile, turns, cell, confidence, doubtful, others in line["tiles"]:
        key = f"tile {row},{col}"
        names[key] = (tile, turns, cell, doubtful)
        statements[key] = Statement(confidence)
        statements |= {f"{key} {name} {turn}": Statement(probability, SHOWN_TILE) for name, turn, probability in others}
    for number, (meeple, label) in enumerate(zip(_list_meeples(line), meeple_keys, strict=True)):
        *read, _, _, confidence, doubtful, others = meeple
        key = f"meeple {label}"
        names[key] = (*read, doubtful, number < len(line["meeples"]))
        statements[key] = Statement(confidence)
        statements |= {f"{key} {other[:-1]}": Statement(other[-1], SHOWN_MEEPLE) for other in others}
    for layout, anchor, probability in line["wonders"]:
        statements[f"wonder {layout} {anchor}"] = Statement(probability)
    for number, (*read, confidence, doubtful) in enumerate(line["track"] or ()):
        names[f"track {number}"] = (*map(str, read), doubtful)
        statements[f"track {number}"] = Statement(confidence)
    return names, statements


def _read_otherwise(
    photos: Mapping[str, Path], options: argparse.Namespace
) -> Iterator[tuple[str, Mapping[str, Line]]]:
    """Yield each other way to read the photos, and the readings."""
    for processor in options.processors:
        try:
            yield processor, read_photos_on_processor(photos, processor)
        except BrokenProcessPool:
            print(f"this machine cannot do what {processor} does", file=sys.stderr)
    for seed in range(1, options.shakes + 1):
        yield f"shaken by {options.by:g}, {seed}", read_photos(photos, options.by, seed)


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m datasets.evaluation.steadiness", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("labels", type=Path, nargs="+", metavar="LABEL", help="labels of the photos")
    parser.add_argument("--photos", type=Path, required=True, help="folder that holds the photos")
    parser.add_argument(
        "--processors", nargs="*", default=PROCESSORS, metavar="KIND", help="OpenBLAS's names of processors"
    )
    parser.add_argument("--shakes", type=int, default=1, help="number of readings with changed outputs of the nets")
    parser.add_argument("--by", type=float, default=SHAKEN_BY, help="size of these changes")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
