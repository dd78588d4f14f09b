"""Which kinds of pieces a table's pieces may be, by the boxes that lie on it.

A big meeple comes with Inns & Cathedrals, a builder and a pig with Traders & Builders, an abbot with later printings,
one of each to a player. Only a wonder's marker stands on its head, and of the pieces on a wonder one is its marker:
who builds a wonder leaves it there for good.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from scoring.calibration import load_weights
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.tiles.geometry import Square
from vision.arrays import Flags, Floats
from vision.pieces.classifier import Piece, logit

KIND_SHARES = {"big": ("inns", 0.1), "builder": ("traders", 0.07), "pig": ("traders", 0.05)}
"""The share of the pieces on a board that are of a kind, where its box lies on the table."""
ABBOT_SHARE = 0.03
"""The share of the pieces on a board that are abbots, where any expansion lies there."""
TRAINING_KIND_SHARE = 0.16
"""The share of the pieces that the net was trained on that were of any one kind beside the meeple."""
MARKER = "upside_down"
"""The pose of a piece that marks a wonder."""
MIN_POSE_ODDS = 1e-6


def apply_kind_prior(pieces: Sequence[Piece], board: Board, poses: Sequence[str], kinds: Sequence[str]) -> list[Piece]:
    """Return the pieces with the odds of kinds and poses that can be on the board's table.

    Pieces that nobody looked at for their kinds are what the boxes alone suggest: meeples where none lies there.
    """
    priors = _compute_kind_weights(kinds, find_board_boxes(board))
    on_head = np.array([pose == MARKER for pose in poses])
    odds = _compute_marker_odds(pieces, board, on_head)
    return [
        replace(
            piece,
            kinds=_normalise(piece.kinds * priors),
            poses=_normalise((piece.poses + MIN_POSE_ODDS) * np.where(on_head, likelier, 1.0)),
        )
        for piece, likelier in zip(pieces, odds, strict=True)
    ]


def collect_marker_looks(pieces: Sequence[Piece], poses: Sequence[str]) -> dict[Square, list[float]]:
    """Return, by square, the odds in nats that each piece is there and stands on its head, by its look alone."""
    looks = defaultdict[Square, list[float]](list)
    for piece in pieces:
        looks[piece.square].append(float(logit(np.array(compute_marker_look(piece, poses)))))
    return dict(looks)


def compute_marker_look(piece: Piece, poses: Sequence[str]) -> float:
    """Compute how likely a piece is there and stands on its head, by its look alone."""
    return float(piece.presence * piece.poses[[pose == MARKER for pose in poses]].sum())


def _compute_marker_odds(pieces: Sequence[Piece], board: Board, on_head: Flags) -> list[float]:
    """By what to weigh the odds that each piece stands on its head: by those of the others on its wonder.

    Elsewhere on known tiles none does; of unknown tiles nobody knows.
    """
    odds = [float(bool(board.wonders) and board.tiles.get(piece.square) is None) for piece in pieces]
    for wonder in board.wonders:
        near = [i for i, piece in enumerate(pieces) if piece.square in wonder.squares]
        looks = np.array([pieces[i].presence * (pieces[i].poses + MIN_POSE_ODDS)[on_head].sum() for i in near])
        for i, likelier in zip(near, weigh_markers(looks), strict=True):
            odds[i] = float(likelier)
    return odds


def weigh_markers(probabilities: Floats) -> Floats:
    """Return by what to weigh the odds (n,) that each of n pieces on one wonder is its marker, as likely as it looks.

    As a rule one of them is, seldom none that is seen, and hardly ever two.
    """
    shares = load_weights("carcassonne", "wonders")["marker"]
    looks = probabilities / np.maximum(1 - probabilities, MIN_POSE_ODDS)
    others = looks.sum() - looks
    pairs = looks * others
    alone = 1 - shares["none"] - shares["two"]
    without = shares["none"] + alone * others + shares["two"] * (others**2 - (looks**2).sum() + looks**2) / 2
    marked = alone * looks + shares["two"] * pairs
    return np.asarray(marked / np.maximum(without * looks, MIN_POSE_ODDS**2))


def find_board_boxes(board: Board) -> frozenset[str]:
    """Return the expansions of which a tile lies on the board, and `wonders` where one does."""
    return frozenset([*board.expansions, *(["wonders"] if board.wonders else [])])


def _compute_kind_weights(kinds: Sequence[str], present: Collection[str]) -> Floats:
    """(K,) by what to weigh the odds that the net gives: how often a kind is met here, by how often it was taught."""
    shares = {kind: share for kind, (box, share) in KIND_SHARES.items() if box in present}
    if present:
        shares["abbot"] = ABBOT_SHARE
    others = np.array([shares.get(kind, 0.0) for kind in kinds])
    meeples = np.array([kind == "meeple" for kind in kinds], np.float64)
    training_shares = np.where(meeples > 0, 1 - TRAINING_KIND_SHARE * (len(kinds) - 1), TRAINING_KIND_SHARE)
    return np.asarray((others + meeples * (1 - others.sum())) / training_shares)


def _normalise(odds: Floats) -> Floats:
    return np.asarray(odds / odds.sum())
