"""A map whose photo is its own picture in another light is empty, whatever is printed on it."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
import skimage.data

from datasets.render.tabletops import HELD_OUT_KINDS, draw_tabletop
from datasets.world_wonders.grounds import cut_ground, draw_noise
from models.evaluation.grounds import count_read_squares
from models.samples.maps import GROUND_PX
from vision.arrays import Floats
from vision.runtime.onnx import MODELS, Net

PHOTOS = (
    *("astronaut", "brick", "chelsea", "coffee", "coins", "grass", "gravel", "ihc", "moon", "page", "text"),
    *("motorcycle_left", "rocket", "retina", "hubble_deep_field"),
)
"""Pictures that scikit-image ships."""


@pytest.fixture(scope="module")
def net() -> Net:
    return Net(MODELS / "maps.onnx")


def read_noise(seed: int, net: Net) -> Floats:
    rng = np.random.default_rng([4062, seed])
    return count_read_squares(cut_ground(draw_noise(rng), rng, GROUND_PX), rng, net)


def is_nearly_empty(counts: Floats) -> bool:
    """Return whether at most 1 % of the squares are read as anything."""
    return bool(counts[1:].sum() <= 0.01 * counts.sum())


def test_a_bare_map_of_any_noise_is_read_as_empty(net: Net) -> None:
    assert is_nearly_empty(np.sum([read_noise(seed, net) for seed in range(20)], axis=0))


@pytest.mark.soak
def test_a_bare_map_with_a_photograph_as_ground_is_read_as_empty(net: Net) -> None:
    counts = []
    for number, name in enumerate(PHOTOS):
        folder = Path(skimage.data.__file__).parent
        file = next(each for ending in ("png", "jpg") if (each := folder / f"{name}.{ending}").exists())
        rng = np.random.default_rng([5062, number])
        counts.append(count_read_squares(cut_ground(np.asarray(cv2.imread(str(file))), rng, GROUND_PX), rng, net))
    assert is_nearly_empty(np.sum(counts, axis=0))


@pytest.mark.parametrize("depth", [2, 4, 6, 8])
def test_grain_on_a_plain_colour_is_no_road(net: Net, depth: int) -> None:
    rng = np.random.default_rng(depth)
    grain = np.array([90.0, 150.0, 140.0]) + rng.normal(0, depth, (GROUND_PX[1], GROUND_PX[0], 1))
    assert is_nearly_empty(count_read_squares(np.clip(grain, 0, 255).astype(np.uint8), rng, net))


@pytest.mark.soak
def test_bare_maps_of_sixty_textures_are_read_as_empty(net: Net) -> None:
    rng = np.random.default_rng(6062)
    tops = [cut_ground(draw_tabletop(kind, rng), rng, GROUND_PX) for kind in HELD_OUT_KINDS for _ in range(5)]
    counts = [read_noise(seed, net) for seed in range(100, 140)] + [count_read_squares(top, rng, net) for top in tops]
    assert len(counts) == 60
    assert is_nearly_empty(np.sum(counts, axis=0))
