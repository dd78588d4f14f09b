"""A board: the tiles that lie on the table and the meeples that stand on them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from scoring.carcassonne.catalogue import TileLayout, base_catalogue
from scoring.carcassonne.geometry import SIDES, Square, neighbour, opposite
from scoring.errors import BoardError

POSES = ("standing", "lying", "upside_down", "disc")
MEEPLES_A_PLAYER = 7
"""That can stand on the board: the eighth is on the score track."""
_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*")


@dataclass(frozen=True, slots=True)
class Placement:
    """A layout of the catalogue (`tile` is its id) and its clockwise quarter turns, 0 to 3.

    A garden twin becomes its plain layout; raises CatalogueError for a tile that the catalogue does not hold.
    """

    tile: str
    turns: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "tile", base_catalogue()[self.tile].id)
        object.__setattr__(self, "turns", self.turns % 4)

    @property
    def layout(self) -> TileLayout:
        """The layout that lies here."""
        return base_catalogue()[self.tile]

    def edge(self, side: str) -> str:
        """What lies at a side as placed: field, road or city."""
        return self.layout.edge(side, self.turns)


@dataclass(frozen=True, slots=True)
class PlacedMeeple:
    """A meeple on a square; `segment` is an index into its tile's segments, None where it stands on no known one.

    Colour and kind are small words (`red`, `light-blue`); raises BoardError for others and for an unknown pose.
    """

    colour: str
    square: Square
    segment: int | None
    pose: str = "standing"
    kind: str = "meeple"

    def __post_init__(self) -> None:
        if self.pose not in POSES:
            raise BoardError("unknown_pose", f"{self.pose!r} is none of {', '.join(POSES)}")
        for word in (self.colour, self.kind):
            if not _WORD.fullmatch(word):
                raise BoardError("bad_name", f"{word!r} is no name of a colour or a kind of piece")


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that the rules do not allow, where, and in words."""

    code: str
    squares: tuple[Square, ...]
    text: str


@dataclass(frozen=True)
class Board:
    """Tiles by square (row, col), None for a tile that is there but unknown; meeples in a fixed order.

    What lies on a board may break the rules (see `problems`), but a meeple's segment must exist: else BoardError.
    """

    tiles: Mapping[Square, Placement | None] = field(default_factory=dict)
    meeples: tuple[PlacedMeeple, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "tiles", {square: self.tiles[square] for square in sorted(self.tiles)})
        object.__setattr__(self, "meeples", tuple(sorted(self.meeples, key=_meeple_order)))
        for meeple in self.meeples:
            self._refuse_impossible(meeple)

    def __hash__(self) -> int:
        return hash((tuple(self.tiles.items()), self.meeples))

    @classmethod
    def from_notation(cls, text: str) -> Board:
        """The board that a line of notation holds (see `scoring.carcassonne.notation`); raises NotationError."""
        from scoring.carcassonne.notation import read

        return read(text)

    def notation(self) -> str:
        """One line of text that holds the whole board; the inverse of `from_notation`."""
        from scoring.carcassonne.notation import write

        return write(self)

    @property
    def occupied(self) -> frozenset[Square]:
        """The squares that hold a tile, known or not."""
        return frozenset(self.tiles)

    @property
    def known(self) -> Iterator[tuple[Square, Placement]]:
        """The squares whose tile is known, with it."""
        return ((square, placement) for square, placement in self.tiles.items() if placement is not None)

    @property
    def players(self) -> tuple[str, ...]:
        """The colours of all meeples, in alphabetical order."""
        return tuple(sorted({meeple.colour for meeple in self.meeples}))

    def neighbours(self, square: Square) -> tuple[Square, ...]:
        """The occupied ones among the eight squares around a square."""
        row, col = square
        around = ((row + down, col + right) for down in (-1, 0, 1) for right in (-1, 0, 1))
        return tuple(other for other in around if other != square and other in self.tiles)

    def problems(self) -> tuple[Problem, ...]:
        """All that the rules do not allow, as values; empty for a board that can have been played."""
        return (
            *_edge_mismatches(self),
            *_more_than_the_box(self),
            *_islands(self),
            *_lost_meeples(self),
            *_more_meeples_than_a_player_has(self),
        )

    def _refuse_impossible(self, meeple: PlacedMeeple) -> None:
        placement = self.tiles.get(meeple.square)
        segments = placement.layout.segments if placement else ()
        if meeple.segment is not None and not 0 <= meeple.segment < len(segments):
            raise BoardError(
                "no_such_segment", f"the tile at {meeple.square} has no segment {meeple.segment}", square=meeple.square
            )


def _meeple_order(meeple: PlacedMeeple) -> tuple[object, ...]:
    segment = -1 if meeple.segment is None else meeple.segment
    return meeple.square, segment, meeple.colour, meeple.kind, meeple.pose


def _edge_mismatches(board: Board) -> Iterator[Problem]:
    for square, placement in board.known:
        for side in ("E", "S"):
            other = neighbour(square, side)
            facing = board.tiles.get(other)
            if facing and placement.edge(side) != facing.edge(opposite(side)):
                kinds = f"a {placement.edge(side)} and a {facing.edge(opposite(side))}"
                yield Problem("edge_mismatch", (square, other), f"{kinds} meet between {square} and {other}")


def _more_than_the_box(board: Board) -> Iterator[Problem]:
    squares = defaultdict(list)
    for square, placement in board.known:
        squares[placement.tile].append(square)
    for tile, found in squares.items():
        layout = base_catalogue()[tile]
        if len(found) > layout.count:
            text = f"{len(found)} tiles {layout.letter} ({tile}), where the box holds {layout.count}"
            yield Problem("more_than_the_box", tuple(found), text)


def _islands(board: Board) -> Iterator[Problem]:
    """Every connected group of tiles but the largest."""
    groups = sorted(_groups(board), key=len, reverse=True)
    for group in groups[1:]:
        yield Problem("island", tuple(sorted(group)), f"{len(group)} of the tiles touch none of the others")


def _groups(board: Board) -> Iterator[set[Square]]:
    left = set(board.tiles)
    while left:
        group, fringe = set(), {min(left)}
        while fringe:
            group |= fringe
            left -= fringe
            fringe = {neighbour(square, side) for square in fringe for side in SIDES} & left
        yield group


def _lost_meeples(board: Board) -> Iterator[Problem]:
    for meeple in board.meeples:
        if meeple.square not in board.tiles:
            text = f"a {meeple.colour} meeple at {meeple.square}, where no tile lies"
            yield Problem("meeple_without_tile", (meeple.square,), text)
        elif meeple.segment is None:
            text = f"a {meeple.colour} meeple at {meeple.square} stands on no known feature"
            yield Problem("meeple_without_feature", (meeple.square,), text)


def _more_meeples_than_a_player_has(board: Board) -> Iterator[Problem]:
    for colour, count in sorted(Counter(meeple.colour for meeple in board.meeples).items()):
        if count > MEEPLES_A_PLAYER:
            squares = tuple(meeple.square for meeple in board.meeples if meeple.colour == colour)
            text = f"{count} {colour} meeples, where a player has {MEEPLES_A_PLAYER} to place"
            yield Problem("too_many_meeples", squares, text)
