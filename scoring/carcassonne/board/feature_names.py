"""What people call a feature: `R3.4`, the road whose first square is row 3, column 4.

The first square is the first in reading order, rows and columns counted from 1 from the top left tile as in every text
for people. Where the tile there has several parts of the kind a letter follows, `F3.4b`: they are lettered clockwise
from the tile's north-west corner, as it lies. So a name rests on where the feature begins and on that tile alone, and
whatever is read or corrected elsewhere leaves it as it is, as long as the board's first row and column stay the same.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from string import ascii_lowercase

from scoring.carcassonne.board.board import Placement
from scoring.carcassonne.board.places import find_clockwise_order
from scoring.carcassonne.board.square_names import number_square
from scoring.carcassonne.tiles.catalogue import Kind
from scoring.carcassonne.tiles.geometry import Square

INITIALS: Mapping[Kind, str] = {
    "road": "R",
    "city": "C",
    "field": "F",
    "monastery": "M",
    "garden": "G",
    "wonder": "W",
}


def name_feature(kind: Kind, square: Square, placement: Placement, segments: Collection[int], origin: Square) -> str:
    """Return the name of a feature by its first square, the tile there and its parts of that tile."""
    row, col = number_square(square, origin)
    layout = placement.layout
    order = find_clockwise_order(layout, placement.turns)
    alike = [index for index in order if layout.segments[index].kind == kind]
    letter = "" if len(alike) == 1 else ascii_lowercase[min(map(alike.index, segments))]
    return f"{INITIALS[kind]}{row}.{col}{letter}"


def name_wonder(square: Square, origin: Square) -> str:
    """Return the name of a wonder by its first square, of which no other wonder has a part."""
    row, col = number_square(square, origin)
    return f"{INITIALS['wonder']}{row}.{col}"
