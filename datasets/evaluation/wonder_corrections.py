"""Number of corrections from a wonder's reading to its true layout, made by an owner who knows it.

Each of these is one correction: other squares; an edge of another kind; two roads, cities or fields to join, or one to
split; a road, city or monastery on other squares; and a city with another number of coats of arms.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass

from scoring.carcassonne.board.board import PlacedWonder
from scoring.carcassonne.tiles.geometry import SIDES, Square, turn_edge

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
