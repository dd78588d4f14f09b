"""What lies on a wonder's squares, without its shapes: the roads and cities, and the outer edges that they meet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scoring.carcassonne.tiles.geometry import Square

End = tuple[int, str]
"""An outer edge: the index of its square, and its side."""
Target = Literal["wonder", "monastery"]
TARGETS: tuple[Target, ...] = ("wonder", "monastery")
"""What a road may run into."""


@dataclass(frozen=True, slots=True)
class PlannedCity:
    """A city: the indexes of the squares it covers, the outer edges it runs along, and its coats of arms.

    With `walled` it stands against the wonder, which cuts the fields on both sides of it from each other.
    """

    squares: tuple[int, ...]
    ends: tuple[End, ...]
    coats: int = 0
    walled: bool = False


@dataclass(frozen=True, slots=True)
class PlannedRoad:
    """A road: the indexes of the squares it covers, the outer edges it meets, and what it runs into.

    With `closed` it joins its targets a second time, and so encloses a field.
    """

    squares: tuple[int, ...]
    ends: tuple[End, ...]
    targets: tuple[Target, ...] = ("wonder",)
    closed: bool = False


@dataclass(frozen=True, slots=True)
class WonderPlan:
    """What lies on the five squares of a wonder; `wonder` are the indexes of those that it stands on, `monastery` is
    that of the one with the monastery. The marker meeple stands in the middle of the wonder's first square."""

    id: str
    squares: tuple[Square, ...]
    wonder: tuple[int, ...]
    cities: tuple[PlannedCity, ...] = ()
    roads: tuple[PlannedRoad, ...] = ()
    monastery: int | None = None
