"""How wonders are read: named, on their squares, with the outer edges that they have.

    python -m datasets.evaluation.wonders LABEL.json ... --photos DIR

Prints of how many wonders of the labels the name and all five squares are read, and of how many of these outer edges
what lies there is right, each with its interval (95 %, Wilson); and a line for each wonder that was not read so. A
label's wonders may be any copies.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from scoring.carcassonne.tiles.geometry import turn_edge
from vision.errors import ReadingError
from vision.evaluation.intervals import format_share
from vision.evaluation.labels import Truth, load_truth
from vision.evaluation.matching import match_reading
from vision.evaluation.tables import find_photo
from vision.photo.decoding import Photo
from vision.reader import Reader
from vision.reading.values import Reading


@dataclass(frozen=True, slots=True)
class JudgedWonder:
    """A wonder of a label: whether it was read on its squares, and how many of its outer edges are right."""

    table: str
    wonder: str
    is_read: bool
    edges: int = 0
    right: int = 0


def main() -> None:
    options = build_parser().parse_args()
    reader = Reader()
    judged = list[JudgedWonder]()
    for label in options.labels:
        truth = load_truth(label)
        try:
            reading = reader.read(Photo.from_path(find_photo(truth.photo, options.photos, label)))
        except ReadingError as refused:
            print(f"# {truth.photo}: {refused.code}")
            continue
        judged += judge_wonders(reading, truth)
    for line in format_lines(judged):
        print(line)


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("labels", type=Path, nargs="+", metavar="LABEL", help="labels of tables with wonders")
    parser.add_argument("--photos", type=Path, required=True, metavar="DIR", help="holds the photos")
    return parser


def judge_wonders(reading: Reading, truth: Truth) -> Iterator[JudgedWonder]:
    """Yield how each wonder of a label was read."""
    match = match_reading(reading, truth)
    wonders = {frozenset(match.true_square(*square) for square in w.placed.squares): w.placed for w in reading.wonders}
    for wonder in truth.board.wonders:
        read = wonders.get(frozenset(wonder.squares))
        if read is None or read.layout.id != wonder.layout.id:
            yield JudgedWonder(truth.name, wonder.layout.id, False)
            continue
        edges = {
            (match.true_square(*square), turn_edge(side, match.quarters)): kind
            for (square, side), kind in read.edges.items()
        }
        right = sum(edges[edge] == kind for edge, kind in wonder.edges.items())
        yield JudgedWonder(truth.name, wonder.layout.id, True, len(edges), right)


def format_lines(judged: Sequence[JudgedWonder]) -> Iterator[str]:
    """Yield a line for each wonder that was not read as it is, then the totals."""
    for wonder in judged:
        if not wonder.is_read:
            yield f"{wonder.table}: {wonder.wonder} was not read"
        elif wonder.right < wonder.edges:
            yield f"{wonder.table}: {wonder.wonder}, {wonder.right} of {wonder.edges} edges right"
    yield f"wonders read on their squares: {format_share(sum(w.is_read for w in judged), len(judged))}"
    yield f"their outer edges right: {format_share(sum(w.right for w in judged), sum(w.edges for w in judged))}"


if __name__ == "__main__":
    main()
