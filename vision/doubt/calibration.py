"""Calibration of a reading's alternatives: probabilities of nets and rules, compared with tables of known truth.

A meeple that may be another player's with a probability of 0.3, say, turns out so far less often. Two numbers per kind
of doubt calibrate its probabilities. `python -m models.calibration.doubt` fits them on art that is neither trained on
nor measured.
"""

from __future__ import annotations

from typing import Literal

from scoring.calibration import apply_scaling, load_platt_scalings
from vision.arrays import SUREST

Doubted = Literal[
    "coat",
    "strange coat",
    "tile",
    "rest",
    "wonder",
    "place",
    "pose",
    "colour",
    "split",
    "kind",
    "gone",
    "crowded",
    "further",
    "marker",
]
"""The subjects of doubt. For a tile: its coat of arms alone (in an art whose coats are known, or hardly), its whole
layout, or whether it is a tile of the catalogue at all. For a meeple: the feature below it, its pose, its colour
(split: that of another player, if one player's pieces look like two colours), its kind, its presence (crowded: if it
shares its tile with another). Or there is a further meeple, such as the marker of a wonder that seems unmarked."""


def calibrate_probability(doubted: Doubted, probability: float) -> float:
    """Return the calibrated probability of an alternative with this raw probability, kept `SUREST` away from 0 and 1.

    A kind missing from the calibration file keeps its raw probability: no wonder is on any calibration table, and for
    pieces that share a tile only the share of missing ones is known.
    """
    return apply_scaling(load_platt_scalings("carcassonne"), doubted, probability, SUREST)
