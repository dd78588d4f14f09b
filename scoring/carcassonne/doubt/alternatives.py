"""Other ways to read a square, a meeple or a player of a board."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace

from scoring.carcassonne.board.board import Board, PlacedMeeple, PlacedWonder, Placement
from scoring.carcassonne.tiles.geometry import Square, turn_edge

MIN_ASKED_PROBABILITY = 0.01
"""What is less likely than this to change the points is not asked, but where it mends what cannot be; two alternatives
that are less likely than this to be so together are not looked at together."""
Subject = tuple[str, Hashable]
MEEPLE = "meeple"
"""The kind of a piece that is none of those that each player has once."""


@dataclass(frozen=True, slots=True)
class OtherTile:
    """A square that may hold another tile: None for an unknown one. `empty` where there may be no tile at all."""

    square: Square
    placement: Placement | None
    probability: float
    empty: bool = False

    @property
    def subject(self) -> Subject:
        """What is in doubt: alternatives of one subject rule each other out."""
        return "tile", self.square

    def on(self, board: Board) -> Board:
        """Return the board if this were so; meeples of the square keep to the like part of the new tile."""
        tiles = {**board.tiles, self.square: self.placement}
        if self.empty:
            del tiles[self.square]
        old, new = board.tiles.get(self.square), None if self.empty else self.placement
        meeples = tuple(transfer_meeple(m, old, new) if m.square == self.square else m for m in board.meeples)
        return replace(board, tiles=tiles, meeples=meeples)


@dataclass(frozen=True, slots=True)
class OtherWonder:
    """Squares of a wonder where another may lie, perhaps on other squares as well; None for unknown tiles.

    It is about `coats` of arms where it is the same copy with one that was not seen. It is a `further` wonder where
    none was read: what was read on other squares than its own stays. `standing` are the pieces on it, by their indices
    in the board's meeples, as they then stand; others keep to the like part.
    """

    squares: tuple[Square, ...]
    placed: PlacedWonder | None
    probability: float
    coats: bool = False
    further: bool = False
    standing: tuple[tuple[int, PlacedMeeple], ...] = ()

    @property
    def subject(self) -> Subject:
        """What is in doubt: alternatives of one subject rule each other out."""
        kind = "coats of a wonder" if self.coats else "further wonder" if self.further else "wonder"
        return kind, self.squares

    def list_coat_cities(self, board: Board) -> list[tuple[tuple[Square, ...], int]]:
        """List the cities that then have other coats of arms than on a board: their squares, and how many each has."""
        here = next((placed for placed in board.wonders if placed.squares == self.squares), None)
        if self.placed is None or here is None or not self.coats:
            return []
        layout = self.placed.layout
        cities = [part for part, segment in enumerate(layout.parts) if segment.kind == "city"]
        changed = [city for city in cities if layout.count_coats(city) != here.layout.count_coats(city)]
        cells = {city: dict.fromkeys(cell for cell, _ in layout.members(city)) for city in changed}
        return [(tuple(self.squares[cell] for cell in cells[city]), layout.count_coats(city)) for city in changed]

    def on(self, board: Board) -> Board:
        """Return the board if this were so; meeples keep to the like part of what lies on their square."""
        instead = self.placed.placements if self.placed else {}
        freed = () if self.further else self.squares
        tiles = {**board.tiles, **dict.fromkeys(freed, None), **instead}
        changed = {square: tile for square, tile in tiles.items() if tile != board.tiles.get(square)}
        meeples = [
            transfer_meeple(m, board.tiles.get(m.square), changed[m.square]) if m.square in changed else m
            for m in board.meeples
        ]
        for index, meeple in self.standing:
            meeples[index] = meeple
        return replace(board, tiles=tiles, meeples=tuple(meeples))


@dataclass(frozen=True, slots=True)
class OtherPlace:
    """A meeple (its index in the board's meeples) that may stand elsewhere: None where it may not be there at all."""

    meeple: int
    instead: PlacedMeeple | None
    probability: float

    @property
    def subject(self) -> Subject:
        """What is in doubt: alternatives of one subject rule each other out."""
        return "meeple", self.meeple

    def on(self, board: Board) -> Board:
        """Return the board if this were so."""
        others = (*board.meeples[: self.meeple], *board.meeples[self.meeple + 1 :])
        return replace(board, meeples=others if self.instead is None else (*others, self.instead))


@dataclass(frozen=True, slots=True)
class OtherPlayer:
    """A player whose pieces, all of them, may have another colour than the one that they are named after."""

    colour: str
    instead: str
    probability: float

    @property
    def subject(self) -> Subject:
        """What is in doubt: alternatives of one subject rule each other out."""
        return "player", self.colour

    def on(self, board: Board) -> Board:
        """Return the board if this were so."""
        meeples = (replace(m, colour=self.instead) if m.colour == self.colour else m for m in board.meeples)
        return replace(board, meeples=tuple(meeples))


@dataclass(frozen=True, slots=True)
class AnotherMeeple:
    """A meeple that may stand on the board beside those that were read."""

    meeple: PlacedMeeple
    probability: float

    @property
    def subject(self) -> Subject:
        """What is in doubt: alternatives of one subject rule each other out."""
        return "another meeple", self.meeple

    def on(self, board: Board) -> Board:
        """Return the board if this were so."""
        return replace(board, meeples=(*board.meeples, self.meeple))


@dataclass(frozen=True, slots=True)
class OtherCount:
    """A pile on which another number of pieces may lie: some of the board's meeples are `gone`, some are `further`.

    `pile` tells it from others.
    """

    pile: tuple[int, ...]
    count: int
    gone: frozenset[int]
    further: tuple[PlacedMeeple, ...]
    probability: float

    @property
    def subject(self) -> Subject:
        """What is in doubt: alternatives of one subject rule each other out."""
        return "pile", self.pile

    def on(self, board: Board) -> Board:
        """Return the board if this were so."""
        left = (meeple for index, meeple in enumerate(board.meeples) if index not in self.gone)
        return replace(board, meeples=(*left, *self.further))


@dataclass(frozen=True, slots=True)
class OtherSpecial:
    """Which of a player's pieces may be the one of a kind that each player has once, as the big meeple.

    `pieces` are those that may be it, by their indices in the board's meeples; it is the `special` one, or with None
    none of them.
    """

    kind: str
    pieces: tuple[int, ...]
    special: int | None
    probability: float

    @property
    def subject(self) -> Subject:
        """What is in doubt: alternatives of one subject rule each other out."""
        return "special", (self.kind, self.pieces)

    def on(self, board: Board) -> Board:
        """Return the board if this were so."""
        meeples = list(board.meeples)
        for index in self.pieces:
            kind = self.kind if index == self.special else MEEPLE
            if self.kind in (kind, meeples[index].kind):
                meeples[index] = replace(meeples[index], kind=kind)
        return replace(board, meeples=tuple(meeples))


@dataclass(frozen=True, slots=True)
class UnseenMarker:
    """A marker that may lie on a wonder (its id) on which none was seen."""

    wonder: str
    meeple: PlacedMeeple
    probability: float

    @property
    def subject(self) -> Subject:
        """What is in doubt: alternatives of one subject rule each other out."""
        return "marker", self.wonder

    def on(self, board: Board) -> Board:
        """Return the board if this were so."""
        return replace(board, meeples=(*board.meeples, self.meeple))


Alternative = (
    OtherTile | OtherWonder | OtherPlace | OtherPlayer | OtherCount | OtherSpecial | AnotherMeeple | UnseenMarker
)


def apply_both(one: Alternative, other: Alternative, board: Board) -> Board | None:
    """Return the board if both of two alternatives were so; None where they are about the same thing or piece.

    Whichever comes first: pieces are put where the tiles that were read have them, then players renamed, and tiles come
    last, to whose like parts all pieces keep.
    """
    if one.subject == other.subject:
        return None
    first, second = sorted((one, other), key=lambda alternative: _ORDER.get(type(alternative), 0))
    changed = first.on(board)
    moved = _follow_meeples(second, board, changed)
    return None if moved is None else moved.on(changed)


_ORDER: dict[type, int] = {OtherPlayer: 1, OtherTile: 2, OtherWonder: 2}
"""When a kind of alternative is applied, pieces (0) first."""


def _follow_meeples(other: Alternative, before: Board, after: Board) -> Alternative | None:
    """The alternative with its meeples' indices on a changed board; None where one of them is not as it was."""
    left = list(enumerate(after.meeples))
    indices: dict[int, int] = {}
    for index, meeple in enumerate(before.meeples):
        position = next((n for n, (_, same) in enumerate(left) if same is meeple), None)
        if position is not None:
            indices[index] = left.pop(position)[0]
    if isinstance(other, OtherPlace):
        return replace(other, meeple=indices[other.meeple]) if other.meeple in indices else None
    if isinstance(other, OtherSpecial):
        if not indices.keys() >= {*other.pieces}:
            return None
        special = None if other.special is None else indices[other.special]
        return replace(other, pieces=tuple(indices[piece] for piece in other.pieces), special=special)
    if isinstance(other, OtherWonder):
        standing = ((indices[index], meeple) for index, meeple in other.standing if index in indices)
        return replace(other, standing=tuple(standing))
    if isinstance(other, OtherCount):
        if not indices.keys() >= other.gone:
            return None
        return replace(other, gone=frozenset(indices[index] for index in other.gone))
    return other


def transfer_meeple(meeple: PlacedMeeple, old: Placement | None, new: Placement | None) -> PlacedMeeple:
    """Return a meeple after its tile became another: on the segment of its kind that shares most edges, if any does.

    Where both have the same parts, but for coats of arms, it is on the same one.
    """
    if old is None or new is None or meeple.segment is None:
        return replace(meeple, segment=None)
    if _list_parts(old) == _list_parts(new):
        return meeple
    kind, edges = old.layout.segments[meeple.segment].kind, _get_edges(old, meeple.segment)
    shared = {
        index: len(edges & _get_edges(new, index))
        for index, segment in enumerate(new.layout.segments)
        if segment.kind == kind
    }
    best = max(shared, key=lambda index: shared[index], default=None)
    return replace(meeple, segment=best if best is not None and (shared[best] or not edges) else None)


def _list_parts(placement: Placement) -> list[tuple[str, set[str]]]:
    return [(part.kind, _get_edges(placement, index)) for index, part in enumerate(placement.layout.segments)]


def _get_edges(placement: Placement, segment: int) -> set[str]:
    return {turn_edge(edge, placement.turns) for edge in placement.layout.segments[segment].edges}
