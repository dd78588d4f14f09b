"""Which pieces have one colour: those of a player look alike in a photo, whatever its light makes of their paint.

What the net says of each piece by itself is weighed by what the others look like: colours have unknown means in CIE
Lab, and every piece tells something about the means that it may have; Student's t about them, since a piece may stand
in shade. Solved by mean field, each piece's own part left out of the means that it is held against.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.pieces import Piece

Floats = NDArray[np.float64]

LIGHTNESS = 0.25
"""What a unit of lightness counts, of one of hue: light falls on pieces as they stand."""
SPREAD = 10.0
"""In Lab units: how far a player's pieces lie from their mean."""
ANYWHERE = 60.0
"""In Lab units: how far from the middle of all pieces a colour's mean may be."""
DEGREES = 3.0
"""Of freedom of Student's t: a few pieces lie far off."""
ROUNDS = 20
STEP = 0.5
"""Of each round, lest two colours change places for ever."""
SELDOM = 1e-9


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
