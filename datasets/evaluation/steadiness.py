"""Whether readings hang on the last digits of a sum: each photo read plainly, as other processors round, and shaken.

    python -m datasets.evaluation.steadiness LABEL... --photos DIR

A line for each photo and each other reading of it: by how much a probability differs at most, and of what, and which
names, points and doubts differ. Other processors are OpenBLAS's kinds (`OPENBLAS_CORETYPE`, which NumPy's and OpenCV's
copies heed), each in a process of its own; `--shakes` readings have all outputs of all nets moved by up to `--by`. The
exit status is 1 where a name differs, or a probability by `MAX_DIFFERENCE` or more.
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
from vision.board.legal.board import SHOWN_PROBABILITY as SHOWN_TILE
from vision.doubt.alternatives import MIN_SCORED_PROBABILITY
from vision.evaluation.labels import load_truth
from vision.evaluation.tables import find_photo
from vision.pieces.meeples import SHOWN_PROBABILITY as SHOWN_MEEPLE
from vision.reader import Reader
from vision.runtime.onnx import Net

PROCESSORS = ("Haswell", "SkylakeX")
"""Kinds of processor whose sums round otherwise: with 256 bits at once, and with 512."""
SHAKEN_BY = 1e-5
"""By how much outputs of nets are moved: far more than any rounding, far less than a net means."""
MAX_DIFFERENCE = 5e-4
"""Probabilities that differ by less are the same to three digits."""
SAME_MEEPLE_TILES = 0.15
"""Two meeples so near are one, read twice (`vision.pieces.classifier.SAME_FOOT` parts those of one reading)."""

Line = Mapping[str, Any]
"""A reading as `datasets.evaluation.yardstick` describes it."""
BLAS_SETTING = "OPENBLAS_CORETYPE"


class ShakenNet(Net):
    """A net whose outputs are moved, each by up to `by` either way, as a seed tells."""

    def __init__(self, file: Path, threads: int = 1, apart: bool = False, *, by: float, seed: int) -> None:
        super().__init__(file, threads, apart)
        self._by, self._rng = by, np.random.default_rng([seed, zlib.crc32(file.name.encode())])

    def __call__(self, pictures: Image, **numbers: Singles) -> list[Singles]:
        """Run the net, as `Net` does, and move what it says."""
        outputs = super().__call__(pictures, **numbers)
        return [output + self._rng.uniform(-self._by, self._by, output.shape).astype(np.float32) for output in outputs]


class Statement(NamedTuple):
    """A probability of a reading; what is less likely than `listed` is not part of readings."""

    probability: float
    listed: float = 0.0


@dataclass(frozen=True, slots=True)
class Difference:
    """How two readings of one photo differ: by how much a probability does at most, and of what, and what is `changed`
    beside: names, places, points and doubts."""

    largest: float
    where: str
    changed: tuple[str, ...]

    @property
    def is_large(self) -> bool:
        """Whether the readings are two."""
        return bool(self.changed) or self.largest >= MAX_DIFFERENCE

    def __str__(self) -> str:
        at = f" ({self.where})" if self.largest >= MAX_DIFFERENCE else ""
        return f"{self.largest:.6f}{at}" + "".join(f"; {name}" for name in self.changed)


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the photos in all ways and print how the readings differ; return 1 where any is another."""
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
    """Read photos and return what is read on each, with the nets' outputs moved by up to `by`."""
    reader = Reader(open_net=partial(ShakenNet, by=by, seed=seed)) if by else Reader()
    return {name: describe_photo(reader, path) for name, path in photos.items()}


def read_photos_on_processor(photos: Mapping[str, Path], processor: str) -> dict[str, Line]:
    """Read photos in another process, with sums as a kind of processor rounds; raises BrokenProcessPool where this
    machine cannot do what that one does."""
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
    """Compare two readings of one photo."""
    if "error" in plain or "error" in other:
        codes = [line.get("error", "read") for line in (plain, other)]
        return Difference(0.0, "", () if codes[0] == codes[1] else (f"{codes[0]} or {codes[1]}",))
    keys = [str(number) for number in range(len(_list_meeples(plain)))]
    (names, said), (other_names, other_said) = (
        _describe(plain, keys),
        _describe(other, _match_meeples(plain, other)),
    )
    changed = sorted(key for key in {*names, *other_names} if names.get(key) != other_names.get(key))
    off = {key: _measure_difference(said.get(key), other_said.get(key)) for key in {*said, *other_said}}
    where = max(sorted(off), key=lambda key: off[key])
    return Difference(off[where], where, tuple(f"{key} {names.get(key)} or {other_names.get(key)}" for key in changed))


def _measure_difference(one: Statement | None, other: Statement | None) -> float:
    if one is not None and other is not None:
        return abs(one.probability - other.probability)
    return sum(max(there.probability - there.listed, 0.0) for there in (one, other) if there is not None)


def _list_meeples(line: Line) -> list[list[Any]]:
    return [*line["meeples"], *line["possible_meeples"]]


def _match_meeples(plain: Line, other: Line) -> list[str]:
    """The keys of another reading's meeples: the number of the same one in the plain reading."""
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
    """What a reading names, and how likely it says what is, by what it is."""
    names = {key: line[key] for key in ("notation", "final_scoring", "doubtful")}
    said = {"confidence": Statement(line["confidence"])}
    for subject, probability, totals in line["changes"]:
        key = f"change {subject} {sorted(totals.items())}"
        before = said[key].probability if key in said else 0.0
        said[key] = Statement(before + probability, MIN_SCORED_PROBABILITY)
    for row, col, tile, turns, cell, confidence, doubtful, others in line["tiles"]:
        key = f"tile {row},{col}"
        names[key] = (tile, turns, cell, doubtful)
        said[key] = Statement(confidence)
        said |= {f"{key} {name} {turn}": Statement(probability, SHOWN_TILE) for name, turn, probability in others}
    for number, (meeple, own) in enumerate(zip(_list_meeples(line), meeple_keys, strict=True)):
        *read, _, _, confidence, doubtful, others = meeple
        key = f"meeple {own}"
        names[key] = (*read, doubtful, number < len(line["meeples"]))
        said[key] = Statement(confidence)
        said |= {f"{key} {other[:-1]}": Statement(other[-1], SHOWN_MEEPLE) for other in others}
    for layout, anchor, probability in line["wonders"]:
        said[f"wonder {layout} {anchor}"] = Statement(probability)
    for number, (*read, confidence, doubtful) in enumerate(line["track"] or ()):
        names[f"track {number}"] = (*map(str, read), doubtful)
        said[f"track {number}"] = Statement(confidence)
    return names, said


def _read_otherwise(
    photos: Mapping[str, Path], options: argparse.Namespace
) -> Iterator[tuple[str, Mapping[str, Line]]]:
    """Yield each other way to read the photos, and what is read by it."""
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
    parser.add_argument("--photos", type=Path, required=True, help="folder that the photos are found in")
    parser.add_argument(
        "--processors", nargs="*", default=PROCESSORS, metavar="KIND", help="OpenBLAS's names of processors"
    )
    parser.add_argument("--shakes", type=int, default=1, help="how many readings are shaken")
    parser.add_argument("--by", type=float, default=SHAKEN_BY, help="by how much the nets' outputs are moved")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
