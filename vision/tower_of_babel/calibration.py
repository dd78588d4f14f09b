"""Calibration of the probabilities of a reading's alternatives against tables of known truth.

As in `vision.doubt.alternatives`: the logit of the stated probability, times a slope, plus an offset, for each kind of
spot; and the share of cases in which the truth is not among the alternatives. `python -m models.calibration.babel` fits
them on arts that are never used for measuring.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from scoring.calibration import Platt, apply_scaling, load_weights
from vision.arrays import EVEN_ODDS
from vision.flat_boards.reading import MIN_PROBABILITY

Kind = Literal["parts", "discs", "track", "row"]

MAX_OFFERED_PROBABILITY = EVEN_ODDS
"""Maximum total probability of all alternatives."""


class BlockWeights(NamedTuple):
    """Weights of sets of houses: the nats that a house costs (`cost`), which its evidence must exceed, and the area
    that counts as one place (`correlated_mm2`), since neighbouring places are correlated."""

    cost: float
    correlated_mm2: float


def load_block_weights() -> BlockWeights:
    """Load the weights of sets of houses; raises ScoringError as `load_weights` does."""
    row = load_weights("tower_of_babel", "blocks")["house"]
    return BlockWeights(row["cost"], row["correlated_mm2"])


class FaceWeights(NamedTuple):
    """Noise of an evenly lit face in grey levels (`noise`) and relative to its brightness (`grain`), and the maximum
    nats of a single place (`most`), since shadows of other blocks also fall on faces."""

    noise: float
    grain: float
    most: float


def load_face_weights() -> FaceWeights:
    """Load the weights of unevenly lit faces; raises ScoringError as `load_weights` does."""
    row = load_weights("tower_of_babel", "blocks")["face"]
    return FaceWeights(row["noise"], row["grain"], row["most"])


class DiscWeights(NamedTuple):
    """Log odds of a disc on a space: without evidence, and per unit of its likeness to the empty board's drawing and of
    the share of its places that differ in colour."""

    intercept: float
    alike: float
    differing: float


def load_disc_weights() -> DiscWeights:
    """Load the weights of the evidence for a disc; raises ScoringError as `load_weights` does."""
    row = load_weights("tower_of_babel", "spaces")["disc"]
    return DiscWeights(row["intercept"], row["alike"], row["differing"])


def load_black_chroma() -> float:
    """Load the standard deviation of the chroma (CIE Lab) of black parts in a photo's light.

    Raises ScoringError as `load_weights` does.
    """
    return load_weights("tower_of_babel", "paints")["black"]["chroma"]


def calibrate_probabilities(kind: Kind, offered: Sequence[float], scalings: Mapping[str, Platt]) -> list[float]:
    """Return calibrated probabilities of alternatives, by the scalings of `load_platt_scalings`."""
    probabilities = [apply_scaling(scalings, kind, probability, MIN_PROBABILITY) for probability in offered]
    total = sum(probabilities)
    return (
        [probability / total * min(total, MAX_OFFERED_PROBABILITY) for probability in probabilities]
        if total
        else probabilities
    )
