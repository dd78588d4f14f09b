"""Samples of the print beneath pieces: each has the feature that its piece is on, and is drawn only once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from datasets.art.procedural import draw_grounds, draw_tile_set
from datasets.art.style import STYLES
from datasets.art.tileset import TileSet
from models.samples import ground
from models.samples.ground import (
    MAX_FEATURES,
    POSES,
    GroundSamples,
    draw_ground_samples,
    join_samples,
    load_ground_samples,
)
from vision.pieces.ground_classifier import GROUND_PX, NO_FEATURE, find_channel


@pytest.fixture(scope="module")
def art() -> list[TileSet]:
    return [replace(draw_tile_set(STYLES["meadow"], 5, 160), grounds=draw_grounds(5))]


@pytest.fixture(scope="module")
def samples(art: list[TileSet]) -> GroundSamples:
    return draw_ground_samples(art, 5, 0, tables=1)


def test_each_sample_contains_the_feature_of_its_piece(samples: GroundSamples) -> None:
    assert len(samples) > 20
    assert samples.pictures.shape[1:] == (GROUND_PX, GROUND_PX, 3)
    field = find_channel("field")
    for numbers, kinds, truth, pose in zip(samples.numbers, samples.kinds, samples.truth, samples.poses, strict=True):
        count = int((kinds >= 0).sum())
        assert 2 <= count <= MAX_FEATURES
        assert NO_FEATURE <= numbers.min() <= numbers.max() < count
        assert (numbers == truth).any()
        assert kinds[truth] == field or POSES[pose] != "lying"


def test_a_seed_reproduces_the_samples(art: list[TileSet], samples: GroundSamples) -> None:
    again = draw_ground_samples(art, 5, 0, tables=1)
    assert np.array_equal(again.pictures, samples.pictures)
    assert np.array_equal(again.truth, samples.truth)


def test_stored_samples_are_not_drawn_again(
    samples: GroundSamples, art: list[TileSet], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = list[int]()

    def draw(sets: Sequence[TileSet], seed: int, chunk: int) -> GroundSamples:
        drawn.append(chunk)
        return samples

    monkeypatch.setattr(ground, "draw_ground_samples", draw)
    monkeypatch.setattr(ground, "_gather_sets", lambda folder, seed: art)
    ground._keep_chunk((tmp_path, 5, 0, tmp_path / "ground_5_0.npz"))
    assert drawn == [0]
    loaded = load_ground_samples(tmp_path, tmp_path, 5, chunks=1, workers=1)
    assert drawn == [0]
    assert np.array_equal(loaded.pictures, samples.pictures)
    assert len(join_samples([loaded, samples])) == 2 * len(samples)
