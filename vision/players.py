"""What the pieces of a table tell about each other: a colour is a player's, who has several, or nobody's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.pieces import Piece, away

LONELY = 0.05
"""How much less likely a colour is of which no other piece is seen: a player's last meeple, or none."""
SURENESS = 3
"""What is mistaken for pieces is so again and again, but never surely: only sure ones speak for others."""
APART = 0.45
"""Of a tile: two so near may be one, seen twice, which does not speak for itself."""


def weighed_by_players(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces as the others' colours tell: a colour that nobody else at the table surely has is likelier misread.

    The odds of each colour are weighed by the surest other piece that has it; what that leaves weighs the presence.
    """
    if not pieces:
        return []
    has = np.array([piece.presence * piece.colours for piece in pieces])
    weighed = []
    for piece in pieces:
        apart = [j for j in range(len(pieces)) if away(piece, pieces[j]) > APART]
        shared = has[apart].max(axis=0, initial=0.0) ** SURENESS
        odds = piece.colours * (LONELY + (1 - LONELY) * shared)
        share = float(odds.sum())
        presence = piece.presence * share / (piece.presence * share + 1 - piece.presence)
        weighed.append(replace(piece, presence=presence, colours=odds / share))
    return weighed
