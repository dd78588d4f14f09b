"""How sure a scoring is, of whatever game: how likely nothing that would change its points is so."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable
from math import prod

CONFIDENCE_SURE = 0.95
"""Where it is less likely than this that no alternative is so, a person is asked: about one that is likely, or many."""


def none_is_so(alternatives: Iterable[tuple[Hashable, float]]) -> float:
    """How likely none of some alternatives is so, each with its subject: those of one subject rule each other out."""
    likely: dict[Hashable, float] = defaultdict(float)
    for subject, probability in alternatives:
        likely[subject] += probability
    return prod(max(0.0, 1 - p) for p in likely.values())
