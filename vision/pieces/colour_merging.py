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
from vision.pieces.colour_illumination import SPREAD, compute_usual_paints, estimate_light, illuminate_paints
from vision.squares.classifier import log_softmax

ALIKE = 6.0
"""In Lab units, of lightness a quarter: two players' pieces are farther apart on the whole. It is an estimate."""
WORTH = 0.5
"""Of what the net says of each piece: it says the same wrong thing of all that look the same."""
LOST_MOST = 6.0
"""Nats that one name for all may cost, against the better one for each: what costs more are two players' after all."""
PIECES_MOST = MEEPLES_A_PLAYER + 1
"""A player's meeples and a big one: more that look the same are rather two players'."""


def merge_alike_colours(pieces: Sequence[Piece], told: Sequence[Piece], colours: Sequence[str]) -> list[Piece]:
    """The pieces, those of two of the net's `colours` that look the same with the odds of one of them.

    `told` are the same pieces with the odds that the net gave each by itself. Who is not surely there, or whose looks
    are not known, stays as it is.
    """
    if not pieces:
        return []
    looks, odds = np.array([own.paint for own in pieces]), np.array([own.colours for own in pieces])
    said = WORTH * np.log(np.array([own.colours for own in told]) + SELDOM)
    usual = compute_usual_paints(colours)
    sure = (np.array([own.presence for own in pieces]) > SURE) & np.isfinite(looks).all(axis=1)
    for pair in combinations(range(len(colours)), 2):
        named = odds.argmax(axis=1)
        one, other = (sure & (named == colour) for colour in pair)
        both = one | other
        if not (one.any() and other.any()) or both.sum() > PIECES_MOST:
            continue
        apart = np.linalg.norm((looks[one].mean(axis=0) - looks[other].mean(axis=0)) * (LIGHTNESS, 1, 1))
        of_each = said[both][:, pair]
        lost = of_each.max(axis=1).sum() - of_each.sum(axis=0).max()
        if apart > ALIKE or lost > LOST_MOST:
            continue
        others = sure & ~both
        players = np.unique(named[others])
        means = np.array([looks[others & (named == player)].mean(axis=0) for player in players]).reshape(-1, 3)
        light, _ = estimate_light(means, usual[players])
        off = (looks[both].mean(axis=0) - illuminate_paints(usual[list(pair)], light)) / SPREAD
        shares = np.exp(log_softmax(of_each.sum(axis=0) - (off**2).sum(axis=1) / 2))
        odds[np.ix_(both, pair)] = odds[both][:, pair].sum(axis=1, keepdims=True) * shares
    return [replace(own, colours=odds[i]) for i, own in enumerate(pieces)]
