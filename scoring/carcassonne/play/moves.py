"""What a player does in a turn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scoring.carcassonne.board.board import PlacedMeeple, PlacedWonder, Placement
from scoring.carcassonne.tiles.geometry import Square
from scoring.score_entry import ScoreEntry


@dataclass(frozen=True, slots=True)
class PlacedTile:
    """One plain tile where it is laid."""

    placement: Placement
    square: Square

    @property
    def placements(self) -> dict[Square, Placement]:
        """What lies on its square, as a wonder tile says it of its five."""
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

    `square` is one of the wonder's, where it stands on another than the layout says.
    """

    kind: str = "meeple"
    pose: str = "upside_down"
    square: Square | None = None


USUAL_MARKER = Marker()


@dataclass(frozen=True, slots=True)
class Taking:
    """A wonder that a player takes at the end of a turn, anybody's."""

    player: str
    wonder: str


@dataclass(frozen=True)
class Move:
    """One turn: the tile laid, the pieces set on it, and the wonders taken, in the order that its player chose.

    `removed` are tiles (ids) drawn before and taken out of the game because they could not be used. `extra` is the tile
    drawn and laid so that a wonder fits beside it. `keeps` is the tile that the owner of Abu Simbel puts aside.
    `recalls_abbot`: its player takes the abbot back from the board in place of setting a piece. `marker` is what marks
    the wonder laid. A builder's double turn is two moves of one player.
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
    """A move that was made: what it scored, which pieces went back to their players, and the scores after it.

    `goods` are the tokens by kind that its player got; `again`: the builder lets the same player move once more.
    """

    move: Move
    entries: tuple[ScoreEntry, ...]
    returned: tuple[PlacedMeeple, ...]
    scores: Mapping[str, int]
    goods: Mapping[str, int]
    again: bool = False
