"""How well wonders are read: identified or asked about by name, on their squares, with their outer edges.

    python -m datasets.evaluation.wonders LABEL.json ... --photos DIR

Counts, each with its interval (95 %, Wilson): wonders whose name and all five squares are read; those read or asked
about so; outer edges of the right kind; wonders with all edges right whose inside is right too; and coats of arms,
which are counted separately. Also prints how many wonders are read or asked about that are not on the table, and a line
for each wonder that was misread. A label's wonders may be any copies.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from datasets.evaluation.wonder_corrections import Corrections, count_inner_corrections
from scoring.carcassonne.board.board import PlacedWonder
from scoring.carcassonne.tiles.geometry import Square, turn_edge
from vision.errors import ReadingError
from vision.evaluation.labels import Truth, load_truth
from vision.evaluation.matching import Match, match_reading
from vision.evaluation.reliability import format_share
from vision.evaluation.tables import find_photo
from vision.photo.decoding import Photo
from vision.reader import Reader
from vision.reading.values import Reading, WonderReading


@dataclass(frozen=True, slots=True)
class JudgedWonder:
    """A wonder of a label: whether it was read on its squares, and how many of its outer edges are right.

    It `is_asked` about if it was not read but is a possibility on exactly these squares, in place of other tiles or of
    a doubtful wonder. `within` counts the corrections beyond its edges.
    """

    table: str
    wonder: str
    is_read: bool
    is_asked: bool = False
    edges: int = 0
    right: int = 0
    within: Corrections = field(default_factory=Corrections)

    @property
    def has_right_edges(self) -> bool:
        """Whether it was read with all its outer edges right."""
        return self.is_read and self.right == self.edges

    @property
    def has_right_features(self) -> bool:
        """Whether its roads, cities, fields and monastery are right as well."""
        return self.has_right_edges and self.within.total == self.within.coats


@dataclass(frozen=True, slots=True)
class JudgedTable:
    """The wonders of a label, and the numbers of wonders `read` or `asked` about that are not on it."""

    wonders: tuple[JudgedWonder, ...]
    read: int
    asked: int


def main() -> None:
    options = build_parser().parse_args()
    reader = Reader()
    judged = list[JudgedTable]()
    for label in options.labels:
        truth = load_truth(label)
        try:
            reading = reader.read(Photo.from_path(find_photo(truth.photo, options.photos, label)))
        except ReadingError as refused:
            print(f"# {truth.photo}: {refused.code}")
            continue
        judged.append(judge_wonders(reading, truth))
    for line in format_lines(judged):
        print(line)


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("labels", type=Path, nargs="+", metavar="LABEL", help="labels of tables with wonders")
    parser.add_argument("--photos", type=Path, required=True, metavar="DIR", help="holds the photos")
    return parser


def judge_wonders(reading: Reading, truth: Truth) -> JudgedTable:
    """Judge the reading of each of a label's wonders."""
    match = match_reading(reading, truth)
    read = {_identify(wonder.placed, match): wonder.placed for wonder in reading.wonders}
    possible = [{_identify(o, match) for o in _list_ways(wonder)} for wonder in reading.possible_wonders]
    offered = [*possible, *({_identify(o, match) for o in _list_ways(w)} for w in reading.wonders if w.doubtful)]
    wonders = {(wonder.layout.id, frozenset(wonder.squares)): wonder for wonder in truth.board.wonders}
    judged = []
    for identity, wonder in wonders.items():
        placed = read.get(identity)
        if placed is None:
            is_asked = any(identity in identities for identities in offered)
            judged.append(JudgedWonder(truth.name, wonder.layout.id, False, is_asked))
            continue
        edges = {
            (match.locate_square(square), turn_edge(side, match.quarters)): kind
            for (square, side), kind in placed.edges.items()
        }
        right = sum(edges[edge] == kind for edge, kind in wonder.edges.items())
        there = match.move_wonder(wonder)
        assert there is not None
        within = count_inner_corrections(placed, there)
        judged.append(JudgedWonder(truth.name, wonder.layout.id, True, False, len(edges), right, within))
    idle = sum(not identities & wonders.keys() for identities in possible)
    return JudgedTable(tuple(judged), len(read.keys() - wonders.keys()), idle)


def _list_ways(wonder: WonderReading) -> Iterator[PlacedWonder]:
    """Yield a wonder as read, and its alternatives."""
    yield wonder.placed
    yield from (other for other, _ in wonder.alternatives)


def _identify(placed: PlacedWonder, match: Match) -> tuple[str, frozenset[Square | None]]:
    """Return the wonder's id and the label's squares it is on."""
    return placed.layout.id, frozenset(match.locate_square(square) for square in placed.squares)


def format_lines(tables: Sequence[JudgedTable]) -> Iterator[str]:
    """Yield a line for each misread wonder, then the totals."""
    judged = [wonder for table in tables for wonder in table.wonders]
    for wonder in judged:
        if not wonder.is_read:
            yield f"{wonder.table}: {wonder.wonder} {'is asked about' if wonder.is_asked else 'was not read'}"
        elif wonder.right < wonder.edges:
            yield f"{wonder.table}: {wonder.wonder}, {wonder.right} of {wonder.edges} edges right"
        elif not wonder.has_right_features:
            yield f"{wonder.table}: {wonder.wonder}, edges right, within not"
    yield f"wonders read on their squares: {format_share(sum(w.is_read for w in judged), len(judged))}"
    yield f"read or asked by name: {format_share(sum(w.is_read or w.is_asked for w in judged), len(judged))}"
    yield f"their outer edges right: {format_share(sum(w.right for w in judged), sum(w.edges for w in judged))}"
    known = [w for w in judged if w.has_right_edges]
    whole, coats = sum(w.has_right_features for w in known), sum(not w.within.coats for w in known)
    yield f"what lies within right, where all edges are: {format_share(whole, len(known))}"
    yield f"coats of arms right, where all edges are: {format_share(coats, len(known))}"
    others = sum(table.read for table in tables), sum(table.asked for table in tables)
    yield f"other wonders read: {others[0]}, asked about: {others[1]}"


if __name__ == "__main__":
    main()
