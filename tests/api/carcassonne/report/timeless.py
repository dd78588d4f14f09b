"""Reports in a form that can be compared."""

from __future__ import annotations

from dataclasses import replace

from api.documents.report import Report
from scoring.carcassonne.board.board import Board


def from_zero(board: Board) -> Board:
    top, left = (min(square[i] for square in board.tiles) for i in (0, 1))
    tiles = {(row - top, col - left): placement for (row, col), placement in board.tiles.items()}
    return Board(tiles, tuple(replace(m, square=(m.square[0] - top, m.square[1] - left)) for m in board.meeples))


def timeless(report: Report) -> Report:
    """Return the report without its timings."""
    return report.model_copy(update={"timing_ms": {}})
