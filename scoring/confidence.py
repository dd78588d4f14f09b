"""How sure a scoring is, of whatever game: how likely nothing that would change its points is so."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from math import prod
from typing import TypeVar

T = TypeVar("T")

CONFIDENCE_SURE = 0.95
"""Where it is less likely than this that no alternative is so, a person is asked: about one that is likely, or many."""
MIN_REVIEW_PROBABILITY = 0.03
"""Less likely alternatives are told only where there are no others."""


def compute_confidence(alternatives: Iterable[tuple[Hashable, float]], together: float = 1.0) -> float:
    """Return how likely none of some alternatives is so, each with its subject.

    Those of one subject rule each other out. The likeliest subject counts wholly, the others by `together` of what they
    would if they were independent.
    """
    first, others = split_confidence(alternatives)
    return float(first * others**together)


def split_confidence(alternatives: Iterable[tuple[Hashable, float]]) -> tuple[float, float]:
    """Return how likely the likeliest subject is as it was read, and all others if they are independent."""
    likely: dict[Hashable, float] = defaultdict(float)
    for subject, probability in alternatives:
        likely[subject] += probability
    left = sorted(max(0.0, 1 - p) for p in likely.values())
    return prod(left[:1]), prod(left[1:])


def select_changes_to_review(
    changes: Sequence[T],
    probability: Callable[[T], float],
    unchanged: Callable[[Sequence[T]], float],
    sure: float = CONFIDENCE_SURE,
) -> tuple[T, ...]:
    """Return those of some changes, the likeliest first, that a person should look at.

    There are none where it is likely enough, `sure`, that they are all not so, which `unchanged` tells. Where each by
    itself is unlikely it is their number that makes a reading doubtful: then as many of the likeliest as would leave it
    sure.
    """
    if unchanged(changes) >= sure:
        return ()
    likely = tuple(change for change in changes if probability(change) >= MIN_REVIEW_PROBABILITY)
    enough = (count for count in range(1, len(changes)) if unchanged(changes[count:]) >= sure)
    return likely or tuple(changes[: next(enough, len(changes))])
