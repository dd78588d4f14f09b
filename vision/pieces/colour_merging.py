"""Pieces of one paint are one player's: no two players of a table have pieces that cannot be told apart.

Where the net gives two names to pieces that look the same, as to black ones under a bluish lamp, some are misread, and
always the same way. All of them together are given one of the two names: by what the net says of each, and by which
paint looks more like theirs in this photo's light, as the other players' pieces tell it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from scoring.carcassonne.board.board import MEEPLES_A_PLAYER
from vision.pieces.classifier import Piece
from vision.pieces.colour_clusters import LIGHTNESS, SELDOM, SURE
from vision.pieces.colour_illumination import PAINT_SPREAD_LAB, compute_usual_paints, estimate_light, illuminate_paints
from vision.squares.classifier import log_softmax

MAX_ALIKE_LAB = 6.0
"""Two players' pieces are farther apart than this on the whole, with lightness counting a quarter. It is an
estimate."""
NET_WEIGHT = 0.5
"""How much what the net says of each piece counts: it says the same wrong thing of all that look the same."""
MAX_LOST_NATS = 6.0
"""What one name for all may cost, against the better one for each: what costs more are two players' after all."""
MAX_PIECES = MEEPLES_A_PLAYER + 1
"""A player's meeples and a big one: more that look the same are rather two players'."""


def merge_alike_colours(pieces: Sequence[Piece], net_pieces: Sequence[Piece], colours: Sequence[str]) -> list[Piece]:
    """Return the pieces, with those of two of the net's `colours` that look the same given the odds of one of them.

    `net_pieces` are the same pieces with the odds that the net gave each by itself. Who is not surely there, or whose
    looks are not known, stays as it is.
    """
    if not pieces:
        return []
    looks, odds = np.array([piece.paint for piece in pieces]), np.array([piece.colours for piece in pieces])
    net_nats = NET_WEIGHT * np.log(np.array([piece.colours for piece in net_pieces]) + SELDOM)
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
        light, _ = estimate_light(means, usual[players])
        off = (looks[both].mean(axis=0) - illuminate_paints(usual[list(pair)], light)) / PAINT_SPREAD_LAB
        shares = np.exp(log_softmax(of_each.sum(axis=0) - (off**2).sum(axis=1) / 2))
        odds[np.ix_(both, pair)] = odds[both][:, pair].sum(axis=1, keepdims=True) * shares
    return [replace(piece, colours=odds[i]) for i, piece in enumerate(pieces)]
