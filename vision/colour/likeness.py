"""The colours of pieces by their likeness: a player's pieces look alike in any light.

The net's odds for each piece are combined with the looks of the others. The colours have unknown means in CIE Lab. The
prior of each mean is its paint in the light estimated from the other colours (`vision.colour.illumination`), and
every piece is evidence for the means that it may have. Pieces follow a Student's t distribution about their mean, since
a piece may stand in shade. The model is solved by mean field, with each piece's own part left out of the means it is
compared with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.arrays import EVEN_ODDS, FLOOR, Floats, compute_softmax
from vision.colour.glare import is_washed_out
from vision.colour.illumination import PAINT_SPREAD_LAB, compute_usual_paints, estimate_light, illuminate_paints
from vision.colour.prior import compute_lightness_weights
from vision.reading.piece import Piece
from vision.reading.values import DOUBT_BELOW

LIGHTNESS = 0.25
"""Weight of a unit of lightness relative to one of hue between pieces of one colour with a hue, since light varies with
how pieces stand. A guess.
"""
KNOWN = EVEN_ODDS
"""Minimum number of other pieces for a colour to be evidence of the light: it is more likely there than not."""
UNKNOWN = 20.0
"""Standard deviation of a colour's mean from its paint in the light of the others, in Lab units. Measured: with 15 to
25, single pieces of played tables (`datasets.generate --played --seed 32`) are named equally well, from 35 on worse. No
command prints this.
"""
DEGREES = 3.0
"""Degrees of freedom of Student's t, which allows for outliers. A guess."""
SURE = DOUBT_BELOW
"""Minimum presence of pieces that are evidence for others: dark places that are hardly pieces would distort the look of
black ones."""
ROUNDS = 20
"""Number of mean-field iterations. Bounds time: the 20 after these change no probability by 0.01 on 42 real tables."""


def weigh_colours_by_likeness(pieces: Sequence[Piece], colours: Sequence[str]) -> list[Piece]:
    """Return the pieces of one photo with the odds of their `colours` updated by the looks of the others.

    A piece whose look is unknown (`paint` NaN) or washed out is unchanged.
    """
    indices = [i for i, piece in enumerate(pieces) if np.isfinite(piece.paint).all() and not is_washed_out(piece.paint)]
    if len(indices) < 2:
        return list(pieces)
    indices.sort(key=lambda i: _order_key(pieces[i]))
    looks = np.array([pieces[i].paint for i in indices])
    named = np.log(np.array([pieces[i].colours for i in indices]) + FLOOR)
    sure = np.array([pieces[i].presence if pieces[i].presence > SURE else 0.0 for i in indices])
    means = _expected(looks, np.exp(named) * sure[:, None], colours)
    odds = _shared(looks, named, sure, means, compute_lightness_weights(colours, LIGHTNESS))
    weighed = list(pieces)
    for i, piece_odds in zip(indices, odds, strict=True):
        weighed[i] = replace(pieces[i], colours=piece_odds)
    return weighed


def _order_key(piece: Piece) -> tuple[float, ...]:
    """Return the sort key of a piece: all its weighed values, so that sums round alike whatever the order of the input.

    Between 2 equally likely colours, the iterations would amplify the last digit of a sum.
    """
    return (*np.asarray(piece.paint).tolist(), *np.asarray(piece.colours).tolist(), piece.presence)


def _expected(looks: Floats, shares: Floats, colours: Sequence[str]) -> Floats:
    """Return the expected CIE Lab (colours, 3) of paints in the light estimated from the pieces of all other colours.

    `looks` (n, 3) are the pieces' looks, `shares` (n, colours) their shares of colours.
    """
    usual, number = compute_usual_paints(colours), shares.sum(axis=0)
    means = (shares.T @ looks) / np.maximum(number, FLOOR)[:, None]
    present = np.flatnonzero(number > KNOWN).tolist()
    every = estimate_light(means[present], usual[present]).log_gains
    lights = np.tile(every, (len(colours), 1))
    for colour in present:
        rest = [other for other in present if other != colour]
        lights[colour] = estimate_light(means[rest], usual[rest]).log_gains
    return np.asarray(illuminate_paints(usual, lights)[range(len(colours)), range(len(colours))])


def _shared(looks: Floats, named: Floats, speak: Floats, expected: Floats, lightness: Floats) -> Floats:
    """Return the odds (n, colours) of pieces, given (n, 3) looks, (n, colours) own log odds and (n,) weights as
    evidence.

    `expected` (colours, 3) is the look of each colour without any known piece, `lightness` (colours,) the weight of a
    unit of lightness for each.
    """
    odds = np.exp(named)
    for _ in range(ROUNDS):
        odds = compute_softmax(named + _likelihood(looks, odds * speak[:, None], expected, lightness), axis=1)
    return np.asarray(odds)


def _likelihood(looks: Floats, shares: Floats, expected: Floats, lightness: Floats) -> Floats:
    """Return the log densities (n, colours) of the pieces' looks, up to a constant, given the others' shares of
    colours.
    """
    others = shares.sum(axis=0) - shares
    away, room = _away(looks, shares, others, expected, lightness)
    variance = PAINT_SPREAD_LAB**2 * room
    nats = np.log(lightness) - 1.5 * np.log(variance) - (DEGREES + 3) / 2 * np.log1p(away / (DEGREES * variance))
    return np.asarray(nats)


def _away(looks: Floats, shares: Floats, others: Floats, expected: Floats, lightness: Floats) -> tuple[Floats, Floats]:
    """Return squared distances (n, colours) of each piece from the others' means, and the expected variances.

    The variances are in units of the squared spread, and exceed 1 because the means are uncertain.
    """
    pulled = (PAINT_SPREAD_LAB / UNKNOWN) ** 2
    sums = (shares.T @ looks)[None] - shares[:, :, None] * looks[:, None]
    weight = others + pulled
    means = (sums + pulled * expected) / weight[:, :, None]
    units = np.column_stack([lightness, np.ones((len(lightness), 2))])
    return (((looks[:, None] - means) * units) ** 2).sum(axis=2), 1 + 1 / weight
