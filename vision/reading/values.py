"""What a photo was read as: plain values that pass from the reader to scoring and to the report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from scoring.carcassonne.board.board import PlacedWonder
from scoring.carcassonne.board.box_rules import UNSAID, BoxRules
from scoring.carcassonne.score_board.spaces import LAP_SPACES
from scoring.carcassonne.tiles.geometry import Square
from vision.arrays import Floats

WONDER_SURE = 0.9
"""A wonder less certain than this is doubtful."""


@dataclass(frozen=True, slots=True)
class TileAlternative:
    """Another way to read a square: a layout of the catalogue, its turn, and how likely it is (0 to 1)."""

    tile: str
    turns: int
    probability: float


@dataclass(frozen=True, slots=True, eq=False)
class TileReading:
    """One square of the table.

    `tile` is a catalogue id, or None for a tile that no layout of the catalogue explains.
    `corners_px` is (4, 2): the printed tile's own NW, NE, SE, SW corners in its canonical orientation.
    `cell` is the index of the square of a wonder tile, whose `alternatives` are of the whole tile.
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
        """The square of the lattice that it lies on, (row, col)."""
        return self.row, self.col


@dataclass(frozen=True, slots=True)
class CoatAlternative:
    """Another number of coats of arms that a city of a wonder, by its number among the parts, may have."""

    city: int
    coats: int
    probability: float


@dataclass(frozen=True, slots=True)
class WonderReading:
    """A wonder on the board, how likely it is, and what else may lie on some of its squares, likeliest first.

    The alternatives may be the same wonder on the same squares with other edges: copies differ. What is left of the
    probability is that no wonder lies there. `coats` are other coats of arms that its cities may have, None where the
    photo does not tell. It is `nobodys` where a person said that no marker lies on it.
    """

    placed: PlacedWonder
    probability: float
    alternatives: tuple[tuple[PlacedWonder, float], ...] = ()
    coats: tuple[CoatAlternative, ...] | None = None
    nobodys: bool = False

    @property
    def doubtful(self) -> bool:
        """Whether it is to be shown as a doubt."""
        return self.probability < WONDER_SURE


@dataclass(frozen=True, slots=True)
class MeepleAlternative:
    """Another way to read a meeple: the segment of its tile it may stand on (None: no meeple there at all).

    `colour`, `kind` and `pose` are what it may be instead; None where that is not in doubt.
    """

    segment: int | None
    probability: float
    colour: str | None = None
    kind: str | None = None
    pose: str | None = None


@dataclass(frozen=True, slots=True)
class MeepleReading:
    """A meeple: where its foot touches the table, in photo pixels and in lattice units (col, row).

    `segment` is the index of the catalogue layout's segment under the foot; None when its tile is unknown. It is
    `crowded` where a surer meeple stands on its tile, on which the rules let only one be placed. `on_head` is how
    likely it is there and stands on its head by its look alone, whatever lies there: so only a wonder's marker stands.
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
    """From lattice units (col, row) to photo pixels and back, square by square.

    `nodes` maps a lattice node (row, col) to its pixel (x, y); `homography` (3, 3) serves where no node lies.
    """

    homography: Floats
    nodes: Mapping[tuple[int, int], tuple[float, float]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TrackPiece:
    """A piece on the score board: the spaces that it may stand on, the likeliest first, and its foot in the photo."""

    colour: str
    pose: str
    spaces: tuple[int, ...]
    foot_px: tuple[float, float]
    confidence: float
    doubtful: bool


@dataclass(frozen=True, slots=True, eq=False)
class TrackToken:
    """A token that counts points, `corners_px` (4, 2) in the photo, and whose it is; None where nothing tells.

    `taught` is the name of the print that a person taught, `confidence` how much of it looks so (0 to 1).
    """

    points: int
    colour: str | None
    corners_px: Floats
    taught: str
    confidence: float
    doubtful: bool


@dataclass(frozen=True, slots=True, eq=False)
class TrackReading:
    """The score board: `corners_px` (4, 2) in the photo, and how well it fits its drawing or picture (0 to 1).

    Space 0 of the first edition's lies in the third corner; a board that a person taught has its name in `taught`, and
    its corners as they were told. `lap` is how many points are once round; `tokens` lie before the players.
    `photo` is the number of the photo that shows it, of several that were joined; `file` is the name of one that shows
    it alone, and is not among these.
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

    `possible_meeples` are not on the board as read, but may stand there, and `possible_wonders` may lie there, where
    other tiles were read; `track` is the score board, where one is seen.
    `unseen` are squares beside the board that lie beyond the border of every photo: the board may go on there.
    `box_rules` are the boxes of which a person said whether their own rules were played.
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
