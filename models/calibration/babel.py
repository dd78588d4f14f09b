"""Fit what makes doubts of Tower of Babel honest, on photos in arts that are never measured (mosaic and fresco are).

    for art in oasis papyrus marble dusk; do
        python -m datasets.tower_of_babel --out runs/$art --count 8 --seed 71 --art $art; done
    python -m datasets.tower_of_babel --out runs/random --count 8 --seed 72 --art random
    python -m datasets.tower_of_babel --out runs/lamp --count 8 --seed 73 --art oasis --lamp
    python -m models.calibration.babel runs/oasis runs/papyrus runs/marble runs/dusk runs/random runs/lamp

It prints its numbers of `models/calibration.toml`, each with what it rests on; with `--write` they go there.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from datasets.render.game_enrolment import load_enrolment
from models.calibration.doubt import fit_scaling
from models.calibration.file import FittedRow, add_write_option, fit_share, report_rows
from scoring.spots.game import Laid, Value
from scoring.spots.text import parse_label
from vision.errors import ReadingError
from vision.photo.decoding import Photo
from vision.printed.reading import SpotReading
from vision.tower_of_babel.reader import GAME, BabelReader, build_reader

AMISS_BEFORE = 0.5
"""How many spots of one are thought amiss before any is read: none amiss on few tables does not mean never."""


@dataclass(frozen=True, slots=True)
class JudgedSpot:
    """A spot as it was read: what else it may hold and how likely, by value, and what it really holds."""

    kind: str
    value: Value
    alternatives: Mapping[Value, float]
    truth: Value


def judge_spots(spots: Iterable[SpotReading], truth: Laid) -> Iterator[JudgedSpot]:
    """Yield every spot that a table's label tells of."""
    for spot in spots:
        if spot.id in truth:
            yield JudgedSpot(spot.id.partition(".")[0], spot.value, dict(spot.alternatives), truth[spot.id])


def fit_kinds(spots: Iterable[JudgedSpot]) -> Iterator[FittedRow]:
    """Yield two rows of every kind of spot: what makes its doubts honest, and how often it is amiss."""
    kinds: dict[str, list[JudgedSpot]] = defaultdict(list)
    for spot in spots:
        kinds[spot.kind].append(spot)
    for kind, alike in sorted(kinds.items()):
        pairs = [(chance, value == spot.truth) for spot in alike for value, chance in spot.alternatives.items()]
        yield fit_scaling(kind, [chance for chance, _ in pairs], [is_true for _, is_true in pairs])
        amiss = sum(spot.truth not in (spot.value, *spot.alternatives) for spot in alike)
        yield fit_share(kind, amiss, len(alike), prior_count=AMISS_BEFORE, prior_total=1, digits=4)


def build_plain_reader(folder: Path) -> BabelReader:
    """Return the reader of a generated folder's board that tells what it finds as it is, uncalibrated."""
    reader = build_reader(load_enrolment(folder, GAME))
    reader.scalings, reader.amiss = {}, {}
    return reader


def judge_folders(folders: Sequence[Path]) -> Iterator[JudgedSpot]:
    """Yield the spots of all photos of generated folders; a photo whose board is not found has none."""
    for folder in folders:
        reader = build_plain_reader(folder)
        for file in sorted(folder.glob("*.json")):
            label = parse_label(file.read_text(encoding="utf-8"))
            try:
                reading = reader.read([Photo.from_path(folder / label.photo)])
            except ReadingError:
                continue
            yield from judge_spots(reading.spots, label.table.laid)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folders", type=Path, nargs="+", help="what `python -m datasets.tower_of_babel` wrote")
    add_write_option(parser)
    options = parser.parse_args(arguments)
    report_rows("tower_of_babel", list(fit_kinds(judge_folders(options.folders))), options.write)


if __name__ == "__main__":
    main()
