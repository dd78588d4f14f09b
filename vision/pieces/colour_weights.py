"""How much what the net says of a player's pieces counts beside their looks, and lightness beside hue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from scoring.calibration import load_weights
from vision.arrays import Floats

NEUTRAL_COLOURS = frozenset({"black", "grey", "white"})
RARE_COLOURS = frozenset({"pink", "grey", "white", "purple", "orange", "wood"})
"""Colours that only an expansion or another set has."""


class ColourWeights(NamedTuple):
    """What tells colours.

    What the net says of a player's pieces counts as much as `net_pieces` of them: it may be wrong of all alike. A unit
    of lightness counts so much of a neutral paint, against one of hue. `rare_odds` is how often somebody plays each of
    the colours that few have, against one of the base game's five.
    """

    net_pieces: float
    lightness: float
    rare_odds: Mapping[str, float]


def load_colour_weights() -> ColourWeights:
    """Return the weights, from the calibration file; raises ScoringError `models_missing` where the file is not
    there."""
    rows = load_weights("carcassonne", "colours")
    return ColourWeights(
        rows["player"]["net_pieces"],
        rows["neutral"]["lightness"],
        {colour: rows["rare"][colour] for colour in RARE_COLOURS},
    )


def compute_lightness_weights(colours: Sequence[str], usual: float) -> Floats:
    """Return (n,) what a unit of lightness counts of each of n colours, against one of hue: `usual` of a hue's paint.

    Light falls on pieces as they stand, so lightness tells little where there is a hue to go by.
    """
    neutral = load_colour_weights().lightness
    return np.array([neutral if colour in NEUTRAL_COLOURS else usual for colour in colours])
