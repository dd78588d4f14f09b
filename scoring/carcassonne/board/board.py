"""A board: the tiles on the table and the meeples on them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from scoring.carcassonne.board.box_rules import UNSAID, BoxRules
from scoring.carcassonne.board.square_names import find_origin, name_square
from scoring.carcassonne.tiles.catalogue import (
    TileLayout,
    list_tile_boxes,
)
from scoring.carcassonne.tiles.expansions import (
    EXPANSIONS,
    NEUTRAL_PIECES,
    ForeignTile,
    find_tile_expansion,
)
from scoring.carcassonne.tiles.geometry import SIDES, Square, list_block
from scoring.carcassonne.tiles.layout import Kind
from scoring.carcassonne.tiles.other_boxes import get_layout
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.carcassonne.wonders.tiles import WONDERS, WonderLayout
from scoring.connected_squares import MAX_BOARD_SQUARES
from scoring.errors import BoardError

POSES = ("standing", "lying", "upside_down", "disc")
MEEPLES_A_PLAYER = 7
"""By the rules: meeples of a player that can stand on the board; the eighth is on the score track."""
MAX_UNSEEN_SQUARES = 4 * MAX_BOARD_SQUARES
"""Maximum number of unseen squares: each is at one of a tile's 4 sides."""
_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*")


@dataclass(frozen=True, slots=True)
class Placement:
    """A layout of the catalogue (`tile` is its id) and its clockwise quarter turns, 0 to 3.

    The name of a tile with a garden is replaced by its plain layout's; `garden` states that the garden is there. One
    square of a wonder tile has the wonder's id (`WH/alhambra`) and the square's index (`cell`, 0 to 4); `wonder` is its
    layout, by default the catalogue's. Raises CatalogueError for an unknown tile, BoardError for a garden or a square
    that a tile does not have.
    """

    tile: str
    turns: int = 0
    garden: bool = False
    cell: int | None = None
    wonder: WonderLayout | None = None
    layout: TileLayout = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.tile in WONDERS:
            object.__setattr__(self, "wonder", self.wonder or load_wonder_catalogue()[self.tile])
        layout = self._plain() if self.wonder is None else self._square(self.wonder)
        object.__setattr__(self, "tile", layout.id)
        object.__setattr__(self, "turns", self.turns % 4)
        object.__setattr__(self, "layout", layout.garden if self.garden and layout.garden else layout)

    def edge(self, side: str) -> str:
        """Return the kind of land at a side as placed: field, road, city or river, `inside` a wonder tile, or `any`."""
        return self.layout.edge(side, self.turns)

    def find_wonder(self, square: Square) -> PlacedWonder | None:
        """Return the wonder of which this is a square, if it lies on a square of the board; None for a plain tile."""
        if self.wonder is None or self.cell is None:
            return None
        return PlacedWonder(self.wonder, self.wonder.anchor(square, self.cell, self.turns), self.turns)

    def _plain(self) -> TileLayout:
        layout = get_layout(self.tile)
        if self.cell is not None or (self.garden and layout.garden is None):
            raise BoardError("no_such_part", f"tile {layout.id} has no such square or no garden", tile=layout.id)
        return layout

    def _square(self, wonder: WonderLayout) -> TileLayout:
        if self.garden or self.tile != wonder.id or self.cell is None or self.cell not in range(len(wonder.cells)):
            raise BoardError("no_such_part", f"{self.tile} has no square {self.cell}", tile=self.tile)
        return wonder.cells[self.cell]


@dataclass(frozen=True, slots=True)
class PlacedWonder:
    """A wonder tile on a board: the position of its own square (0, 0), which may be off the tile, and its turns."""

    layout: WonderLayout
    anchor: Square
    turns: int = 0

    @property
    def squares(self) -> tuple[Square, ...]:
        """Return the 5 squares it covers, in the order of its layout."""
        return self.layout.placed(self.anchor, self.turns)

    @property
    def placements(self) -> dict[Square, Placement]:
        """Return the placement on each of its squares, for a board's tiles."""
        squares = enumerate(self.squares)
        return {at: Placement(self.layout.id, self.turns, cell=cell, wonder=self.layout) for cell, at in squares}

    @property
    def edges(self) -> dict[tuple[Square, str], str]:
        """Return the kind of land at each of its outer edges, by square of the board and side: field, road, city."""
        kinds = {(square, side): tile.edge(side) for square, tile in self.placements.items() for side in SIDES}
        return {edge: kind for edge, kind in sorted(kinds.items()) if kind != "inside"}

    def is_copy_of(self, other: PlacedWonder) -> bool:
        """Return whether it is the same wonder on the same squares, perhaps with other edges."""
        return self.layout.id == other.layout.id and {*self.squares} == {*other.squares}


@dataclass(frozen=True, slots=True)
class PlacedMeeple:
    """A meeple on a square; `segment` is an index into its tile's segments, None if it stands on no known one.

    Any player's piece on a wonder itself is its marker. The kinds that are scored are those of
    `scoring.carcassonne.board.pieces`. Colour and kind are lower-case words (`red`, `big`); other words, and an unknown
    pose, raise BoardError.
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

    @property
    def is_neutral(self) -> bool:
        """Return whether it belongs to no player, as the dragon of The Princess & the Dragon."""
        return self.kind in NEUTRAL_PIECES

    def stands_on(self, placement: Placement) -> Kind | None:
        """Return the kind of feature of its square's tile that it stands on; None if it is unknown."""
        return None if self.segment is None else placement.layout.segments[self.segment].kind


@dataclass(frozen=True, slots=True)
class Problem:
    """A violation of the rules, its place, and its text; `values` are the values in the text."""

    code: str
    squares: tuple[Square, ...]
    text: str
    values: Mapping[str, int | str] = field(default_factory=dict, compare=False)


def refuse_oversized_board(tiles: int, unseen: int = 0) -> None:
    """Raise BoardError `board_too_large` for more tiles, or unseen squares, than a board may have."""
    if tiles > MAX_BOARD_SQUARES or unseen > MAX_UNSEEN_SQUARES:
        text = f"a board has at most {MAX_BOARD_SQUARES} squares"
        raise BoardError("board_too_large", text, most=MAX_BOARD_SQUARES)


@dataclass(frozen=True)
class Board:
    """Tiles by square (row, col), None for an unknown tile; meeples in a fixed order.

    `unseen` are squares outside the view, such as those beyond the border of a picture; they count as empty. `foreign`
    names the unknown tiles of an expansion of which not even the layout is known, `unowned` the ids of wonders that a
    person said are unowned. `box_rules` states for some boxes whether their own rules were played, `boxes` how many
    copies of them are on the table.

    A board may break the rules (see `scoring.carcassonne.board.problems`), but a meeple's segment must exist, and there
    may be at most `MAX_BOARD_SQUARES` tiles; otherwise BoardError (`no_such_segment`, `board_too_large`) is raised.
    """

    tiles: Mapping[Square, Placement | None] = field(default_factory=dict)
    meeples: tuple[PlacedMeeple, ...] = ()
    unseen: frozenset[Square] = frozenset()
    foreign: Mapping[Square, ForeignTile] = field(default_factory=dict)
    unowned: frozenset[str] = frozenset()
    box_rules: BoxRules = UNSAID
    boxes: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        refuse_oversized_board(len(self.tiles), len(self.unseen))
        object.__setattr__(self, "tiles", {square: self.tiles[square] for square in sorted(self.tiles)})
        object.__setattr__(self, "meeples", tuple(sorted(self.meeples, key=_get_sort_key)))
        object.__setattr__(self, "unseen", frozenset(set(self.unseen) - self.tiles.keys()))
        unknown = {
            square: tile for square, tile in sorted(self.foreign.items()) if self.tiles.get(square, tile) is None
        }
        object.__setattr__(self, "foreign", unknown)
        for meeple in self.meeples:
            self._refuse_impossible(meeple)

    def __hash__(self) -> int:
        parts = (tuple(self.tiles.items()), self.meeples, self.unseen, tuple(self.foreign.items()), self.unowned)
        return hash((*parts, self.box_rules, *self.boxes.items()))

    def find_kind_below(self, meeple: PlacedMeeple) -> str | None:
        """Return the kind of feature that a meeple stands on; None if its tile or its segment is unknown."""
        placement = self.tiles.get(meeple.square)
        return None if placement is None else meeple.stands_on(placement)

    def is_marker(self, meeple: PlacedMeeple) -> bool:
        """Return whether a piece marks a wonder: any player's piece on the wonder itself does, upside down or not."""
        return not meeple.is_neutral and self.find_kind_below(meeple) == "wonder"

    @property
    def occupied(self) -> frozenset[Square]:
        """Return the squares that hold a tile, known or not."""
        return frozenset(self.tiles)

    @property
    def origin(self) -> Square:
        """Return the first row and column with a tile, which people count as row 1 and column 1."""
        return find_origin(self.tiles)

    @property
    def known(self) -> Iterator[tuple[Square, Placement]]:
        """Return the squares with known tiles, and these tiles."""
        return ((square, placement) for square, placement in self.tiles.items() if placement is not None)

    @property
    def expansions(self) -> tuple[str, ...]:
        """Return the boxes other than the base game that a tile on the board comes from, wonders excluded."""
        return tuple(box for box in list_tile_boxes(placement.tile for _, placement in self.known) if box != "base")

    @property
    def other_boxes(self) -> tuple[str, ...]:
        """Return the names of the further expansions that a known tile comes from, in the order of `EXPANSIONS`."""
        names = {find_tile_expansion(placement.tile) for _, placement in self.known if placement.layout.box}
        return tuple(expansion.name for expansion in EXPANSIONS if expansion.name in names)

    @property
    def wonders(self) -> tuple[PlacedWonder, ...]:
        """Return the wonder tiles with a square on the board, in the order of their first squares."""
        wonders = (placement.find_wonder(square) for square, placement in self.known)
        return tuple(dict.fromkeys(wonder for wonder in wonders if wonder is not None))

    def find_cells(self, wonder: PlacedWonder) -> dict[int, Square]:
        """Return the squares of a wonder that are on the board, by their indices."""
        there = ((cell, square, self.tiles.get(square)) for cell, square in enumerate(wonder.squares))
        return {
            cell: square
            for cell, square, tile in there
            if tile is not None and tile.wonder is wonder.layout and (tile.cell, tile.turns) == (cell, wonder.turns % 4)
        }

    @property
    def players(self) -> tuple[str, ...]:
        """Return the colours of all meeples in alphabetical order; neutral pieces such as a dragon have no player."""
        return tuple(sorted({meeple.colour for meeple in self.meeples if not meeple.is_neutral}))

    def name_square(self, square: Square) -> str:
        """Return the name of a square in English: `row 3, column 7`, counted from 1 at the top left tile."""
        return name_square(square, self.origin)

    def neighbours(self, square: Square) -> tuple[Square, ...]:
        """Return the occupied squares among the 8 around a square."""
        return tuple(other for other in list_block(square) if other != square and other in self.tiles)

    def _refuse_impossible(self, meeple: PlacedMeeple) -> None:
        placement = self.tiles.get(meeple.square)
        segments = placement.layout.segments if placement else ()
        if meeple.segment is not None and not 0 <= meeple.segment < len(segments):
            raise BoardError(
                "no_such_segment",
                f"the tile at {self.name_square(meeple.square)} has no segment {meeple.segment}",
                square=meeple.square,
            )


def _get_sort_key(meeple: PlacedMeeple) -> tuple[object, ...]:
    segment = -1 if meeple.segment is None else meeple.segment
    return meeple.square, segment, meeple.colour, meeple.kind, meeple.pose


def list_markers(board: Board, wonder: PlacedWonder) -> tuple[PlacedMeeple, ...]:
    """Return the pieces that mark a wonder.

    "1. Placing a wonder tile" gives it one. It may be any figure of its player ("Preparation", note), but none that
    belongs to nobody. The rule says "you can put the marker meeple upside down", so it need not be.
    """
    return tuple(meeple for meeple in board.meeples if meeple.square in wonder.squares and board.is_marker(meeple))


def mark_wonders(board: Board, owners: Mapping[str, str | None]) -> Board:
    """Return a board whose wonders carry the markers of these players, by wonder id, and no others.

    None stands for a wonder without an owner, which is added to the board's `unowned`. Raises BoardError
    `wonder_not_there`.
    """
    for id, colour in owners.items():
        board = _mark_wonder(board, id, colour)
    return board


def _mark_wonder(board: Board, id: str, colour: str | None) -> Board:
    wonder = next((placed for placed in board.wonders if placed.layout.id == id), None)
    if wonder is None:
        raise BoardError("wonder_not_there", f"{id} is not on the board", wonder=id)
    markers = list_markers(board, wonder)
    others = tuple(meeple for meeple in board.meeples if meeple not in markers)
    if colour is None:
        return replace(board, meeples=others, unowned=board.unowned | {id})
    cell, segment = wonder.layout.marked
    marker = PlacedMeeple(colour, wonder.squares[cell], segment, "upside_down")
    return replace(board, meeples=(*others, marker), unowned=board.unowned - {id})
