"""The boxes that a game is played with, and the tiles that are left to draw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from scoring.carcassonne.board import Placement
from scoring.carcassonne.catalogue import boxes, whole_catalogue
from scoring.carcassonne.layouts import TileLayout
from scoring.errors import PlayError

BOXES_IN_PLAY = ("base", "river1", "river2", "inns")
"""Traders & Builders is scored but not played here: its builder and its goods change the course of a turn."""
_START, _SPRING = "BA/RCr", "RI/s"
_RIVERS = {"river1": "RI.1/", "river2": "RI.2/"}


@dataclass(frozen=True)
class Stack:
    """The tiles left, by id, in phases: each is drawn whole before the next, in an order that nobody knows."""

    phases: tuple[Mapping[str, int], ...]

    def __len__(self) -> int:
        return sum(sum(phase.values()) for phase in self.phases)

    def __iter__(self) -> Iterator[str]:
        """The ids that may be drawn now."""
        return (tile for tile, number in (self.phases[0] if self.phases else {}).items() if number)

    def drawn(self, tile: str) -> Stack:
        """What is left when a tile is drawn; raises PlayError (not_in_stack)."""
        first: Mapping[str, int] = self.phases[0] if self.phases else {}
        if not first.get(tile):
            raise PlayError("not_in_stack", f"no tile {tile} is left to draw now", tile=tile)
        left = {**first, tile: first[tile] - 1}
        return Stack(((left,) if any(left.values()) else ()) + self.phases[1:])

    def tiles(self) -> Iterator[str]:
        """The ids of which any is left, in whatever phase."""
        return iter(dict.fromkeys(tile for phase in self.phases for tile, number in phase.items() if number))


def tile_id(name: str) -> str:
    """The id of the plain layout of a tile, with a garden or without."""
    return whole_catalogue()[name].id


def start_of(names: tuple[str, ...]) -> Placement:
    """The tile that lies when a game begins: the start tile of the base game, or a river's spring."""
    return Placement(_SPRING if any(name in _RIVERS for name in names) else _START)


def stack_of(names: tuple[str, ...], start: Placement) -> Stack:
    """The stack of some boxes without the tile that lies; the river is drawn first, its ends last of it.

    Raises PlayError (not_in_stack) for a start that is of no such box.
    """
    land = Counter({layout.id: layout.count for name in names if name not in _RIVERS for layout in boxes(name)})
    river = [layout for name in names if name in _RIVERS for layout in boxes("rivers") if _is_of(layout, name)]
    flowing = {layout.id: layout.count for layout in river if len(_mouths(layout)) > 1}
    ending = {layout.id: layout.count for layout in river if len(_mouths(layout)) == 1}
    if start.tile != _SPRING:
        land = Counter(dict(Stack((land,)).drawn(start.tile).phases[0]))
    return Stack(tuple(phase for phase in (flowing, ending, dict(land)) if phase))


def _is_of(layout: TileLayout, box: str) -> bool:
    return layout.id.startswith(_RIVERS[box])


def _mouths(layout: TileLayout) -> list[str]:
    return [side for side in "NESW" if layout.edge(side) == "river"]
