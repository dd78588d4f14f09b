"""Twins that differ in a coat of arms: the choice between them, and doubts about a photo's coats."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.special import expit
from scipy.stats import betabinom

from scoring.carcassonne.tiles.catalogue import list_layout_turns, load_base_catalogue
from vision.arrays import compute_log_softmax
from vision.squares.catalogue import build_reading_catalogue
from vision.squares.coat_posterior import (
    SEEN_WHERE_KNOWN,
    SEEN_WHERE_STRANGE,
    USUALLY,
    SeenCoats,
    apply_coat_evidence,
    calibrate_coat_logits,
    estimate_coat_legibility,
    find_coat_twins,
    mix_log_probs,
    update_coat_evidence,
)

TWINS = find_coat_twins(build_reading_catalogue())
CLASSES = list_layout_turns(build_reading_catalogue())
logits = arrays(np.float64, (2, len(CLASSES) + 2), elements=st.floats(-30, 30))
coat_outputs = arrays(np.float64, (2, len(TWINS)), elements=st.floats(-30, 30) | st.just(np.nan))


def test_the_twins_of_the_base_game_match_the_box() -> None:
    classes = list_layout_turns(load_base_catalogue())
    letters = {
        tuple(load_base_catalogue()[classes[i][0]].letter for i in pair)
        for pair in find_coat_twins(load_base_catalogue())
    }
    assert letters == {("G", "F"), ("N", "M"), ("P", "O"), ("R", "Q"), ("T", "S")}


def test_twins_share_turns_and_differ_by_one_coat_of_arms() -> None:
    for without, coat in TWINS:
        (one, turns), (other, others_turns) = CLASSES[without], CLASSES[coat]
        coats = [sum(s.shields for s in build_reading_catalogue()[tile].segments) for tile in (one, other)]
        assert turns == others_turns
        assert coats[0] + 1 == coats[1]
    assert len(np.unique(TWINS)) == TWINS.size


@given(logits=logits, told=coat_outputs)
def test_doubt_moves_no_probability_between_pairs(logits: np.ndarray, told: np.ndarray) -> None:
    doubted = apply_coat_evidence(logits, TWINS, SeenCoats.of(logits, TWINS, told))
    others = np.setdiff1d(np.arange(logits.shape[1]), TWINS)
    np.testing.assert_array_equal(doubted[:, others], logits[:, others])
    before, after = (np.logaddexp(x[:, TWINS[:, 0]], x[:, TWINS[:, 1]]) for x in (logits, doubted))
    np.testing.assert_allclose(after, before, atol=1e-6)


@given(named=st.floats(-8, 8), told=st.lists(st.floats(-8, 8), min_size=2, max_size=5))
def test_a_coat_is_more_likely_if_the_net_of_coats_is_more_certain(named: float, told: list[float]) -> None:
    odds = calibrate_coat_logits(np.full(len(told), named), np.sort(told))
    assert (np.diff(odds) >= 0).all()
    unasked = calibrate_coat_logits(np.array([named, named + 1]), np.full(2, np.nan))
    assert unasked[0] < unasked[1]


@given(
    named=st.floats(-8, 8),
    told=st.floats(-8, 8),
    shares=st.lists(st.floats(0, 1), min_size=2, max_size=5),
)
def test_a_coat_is_more_likely_under_pieces_especially_if_unseen(
    named: float, told: float, shares: list[float]
) -> None:
    hidden = np.sort(shares)
    odds = calibrate_coat_logits(np.full(len(shares), named), np.full(len(shares), told), hidden)
    assert (np.diff(odds) >= 0).all()
    absent_odds, present_odds = (
        calibrate_coat_logits(np.full(2, n), np.full(2, t), np.array([0.0, 1.0])) for n, t in ((-3, -6), (6, 9))
    )
    assert absent_odds[1] - absent_odds[0] > 2
    assert present_odds[1] - present_odds[0] < 0.1


hidings = arrays(np.float64, (2, len(TWINS)), elements=st.floats(0, 1))


@given(logits=logits, before=coat_outputs, after=coat_outputs, hidden=hidings)
def test_updated_coat_evidence_equals_evidence_applied_at_once(
    logits: np.ndarray, before: np.ndarray, after: np.ndarray, hidden: np.ndarray
) -> None:
    first = SeenCoats.of(logits, TWINS, before)
    then = replace(SeenCoats.of(logits, TWINS, after), hidden=hidden)
    anew = update_coat_evidence(compute_log_softmax(apply_coat_evidence(logits, TWINS, first)), TWINS, first, then)
    np.testing.assert_allclose(anew, compute_log_softmax(apply_coat_evidence(logits, TWINS, then)), atol=1e-6)


@given(squares=st.integers(0, 60))
def test_a_photo_without_coats_on_many_such_squares_is_not_trusted(squares: int) -> None:
    odds = [estimate_coat_legibility(coats, squares) for coats in range(squares // 2 + 1)]
    assert odds == sorted(odds)
    assert estimate_coat_legibility(math.ceil(0.45 * squares), squares) >= USUALLY
    assert squares < 16 or odds[0] < 0.1
    assert squares > 3 or odds[0] > 0.5


def unasked(logits: np.ndarray) -> np.ndarray:
    return np.full((len(logits), len(TWINS)), np.nan)


def photo_of(coats: int, without: int, sureness: float) -> np.ndarray:
    """Return logits of squares that show a coat of arms, or certainly none."""
    logits = np.full((coats + without, len(CLASSES) + 2), -20.0)
    which = np.array([1] * coats + [0] * without)
    pairs = TWINS[np.arange(len(which)) % 5]
    logits[np.arange(len(which)), pairs[np.arange(len(which)), which]] = sureness
    logits[np.arange(len(which)), pairs[np.arange(len(which)), 1 - which]] = 0.0
    return logits


def test_coats_are_sure_if_their_count_matches_the_box() -> None:
    photos = (photo_of(*counts, 6.0) for counts in ((9, 11), (0, 20)))
    usual, strange = (apply_coat_evidence(photo, TWINS, SeenCoats.of(photo, TWINS, unasked(photo))) for photo in photos)
    apart = [
        np.abs(np.diff(logits[:, TWINS[:5]].reshape(20, 5, 2)[range(20), np.arange(20) % 5], axis=1))
        for logits in (usual, strange)
    ]
    assert apart[0].min() > 4
    assert apart[1].max() < apart[0].min() / 1.2


@given(st.integers(0, 60), st.integers(0, 60))
def test_the_probability_of_coats_mixes_two_beta_binomials(coats: int, others: int) -> None:
    known_likelihood, strange_likelihood = (
        betabinom.pmf(coats, coats + others, *counts) for counts in (SEEN_WHERE_KNOWN, SEEN_WHERE_STRANGE)
    )
    expected = USUALLY * known_likelihood / (USUALLY * known_likelihood + (1 - USUALLY) * strange_likelihood)
    assert estimate_coat_legibility(coats, coats + others) == pytest.approx(expected, rel=1e-6)


@given(known=st.floats(-1e4, 1e4), strange=st.floats(-1e4, 1e4), share=st.floats(0, 1))
def test_twins_are_weighed_by_the_nets_by_the_share_of_known_coats(known: float, strange: float, share: float) -> None:
    coat, without = (
        float(np.exp(mix_log_probs(np.array(sign * known), np.array(sign * strange), share))) for sign in (1, -1)
    )
    assert coat + without == pytest.approx(1, abs=1e-9)
    assert coat == pytest.approx(share * expit(known) + (1 - share) * expit(strange), abs=1e-9)
