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
from numpy.typing import NDArray

from vision.fellows import LIGHTNESS, SELDOM, SURE
from vision.pieces import Piece

Floats = NDArray[np.float64]

USUAL = {
    "red": (40.0, 52.0, 32.0),
    "blue": (34.0, 15.0, -48.0),
    "green": (42.0, -38.0, 27.0),
    "yellow": (74.0, -2.0, 70.0),
    "black": (12.0, 0.0, 0.0),
    "pink": (52.0, 47.0, -21.0),
    "white": (82.0, 0.0, 3.0),
}
"""CIE Lab of players' pieces in even light: the middle of our drawn ones' paints, and near that of real ones."""
SPREAD = np.array([10.0, 15.0, 15.0])
"""In Lab units: how far a player's pieces lie from that once the photo's light is known."""
ALIKE = 6.0
"""In Lab units, of lightness a quarter: two players' pieces are farther apart on the whole. Of 515 pairs of players on
126 tables, 26 of them real, the nearest were 18 apart."""
WORTH = 0.5
"""Of what the net says of each piece: it says the same wrong thing of all that look the same. This and what follows are
estimates."""
LOST_MOST = 6.0
"""Nats that one name for all may cost, against the better one for each: what costs more are two players' after all."""
PIECES_MOST = 8
"""A player's seven meeples and a big one: more that look the same are rather two players'."""


def one_name_a_paint(pieces: Sequence[Piece], told: Sequence[Piece], colours: Sequence[str]) -> list[Piece]:
    """The pieces, those of two of the net's `colours` that look the same with the odds of one of them.

    `told` are the same pieces with the odds that the net gave each by itself. Who is not surely there, or whose looks
    are not known, stays as it is.
    """
    sure = [i for i, own in enumerate(pieces) if own.presence > SURE and np.isfinite(own.paint).all()]
    named = [list(own.colours) for own in pieces]
    for one, other in combinations(range(len(colours)), 2):
        groups = [[i for i in sure if int(np.argmax(named[i])) == colour] for colour in (one, other)]
        both = [*groups[0], *groups[1]]
        if not all(groups) or len(both) > PIECES_MOST or _apart(pieces, *groups) > ALIKE:
            continue
        said = np.log(np.array([told[i].colours[[one, other]] for i in both]) + SELDOM) * WORTH
        looks = [_likely(pieces, both, sure, named, colours, colour) for colour in (one, other)]
        if said.max(axis=1).sum() - said.sum(axis=0).max() > LOST_MOST:
            continue
        first = 1 / (1 + np.exp(np.clip(said[:, 1].sum() + looks[1] - said[:, 0].sum() - looks[0], -700, 700)))
        for i in both:
            share = named[i][one] + named[i][other]
            named[i][one], named[i][other] = share * first, share * (1 - first)
    return [replace(own, colours=np.array(odds)) for own, odds in zip(pieces, named, strict=True)]


def _apart(pieces: Sequence[Piece], one: Sequence[int], other: Sequence[int]) -> float:
    """How far two groups of pieces lie apart, by their means."""
    means = [np.mean([pieces[i].paint for i in group], axis=0) for group in (one, other)]
    return float(np.linalg.norm((means[0] - means[1]) * (LIGHTNESS, 1, 1)))


def _likely(
    pieces: Sequence[Piece],
    group: Sequence[int],
    sure: Sequence[int],
    named: Sequence[Sequence[float]],
    colours: Sequence[str],
    colour: int,
) -> float:
    """Log density, up to a constant, of how a group looks if it has a colour, in the light that others stand in."""
    others = [i for i in sure if i not in group]
    gains = [pieces[i].paint[0] / USUAL[colours[int(np.argmax(named[i]))]][0] for i in others]
    expected = np.array(USUAL[colours[colour]]) * (np.median(gains) if gains else 1.0)
    mean = np.mean([pieces[i].paint for i in group], axis=0)
    return float(-((((mean - expected) / SPREAD) ** 2).sum()) / 2)
