"""Doubts about the tile on a square."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

from scoring.carcassonne.board.board import Board, Placement
from scoring.carcassonne.doubt.kinds.base import Alternative, Description, Subject, Values, lay_tiles, name_coats
from scoring.carcassonne.tiles.catalogue import TileLayout
from scoring.carcassonne.tiles.geometry import SIDES, Square, turn_edge


@dataclass(frozen=True, slots=True)
class OtherTile(Alternative):
    """A square that may hold another tile, or an unknown one (None); with `empty`, it may hold no tile."""

    square: Square
    placement: Placement | None
    probability: float
    empty: bool = False
    step: ClassVar[int] = 2

    @property
    def subject(self) -> Subject:
        return "tile", self.square

    @property
    def changed_squares(self) -> tuple[Square, ...]:
        """Return the square."""
        return (self.square,)

    def on(self, board: Board) -> Board:
        """Return the board under this alternative; meeples of the square move to the matching part of the new tile."""
        return lay_tiles(board, {}, (self.square,)) if self.empty else lay_tiles(board, {self.square: self.placement})

    def describe(self, board: Board) -> Description:
        """Describe the other tile, or its number of coats of arms if the tiles are alike otherwise."""
        if self.placement is None:
            return Description("tile", self.square, "no tile", {})
        layout, read = self.placement.layout, board.tiles.get(self.square)
        name = layout.letter or layout.id
        values: Values = {"tile": name, "turns": self.placement.turns}
        if read is not None and is_coat_twin(read, self.placement):
            coats = count_tile_coats(layout)
            return Description("tile", self.square, name_coats(coats), {**values, "coats": coats})
        return Description("tile", self.square, f"{name} turned {self.placement.turns}", values)


def is_coat_twin(first: Placement, second: Placement) -> bool:
    """Return whether two placed tiles are alike but for a coat of arms."""
    if count_tile_coats(first.layout) == count_tile_coats(second.layout):
        return False
    return strip_coats(first.layout, first.turns) == strip_coats(second.layout, second.turns)


def count_tile_coats(layout: TileLayout) -> int:
    """Count the coats of arms of a tile."""
    return sum(part.shields for part in layout.segments)


def strip_coats(layout: TileLayout, turns: int) -> object:
    """Return a placed tile as the rules see it, without its coats of arms."""
    parts = Counter(
        (p.kind, frozenset(turn_edge(e, turns) for e in p.edges), p.inn, p.cathedral, p.goods, p.pig_herd)
        for p in layout.segments
    )
    return frozenset(parts.items()), tuple(layout.edge(side, turns) for side in SIDES)
