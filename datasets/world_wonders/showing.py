"""Simulated enrolment of a generated copy, boards and monuments, so that its tables can be evaluated.

    python -m datasets.world_wonders --out DIR --count 14 --seed 7021 --art ivory --monuments 2
    python -m datasets.world_wonders.showing DIR
    wondertally evaluate DIR/table_*.json --photos DIR --out OUT --game world-wonders

The enrolment is stored in the data folder (`WONDERTALLY_DATA`) and replaces any earlier one of the game. It holds the
boards, and the monuments of `monuments_*.jpg`, each named by the label (`--unnamed` leaves them out).
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from datasets.render.empty_boards import load_enrolment
from scoring.spots.text import SpotLabel, parse_label
from vision.arrays import Image
from vision.enrolment.games import GameEnrolment, GameEnrolments
from vision.errors import EnrolmentError
from vision.flat_boards.reading import SpotReading
from vision.photo.decoding import Photo
from vision.world_wonders.reader import WondersReader, build_reader

GAME = "world-wonders"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m datasets.world_wonders.showing", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("folder", type=Path, help="folder written by `python -m datasets.world_wonders`")
    parser.add_argument("--unnamed", action="store_true", help="enrol no monuments")
    options = parser.parse_args(arguments)
    enrolment, store = build_shown_copy(options.folder, not options.unnamed), GameEnrolments()
    if GAME in store.games():
        store.forget(GAME)
    store.save(enrolment)
    print(f"shown: {', '.join(sorted(enrolment.pictures))}; monuments: {', '.join(sorted(enrolment.pieces)) or 'none'}")


def build_shown_copy(folder: Path, with_monuments: bool) -> GameEnrolment:
    """Build an owner's enrolment of a generated copy: its boards, and each monument that is found in its place."""
    enrolment, looks = load_enrolment(folder, GAME), defaultdict[str, list[Image]](list)
    reader = build_reader(enrolment)
    for file in sorted(folder.glob("monuments_*.json")) if with_monuments else ():
        label = parse_label(file.read_text(encoding="utf-8"))
        for name, own_looks in _take_looks(reader, Photo.from_path(folder / label.photo), label).items():
            looks[name] += own_looks
    return replace(enrolment, pieces={name: tuple(own_looks) for name, own_looks in looks.items()})


def _take_looks(reader: WondersReader, photo: Photo, label: SpotLabel) -> Mapping[str, Sequence[Image]]:
    """Return the appearances of a photo's monuments, or nothing if their map is not found."""
    spots = [
        SpotReading(spot.id, label.table.laid[spot.id], 1.0, (), spot.outline_px)
        for spot in reader.read([photo]).spots
        if spot.id in label.table.laid and spot.id.startswith("map.")
    ]
    try:
        return reader.taught(photo, spots)
    except EnrolmentError:
        return {}


if __name__ == "__main__":
    main()
