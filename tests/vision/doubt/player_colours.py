"""Readings in which a player's pieces may have another colour."""

from __future__ import annotations

from dataclasses import replace

from tests.api.tables_read import dealt, reading_of
from vision.reading.values import MeepleAlternative, Reading

FREE = "orange"


def find_table() -> tuple[Reading, str]:
    """Return a certain reading and a colour with three scoring pieces or more."""
    for seed in range(50):
        reading = reading_of(dealt(seed, 30))
        colours = [meeple.colour for meeple in reading.meeples]
        for colour in sorted(set(colours)):
            if colours.count(colour) >= 3 and len(set(colours)) > 1:
                return replace(reading, possible_meeples=()), colour
    raise AssertionError


def doubt(reading: Reading, colour: str, instead: str, likely: list[float]) -> Reading:
    """Return the reading with such probabilities of another colour for one player's pieces, in order; 0 for none."""
    shares = iter(likely)
    meeples = []
    for meeple in reading.meeples:
        share = next(shares, 0.0) if meeple.colour == colour else 0.0
        other = MeepleAlternative(meeple.segment, share, instead)
        meeples.append(replace(meeple, alternatives=(other,) if share else ()))
    return replace(reading, meeples=tuple(meeples))
