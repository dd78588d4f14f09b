"""Names for the parts of a placed tile: monastery, road:EDGE, city:EDGE, field:HALFEDGE, with edges as placed.

A part that meets no edge is named by its kind alone (a wonder, a garden, a field enclosed by walls); the second and
third of a kind are named `field:2`, `field:3`.
"""

from __future__ import annotations

from scoring.carcassonne.tiles.catalogue import TileLayout
from scoring.carcassonne.tiles.geometry import HALF_EDGES, turn_edge


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


def find_clockwise_order(layout: TileLayout, turns: int) -> tuple[int, ...]:
    """Return the segments of a placed tile by their first edges clockwise from the north-west corner, enclosed last."""
    order = list[tuple[int, int]]()
    for index, part in enumerate(layout.segments):
        edges = (_get_clockwise_index(turn_edge(edge, turns)) for edge in part.edges)
        order.append((min(edges, default=len(HALF_EDGES)), index))
    return tuple(index for _, index in sorted(order))


def _get_clockwise_index(edge: str) -> int:
    return HALF_EDGES.index(edge if len(edge) == 2 else edge + "L")
