"""Names of features for people: `R3.4` is the road whose first square is row 3, column 4.

The first square is the first in reading order. Rows and columns count from 1 at the top left tile, as in every text for
people. If the tile there has several parts of the kind, a letter follows, as in `F3.4b`; letters run clockwise from the
north-west corner of the tile as placed. A name therefore depends only on the start of the feature and that one tile.
Readings and corrections elsewhere do not change it as long as the first row and column of the board stay the same.
"""

from __future__ import annotations

from collections.abc import Collection
from string import ascii_lowercase

from scoring.carcassonne.board.board import Placement
from scoring.carcassonne.board.places import find_clockwise_order
from scoring.carcassonne.board.square_names import number_square
from scoring.carcassonne.tiles.geometry import Square
from scoring.carcassonne.tiles.kinds import KINDS, Kind


def name_feature(kind: Kind, square: Square, placement: Placement, segments: Collection[int], origin: Square) -> str:
    """Return the name of a feature, given its first square, the tile there and its parts of that tile."""
    row, col = number_square(square, origin)
    layout = placement.layout
    order = find_clockwise_order(layout, placement.turns)
    alike = [index for index in order if layout.segments[index].kind == kind]
    letter = "" if len(alike) == 1 else ascii_lowercase[min(map(alike.index, segments))]
    return f"{KINDS[kind].letter}{row}.{col}{letter}"


def name_wonder(square: Square, origin: Square) -> str:
    """Return the name of a wonder, given its first square, which no other wonder shares."""
    row, col = number_square(square, origin)
    return f"{KINDS['wonder'].letter}{row}.{col}"
