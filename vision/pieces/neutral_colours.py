"""Colours without a hue: grey, which the net has no name for, and how much lightness tells black, grey and white apart.

The net was taught no grey. It says black or white of a grey piece, seldom as surely as of others, or a little of
everything. How likely it says each is fitted (`models.calibration.colours`), as is what a unit of lightness counts
between paints that have nothing else to be told apart by. Which of them a piece is, its looks in the light of the
others say (`vision.pieces.colour_clusters`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from scoring.calibration import load_weights
from vision.arrays import Floats

GREY = "grey"
NEUTRAL_COLOURS = frozenset({"black", GREY, "white"})
UNSURE, SUREST = 0.1, 1e-3
"""Where the net leaves so much to all colours but its likeliest, its unsureness tells nothing of grey; it never counts
as leaving less than the second."""


class NeutralWeights(NamedTuple):
    """How likely a grey piece is called each name by the net, and what a unit of lightness counts of a neutral paint.

    `black` and `white` are how much the net's odds of these tell of grey, `other` those of every other colour. These
    count more the less sure the net is, by the power `unsure`. `lightness` is against one of hue.
    """

    black: float
    white: float
    other: float
    unsure: float
    lightness: float


def load_neutral_weights() -> NeutralWeights:
    """Return the weights, from the calibration file; raises ScoringError `models_missing` where the file is not
    there."""
    row = load_weights("carcassonne", "colours")["neutral"]
    return NeutralWeights(*(row[name] for name in NeutralWeights._fields))


def list_colours(net_colours: Sequence[str]) -> tuple[str, ...]:
    """Return the names that pieces may have: the net's, and grey where it is none of them."""
    return (*net_colours, *(() if GREY in net_colours else (GREY,)))


def add_grey_odds(odds: Floats, net_colours: Sequence[str], weights: NeutralWeights | None = None) -> Floats:
    """Return the odds (n, names) of n pieces by `list_colours`, from those (n, colours) that the net gives them.

    The weights are those in force where none are given.
    """
    if GREY in net_colours:
        return odds
    weights = weights or load_neutral_weights()
    tells = np.array([getattr(weights, colour if colour in weights._fields else "other") for colour in net_colours])
    unsure = np.maximum(1 - odds.max(axis=1, initial=0.0), SUREST) / UNSURE
    with_grey = np.column_stack([odds, odds @ tells * unsure**weights.unsure])
    return np.asarray(with_grey / with_grey.sum(axis=1, keepdims=True))


def compute_lightness_weights(colours: Sequence[str], usual: float, weights: NeutralWeights | None = None) -> Floats:
    """Return (n,) what a unit of lightness counts of each of n colours, against one of hue: `usual` of a hue's paint.

    Light falls on pieces as they stand, so lightness tells little where there is a hue to go by. The weights are those
    in force where none are given.
    """
    neutral = (weights or load_neutral_weights()).lightness
    return np.array([neutral if colour in NEUTRAL_COLOURS else usual for colour in colours])
