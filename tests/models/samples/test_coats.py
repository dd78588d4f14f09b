"""Samples for the net of coats: squares of drawn tables, some beside copies, with the truth about each."""

from __future__ import annotations

from itertools import islice
from random import Random

import numpy as np
import pytest

from datasets.art.procedural import draw_tile_set
from datasets.art.style import STYLES
from datasets.render.random_tables import Props
from datasets.render.tabletops import KINDS
from models.samples.coats import stream_coat_samples, stream_new_coat_samples
from models.samples.tiles import Sources
from scoring.carcassonne.deal.boards import deal_random_board
from vision.photo.crops import CROP_PX
from vision.runtime.onnx import MODELS, Net
from vision.squares.coat_classifier import CHANNELS

LEAST, SHOWN = 60, 4


@pytest.fixture(scope="module")
def sources() -> Sources:
    boards = [deal_random_board(Random(i)) for i in range(2)]
    art = [draw_tile_set(STYLES[name], 3, 120, variants=1) for name in ("meadow", "terra")]
    return Sources(Props.gather(art, boards, KINDS, np.random.default_rng(0), grounds=3, ground_px=128), ())


@pytest.mark.soak
def test_squares_with_a_coat_of_arms_and_without_are_shown_some_beside_copies(sources: Sources) -> None:
    samples = list(islice(stream_new_coat_samples(sources, np.random.default_rng(6)), LEAST))
    for picture, coat in samples:
        assert picture.shape == (CROP_PX, CROP_PX, CHANNELS)
        assert (picture.dtype.name, coat.dtype.name) == ("uint8", "float32")
    assert 0.2 < np.mean([coat for _, coat in samples]) < 0.8
    for first in (3, 6):
        beside = np.mean([picture[..., first : first + 3].any() for picture, _ in samples])
        assert 0.05 < beside < 0.98


@pytest.mark.soak
def test_the_net_that_was_trained_says_of_most_what_is_so(sources: Sources) -> None:
    samples = list(islice(stream_new_coat_samples(sources, np.random.default_rng(7)), 2 * LEAST))
    (logits,) = Net(MODELS / "coats.onnx")(np.stack([picture for picture, _ in samples]).astype(np.uint8))
    assert ((logits[:, 0] > 0) == np.array([float(coat) > 0 for _, coat in samples])).mean() > 0.65  # many are hidden


def test_a_seeded_stream_repeats_itself(sources: Sources) -> None:
    one, two = (list(islice(stream_coat_samples(sources, np.random.default_rng(2)), SHOWN)) for _ in range(2))
    for first, second in zip(one, two, strict=True):
        for part, again in zip(first, second, strict=True):
            np.testing.assert_array_equal(part, again)
