"""How well tables of a generated folder are read: squares, pieces, districts and natural resources, and what is sure.

python -m datasets.world_wonders --out DIR --count 40 --seed 8 --art ivory --tabletops marble herringbone rosettes
python -m datasets.world_wonders.measure DIR
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from datasets.shares import counted
from datasets.world_wonders.own_copy import MONUMENTS
from scoring.doubting import CONFIDENCE_SURE
from scoring.spot_text import SpotLabel, read_label
from scoring.spots import Laid, Value
from scoring.world_wonders.areas import Areas
from scoring.world_wonders.board import table_of
from scoring.world_wonders.components import Components
from vision.errors import ReadingError
from vision.game_enrolments import GameEnrolment
from vision.photo import Photo
from vision.printed.board import rectified
from vision.printed.layout import read_pictures
from vision.spots import SpotReading
from vision.world_wonders.reader import WondersReader, reader

ANY_MONUMENT = "monument"


@dataclass
class Figures:
    """Counts over tables. `said` are a spot's kind, what was said, whether it was so and how sure it was."""

    boards: int = 0
    boards_found: int = 0
    districts_right: int = 0
    naturals_right: int = 0
    both_right: int = 0
    wrong_boards_sure: int = 0
    said: list[tuple[str, str, bool, float]] = field(default_factory=list)
    kinds: Counter[tuple[str, str]] = field(default_factory=Counter)
    missed: int = 0


def enrolled(folder: Path) -> GameEnrolment:
    """The copy of a generated folder, as a person would enrol it."""
    text = (folder / "components.toml").read_text(encoding="utf-8")
    pictures = {}
    for name, facts in read_pictures(text).items():
        photo = np.asarray(cv2.imread(str(folder / f"{name}.jpg")), np.uint8)
        assert facts.corners_px is not None
        pictures[name] = rectified(photo, facts.corners_px, facts.size_mm)
    return GameEnrolment("world-wonders", text, pictures)


def labels_of(folder: Path) -> list[tuple[Path, SpotLabel]]:
    """The labels of a generated folder."""
    files = sorted(folder.glob("table_*.json"))
    return [(file, read_label(file.read_text(encoding="utf-8"))) for file in files]


def measure(labels: Sequence[tuple[Path, SpotLabel]], own: WondersReader, figures: Figures) -> None:
    """Add what the reader makes of photos to the figures."""
    known = own.components
    for file, label in labels:
        try:
            readings = own.read([Photo.from_path(file.parent / label.photo)]).spots
        except ReadingError:
            readings = ()
        read = {reading.id: reading for reading in readings}
        for colour in label.table.players:
            mine = {name: value for name, value in label.table.laid.items() if name.split(".")[1] == colour}
            _add(figures, known, colour, mine, {name: read[name] for name in mine if name in read})


def _add(figures: Figures, known: Components, colour: str, truth: Laid, read: Mapping[str, SpotReading]) -> None:
    figures.boards += 1
    if not any(name.startswith("map.") for name in read):
        figures.missed += len(truth)
        return
    figures.boards_found += 1
    laid = {name: reading.value for name, reading in read.items()}
    true_pieces, pieces = _pieces(truth), _pieces(laid)
    before = len(figures.said)
    for name, value in truth.items():
        if name not in read:
            figures.missed += 1
            continue
        kind = name.split(".")[0]
        if kind == "map":
            one, other = _kind(value), _kind(laid[name])
            figures.kinds[one, other] += 1
            right = one == other and true_pieces[name] == pieces[name]
            what = "nothing" if other == "-" else "road" if other in ("road", "bridge") else "piece"
            figures.said.append((what, other, right, read[name].confidence))
        else:
            figures.said.append(("marker", str(value), laid[name] == value, read[name].confidence))
    sure = all(confidence >= CONFIDENCE_SURE for _, _, _, confidence in figures.said[before:])
    true_districts, true_naturals = _scored(known, colour, truth)
    districts, naturals = _scored(known, colour, laid)
    figures.districts_right += districts == true_districts
    figures.naturals_right += naturals == true_naturals
    both = districts == true_districts and naturals == true_naturals
    figures.both_right += both
    figures.wrong_boards_sure += sure and not both


def _pieces(laid: Laid) -> dict[str, frozenset[str]]:
    """Each square's piece, as all its squares."""
    held: dict[Value, set[str]] = defaultdict(set)
    for name, value in laid.items():
        if name.startswith("map."):
            held[value].add(name)
    return {name: frozenset(held[value]) if value != "-" else frozenset() for name, value in laid.items()}


def _kind(value: Value) -> str:
    kind = str(value).partition("#")[0]
    return ANY_MONUMENT if kind in MONUMENTS else kind


def _scored(known: Components, colour: str, laid: Laid) -> tuple[frozenset[object], frozenset[object]]:
    """The districts, by their squares, and the natural resources that score."""
    areas = Areas(table_of(known, (colour,), laid).boards[colour])
    return frozenset((piece.kind, piece.squares) for piece in areas.districts), frozenset(areas.natural_resources)


def told(figures: Figures) -> Iterator[str]:
    """The figures, a line each."""
    yield f"boards found: {counted(figures.boards_found, figures.boards)}"
    squares = [own for own in figures.said if own[0] != "marker"]
    kinds = sum(n for (one, other), n in figures.kinds.items() if one == other)
    yield f"squares' kinds right: {counted(kinds, len(squares))}"
    yield f"squares right (kind and piece): {counted(sum(own[2] for own in squares), len(squares))}"
    by_kind = [own for own in squares if own[0] != "road"]
    yield f"squares right, roads by their kind: {counted(_roads_by_kind(figures), len(squares))}"
    markers = [own for own in figures.said if own[0] == "marker"]
    yield f"markers right: {counted(sum(own[2] for own in markers), len(markers))}"
    yield f"districts exactly right: {counted(figures.districts_right, figures.boards)}"
    yield f"natural resources exactly right: {counted(figures.naturals_right, figures.boards)}"
    yield f"both exactly right: {counted(figures.both_right, figures.boards)}"
    yield f"boards wrong in these and nothing doubtful: {counted(figures.wrong_boards_sure, figures.boards)}"
    for name, own in (("all", squares), ("but roads", by_kind), ("markers", markers)):
        sure = [one for one in own if one[3] >= CONFIDENCE_SURE]
        amiss = sum(not one[2] for one in sure)
        yield f"sure ({name}): {counted(len(sure), len(own))}; wrong of the sure: {counted(amiss, len(sure))}"
    wrong = Counter({pair: n for pair, n in figures.kinds.items() if pair[0] != pair[1]})
    yield "kinds taken for others: " + ", ".join(f"{one} as {other} {n}" for (one, other), n in wrong.most_common(8))


def _roads_by_kind(figures: Figures) -> int:
    roads = ("road", "bridge")
    right = sum(own[2] for own in figures.said if own[0] in ("nothing", "piece"))
    return right + sum(n for (one, other), n in figures.kinds.items() if one == other and one in roads)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folders", type=Path, nargs="+", help="what `python -m datasets.world_wonders` wrote")
    figures = Figures()
    for folder in parser.parse_args(arguments).folders:
        measure(labels_of(folder), reader(enrolled(folder)), figures)
    sys.stdout.write("\n".join(told(figures)) + "\n")


if __name__ == "__main__":
    main()
