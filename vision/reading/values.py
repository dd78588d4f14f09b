"""The reading of a photo: plain values that pass from the reader to scoring and to the report."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from scoring.carcassonne.board.board import PlacedWonder
from scoring.carcassonne.board.box_rules import UNSAID, BoxRules
from scoring.carcassonne.score_board.spaces import LAP_SPACES
from scoring.carcassonne.tiles.geometry import Square
from vision.arrays import Floats

DOUBT_BELOW = 0.9
"""Probability below which a tile, a wonder or the presence of a piece is doubtful. A guess."""
WONDER_SURE = DOUBT_BELOW
"""Minimum probability of a wonder for it not to be doubtful."""
SURE_NATS = math.log(DOUBT_BELOW / (1 - DOUBT_BELOW))
"""Minimum margin over everything else at which a reading is not doubtful, in nats."""


@dataclass(frozen=True, slots=True)
class TileAlternative:
    """An alternative reading of a square: a layout of the catalogue, its turn, and its probability (0 to 1)."""

    tile: str
    turns: int
    probability: float


@dataclass(frozen=True, slots=True, eq=False)
class TileReading:
    """One square of the table.

    `tile` is a catalogue id, or None for a tile that matches no layout of the catalogue. `corners_px` is (4, 2): the
    printed tile's own NW, NE, SE, SW corners in its canonical orientation. `cell` is the index of the square of a
    wonder tile, whose `alternatives` are of the whole tile.
    """

    row: int
    col: int
    tile: str | None
    turns: int
    corners_px: Floats
    confidence: float
    doubtful: bool
    alternatives: tuple[TileAlternative, ...] = ()
    cell: int | None = None

    @property
    def square(self) -> Square:
        """Return its square of the lattice, (row, col)."""
        return self.row, self.col


@dataclass(frozen=True, slots=True)
class CoatAlternative:
    """An alternative number of coats of arms on a city of a wonder, given by its number among the parts."""

    city: int
    coats: int
    probability: float


@dataclass(frozen=True, slots=True)
class WonderReading:
    """A wonder on the board with its probability, and alternatives for some of its squares, most likely first.

    The alternatives may be the same wonder on the same squares with other edges, since copies differ. The remaining
    probability is that of no wonder there. `coats` are alternative coats of arms of its cities, None if the photo does
    not show them. `nobodys` is set if a person said that no marker lies on it.
    """

    placed: PlacedWonder
    probability: float
    alternatives: tuple[tuple[PlacedWonder, float], ...] = ()
    coats: tuple[CoatAlternative, ...] | None = None
    nobodys: bool = False

    @property
    def doubtful(self) -> bool:
        """Return whether it is shown as a doubt."""
        return self.probability < WONDER_SURE


@dataclass(frozen=True, slots=True)
class MeepleAlternative:
    """An alternative reading of a meeple: the segment of its tile it may stand on (None: there is no meeple).

    `colour`, `kind` and `pose` are alternatives, None if they are not in doubt.
    """

    segment: int | None
    probability: float
    colour: str | None = None
    kind: str | None = None
    pose: str | None = None


@dataclass(frozen=True, slots=True)
class MeepleReading:
    """A meeple: the point where its foot touches the table, in photo pixels and in lattice units (col, row).

    `segment` is the index of the catalogue layout's segment under the foot; None if its tile is unknown. It is
    `crowded` if a more certain meeple stands on its tile, on which the rules allow only one. `on_head` is the
    probability that it is present and upside down, by its look alone, whatever the tile: only a wonder's marker stands
    this way.
    """

    colour: str
    kind: str
    pose: str
    foot_px: tuple[float, float]
    at: tuple[float, float]
    row: int
    col: int
    segment: int | None
    confidence: float
    doubtful: bool
    alternatives: tuple[MeepleAlternative, ...] = ()
    crowded: bool = False
    on_head: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Warp:
    """A map from lattice units (col, row) to photo pixels and back, square by square.

    `nodes` maps a lattice node (row, col) to its pixel (x, y); `homography` (3, 3) is used beyond the nodes.
    """

    homography: Floats
    nodes: Mapping[tuple[int, int], tuple[float, float]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TrackPiece:
    """A piece on the score board: the spaces it may stand on, most likely first, and its foot in the photo."""

    colour: str
    pose: str
    spaces: tuple[int, ...]
    foot_px: tuple[float, float]
    confidence: float
    doubtful: bool


@dataclass(frozen=True, slots=True, eq=False)
class TrackToken:
    """A token worth points, its `corners_px` (4, 2) in the photo, and its owner; None if unknown.

    `taught` is the name of its enrolled print, `confidence` its similarity to that print (0 to 1).
    """

    points: int
    colour: str | None
    corners_px: Floats
    taught: str
    confidence: float
    doubtful: bool


@dataclass(frozen=True, slots=True, eq=False)
class TrackReading:
    """The score board: `corners_px` (4, 2) in the photo, and its similarity to its drawing or picture (0 to 1).

    Space 0 of the first edition's board is in the third corner; an enrolled board has its name in `taught`, and the
    corners given at enrolment. `lap` is the number of points per lap; `tokens` are those in front of the players.
    `photo` is the number of the photo that shows it, among several joined ones; `file` is the name of a photo that
    shows only the score board and is not among these.
    """

    corners_px: Floats
    likeness: float
    pieces: tuple[TrackPiece, ...]
    photo: int = 0
    lap: int = LAP_SPACES
    taught: str = ""
    tokens: tuple[TrackToken, ...] = ()
    file: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """Everything read from one photo (or one board photographed several times).

    `possible_meeples` are not on the board as read, but may be there; `possible_wonders` may lie where other tiles were
    read; `track` is the score board, if one is seen. `unseen` are squares beside the board beyond the border of every
    photo: the board may continue there. `box_rules` states for boxes whether their own rules were played, as far as a
    person said, `boxes` how many copies of them are on the table.
    `probability` is that of a table of Carcassonne, and not of another game.
    """

    width: int
    height: int
    tiles: tuple[TileReading, ...]
    meeples: tuple[MeepleReading, ...]
    warp: Warp
    timing_ms: Mapping[str, float]
    possible_meeples: tuple[MeepleReading, ...] = ()
    track: TrackReading | None = None
    wonders: tuple[WonderReading, ...] = ()
    possible_wonders: tuple[WonderReading, ...] = ()
    unseen: frozenset[Square] = frozenset()
    box_rules: BoxRules = UNSAID
    boxes: Mapping[str, int] = field(default_factory=dict)
    probability: float = 1.0
