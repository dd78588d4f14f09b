"""Outer edges of a wonder among the values of a doubt: `6,10,W,field 5,10,N,city`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from scoring.carcassonne.tiles.geometry import Square

EDGES = "edges"
"""Name of that value."""
_EDGE = re.compile(r"(-?\d{1,4}),(-?\d{1,4}),([NESW]),([a-z]+)(?: |$)")


def format_edges(edges: Mapping[tuple[Square, str], str]) -> str:
    """Format the kinds at edges of squares."""
    return " ".join(f"{row},{col},{side},{kind}" for ((row, col), side), kind in edges.items())


def parse_edges(text: str) -> Iterator[tuple[Square, str, str]]:
    """Parse the text of `format_edges` into squares, sides and kinds; anything else is skipped."""
    for row, col, side, kind in _EDGE.findall(text):
        yield (int(row), int(col)), side, kind
