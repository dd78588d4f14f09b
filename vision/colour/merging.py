"""Merging of colours that look alike: no 2 players of a table have indistinguishable pieces.

If the net gives 2 names to pieces that look the same, such as black ones under a bluish lamp, some are misread, always
in the same way. All of them together receive one of the 2 names, by the net's odds for each and by the paint that
better matches their look in this photo's light, as estimated from the other players' pieces.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from scoring.carcassonne.board.board import MEEPLES_A_PLAYER
from vision.arrays import FLOOR, compute_log_softmax
from vision.colour.illumination import PAINT_SPREAD_LAB, compute_usual_paints, estimate_light, illuminate_paints
from vision.colour.likeness import LIGHTNESS, SURE
from vision.reading.piece import Piece

MAX_ALIKE_LAB = 6.0
"""Maximum distance between the means of pieces of one player, with lightness at a quarter. A guess."""
NET_WEIGHT = 0.5
"""Weight of the net's odds of each piece: its errors are the same for all that look the same. A guess."""
MAX_LOST_NATS = 6.0
"""Maximum cost of one name for all, compared with the better name for each; beyond it there are 2 players. A guess."""
MAX_PIECES = MEEPLES_A_PLAYER + 1
"""By the rules: a player's meeples and a big one; more pieces that look the same likely belong to 2 players."""


def merge_alike_colours(pieces: Sequence[Piece], net_pieces: Sequence[Piece], colours: Sequence[str]) -> list[Piece]:
    """Return the pieces, with those of 2 of the net's `colours` that look the same given the odds of one of them.

    `net_pieces` are the same pieces with the net's own odds. A piece that is uncertain, or whose look is unknown, is
    unchanged.
    """
    if not pieces:
        return []
    looks, odds = np.array([piece.paint for piece in pieces]), np.array([piece.colours for piece in pieces])
    net_nats = NET_WEIGHT * np.log(np.array([piece.colours for piece in net_pieces]) + FLOOR)
    usual = compute_usual_paints(colours)
    sure = (np.array([piece.presence for piece in pieces]) > SURE) & np.isfinite(looks).all(axis=1)
    for pair in combinations(range(len(colours)), 2):
        named = odds.argmax(axis=1)
        first, second = (sure & (named == colour) for colour in pair)
        both = first | second
        if not (first.any() and second.any()) or both.sum() > MAX_PIECES:
            continue
        apart = np.linalg.norm((looks[first].mean(axis=0) - looks[second].mean(axis=0)) * (LIGHTNESS, 1, 1))
        of_each = net_nats[both][:, pair]
        lost = of_each.max(axis=1).sum() - of_each.sum(axis=0).max()
        if apart > MAX_ALIKE_LAB or lost > MAX_LOST_NATS:
            continue
        others = sure & ~both
        players = np.unique(named[others])
        means = np.array([looks[others & (named == player)].mean(axis=0) for player in players]).reshape(-1, 3)
        light = estimate_light(means, usual[players]).log_gains
        off = (looks[both].mean(axis=0) - illuminate_paints(usual[list(pair)], light)) / PAINT_SPREAD_LAB
        shares = np.exp(compute_log_softmax(of_each.sum(axis=0) - (off**2).sum(axis=1) / 2))
        odds[np.ix_(both, pair)] = odds[both][:, pair].sum(axis=1, keepdims=True) * shares
    return [replace(piece, colours=odds[i]) for i, piece in enumerate(pieces)]
