"""Fit what makes doubts of Tower of Babel honest, on photos in arts that are never measured (mosaic and fresco are).

    for art in oasis papyrus marble dusk; do
        python -m datasets.tower_of_babel --out runs/$art --count 8 --seed 71 --art $art; done
    python -m datasets.tower_of_babel --out runs/random --count 8 --seed 72 --art random
    python -m models.calibration.babel runs/oasis runs/papyrus runs/marble runs/dusk runs/random

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
from models.calibration.file import Fitted, fit_share, write_fitted
from scoring.spots.game import Laid, Value
from scoring.spots.text import parse_label
from vision.errors import ReadingError
from vision.photo.decoding import Photo
from vision.printed.reading import SpotReading
from vision.tower_of_babel.reader import GAME, BabelReader, build_reader

AMISS_BEFORE = 0.5
"""Of one spot: that none was amiss on few tables does not say that none ever is."""


@dataclass(frozen=True, slots=True)
class Said:
    """What was said of a spot: what else it may hold and how likely, by value, and what it really holds."""

    kind: str
    value: Value
    offered: Mapping[Value, float]
    true: Value


def said_of(spots: Iterable[SpotReading], laid: Laid) -> Iterator[Said]:
    """Every spot that a table's label tells of."""
    for spot in spots:
        if spot.id in laid:
            yield Said(spot.id.partition(".")[0], spot.value, dict(spot.alternatives), laid[spot.id])


def fit_kinds(seen: Iterable[Said]) -> Iterator[Fitted]:
    """Yield two numbers of every kind of spot: what makes its doubts honest, and how often it is amiss."""
    kinds: dict[str, list[Said]] = defaultdict(list)
    for one in seen:
        kinds[one.kind].append(one)
    for kind, mine in sorted(kinds.items()):
        pairs = [(chance, value == own.true) for own in mine for value, chance in own.offered.items()]
        yield fit_scaling(kind, [chance for chance, _ in pairs], [so for _, so in pairs])
        amiss = sum(own.true not in (own.value, *own.offered) for own in mine)
        yield fit_share(kind, amiss, len(mine), before=AMISS_BEFORE, weight=1, digits=4)


def plain_reader(folder: Path) -> BabelReader:
    """The reader of a generated folder's board that tells what it finds as it is."""
    own = build_reader(load_enrolment(folder, GAME))
    own.scalings, own.amiss = {}, {}
    return own


def read(folders: Sequence[Path]) -> Iterator[Said]:
    """What is said of all photos of generated folders; one whose board is not found says nothing."""
    for folder in folders:
        own = plain_reader(folder)
        for file in sorted(folder.glob("*.json")):
            label = parse_label(file.read_text(encoding="utf-8"))
            try:
                reading = own.read([Photo.from_path(folder / label.photo)])
            except ReadingError:
                continue
            yield from said_of(reading.spots, label.table.laid)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folders", type=Path, nargs="+", help="what `python -m datasets.tower_of_babel` wrote")
    parser.add_argument("--write", action="store_true", help="write the numbers into the calibration file")
    options = parser.parse_args(arguments)
    found = list(fit_kinds(read(options.folders)))
    for own in found:
        print(own.format_line())
    if options.write:
        write_fitted("tower_of_babel", found)


if __name__ == "__main__":
    main()
