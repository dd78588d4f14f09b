"""Alternative readings of a board, alone and in pairs. Each kind is a class in `scoring.carcassonne.doubt.kinds`."""

from __future__ import annotations

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.doubt.kinds.base import Alternative

MIN_ASKED_PROBABILITY = 0.01
"""Minimum probability at which a change of points is put to the user as a question, unless it resolves a contradiction,
and at which 2 alternatives are examined together. A guess.
"""


def apply_both(one: Alternative, other: Alternative, board: Board) -> Board | None:
    """Return the board under both alternatives; None if they concern the same subject or piece.

    The order of the arguments does not matter: pieces are moved first, relative to the tiles that were read, then
    players are renamed, and tiles are replaced last, moving all pieces to matching parts.
    """
    if one.subject == other.subject:
        return None
    first, second = sorted((one, other), key=lambda alternative: alternative.step)
    changed = first.on(board)
    moved = second.follow(_match_meeples(board, changed))
    return None if moved is None else moved.on(changed)


def _match_meeples(before: Board, after: Board) -> dict[int, int]:
    """Return the new index of each meeple that a changed board still has, by its index before."""
    left = list(enumerate(after.meeples))
    indices: dict[int, int] = {}
    for index, meeple in enumerate(before.meeples):
        position = next((n for n, (_, same) in enumerate(left) if same is meeple), None)
        if position is not None:
            indices[index] = left.pop(position)[0]
    return indices
