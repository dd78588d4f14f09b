"""How likely what a reading offers instead is really so: what was said, held against tables of known truth.

As in `vision.doubt.calibration`: the logit of what was said, times a slope, plus an offset, for each kind of spot; and
how often the truth is not among what is offered. `python -m models.calibration.babel` fits them on arts that are never
measured.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from scoring.calibration import Platt, apply_scaling, load_weights

Kind = Literal["parts", "discs", "track", "row"]

MIN_PROBABILITY = 1e-4
MAX_OFFERED_PROBABILITY = 0.5
"""All that is offered instead is never likelier together than this."""


class BlockWeights(NamedTuple):
    """What weighs sets of houses: nats for a house that is there (`cost`), beyond which what it explains speaks for it;
    and how many nats of cost are one of evidence (`temperature`), since places near each other say the same."""

    cost: float
    temperature: float


def load_block_weights() -> BlockWeights:
    """Load what weighs sets of houses; raises ScoringError as `load_weights` does."""
    row = load_weights("tower_of_babel", "blocks")["house"]
    return BlockWeights(row["cost"], row["temperature"])


class FaceWeights(NamedTuple):
    """By how much a place of an evenly lit face is off: grey levels (`noise`), and a share of its brightness (`grain`);
    and the nats that no one place exceeds (`most`), for shadows of other blocks fall on faces too."""

    noise: float
    grain: float
    most: float


def load_face_weights() -> FaceWeights:
    """Load what weighs how evenly faces are lit; raises ScoringError as `load_weights` does."""
    row = load_weights("tower_of_babel", "blocks")["face"]
    return FaceWeights(row["noise"], row["grain"], row["most"])


def load_black_chroma() -> float:
    """Load how much colour black parts have in a photo's light, a standard deviation in CIE Lab; raises ScoringError as
    `load_weights` does."""
    return load_weights("tower_of_babel", "paints")["black"]["chroma"]


def calibrate_probabilities(kind: Kind, offered: Sequence[float], scalings: Mapping[str, Platt]) -> list[float]:
    """Return how often what is offered with these probabilities is so, by the scalings of `load_platt_scalings`."""
    probabilities = [apply_scaling(scalings, kind, probability, MIN_PROBABILITY) for probability in offered]
    total = sum(probabilities)
    return (
        [probability / total * min(total, MAX_OFFERED_PROBABILITY) for probability in probabilities]
        if total
        else probabilities
    )
