"""Names for the parts of a placed tile: monastery, road:EDGE, city:EDGE, field:HALFEDGE, edges as placed."""

from __future__ import annotations

from scoring.carcassonne.catalogue import TileLayout
from scoring.carcassonne.geometry import HALF_EDGES, turned_edge


def place_name(layout: TileLayout, turns: int, segment: int) -> str:
    """The name of a segment, by the first (clockwise from the north-west corner) of its edges as placed."""
    part = layout.segments[segment]
    if not part.edges:
        return part.kind
    edges = (turned_edge(edge, turns) for edge in part.edges)
    return f"{part.kind}:{min(edges, key=_clockwise)}"


def segment_named(layout: TileLayout, turns: int, name: str) -> int | None:
    """The segment that a name means (any of its edges will do); None where the tile has no such part."""
    kind, _, edge = name.partition(":")
    for index, part in enumerate(layout.segments):
        edges = [turned_edge(own, turns) for own in part.edges]
        if part.kind == kind and (edge in edges if edge else not edges):
            return index
    return None


def _clockwise(edge: str) -> int:
    return HALF_EDGES.index(edge if len(edge) == 2 else edge + "L")
