"""Names for the parts of a placed tile, and for whole features.

A part is `monastery`, `road:EDGE`, `city:EDGE` or `field:HALFEDGE`, with edges as placed. A part that meets no edge is
named by its kind alone (a wonder, a garden, a field enclosed by walls); the second and third of a kind are named
`field:2`, `field:3`.

A feature is named for people: `R3.4` is the road whose first square is row 3, column 4. The first square is the first
in reading order. Rows and columns count from 1 at the top left tile, as in every text for people. If the tile there has
several parts of the kind, a letter follows, as in `F3.4b`; letters run clockwise from the north-west corner of the tile
as placed. A name therefore depends only on the start of the feature and that one tile. Readings and corrections
elsewhere do not change it as long as the first row and column of the board stay the same.
"""

from __future__ import annotations

from collections.abc import Collection
from string import ascii_lowercase

from scoring.carcassonne.board.board import Placement
from scoring.carcassonne.board.square_names import number_square
from scoring.carcassonne.tiles.catalogue import TileLayout
from scoring.carcassonne.tiles.geometry import HALF_EDGES, Square, turn_edge
from scoring.carcassonne.tiles.kinds import KINDS, Kind


def name_segment(layout: TileLayout, turns: int, segment: int) -> str:
    """Return the name of a segment, by the first (clockwise from the north-west corner) of its edges as placed."""
    part = layout.segments[segment]
    if not part.edges:
        before = sum(other.kind == part.kind and not other.edges for other in layout.segments[:segment])
        return f"{part.kind}:{before + 1}" if before else part.kind
    edges = (turn_edge(edge, turns) for edge in part.edges)
    return f"{part.kind}:{min(edges, key=_get_clockwise_index)}"


def find_segment(layout: TileLayout, turns: int, name: str) -> int | None:
    """Return the segment with a name (any of its edges will do); None if the tile has no such part."""
    kind, _, where = name.partition(":")
    like = [(index, part) for index, part in enumerate(layout.segments) if part.kind == kind]
    if where and not (where.isascii() and where.isdigit()):
        return next((i for i, part in like if where in [turn_edge(edge, turns) for edge in part.edges]), None)
    enclosed = [index for index, part in like if not part.edges]
    number = int(where or 1)
    return enclosed[number - 1] if 0 < number <= len(enclosed) else None


def name_feature(kind: Kind, square: Square, placement: Placement, segments: Collection[int], origin: Square) -> str:
    """Return the name of a feature, given its first square, the tile there and its parts of that tile.

    No other wonder shares a wonder's first square, where it may have no part.
    """
    row, col = number_square(square, origin)
    order = _find_clockwise_order(placement.layout, placement.turns)
    alike = [index for index in order if placement.layout.segments[index].kind == kind]
    letter = ascii_lowercase[min(map(alike.index, segments))] if len(alike) > 1 and kind != "wonder" else ""
    return f"{KINDS[kind].letter}{row}.{col}{letter}"


def _find_clockwise_order(layout: TileLayout, turns: int) -> list[int]:
    """Return the segments of a placed tile by their first edges clockwise from the north-west corner, enclosed last."""

    def first(index: int) -> int:
        edges = (_get_clockwise_index(turn_edge(edge, turns)) for edge in layout.segments[index].edges)
        return min(edges, default=len(HALF_EDGES))

    return sorted(range(len(layout.segments)), key=first)


def _get_clockwise_index(edge: str) -> int:
    return HALF_EDGES.index(edge if len(edge) == 2 else edge + "L")
