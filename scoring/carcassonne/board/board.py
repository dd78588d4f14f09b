"""A board: the tiles that lie on the table and the meeples that stand on them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from scoring.carcassonne.board.box_rules import UNSAID, BoxRules
from scoring.carcassonne.board.square_names import find_origin, name_square
from scoring.carcassonne.tiles.catalogue import (
    BOXES,
    TileLayout,
    load_base_catalogue,
    load_catalogue,
    load_full_catalogue,
)
from scoring.carcassonne.tiles.expansions import NEUTRAL_PIECES, ForeignTile
from scoring.carcassonne.tiles.geometry import SIDES, Square
from scoring.carcassonne.tiles.layout import Kind
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.carcassonne.wonders.tiles import WONDERS, WonderLayout
from scoring.connected_squares import MAX_BOARD_SQUARES
from scoring.errors import BoardError

POSES = ("standing", "lying", "upside_down", "disc")
MEEPLES_A_PLAYER = 7
"""That can stand on the board: the eighth is on the score track."""
MAX_UNSEEN_SQUARES = 4 * MAX_BOARD_SQUARES
"""Every unseen square lies at one of a tile's four sides."""
_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*")


@dataclass(frozen=True, slots=True)
class Placement:
    """A layout of the catalogue (`tile` is its id) and its clockwise quarter turns, 0 to 3.

    The name of a tile with a garden becomes its plain layout; `garden` says that the garden is there. One square of a
    wonder tile has the wonder's id (`WH/alhambra`) and the square's index (`cell`, 0 to 4); `wonder` is its layout,
    the catalogue's own where none is given. Raises CatalogueError for a tile that is not drawn, BoardError for a garden
    or a square that a tile does not have.
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
        """Return what lies at a side as placed: field, road, city or river; `inside` a wonder tile."""
        return self.layout.edge(side, self.turns)

    def _plain(self) -> TileLayout:
        base = load_base_catalogue()
        layout = base[self.tile] if self.tile in base else load_full_catalogue()[self.tile]
        if self.cell is not None or (self.garden and layout.garden is None):
            raise BoardError("no_such_part", f"tile {layout.id} has no such square or no garden", tile=layout.id)
        return layout

    def _square(self, wonder: WonderLayout) -> TileLayout:
        if self.garden or self.tile != wonder.id or self.cell is None or self.cell not in range(len(wonder.cells)):
            raise BoardError("no_such_part", f"{self.tile} has no square {self.cell}", tile=self.tile)
        return wonder.cells[self.cell]


@dataclass(frozen=True, slots=True)
class PlacedWonder:
    """A wonder tile on a board: where its own square (0, 0) lies, on the tile or beside it, and its turns."""

    layout: WonderLayout
    anchor: Square
    turns: int = 0

    @property
    def squares(self) -> tuple[Square, ...]:
        """The five squares it covers, in the order of its layout."""
        return self.layout.placed(self.anchor, self.turns)

    @property
    def placements(self) -> dict[Square, Placement]:
        """What lies on each of its squares, for a board's tiles."""
        squares = enumerate(self.squares)
        return {at: Placement(self.layout.id, self.turns, cell=cell, wonder=self.layout) for cell, at in squares}

    @property
    def edges(self) -> dict[tuple[Square, str], str]:
        """What lies at each of its outer edges, a square of the board and its side: field, road, city."""
        kinds = {(square, side): tile.edge(side) for square, tile in self.placements.items() for side in SIDES}
        return {edge: kind for edge, kind in sorted(kinds.items()) if kind != "inside"}

    def is_copy_of(self, other: PlacedWonder) -> bool:
        """Return whether it is the same wonder on the same squares, perhaps with other edges."""
        return self.layout.id == other.layout.id and {*self.squares} == {*other.squares}


@dataclass(frozen=True, slots=True)
class PlacedMeeple:
    """A meeple on a square; `segment` is an index into its tile's segments, None where it stands on no known one.

    On a wonder itself stands its marker, whatever piece that is. The kinds that are scored are those of
    `scoring.carcassonne.board.pieces`. Colour and kind are small words (`red`, `big`); raises BoardError for
    others and for an unknown pose.
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

    def stands_on(self, placement: Placement) -> Kind | None:
        """Return the kind of feature of its square's tile that it stands on; None for none that is known."""
        return None if self.segment is None else placement.layout.segments[self.segment].kind


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that the rules do not allow, where, and in words; `values` are what the words name."""

    code: str
    squares: tuple[Square, ...]
    text: str
    values: Mapping[str, int | str] = field(default_factory=dict, compare=False)


def refuse_oversized_board(tiles: int, unseen: int = 0) -> None:
    """Raise BoardError `board_too_large` for more tiles, or squares that nobody could look at, than a board has."""
    if tiles > MAX_BOARD_SQUARES or unseen > MAX_UNSEEN_SQUARES:
        text = f"a board has at most {MAX_BOARD_SQUARES} squares"
        raise BoardError("board_too_large", text, most=MAX_BOARD_SQUARES)


@dataclass(frozen=True)
class Board:
    """Tiles by square (row, col), None for a tile that is there but unknown; meeples in a fixed order.

    `unseen` are squares that nobody could look at, as those beyond the border of a picture: they count as empty.
    `foreign` names those of the unknown tiles that are of an expansion which is not scored here, `unowned` by id the
    wonders of which somebody said that nobody holds them. `box_rules` are the boxes of which somebody said whether
    their own rules were played.
    What lies on a board may break the rules (see `scoring.carcassonne.board.problems`), but a meeple's segment must
    exist, and it has at most `MAX_BOARD_SQUARES` tiles: else BoardError (`no_such_segment`, `board_too_large`).
    """

    tiles: Mapping[Square, Placement | None] = field(default_factory=dict)
    meeples: tuple[PlacedMeeple, ...] = ()
    unseen: frozenset[Square] = frozenset()
    foreign: Mapping[Square, ForeignTile] = field(default_factory=dict)
    unowned: frozenset[str] = frozenset()
    box_rules: BoxRules = UNSAID

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
        return hash((*parts, self.box_rules))

    def find_kind_below(self, meeple: PlacedMeeple) -> str | None:
        """Return the kind of feature that a meeple stands on; None where its tile, or its part of it, is not known."""
        placement = self.tiles.get(meeple.square)
        return None if placement is None else meeple.stands_on(placement)

    def is_marker(self, meeple: PlacedMeeple) -> bool:
        """Return whether a piece marks a wonder: any that stands on the wonder itself does, upside down or not."""
        return self.find_kind_below(meeple) == "wonder"

    @property
    def occupied(self) -> frozenset[Square]:
        """The squares that hold a tile, known or not."""
        return frozenset(self.tiles)

    @property
    def origin(self) -> Square:
        """The first row and column that hold a tile: people count from there, beginning with 1."""
        return find_origin(self.tiles)

    @property
    def known(self) -> Iterator[tuple[Square, Placement]]:
        """The squares whose tile is known, with it."""
        return ((square, placement) for square, placement in self.tiles.items() if placement is not None)

    @property
    def expansions(self) -> tuple[str, ...]:
        """The boxes beside the base game's of which a tile lies here, wonders apart."""
        tile_ids = {placement.tile for _, placement in self.known}
        return tuple(box for box in BOXES[1:] if any(tile in load_catalogue(box) for tile in tile_ids))

    @property
    def wonders(self) -> tuple[PlacedWonder, ...]:
        """The wonder tiles of which a square lies here, in the order of their first squares."""
        placed_wonders = {
            PlacedWonder(p.wonder, p.wonder.anchor(square, p.cell, p.turns), p.turns): None
            for square, p in self.known
            if p.wonder is not None and p.cell is not None
        }
        return tuple(placed_wonders)

    def find_cells(self, wonder: PlacedWonder) -> dict[int, Square]:
        """Return where those of a wonder's squares lie that are here, by their indices."""
        there = ((cell, square, self.tiles.get(square)) for cell, square in enumerate(wonder.squares))
        return {
            cell: square
            for cell, square, tile in there
            if tile is not None and tile.wonder is wonder.layout and (tile.cell, tile.turns) == (cell, wonder.turns % 4)
        }

    @property
    def players(self) -> tuple[str, ...]:
        """The colours of all meeples, in alphabetical order; a dragon and its like are nobody's."""
        return tuple(sorted({meeple.colour for meeple in self.meeples if meeple.kind not in NEUTRAL_PIECES}))

    def name_square(self, square: Square) -> str:
        """Return what people call a square, in English: `row 3, column 7`, counted from 1 from the top left tile."""
        return name_square(square, self.origin)

    def neighbours(self, square: Square) -> tuple[Square, ...]:
        """Return the occupied ones among the eight squares around a square."""
        row, col = square
        around = ((row + down, col + right) for down in (-1, 0, 1) for right in (-1, 0, 1))
        return tuple(other for other in around if other != square and other in self.tiles)

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
