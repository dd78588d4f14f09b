"""What lies on a table of World Wonders: each player's map with its pieces, and the tracks and cards beside it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from scoring.spots import Laid, Value
from scoring.world_wonders.components import Components
from scoring.world_wonders.kinds import BUILDINGS, NOTHING, ROADS, TRACKS, UNNAMED, Numbered, numbered
from scoring.world_wonders.terrain import Square, Terrain

OBJECTIVES = 3
"""Public objectives of a game (Advanced Play)."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece on a map, with its squares row by row; a monument of several components is one piece."""

    name: Numbered
    squares: tuple[Square, ...]

    @property
    def kind(self) -> str:
        """`road`, `bridge`, a building's type, `tower`, a monument's id, or `monument`."""
        return self.name.kind


@dataclass(frozen=True, eq=False)
class Board:
    """A player's map: its terrain, what lies on it, and the squares of which nobody knows what lies there."""

    player: str
    terrain: Terrain
    pieces: tuple[Piece, ...] = ()
    unknown: frozenset[Square] = frozenset()

    @cached_property
    def at(self) -> Mapping[Square, Piece]:
        """The piece on each square that is covered."""
        return {square: piece for piece in self.pieces for square in piece.squares}

    @property
    def buildings(self) -> tuple[Piece, ...]:
        """The building tiles."""
        return tuple(piece for piece in self.pieces if piece.kind in BUILDINGS)

    @property
    def roads(self) -> tuple[Piece, ...]:
        """The road tiles, bridges among them."""
        return tuple(piece for piece in self.pieces if piece.kind in ROADS)

    @property
    def monuments(self) -> tuple[Piece, ...]:
        """The monuments, those of unknown name among them."""
        return tuple(piece for piece in self.pieces if piece.name.is_monument)

    def is_open(self, square: Square) -> bool:
        """Whether a square of the map is known to be uncovered."""
        return square not in self.at and square not in self.unknown

    def spot(self, square: Square) -> str:
        """The id of a square's spot."""
        return f"map.{self.player}.{square[0]}.{square[1]}"

    def spots(self, squares: Sequence[Square]) -> tuple[str, ...]:
        """The ids of some squares' spots."""
        return tuple(map(self.spot, squares))


@dataclass(frozen=True, eq=False)
class Table:
    """A whole table, the players in their order. What a mapping does not hold is not known.

    `tracks` has the space of each marker, `loans` whether a loan is unpaid, `objectives` the card at each place (None:
    no card lies there). `solo_mode` and `solo_monuments`, the automaton's rings, are None where they are not known.
    """

    boards: Mapping[str, Board]
    tracks: Mapping[str, Mapping[str, int]]
    loans: Mapping[str, bool]
    objectives: Mapping[int, str | None] = field(default_factory=dict)
    solo_mode: str | None = None
    solo_monuments: int | None = None

    @property
    def players(self) -> tuple[str, ...]:
        """The players' colours."""
        return tuple(self.boards)


def table_of(components: Components, players: Sequence[str], laid: Laid) -> Table:
    """The table that spots tell of; they are its own (`scoring.world_wonders.places`).

    Raises ComponentsError `component_missing` for the terrain.
    """
    boards = {player: board_of(player, components.terrain(player), laid) for player in players}
    tracks = {
        player: {track: int(laid[spot]) for track in TRACKS if (spot := f"resource.{player}.{track}") in laid}
        for player in players
    }
    loans = {player: laid[spot] == "yes" for player in players if (spot := f"loan.{player}") in laid}
    cards = {n: _card(laid[spot]) for n in range(1, OBJECTIVES + 1) if (spot := f"objective.{n}") in laid}
    mode = str(laid["solo.mode"]) if "solo.mode" in laid else None
    rings = int(laid["solo.monuments"]) if "solo.monuments" in laid else None
    return Table(boards, tracks, loans, cards, mode, rings)


def board_of(player: str, terrain: Terrain, laid: Laid) -> Board:
    """A player's map with what lies on it; `laid_on` is the inverse."""
    squares: dict[Numbered, list[Square]] = defaultdict(list)
    unknown = set()
    for square in terrain.squares:
        value = laid.get(f"map.{player}.{square[0]}.{square[1]}")
        if value is None:
            unknown.add(square)
        elif (name := numbered(value)) is not None:
            squares[name].append(square)
    pieces = tuple(Piece(name, tuple(own)) for name, own in squares.items())
    return Board(player, terrain, pieces, frozenset(unknown))


def laid_on(board: Board) -> dict[str, Value]:
    """What lies on a map as spots; `board_of` is the inverse."""
    return {
        board.spot(square): board.at[square].name.value if square in board.at else NOTHING
        for square in board.terrain.squares
        if square not in board.unknown
    }


def unnamed(board: Board) -> Iterator[Piece]:
    """The monuments of which nobody knows which they are."""
    yield from (piece for piece in board.pieces if piece.kind == UNNAMED)


def _card(value: Value) -> str | None:
    return None if value == NOTHING else str(value)
