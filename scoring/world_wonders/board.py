"""A table of World Wonders: each player's map with its pieces, and the tracks and cards beside it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from scoring.connected_squares import list_neighbours
from scoring.spots.game import Laid, Value
from scoring.world_wonders.components import Components
from scoring.world_wonders.kinds import BUILDINGS, NOTHING, ROADS, TRACKS, UNNAMED, Numbered, parse_piece_name
from scoring.world_wonders.terrain import Square, Terrain

MAX_CACHED_MAPS = 64
"""Maximum number of cached maps: a table is rescored repeatedly with one square changed. Bounds memory."""
OBJECTIVES = 3
"""By the rules: number of public objectives in a game (Advanced Play)."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece on a map, with its squares row by row; a monument with several components is one piece."""

    name: Numbered
    squares: tuple[Square, ...]

    @property
    def kind(self) -> str:
        """Return `road`, `bridge`, a building's type, `tower`, a monument's id, or `monument`."""
        return self.name.kind


@dataclass(frozen=True, eq=False)
class Board:
    """A player's map: its terrain, the pieces on it, and its squares of unknown content."""

    player: str
    terrain: Terrain
    pieces: tuple[Piece, ...] = ()
    unknown: frozenset[Square] = frozenset()

    @cached_property
    def at(self) -> Mapping[Square, Piece]:
        """Return the piece on each covered square."""
        return {square: piece for piece in self.pieces for square in piece.squares}

    @cached_property
    def borders(self) -> Mapping[Numbered, tuple[Square, ...]]:
        """Return the squares, on or beyond the map, that share a side with each piece, without repeats."""
        around = {
            piece: [near for square in piece.squares for near in list_neighbours(square)] for piece in self.pieces
        }
        return {
            piece.name: tuple(dict.fromkeys(near for near in squares if near not in piece.squares))
            for piece, squares in around.items()
        }

    @cached_property
    def beside(self) -> Mapping[Numbered, tuple[Piece, ...]]:
        """Return the pieces adjacent to each piece."""
        return {
            name: tuple(dict.fromkeys(self.at[near] for near in border if near in self.at))
            for name, border in self.borders.items()
        }

    @property
    def buildings(self) -> tuple[Piece, ...]:
        """Return the building tiles."""
        return tuple(piece for piece in self.pieces if piece.kind in BUILDINGS)

    @property
    def roads(self) -> tuple[Piece, ...]:
        """Return the road tiles, including bridges."""
        return tuple(piece for piece in self.pieces if piece.kind in ROADS)

    @property
    def monuments(self) -> tuple[Piece, ...]:
        """Return the monuments, including unnamed ones."""
        return tuple(piece for piece in self.pieces if piece.name.is_monument)

    def is_open(self, square: Square) -> bool:
        """Return whether a square of the map is known to be uncovered."""
        return square not in self.at and square not in self.unknown

    def spot(self, square: Square) -> str:
        """Return the id of a square's spot."""
        return f"map.{self.player}.{square[0]}.{square[1]}"

    def spots(self, squares: Sequence[Square]) -> tuple[str, ...]:
        """Return the ids of some squares' spots."""
        return tuple(map(self.spot, squares))


@dataclass(frozen=True, eq=False)
class Table:
    """A whole table with its players in order. Entries missing from a mapping are unknown.

    `tracks` has the space of each marker, `loans` whether a loan is unpaid, and `objectives` the card at each place
    (None if there is none). `solo_mode` and `solo_monuments`, the automaton's rings, are None if unknown.
    """

    boards: Mapping[str, Board]
    tracks: Mapping[str, Mapping[str, int]]
    loans: Mapping[str, bool]
    objectives: Mapping[int, str | None] = field(default_factory=dict)
    solo_mode: str | None = None
    solo_monuments: int | None = None

    @property
    def players(self) -> tuple[str, ...]:
        """Return the players' colours."""
        return tuple(self.boards)


def build_table(components: Components, players: Sequence[str], laid: Laid) -> Table:
    """Return the table described by its spots (`scoring.world_wonders.places`).

    Raises ComponentsError `component_missing` for the terrain.
    """
    boards = {player: build_board(player, components.terrain(player), laid) for player in players}
    tracks = {
        player: {track: int(laid[spot]) for track in TRACKS if (spot := f"resource.{player}.{track}") in laid}
        for player in players
    }
    loans = {player: laid[spot] == "yes" for player in players if (spot := f"loan.{player}") in laid}
    cards = {n: str(laid[spot]) for n in range(1, OBJECTIVES + 1) if (spot := f"objective.{n}") in laid}
    mode = str(laid["solo.mode"]) if "solo.mode" in laid else None
    rings = int(laid["solo.monuments"]) if "solo.monuments" in laid else None
    objectives = {number: None if card == NOTHING else card for number, card in cards.items()}
    return Table(boards, tracks, loans, objectives, mode, rings)


def build_board(player: str, terrain: Terrain, laid: Laid) -> Board:
    """Return a player's map with its pieces."""
    return _build_board(player, terrain, list_square_values(player, terrain, laid))


def list_square_values(player: str, terrain: Terrain, laid: Laid) -> tuple[Value | None, ...]:
    """Return the values of the squares of a player's map, row by row; None if unknown."""
    return tuple(map(laid.get, _list_square_spots(player, terrain)))


def find_unnamed_monuments(board: Board) -> Iterator[Piece]:
    """Yield the monuments of unknown name."""
    yield from (piece for piece in board.pieces if piece.kind == UNNAMED)


@lru_cache(maxsize=MAX_CACHED_MAPS)
def _list_square_spots(player: str, terrain: Terrain) -> tuple[str, ...]:
    return tuple(f"map.{player}.{row}.{col}" for row, col in terrain.squares)


@lru_cache(maxsize=MAX_CACHED_MAPS)
def _build_board(player: str, terrain: Terrain, values: tuple[Value | None, ...]) -> Board:
    squares: dict[Numbered, list[Square]] = defaultdict(list)
    unknown = set()
    for square, value in zip(terrain.squares, values, strict=True):
        if value is None:
            unknown.add(square)
        elif (name := parse_piece_name(value)) is not None:
            squares[name].append(square)
    pieces = tuple(Piece(name, tuple(places)) for name, places in squares.items())
    return Board(player, terrain, pieces, frozenset(unknown))
