"""The actions of a player in a turn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scoring.carcassonne.board.board import PlacedMeeple, PlacedWonder, Placement
from scoring.carcassonne.tiles.geometry import Square
from scoring.score_entry import ScoreEntry


@dataclass(frozen=True, slots=True)
class PlacedTile:
    """A single ordinary tile on its square."""

    placement: Placement
    square: Square

    @property
    def placements(self) -> dict[Square, Placement]:
        """Return the placement by square, in the same form as for a wonder tile's 5 squares."""
        return {self.square: self.placement}


Laid = PlacedTile | PlacedWonder


@dataclass(frozen=True, slots=True)
class Stand:
    """A piece set on a segment of the tile just laid."""

    square: Square
    segment: int
    kind: str = "meeple"


@dataclass(frozen=True, slots=True)
class Marker:
    """The piece that marks a wonder: any figure of its player, upside down or not.

    `square` is the wonder's square it stands on if that differs from the layout.
    """

    kind: str = "meeple"
    pose: str = "upside_down"
    square: Square | None = None


USUAL_MARKER = Marker()


@dataclass(frozen=True, slots=True)
class Taking:
    """A wonder taken by any player at the end of a turn."""

    player: str
    wonder: str


@dataclass(frozen=True)
class Move:
    """One turn: the tile laid, the pieces set on it, and the wonders taken, in the player's order.

    `removed` are tiles (ids) drawn first and taken out of the game because they could not be used. `extra` is the tile
    drawn and laid so that a wonder fits beside it. `keeps` is the tile that the owner of Abu Simbel puts aside. With
    `recalls_abbot`, the player takes the abbot back from the board instead of setting a piece. `marker` marks the
    wonder laid. A builder's double turn is 2 moves of one player.
    """

    player: str
    tile: Laid
    stands: tuple[Stand, ...] = ()
    takes: tuple[Taking, ...] = ()
    removed: tuple[str, ...] = ()
    extra: PlacedTile | None = None
    keeps: str | None = None
    recalls_abbot: bool = False
    marker: Marker = USUAL_MARKER


@dataclass(frozen=True)
class Turn:
    """A completed move: its points, the pieces returned to their players, and the scores after it.

    `goods` are the tokens by kind that its player got; `again`: the builder lets the same player move once more.
    """

    move: Move
    entries: tuple[ScoreEntry, ...]
    returned: tuple[PlacedMeeple, ...]
    scores: Mapping[str, int]
    goods: Mapping[str, int]
    again: bool = False
