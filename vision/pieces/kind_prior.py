"""Priors of the kinds of pieces, by the boxes on the table.

A big meeple comes with Inns & Cathedrals, a builder and a pig with Traders & Builders, an abbot with later printings,
one of each per player. Only a wonder's marker stands upside down. One of the pieces on a wonder is its marker, which
its builder leaves there permanently.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from scoring.calibration import load_weights
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.tiles.geometry import Square
from vision.arrays import SUREST, Flags, Floats
from vision.pieces.classifier import logit
from vision.reading.piece import Piece

KIND_SHARES = {"big": ("inns", 0.1), "builder": ("traders", 0.07), "pig": ("traders", 0.05)}
"""Share of pieces on a board that are of a kind, if its box is on the table. A guess."""
ABBOT_SHARE = 0.03
"""Share of pieces on a board that are abbots, if any expansion is on the table. A guess."""
TRAINING_KIND_SHARE = 0.16
"""Share of each kind other than the meeple among the net's training pieces. A guess."""
MARKER = "upside_down"
"""The pose of a piece that marks a wonder."""


def apply_kind_prior(pieces: Sequence[Piece], board: Board, poses: Sequence[str], kinds: Sequence[str]) -> list[Piece]:
    """Return the pieces with the odds of the kinds and poses that are possible on the board's table.

    Pieces without examined kinds receive the boxes' prior: meeples if there is no box.
    """
    priors = _compute_kind_weights(kinds, find_board_boxes(board))
    on_head = np.array([pose == MARKER for pose in poses])
    odds = _compute_marker_odds(pieces, board, on_head)
    return [
        replace(
            piece,
            kinds=_normalise(piece.kinds * priors),
            poses=_normalise((piece.poses + SUREST) * np.where(on_head, likelier, 1.0)),
        )
        for piece, likelier in zip(pieces, odds, strict=True)
    ]


def collect_marker_looks(pieces: Sequence[Piece], poses: Sequence[str]) -> dict[Square, list[float]]:
    """Return, by square, the log odds in nats that each piece is present and upside down, by its look alone."""
    looks = defaultdict[Square, list[float]](list)
    for piece in pieces:
        looks[piece.square].append(float(logit(np.array(compute_marker_look(piece, poses)))))
    return dict(looks)


def compute_marker_look(piece: Piece, poses: Sequence[str]) -> float:
    """Return the probability that a piece is present and upside down, by its look alone."""
    return float(piece.presence * piece.poses[[pose == MARKER for pose in poses]].sum())


def _compute_marker_odds(pieces: Sequence[Piece], board: Board, on_head: Flags) -> list[float]:
    """Return the weight of each piece's odds of being upside down, given the others on its wonder.

    Elsewhere on known tiles the weight is 0; on unknown tiles the odds are unchanged if there are wonders.
    """
    odds = [float(bool(board.wonders) and board.tiles.get(piece.square) is None) for piece in pieces]
    for wonder in board.wonders:
        near = [i for i, piece in enumerate(pieces) if piece.square in wonder.squares]
        looks = np.array([pieces[i].presence * (pieces[i].poses + SUREST)[on_head].sum() for i in near])
        for i, likelier in zip(near, weigh_markers(looks), strict=True):
            odds[i] = float(likelier)
    return odds


def weigh_markers(probabilities: Floats) -> Floats:
    """Return the weights (n,) for the odds that each of n pieces on one wonder is its marker, given their looks.

    Usually one of them is, seldom none of those seen, and hardly ever 2.
    """
    shares = load_weights("carcassonne", "wonders")["marker"]
    looks = probabilities / np.maximum(1 - probabilities, SUREST)
    others = looks.sum() - looks
    pairs = looks * others
    alone = 1 - shares["none"] - shares["two"]
    without = shares["none"] + alone * others + shares["two"] * (others**2 - (looks**2).sum() + looks**2) / 2
    marked = alone * looks + shares["two"] * pairs
    return np.asarray(marked / np.maximum(without * looks, SUREST**2))


def find_board_boxes(board: Board) -> frozenset[str]:
    """Return the expansions with a tile on the board, and `wonders` if it has any."""
    return frozenset([*board.expansions, *(["wonders"] if board.wonders else [])])


def _compute_kind_weights(kinds: Sequence[str], present: Collection[str]) -> Floats:
    """Return the weights (K,) for the net's odds: the frequency of a kind here relative to that in training."""
    shares = {kind: share for kind, (box, share) in KIND_SHARES.items() if box in present}
    if present:
        shares["abbot"] = ABBOT_SHARE
    others = np.array([shares.get(kind, 0.0) for kind in kinds])
    meeples = np.array([kind == "meeple" for kind in kinds], np.float64)
    training_shares = np.where(meeples > 0, 1 - TRAINING_KIND_SHARE * (len(kinds) - 1), TRAINING_KIND_SHARE)
    return np.asarray((others + meeples * (1 - others.sum())) / training_shares)


def _normalise(odds: Floats) -> Floats:
    return np.asarray(odds / odds.sum())
