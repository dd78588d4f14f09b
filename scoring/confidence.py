"""Confidence in the score of any game: the probability that no alternative that would change its points holds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from math import prod
from typing import TypeVar

T = TypeVar("T")

CONFIDENCE_SURE = 0.95
"""Probability that no alternative holds below which the user is asked about one likely alternative, or about many. A
guess.
"""
MIN_REVIEW_PROBABILITY = 0.03
"""Minimum probability of an alternative to report, unless all are below it. A guess."""


def compute_confidence(alternatives: Iterable[tuple[Hashable, float]], together: float = 1.0) -> float:
    """Return the probability that none of the alternatives holds, each given with its subject.

    Those of one subject exclude each other. The most likely subject counts fully, and the others with exponent
    `together` relative to independence.
    """
    first, others = split_confidence(alternatives)
    return float(first * others**together)


def split_confidence(alternatives: Iterable[tuple[Hashable, float]]) -> tuple[float, float]:
    """Return the probabilities that the most likely subject, and all others taken as independent, were read
    correctly.
    """
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
    """Return the changes for the user to review, most likely first.

    There are none if `unchanged`, the probability that none of them holds, is at least `sure`. If each is unlikely, and
    only their number makes the reading doubtful, return as many of the most likely as would make it sure.
    """
    if unchanged(changes) >= sure:
        return ()
    likely = tuple(change for change in changes if probability(change) >= MIN_REVIEW_PROBABILITY)
    enough = (count for count in range(1, len(changes)) if unchanged(changes[count:]) >= sure)
    return likely or tuple(changes[: next(enough, len(changes))])
