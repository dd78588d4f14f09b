"""Alternative readings of a square, a meeple or a player of a board."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace

from scoring.carcassonne.board.board import Board, PlacedMeeple, PlacedWonder, Placement
from scoring.carcassonne.tiles.geometry import Square, turn_edge

MIN_ASKED_PROBABILITY = 0.01
"""Minimum probability at which a change of points is put to the user as a question, unless it resolves a contradiction,
and at which 2 alternatives are examined together. A guess.
"""
Subject = tuple[str, Hashable]
MEEPLE = "meeple"
"""The ordinary kind of piece, as opposed to the kinds that each player has once."""


@dataclass(frozen=True, slots=True)
class OtherTile:
    """A square that may hold another tile, or an unknown one (None); with `empty`, it may hold no tile."""

    square: Square
    placement: Placement | None
    probability: float
    empty: bool = False

    @property
    def subject(self) -> Subject:
        """Return the subject of the doubt: alternatives of one subject exclude each other."""
        return "tile", self.square

    def on(self, board: Board) -> Board:
        """Return the board under this alternative; meeples of the square move to the matching part of the new tile."""
        tiles = {**board.tiles, self.square: self.placement}
        if self.empty:
            del tiles[self.square]
        old, new = board.tiles.get(self.square), None if self.empty else self.placement
        meeples = tuple(transfer_meeple(m, old, new) if m.square == self.square else m for m in board.meeples)
        return replace(board, tiles=tiles, meeples=meeples)


@dataclass(frozen=True, slots=True)
class OtherWonder:
    """Squares of a wonder that may hold another wonder, perhaps shifted, or unknown tiles (None).

    With `coats`, it is the same copy with an unseen coat of arms. With `further`, it is a wonder where none was read,
    and the readings of squares outside its own are kept. `standing` are the pieces on it under this alternative, by
    their indices in the board's meeples; other pieces move to the matching part.
    """

    squares: tuple[Square, ...]
    placed: PlacedWonder | None
    probability: float
    coats: bool = False
    further: bool = False
    standing: tuple[tuple[int, PlacedMeeple], ...] = ()

    @property
    def subject(self) -> Subject:
        """Return the subject of the doubt: alternatives of one subject exclude each other."""
        kind = "coats of a wonder" if self.coats else "further wonder" if self.further else "wonder"
        return kind, self.squares

    def list_coat_cities(self, board: Board) -> list[tuple[tuple[Square, ...], int]]:
        """List the cities whose coats of arms differ from the board's: their squares and the new number of coats."""
        here = next((placed for placed in board.wonders if placed.squares == self.squares), None)
        if self.placed is None or here is None or not self.coats:
            return []
        layout = self.placed.layout
        cities = [part for part, segment in enumerate(layout.parts) if segment.kind == "city"]
        changed = [city for city in cities if layout.count_coats(city) != here.layout.count_coats(city)]
        cells = {city: dict.fromkeys(cell for cell, _ in layout.members(city)) for city in changed}
        return [(tuple(self.squares[cell] for cell in cells[city]), layout.count_coats(city)) for city in changed]

    def on(self, board: Board) -> Board:
        """Return the board under this alternative; meeples move to the matching part of their new tile."""
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
    """A meeple (its index in the board's meeples) that may stand elsewhere, or may not be there at all (None)."""

    meeple: int
    instead: PlacedMeeple | None
    probability: float

    @property
    def subject(self) -> Subject:
        """Return the subject of the doubt: alternatives of one subject exclude each other."""
        return "meeple", self.meeple

    def on(self, board: Board) -> Board:
        """Return the board under this alternative."""
        others = (*board.meeples[: self.meeple], *board.meeples[self.meeple + 1 :])
        return replace(board, meeples=others if self.instead is None else (*others, self.instead))


@dataclass(frozen=True, slots=True)
class OtherPlayer:
    """A player whose pieces may all have another colour than the one read."""

    colour: str
    instead: str
    probability: float

    @property
    def subject(self) -> Subject:
        """Return the subject of the doubt: alternatives of one subject exclude each other."""
        return "player", self.colour

    def on(self, board: Board) -> Board:
        """Return the board under this alternative."""
        meeples = (replace(m, colour=self.instead) if m.colour == self.colour else m for m in board.meeples)
        return replace(board, meeples=tuple(meeples))


@dataclass(frozen=True, slots=True)
class AnotherMeeple:
    """A meeple that may stand on the board beside those that were read."""

    meeple: PlacedMeeple
    probability: float

    @property
    def subject(self) -> Subject:
        """Return the subject of the doubt: alternatives of one subject exclude each other."""
        return "another meeple", self.meeple

    def on(self, board: Board) -> Board:
        """Return the board under this alternative."""
        return replace(board, meeples=(*board.meeples, self.meeple))


@dataclass(frozen=True, slots=True)
class OtherCount:
    """A pile that may hold another number of pieces: some of the board's meeples are `gone`, some are `further`.

    `pile` identifies it.
    """

    pile: tuple[int, ...]
    count: int
    gone: frozenset[int]
    further: tuple[PlacedMeeple, ...]
    probability: float

    @property
    def subject(self) -> Subject:
        """Return the subject of the doubt: alternatives of one subject exclude each other."""
        return "pile", self.pile

    def on(self, board: Board) -> Board:
        """Return the board under this alternative."""
        left = (meeple for index, meeple in enumerate(board.meeples) if index not in self.gone)
        return replace(board, meeples=(*left, *self.further))


@dataclass(frozen=True, slots=True)
class OtherSpecial:
    """A player's pieces, one of which may be of a kind that each player has once, such as the big meeple.

    `pieces` are the candidates, by their indices in the board's meeples; `special` is the chosen one, or None for none.
    """

    kind: str
    pieces: tuple[int, ...]
    special: int | None
    probability: float

    @property
    def subject(self) -> Subject:
        """Return the subject of the doubt: alternatives of one subject exclude each other."""
        return "special", (self.kind, self.pieces)

    def on(self, board: Board) -> Board:
        """Return the board under this alternative."""
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
        """Return the subject of the doubt: alternatives of one subject exclude each other."""
        return "marker", self.wonder

    def on(self, board: Board) -> Board:
        """Return the board under this alternative."""
        return replace(board, meeples=(*board.meeples, self.meeple))


Alternative = (
    OtherTile | OtherWonder | OtherPlace | OtherPlayer | OtherCount | OtherSpecial | AnotherMeeple | UnseenMarker
)


def apply_both(one: Alternative, other: Alternative, board: Board) -> Board | None:
    """Return the board under both alternatives; None if they concern the same subject or piece.

    The order of the arguments does not matter: pieces are moved first, relative to the tiles that were read, then
    players are renamed, and tiles are replaced last, moving all pieces to matching parts.
    """
    if one.subject == other.subject:
        return None
    first, second = sorted((one, other), key=lambda alternative: _ORDER.get(type(alternative), 0))
    changed = first.on(board)
    moved = _follow_meeples(second, board, changed)
    return None if moved is None else moved.on(changed)


_ORDER: dict[type, int] = {OtherPlayer: 1, OtherTile: 2, OtherWonder: 2}
"""Order in which kinds of alternatives are applied; pieces come first (0)."""


def _follow_meeples(other: Alternative, before: Board, after: Board) -> Alternative | None:
    """Return the alternative with its meeples' indices on a changed board; None if one of them has changed."""
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
    """Return a meeple after its tile changed: on the segment of its kind that shares most edges, if any does.

    If both tiles have the same parts apart from coats of arms, the segment stays.
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
