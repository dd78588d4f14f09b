"""The choice among many doubts for questions to a person."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.confidence import CONFIDENCE_SURE, MIN_REVIEW_PROBABILITY, compute_confidence, select_changes_to_review

probabilities = st.lists(st.floats(0.0001, 0.6), max_size=40).map(lambda some: sorted(some, reverse=True))
unlikely = st.lists(st.floats(0.0001, MIN_REVIEW_PROBABILITY - 1e-6), max_size=90).map(
    lambda some: sorted(some, reverse=True)
)


def unchanged(some: Sequence[float]) -> float:
    return compute_confidence(enumerate(some))


@given(probabilities, st.floats(0, 1))
def test_the_most_likely_doubt_counts_fully_and_the_others_by_their_joint_weight(
    some: list[float], together: float
) -> None:
    likely = compute_confidence(enumerate(some), together)
    assert unchanged(some) <= likely + 1e-9
    assert likely <= 1 - max(some, default=0) + 1e-9
    if len(some) < 2:
        assert likely == unchanged(some)


def test_alternatives_of_one_subject_are_mutually_exclusive() -> None:
    assert compute_confidence([("a", 0.1), ("b", 0.15), ("a", 0.1)], 0.5) == pytest.approx(0.8 * 0.85**0.5)


def told(some: list[float]) -> tuple[float, ...]:
    return select_changes_to_review(some, lambda probability: probability, unchanged)


@given(probabilities)
def test_no_question_is_asked_exactly_if_the_score_is_certain(some: list[float]) -> None:
    assert (not told(some)) == (unchanged(some) >= CONFIDENCE_SURE)
    assert list(told(some)) == some[: len(told(some))]


@given(probabilities.filter(lambda some: unchanged(some) < CONFIDENCE_SURE and some[0] >= MIN_REVIEW_PROBABILITY))
def test_only_likely_doubts_are_asked(some: list[float]) -> None:
    assert list(told(some)) == [probability for probability in some if probability >= MIN_REVIEW_PROBABILITY]


@given(unlikely.filter(lambda some: unchanged(some) < CONFIDENCE_SURE))
def test_only_as_many_unlikely_doubts_are_asked_as_matter(some: list[float]) -> None:
    count = len(told(some))
    assert unchanged(some[count:]) >= CONFIDENCE_SURE > unchanged(some[count - 1 :])
