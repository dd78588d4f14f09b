"""Doubts of a reading that matter, in the report's words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from api.documents.report import ALSO, Doubt, Point
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.doubt.kinds.base import Alternative
from scoring.carcassonne.doubt.relevance import ScoreChange, ScoreDoubts
from scoring.carcassonne.tiles.geometry import Square
from scoring.percent import round_share
from vision.reading.board import match_meeples, place_meeple
from vision.reading.values import Reading


def build_doubts(doubts: ScoreDoubts, board: Board, reading: Reading | None = None) -> Iterator[Doubt]:
    """Yield the doubts that can change a player's points: unknown tiles, then the likeliest changes.

    With the `reading`, each doubt includes the feet of the pieces concerned.
    """
    yield from build_unknown_tile_doubts(doubts.unknown)
    for change in doubts.to_review:
        doubt = _doubt(change, board)
        both = [change.alternative, *([change.also] if change.also else [])]
        feet = dict.fromkeys(foot for other in both for foot in (_list_feet(other, board, reading) if reading else ()))
        doubt.feet_px = [(round(x, 1), round(y, 1)) for x, y in feet]
        yield doubt


def _list_feet(other: Alternative, board: Board, reading: Reading) -> Iterator[Point]:
    """Yield the feet of the pieces that an alternative concerns, as far as the photo shows them."""
    pieces, numbers = other.find_pieces(board), match_meeples(reading.meeples, board)
    yield from (reading.meeples[numbers.index(index)].foot_px for index in pieces.read)
    places = [(place_meeple(possible), possible.foot_px) for possible in reading.possible_meeples]
    yield from (foot for meeple in pieces.further for placed, foot in places if placed == meeple)


def build_unknown_tile_doubts(squares: Iterable[Square]) -> Iterator[Doubt]:
    """Yield a doubt for each unknown square that may matter."""
    for square in squares:
        yield Doubt(square=square, about="tile", instead="unknown", probability=None, final_scoring=None)


def _doubt(change: ScoreChange, board: Board) -> Doubt:
    description = change.alternative.describe(board)
    instead, values = description.instead, description.values
    if change.also is not None:
        also = change.also.describe(board)
        row, col = also.square
        instead = f"{instead}, together with {also.instead} in {board.name_square(also.square)}"
        second = {"row": row, "col": col, "about": also.about, "instead": also.instead, **also.values}
        values = {**values, **{f"{ALSO}{name}": value for name, value in second.items()}}
    return Doubt(
        square=description.square,
        about=description.about,
        instead=instead,
        probability=round_share(change.probability),
        final_scoring=dict(change.totals),
        values=values,
    )
