"""The features on a wonder's squares without their shapes: roads, cities, and the outer edges they meet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scoring.carcassonne.tiles.geometry import Square

End = tuple[int, str]
"""An outer edge: the index of its square, and its side."""
Target = Literal["wonder", "monastery"]
TARGETS: tuple[Target, ...] = ("wonder", "monastery")
"""Features that a road may run into."""


@dataclass(frozen=True, slots=True)
class PlannedCity:
    """A city: the indexes of its squares, the outer edges it runs along, and its number of coats of arms.

    If `walled`, it stands against the wonder, which separates the fields on either side.
    """

    squares: tuple[int, ...]
    ends: tuple[End, ...]
    coats: int = 0
    walled: bool = False


@dataclass(frozen=True, slots=True)
class PlannedRoad:
    """A road: the indexes of its squares, the outer edges it meets, and what it runs into.

    If `closed`, it joins its targets a second time and so encloses a field.
    """

    squares: tuple[int, ...]
    ends: tuple[End, ...]
    targets: tuple[Target, ...] = ("wonder",)
    closed: bool = False


@dataclass(frozen=True, slots=True)
class WonderPlan:
    """The features on the 5 squares of a wonder.

    `wonder` are the indexes of the squares the wonder stands on, `monastery` that of the square with the monastery. The
    marker meeple stands in the middle of the wonder's first square.
    """

    id: str
    squares: tuple[Square, ...]
    wonder: tuple[int, ...]
    cities: tuple[PlannedCity, ...] = ()
    roads: tuple[PlannedRoad, ...] = ()
    monastery: int | None = None
