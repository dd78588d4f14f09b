"""How likely what a reading offers instead is really so: what nets and rules say, held against tables of known truth.

A meeple that may be another player's with 0.3, say, is so far less often. For every kind of doubt two numbers make its
probabilities honest, which `python -m models.calibration.doubt` fits on art that is neither trained on nor measured.
"""

from __future__ import annotations

from typing import Literal

from scoring.calibration import apply_scaling, load_platt_scalings

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
"""What may be otherwise. A tile: its coat of arms alone (in an art whose coats are known, or hardly), all of it, or
something that is no tile of the catalogue. A meeple: what it stands on, how it stands or lies, its colour (split: that
of another player, where one's pieces look like two colours), its kind, whether it is there (crowded: where it shares
its tile with another); or there is a further one, such as the marker of a wonder that nobody seems to have marked."""

SUREST = 1e-6
"""Raw probabilities are clipped to at least this, and to at most one less this, before they are calibrated."""


def calibrate_probability(doubted: Doubted, probability: float) -> float:
    """Return how often what is offered with this probability is so.

    A kind that the calibration file lacks keeps its probability: other kinds of pieces lay on hardly any table, wonders
    on none, and of pieces that share a tile the reader knows nothing but how often they are none.
    """
    return apply_scaling(load_platt_scalings("carcassonne"), doubted, probability, SUREST)
