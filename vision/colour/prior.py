"""Priors of a table's colours, before its pieces are compared.

They are the prior of each colour being played, the probability that one more piece is a player's only one, and the
weights of the net's odds against looks and of lightness against hue.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from math import comb
from typing import NamedTuple

import numpy as np

from scoring.calibration import load_weights
from vision.arrays import Floats
from vision.reading.piece import Piece

NEUTRAL_COLOURS = frozenset({"black", "grey", "white"})
RARE_COLOURS = frozenset({"pink", "grey", "white", "purple", "orange", "wood"})
"""Colours that exist only in an expansion or another set."""
MIN_NEW_COLOUR_ODDS = 0.05
"""Minimum odds of a colour of which no other piece is seen: a player's last meeple, or none. A guess."""
PLAYER_COUNTS = (2, 3, 4, 5)
"""By the rules: numbers of players of the base game, equally likely a priori."""


class ColourWeights(NamedTuple):
    """Weights of the evidence for colours.

    The net's odds of a player's pieces count as much as `net_pieces` of them, since its errors may be common to all.
    `lightness` is the weight of a unit of lightness of a neutral paint, relative to one of hue. `rare_odds` are the
    odds of each rare colour being played, relative to one of the base game's 5.
    """

    net_pieces: float
    lightness: float
    rare_odds: Mapping[str, float]


def load_colour_weights() -> ColourWeights:
    """Return the weights from the calibration file; raise ScoringError `models_missing` if the file is missing."""
    rows = load_weights("carcassonne", "colours")
    return ColourWeights(
        rows["player"]["net_pieces"],
        rows["neutral"]["lightness"],
        {colour: rows["rare"][colour] for colour in RARE_COLOURS},
    )


def compute_lightness_weights(colours: Sequence[str], usual: float) -> Floats:
    """Return the weight (n,) of a unit of lightness relative to one of hue for n colours: `usual` for a paint with a
    hue.

    Light varies with how pieces stand, so lightness is weak evidence for a paint with a hue.
    """
    neutral = load_colour_weights().lightness
    return np.array([neutral if colour in NEUTRAL_COLOURS else usual for colour in colours])


def apply_colour_prior(pieces: Sequence[Piece], colours: Sequence[str]) -> list[Piece]:
    """Return the pieces with the odds of their `colours` multiplied by the prior of each being played."""
    often = compute_played_odds(colours)
    odds = (piece.colours * often for piece in pieces)
    return [replace(piece, colours=weighted / weighted.sum()) for piece, weighted in zip(pieces, odds, strict=True)]


def compute_played_odds(colours: Sequence[str]) -> Floats:
    """Return the odds (colours,) of each colour being played, relative to one of the base game's 5."""
    rare_odds = load_colour_weights().rare_odds
    return np.array([rare_odds.get(colour, 1.0) for colour in colours])


@cache
def estimate_new_colour_odds(pieces: int, colours: int) -> float:
    """Estimate the odds that one more piece has a colour not yet seen, relative to one that is, given the numbers of
    pieces and colours.

    Players (`PLAYER_COUNTS` of them, with one colour each) are assumed equally likely to have placed each piece. Real
    players are not, so the result is at least `MIN_NEW_COLOUR_ODDS`.
    """
    seen_colours = min(colours, pieces)
    weights = {of: comb(of, seen_colours) * float(of) ** -pieces for of in PLAYER_COUNTS if of >= seen_colours}
    if not seen_colours or seen_colours >= max(PLAYER_COUNTS):
        return MIN_NEW_COLOUR_ODDS if seen_colours else 1.0
    fresh = sum(weight * (of - seen_colours) / of for of, weight in weights.items()) / sum(weights.values())
    return max(MIN_NEW_COLOUR_ODDS, min(1.0, fresh / (max(PLAYER_COUNTS) - seen_colours) * seen_colours / (1 - fresh)))
