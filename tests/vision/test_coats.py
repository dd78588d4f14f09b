"""Twins that differ in a coat of arms: which they are, and what a temperature of their own does."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from scoring.carcassonne.catalogue import base_catalogue, turned_layouts
from vision.catalogue import reading_catalogue
from vision.coats import coat_twins, coats_tempered

TWINS = coat_twins(reading_catalogue())
CLASSES = turned_layouts(reading_catalogue())
logits = arrays(np.float64, (2, len(CLASSES) + 2), elements=st.floats(-30, 30))


def test_the_twins_of_the_base_game_are_those_of_the_box() -> None:
    classes = turned_layouts(base_catalogue())
    letters = {tuple(base_catalogue()[classes[i][0]].letter for i in pair) for pair in coat_twins(base_catalogue())}
    assert letters == {("G", "F"), ("N", "M"), ("P", "O"), ("R", "Q"), ("T", "S")}


def test_twins_have_the_same_turns_and_one_coat_of_arms_more() -> None:
    for without, coat in TWINS:
        (one, turns), (other, others_turns) = CLASSES[without], CLASSES[coat]
        coats = [sum(s.shields for s in reading_catalogue()[tile].segments) for tile in (one, other)]
        assert turns == others_turns
        assert coats[0] + 1 == coats[1]
    assert len(np.unique(TWINS)) == TWINS.size


@given(logits=logits, temperature=st.floats(0.5, 8))
def test_a_temperature_moves_nothing_between_pairs_and_keeps_the_likelier_twin(
    logits: np.ndarray, temperature: float
) -> None:
    tempered = coats_tempered(logits, TWINS, temperature)
    others = np.setdiff1d(np.arange(logits.shape[1]), TWINS)
    np.testing.assert_array_equal(tempered[:, others], logits[:, others])
    before, after = (np.logaddexp(x[:, TWINS[:, 0]], x[:, TWINS[:, 1]]) for x in (logits, tempered))
    np.testing.assert_allclose(after, before, atol=1e-9)
    apart, still = (x[:, TWINS[:, 1]] - x[:, TWINS[:, 0]] for x in (logits, tempered))
    np.testing.assert_allclose(still * temperature, apart, atol=1e-6)


@given(logits=logits)
def test_a_temperature_of_one_changes_nothing(logits: np.ndarray) -> None:
    np.testing.assert_allclose(coats_tempered(logits, TWINS, 1.0), logits, atol=1e-9)


def test_a_surer_net_takes_a_higher_temperature() -> None:
    pair = TWINS[0]
    sure = np.zeros((1, len(CLASSES) + 2))
    sure[0, pair[1]] = 8.0
    odds = np.diff(coats_tempered(sure, TWINS, 4.0)[0, pair])[0]
    assert odds == pytest.approx(2.0)
