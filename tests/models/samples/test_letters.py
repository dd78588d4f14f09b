"""Samples of letters on building tiles: the same for the same seed, of every letter, and of none."""

from __future__ import annotations

import numpy as np

from models.samples.letters import draw_letter_samples
from vision.runtime.onnx import MODELS, Net
from vision.world_wonders.letters import LETTERS, NONE, SEEN_PX, compute_letter_logits

COUNT = 150


def test_samples_are_the_same_for_the_same_seed() -> None:
    first, again, other = (draw_letter_samples(12, seed) for seed in (5, 5, 6))
    assert first.pictures.shape == (12, SEEN_PX, SEEN_PX, 3)
    assert np.array_equal(first.pictures, again.pictures)
    assert np.array_equal(first.letters, again.letters)
    assert not np.array_equal(first.pictures, other.pictures)


def test_the_net_reads_most_unseen_samples() -> None:
    """Many are hardly legible: the card of letters.onnx states how many are read."""
    squares = draw_letter_samples(COUNT, 77)
    assert {NONE, *range(1, 1 + len(LETTERS))} == {*squares.letters.tolist()}
    letters = compute_letter_logits(squares.pictures, Net(MODELS / "letters.onnx")).argmax(1)
    assert (letters == squares.letters).mean() > 0.7
