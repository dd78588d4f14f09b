"""Which doubts matter: alternatives to what was read that change a player's points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from scoring.carcassonne.board import Board, PlacedMeeple, Placement
from scoring.carcassonne.final import final_scoring
from scoring.carcassonne.geometry import Square, turned_edge


@dataclass(frozen=True, slots=True)
class OtherTile:
    """A square that may hold another tile: None for an unknown one. `empty` where there may be no tile at all."""

    square: Square
    placement: Placement | None
    probability: float
    empty: bool = False

    def on(self, board: Board) -> Board:
        """The board if this were so; meeples of the square keep to the like part of the new tile."""
        tiles = {**board.tiles, self.square: self.placement}
        if self.empty:
            del tiles[self.square]
        old, new = board.tiles.get(self.square), None if self.empty else self.placement
        return Board(tiles, tuple(_carried(m, old, new) if m.square == self.square else m for m in board.meeples))


@dataclass(frozen=True, slots=True)
class OtherPlace:
    """A meeple (its index in the board's meeples) that may stand elsewhere: None where it may not be there at all."""

    meeple: int
    instead: PlacedMeeple | None
    probability: float

    def on(self, board: Board) -> Board:
        """The board if this were so."""
        others = (*board.meeples[: self.meeple], *board.meeples[self.meeple + 1 :])
        return Board(board.tiles, others if self.instead is None else (*others, self.instead))


Alternative = OtherTile | OtherPlace


@dataclass(frozen=True)
class ScoreChange:
    """An alternative that matters, and the totals it would give."""

    alternative: Alternative
    totals: Mapping[str, int]


def score_changing(board: Board, alternatives: Iterable[Alternative]) -> tuple[ScoreChange, ...]:
    """Those alternatives, each taken alone, under which some player's points differ; likeliest first."""
    now = _points(final_scoring(board).totals)
    totals = ((alternative, final_scoring(alternative.on(board)).totals) for alternative in alternatives)
    changes = [ScoreChange(alternative, new) for alternative, new in totals if _points(new) != now]
    return tuple(sorted(changes, key=lambda change: -change.alternative.probability))


def _points(totals: Mapping[str, int]) -> dict[str, int]:
    return {player: points for player, points in totals.items() if points}


def _carried(meeple: PlacedMeeple, old: Placement | None, new: Placement | None) -> PlacedMeeple:
    """A meeple after its tile became another: on the segment of the same kind that shares most edges, if any does."""
    if old is None or new is None or meeple.segment is None:
        return replace(meeple, segment=None)
    kind, edges = old.layout.segments[meeple.segment].kind, _edges(old, meeple.segment)
    shared = {
        index: len(edges & _edges(new, index))
        for index, segment in enumerate(new.layout.segments)
        if segment.kind == kind
    }
    best = max(shared, key=lambda index: shared[index], default=None)
    return replace(meeple, segment=best if best is not None and (shared[best] or not edges) else None)


def _edges(placement: Placement, segment: int) -> set[str]:
    return {turned_edge(edge, placement.turns) for edge in placement.layout.segments[segment].edges}
