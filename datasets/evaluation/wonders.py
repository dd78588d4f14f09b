"""How well wonders are read: identified or asked about by name, on their squares, with their outer edges.

    python -m datasets.evaluation.wonders LABEL.json ... --photos DIR

Counts, each with its interval (95 %, Wilson): wonders whose name and all five squares are read; those read or asked
about so; outer edges of the right kind; wonders with all edges right whose inside is right too; and coats of arms,
which are counted separately. Also prints how many wonders are read or asked about that are not on the table, and a line
for each wonder that was misread. A label's wonders may be any copies.

A correction, as an owner makes it who knows the tile, is: other squares; an edge of another kind; two roads, cities or
fields to join, or one to split; a road, city or monastery on other squares; and a city with another number of coats of
arms.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from scoring.carcassonne.board.board import PlacedWonder
from scoring.carcassonne.tiles.geometry import SIDES, Square, turn_edge
from vision.errors import ReadingError
from vision.evaluation.labels import Truth, load_truth
from vision.evaluation.matching import Match, match_reading
from vision.evaluation.reliability import format_share
from vision.evaluation.tables import find_photo
from vision.photo.decoding import Photo
from vision.reader import Reader
from vision.reading.values import Reading, WonderReading

Marks = Mapping[tuple[Square, str], int]
"""The part at each side (half a side for fields) of a wonder's squares as placed."""


@dataclass(frozen=True, slots=True)
class Corrections:
    """Number of corrections of each sort."""

    outline: int = 0
    edges: int = 0
    joins: int = 0
    squares: int = 0
    fields: int = 0
    coats: int = 0

    @property
    def total(self) -> int:
        """Number of corrections of all sorts together."""
        return sum(asdict(self).values())


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
    parser.add_argument("--photos", type=Path, required=True, metavar="DIR", help="folder that holds the photos")
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


def count_wrong_edges(read: PlacedWonder, true: PlacedWonder) -> int:
    """Count the outer edges of another kind; both wonders are on the same squares."""
    edges = read.edges
    return sum(edges[edge] != kind for edge, kind in true.edges.items())


def count_inner_corrections(read: PlacedWonder, true: PlacedWonder) -> Corrections:
    """Count the corrections inside a wonder with the right kinds of edges."""
    joins = squares = coats = 0
    for kind in ("road", "city"):
        marks, true_marks = _list_marks(read, kind), _list_marks(true, kind)
        joins += count_steps(marks, true_marks)
        fellows = _match_parts(marks, true_marks)
        for number, part in enumerate(true.layout.parts):
            if part.kind != kind:
                continue
            fellow = fellows.get(number)
            squares += fellow is None or _list_squares(read, fellow) != _list_squares(true, number)
            if kind == "city":
                coats += true.layout.count_coats(number) != (0 if fellow is None else read.layout.count_coats(fellow))
    squares += _list_churches(read) != _list_churches(true)
    fields = count_steps(_list_marks(read, "field"), _list_marks(true, "field"))
    fields += abs(_count_enclosed_fields(read) - _count_enclosed_fields(true))
    return Corrections(joins=joins, squares=squares, fields=fields, coats=coats)


def _list_marks(wonder: PlacedWonder, kind: str) -> Marks:
    return {
        (square, turn_edge(edge, wonder.turns)): part
        for square, cell in zip(wonder.squares, wonder.layout.cells, strict=True)
        for part, segment in zip(cell.parts, cell.segments, strict=True)
        if segment.kind == kind
        for edge in segment.edges
        if edge[0] in SIDES and edge[0] not in cell.inside
    }


def count_steps(read: Marks, true: Marks) -> int:
    """Count the joins and splits of parts until both groupings of the edges agree."""
    both = {(part, true[edge]) for edge, part in read.items() if edge in true}
    return 2 * len(both) - len({part for part, _ in both}) - len({part for _, part in both})


def _match_parts(read: Marks, true: Marks) -> dict[int, int]:
    """Return the part that shares the most edges with each true one."""
    common = Counter((true[edge], part) for edge, part in read.items() if edge in true)
    return {number: part for (number, part), _ in reversed(common.most_common())}


def _list_squares(wonder: PlacedWonder, part: int) -> set[Square]:
    return {wonder.squares[cell] for cell in wonder.layout.parts[part].squares}


def _list_churches(wonder: PlacedWonder) -> set[Square]:
    numbers = [number for number, part in enumerate(wonder.layout.parts) if part.kind == "monastery"]
    return {square for number in numbers for square in _list_squares(wonder, number)}


def _count_enclosed_fields(wonder: PlacedWonder) -> int:
    """Return the number of fields that reach no outer edge."""
    return sum(part.kind == "field" for part in wonder.layout.parts) - len({*_list_marks(wonder, "field").values()})


def add_up(several: Iterator[Corrections] | list[Corrections]) -> dict[str, int]:
    """Sum the corrections of each sort."""
    sums: Counter[str] = Counter()
    for corrections in several:
        sums.update(asdict(corrections))
    return dict(sums)


if __name__ == "__main__":
    main()
