"""Colours that the net has no name for: grey, purple, orange and plain wood, and how much lightness tells greys apart.

Of a piece in such a colour the net says the name of a like one, seldom as surely as of others, or a little of
everything. How much each name tells of which other colour is fitted (`models.calibration.colours`), as is what a unit
of lightness counts between paints that have nothing else to be told apart by. Which of them a piece is, its looks in
the light of the others say (`vision.pieces.colour_clusters`), and what a whole player's pieces look like
(`vision.pieces.colour_renaming`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from scoring.calibration import load_weights
from vision.arrays import Floats

UNTAUGHT_COLOURS = ("grey", "purple", "orange", "wood")
NEUTRAL_COLOURS = frozenset({"black", "grey", "white"})
OTHER, UNSURENESS, LIGHTNESS = "other", "unsure", "lightness"
"""What rows of weights name beside colours."""
UNSURE, SUREST = 0.1, 1e-3
"""Where the net leaves so much to all colours but its likeliest, its unsureness tells nothing of other colours; it
never counts as leaving less than the second."""


class UntaughtWeights(NamedTuple):
    """How much the net's odds of each name tell of a colour that it was not taught.

    `names` are those of some names, `other` of each one besides. All of them count more the less sure the net is, by
    the power `unsure`.
    """

    names: Mapping[str, float]
    other: float
    unsure: float


class ColourWeights(NamedTuple):
    """The weights of each colour that the net was not taught, and what a unit of lightness counts of a neutral paint,
    against one of hue."""

    untaught: Mapping[str, UntaughtWeights]
    lightness: float


def load_colour_weights() -> ColourWeights:
    """Return the weights, from the calibration file; raises ScoringError `models_missing` where the file is not
    there."""
    rows = load_weights("carcassonne", "colours")
    return ColourWeights(
        {colour: parse_weights(rows[colour]) for colour in UNTAUGHT_COLOURS}, rows["neutral"][LIGHTNESS]
    )


def parse_weights(row: Mapping[str, float]) -> UntaughtWeights:
    """Return the weights that a row of the calibration file holds, without what they rest on."""
    from vision.pieces.colour_illumination import USUAL_PAINTS_LAB

    names = {name: value for name, value in row.items() if name in USUAL_PAINTS_LAB}
    return UntaughtWeights(names, row[OTHER], row[UNSURENESS])


def list_colours(net_colours: Sequence[str]) -> tuple[str, ...]:
    """Return the names that pieces may have: the net's, and those which it was not taught."""
    return (*net_colours, *(colour for colour in UNTAUGHT_COLOURS if colour not in net_colours))


def add_untaught_odds(odds: Floats, net_colours: Sequence[str], weights: ColourWeights | None = None) -> Floats:
    """Return the odds (n, names) of n pieces by `list_colours`, from those (n, colours) that the net gives them.

    The weights are those in force where none are given.
    """
    weights = weights or load_colour_weights()
    unsure = np.maximum(1 - odds.max(axis=1, initial=0.0), SUREST) / UNSURE
    columns = [odds]
    for colour in list_colours(net_colours)[len(net_colours) :]:
        names, other, power = weights.untaught[colour]
        tells = np.array([names.get(name, other) for name in net_colours])
        columns.append((odds @ tells * unsure**power)[:, None])
    named = np.concatenate(columns, axis=1)
    return np.asarray(named / named.sum(axis=1, keepdims=True))


def compute_lightness_weights(colours: Sequence[str], usual: float, weights: ColourWeights | None = None) -> Floats:
    """Return (n,) what a unit of lightness counts of each of n colours, against one of hue: `usual` of a hue's paint.

    Light falls on pieces as they stand, so lightness tells little where there is a hue to go by. The weights are those
    in force where none are given.
    """
    neutral = (weights or load_colour_weights()).lightness
    return np.array([neutral if colour in NEUTRAL_COLOURS else usual for colour in colours])
