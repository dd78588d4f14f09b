"""Facts stated in the rule texts about the wonder tiles ("Roads, cities and fields on wonder tiles")."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class StatedRoad:
    """A road of a wonder tile: the squares it covers and its open ends."""

    squares: int
    open_ends: int = 1


@dataclass(frozen=True)
class Stated:
    """The stated facts of one wonder tile: its roads, the squares of each city, and the numbers of fields and
    monasteries.

    For one wonder the open ends of its road are not stated (`ends_are_known`).
    """

    roads: tuple[StatedRoad, ...]
    cities: tuple[int, ...]
    fields: int
    monasteries: int = 0
    ends_are_known: bool = True


COATS_UNSEEN = "no coat of arms"
"""Entry of a layout's `inferred` if it is unknown whether its cities have coats of arms; no rule text states it."""

_SHORT = StatedRoad(1)

STATED = {
    "WH/stonehenge": Stated((StatedRoad(2, 2), _SHORT, _SHORT), (1,), 4),
    "WH/notre-dame": Stated((StatedRoad(2), _SHORT), (2,), 4, monasteries=1),
    "WH/circus-maximus": Stated((_SHORT, _SHORT), (4,), 4),
    "WH/alhambra": Stated((_SHORT, _SHORT), (3,), 5),
    "WH/abu-simbel": Stated((_SHORT, StatedRoad(2, 2)), (1, 1), 3),
    "WH/tikal": Stated((StatedRoad(3),), (1, 1), 3, ends_are_known=False),
    "WH/angkor-wat": Stated((_SHORT, _SHORT, StatedRoad(2)), (1, 1), 3),
    "WH/terracotta-army": Stated((StatedRoad(1, 3), StatedRoad(2)), (1,), 4),
}
"""Stated facts by wonder id."""
