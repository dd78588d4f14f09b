"""Base of all kinds of alternatives: their parts, their descriptions, and the names in these."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import Field, dataclass, replace
from typing import Any, ClassVar, Literal, Self

from scoring.carcassonne.board.board import Board, PlacedMeeple, Placement
from scoring.carcassonne.board.places import name_segment
from scoring.carcassonne.tiles.geometry import Square, turn_edge

Subject = tuple[str, Hashable]
Values = dict[str, int | str]
MEEPLE = "meeple"
"""The ordinary kind of piece, as opposed to the kinds that each player has once."""


@dataclass(frozen=True, slots=True)
class Description:
    """An alternative in the report's words: the subject, its square, and the value instead of the one read.

    `values` are the parts of `instead`, for other languages.
    """

    about: Literal["tile", "meeple", "player", "pile"]
    square: Square
    instead: str
    values: Values


@dataclass(frozen=True, slots=True)
class Pieces:
    """Pieces that an alternative concerns: `read` by their indices in the board's meeples, `further` ones beside it."""

    read: Sequence[int] = ()
    further: Sequence[PlacedMeeple] = ()


class Alternative(ABC):
    """Another reading of a subject, compared with the one of a board. Readings of one subject exclude each other.

    Each kind is a frozen dataclass in a module of this package. `step` is the order in which two of them are applied
    together: 0 for pieces, 1 for players, 2 for tiles.
    """

    __slots__ = ()
    probability: float
    step: ClassVar[int] = 0
    spans_several: ClassVar[bool] = False
    """Whether it is about several squares or pieces, so that no label judges its probability alone."""
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    @property
    @abstractmethod
    def subject(self) -> Subject:
        """Return the subject of the doubt, which begins with the name of its kind."""

    @property
    def changed_squares(self) -> tuple[Square, ...]:
        """Return the squares whose tiles may change."""
        return ()

    @abstractmethod
    def on(self, board: Board) -> Board:
        """Return the board under this reading."""

    def follow(self, indices: Mapping[int, int]) -> Self | None:
        """Return the reading with new indices of the board's meeples; None if one that it names has none."""
        return self

    def find_pieces(self, board: Board) -> Pieces:
        """Find the pieces concerned, whose feet the photo shows."""
        return Pieces()

    @abstractmethod
    def describe(self, board: Board) -> Description:
        """Describe the reading in the report's words."""


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


def lay_tiles(board: Board, tiles: Mapping[Square, Placement | None], cleared: Collection[Square] = ()) -> Board:
    """Return the board with other tiles on some squares, None for unknown ones, and with no tile on those `cleared`;
    pieces there move to the corresponding part, or to none.
    """
    changed = {**tiles, **dict.fromkeys(cleared)}
    lying = {square: tile for square, tile in {**board.tiles, **tiles}.items() if square not in cleared}
    meeples = (
        transfer_meeple(m, board.tiles.get(m.square), changed[m.square]) if m.square in changed else m
        for m in board.meeples
    )
    return replace(board, tiles=lying, meeples=tuple(meeples))


def lay_tile(board: Board, square: Square, tile: Placement | None) -> Board:
    """Return the board with another tile, or none, on a square, and its pieces where they may still stand."""
    laid = lay_tiles(board, {square: tile}) if tile else lay_tiles(board, {}, (square,))
    return replace(laid, meeples=tuple(m for m in laid.meeples if m.square != square or m.segment is not None))


def name_place(meeple: PlacedMeeple | None, board: Board) -> str:
    """Name the place where a meeple may stand, as labels do: `city:W`."""
    placement = board.tiles.get(meeple.square) if meeple else None
    if meeple is None or meeple.segment is None or placement is None:
        return "no meeple"
    return name_segment(placement.layout, placement.turns, meeple.segment)


def name_meeple(meeple: PlacedMeeple | None, board: Board) -> str:
    """Name a meeple by its colour, and by its kind unless plain: `blue on city:W`, `blue builder on city:W`."""
    if meeple is None:
        return "no meeple"
    kind = "" if meeple.kind == MEEPLE else f" {meeple.kind}"
    return f"{meeple.colour}{kind} on {name_place(meeple, board)}"


def list_meeple_values(meeple: PlacedMeeple | None, board: Board) -> Values:
    """List the parts of a meeple's name."""
    if meeple is None:
        return {}
    place = name_place(meeple, board)
    return {"colour": meeple.colour, "piece": meeple.kind, "place": "" if place == "no meeple" else place}


def name_coats(number: int) -> str:
    """Name a number of coats of arms."""
    return f"{number} coats of arms" if number > 1 else "a coat of arms" if number else "no coat of arms"


def _list_parts(placement: Placement) -> list[tuple[str, set[str]]]:
    return [(part.kind, _get_edges(placement, index)) for index, part in enumerate(placement.layout.segments)]


def _get_edges(placement: Placement, segment: int) -> set[str]:
    return {turn_edge(edge, placement.turns) for edge in placement.layout.segments[segment].edges}
