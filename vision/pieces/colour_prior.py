"""What is known of the colours of a table before its pieces are held against each other.

How often each is played, how likely one more piece is somebody's only one, and how much what the net says of a player's
pieces counts beside their looks, and lightness beside hue.
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
from vision.pieces.classifier import Piece

NEUTRAL_COLOURS = frozenset({"black", "grey", "white"})
RARE_COLOURS = frozenset({"pink", "grey", "white", "purple", "orange", "wood"})
"""Colours that only an expansion or another set has."""
MIN_NEW_COLOUR_ODDS = 0.05
"""How much less likely a colour is, at least, of which no other piece is seen: a player's last meeple, or none."""
PLAYER_COUNTS = (2, 3, 4, 5)
"""How many may play the base game, each number as likely as another before its pieces are seen."""


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


def apply_colour_prior(pieces: Sequence[Piece], colours: Sequence[str]) -> list[Piece]:
    """Return the pieces with the odds of each of their `colours` weighed by how often that is played."""
    often = compute_played_odds(colours)
    odds = (piece.colours * often for piece in pieces)
    return [replace(piece, colours=weighted / weighted.sum()) for piece, weighted in zip(pieces, odds, strict=True)]


def compute_played_odds(colours: Sequence[str]) -> Floats:
    """Compute (colours,) how often somebody plays each of the colours, against one of the base game's five."""
    rare_odds = load_colour_weights().rare_odds
    return np.array([rare_odds.get(colour, 1.0) for colour in colours])


@cache
def estimate_new_colour_odds(pieces: int, colours: int) -> float:
    """Estimate how likely one more piece is of a colour not seen yet, against one that is, if so many have so many
    colours.

    Each player has as likely as another placed each piece (`PLAYER_COUNTS` of them, who have one colour each): at least
    `MIN_NEW_COLOUR_ODDS`, since players do not.
    """
    seen_colours = min(colours, pieces)
    weights = {of: comb(of, seen_colours) * float(of) ** -pieces for of in PLAYER_COUNTS if of >= seen_colours}
    if not seen_colours or seen_colours >= max(PLAYER_COUNTS):
        return MIN_NEW_COLOUR_ODDS if seen_colours else 1.0
    fresh = sum(weight * (of - seen_colours) / of for of, weight in weights.items()) / sum(weights.values())
    return max(MIN_NEW_COLOUR_ODDS, min(1.0, fresh / (max(PLAYER_COUNTS) - seen_colours) * seen_colours / (1 - fresh)))
