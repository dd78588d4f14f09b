"""Which pieces have one colour, and what is a piece: those of a player look alike, whatever the light makes of them.

A roof or a shadow may look like a piece, but seldom in just the colour of another, surer one: that counts as a third
witness beside the two nets.

What the net says of each piece by itself is weighed by what the others look like: colours have unknown means in CIE
Lab, and every piece tells something about the means that it may have; Student's t about them, since a piece may stand
in shade. Solved by mean field, each piece's own part left out of the means that it is held against.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.pieces import Piece, logit

Floats = NDArray[np.float64]

LIGHTNESS, DARKER = 0.25, 0.5
"""What a unit of lightness counts, of one of hue: light falls on pieces as they stand. Of pieces that have one colour,
and of a place and the piece that looks most like it."""
SPREAD = 10.0
"""In Lab units: how far a player's pieces lie from their mean."""
ANYWHERE = 60.0
"""In Lab units: how far from the middle of all pieces a colour's mean may be."""
DEGREES = 3.0
"""Of freedom of Student's t: a few pieces lie far off."""
SURE = 0.9
"""Who is so likely there speaks for others."""
LIKE = 2.5
"""How much it counts that a place looks like a sure piece, beside what both nets say of it."""
STRAY, EVEN, ELSEWHERE = 3.0, 6.5, 0.7
"""In Lab units: how far two looks at one paint lie apart anyway, and how far at most a place that looks like a piece is
from it: a player may have one piece, and light falls on pieces as they stand, so what looks like none is none the less
likely. Of a tile: how far that piece is at least, lest one that was found twice speaks for itself."""
ROUNDS = 20
STEP = 0.5
"""Of each round, lest two colours change places for ever."""
SELDOM = 1e-9


def likely_by_fellows(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces as likely as both nets and their likeness to others make them."""
    paints = np.array([piece.paint for piece in pieces]).reshape(-1, 3)
    at = np.array([piece.at for piece in pieces]).reshape(-1, 2)
    presence = np.array([piece.presence for piece in pieces])
    told = 1 / (1 + np.exp(-logit(presence) - LIKE * likeness(paints, at, presence)))
    return [replace(piece, presence=float(own)) for piece, own in zip(pieces, told, strict=True)]


def likeness(paints: Floats, at: Floats, presence: Floats) -> Floats:
    """(n,) how much each of (n, 3) paints is like that of another sure piece, from 0: not at all.

    `at` are (n, 2) lattice places, `presence` (n,). It is the logarithm of how much nearer than `EVEN` they are.
    """
    apart = np.linalg.norm((paints[:, None] - paints[None]) * (DARKER, 1, 1), axis=2)
    elsewhere = np.linalg.norm(at[:, None] - at[None], axis=2) > ELSEWHERE
    fellow = elsewhere & (presence > SURE) & (apart < EVEN)
    nearest = np.where(fellow, apart, EVEN).min(axis=1, initial=EVEN)
    return np.asarray(np.log((EVEN + STRAY) / (nearest + STRAY)))


def weighed_by_fellows(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces of one photo with the odds of their colours as the others' looks make them.

    A piece whose own looks are not known (`paint` NaN) stays as it is.
    """
    seen = [i for i, piece in enumerate(pieces) if np.isfinite(piece.paint).all()]
    if len(seen) < 2:
        return list(pieces)
    looks = np.array([pieces[i].paint for i in seen]) * (LIGHTNESS, 1, 1)
    named = np.log(np.array([pieces[i].colours for i in seen]) + SELDOM)
    odds = _shared(looks, named, np.array([pieces[i].presence for i in seen]))
    weighed = list(pieces)
    for i, own in zip(seen, odds, strict=True):
        weighed[i] = replace(pieces[i], colours=own)
    return weighed


def _shared(looks: Floats, named: Floats, presence: Floats) -> Floats:
    """(n, colours) odds of pieces with (n, 3) looks and (n, colours) log odds of their own, there with (n,) odds."""
    odds = np.exp(named)
    for _ in range(ROUNDS):
        weighed = named + _likelihood(looks, odds * presence[:, None])
        fresh = np.exp(weighed - weighed.max(axis=1, keepdims=True))
        odds = (1 - STEP) * odds + STEP * fresh / fresh.sum(axis=1, keepdims=True)
    return np.asarray(odds)


def _likelihood(looks: Floats, shares: Floats) -> Floats:
    """(n, colours) log densities of the pieces' looks, up to a constant, if the others have their shares of colours."""
    others = shares.sum(axis=0) - shares
    pulled = (SPREAD / ANYWHERE) ** 2
    sums = (shares.T @ looks)[None] - shares[:, :, None] * looks[:, None]
    weight = others + pulled
    means = (sums + pulled * looks.mean(axis=0)) / weight[:, :, None]
    variance = SPREAD**2 * (1 + 1 / weight)
    away = ((looks[:, None] - means) ** 2).sum(axis=2)
    return np.asarray(-1.5 * np.log(variance) - (DEGREES + 3) / 2 * np.log1p(away / (DEGREES * variance)))
