"""Pictures are the very same to the last bit where the places that they are cut at hardly differ."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vision.geometry.warp import rectify_images
from vision.photo.crops import CORNERS, CUT_GRID_PX, crop_squares, shrink_image
from vision.reading.values import Warp

NOISE = np.random.default_rng(1).integers(0, 256, (600, 800, 3), np.uint8)
HARDLY = 1e-4
"""In pixels: by how much shaking all nets' outputs by a hundred-thousandth moves a corner."""
steps = st.integers(0, 10**6)


def keep_off_borders(places: np.ndarray) -> np.ndarray:
    """Places far from where rounding turns."""
    return np.asarray((np.rint(places / CUT_GRID_PX) + 0.2) * CUT_GRID_PX)


@given(steps)
def test_tiny_moves_of_a_square_give_an_identical_picture(seed: int) -> None:
    rng = np.random.default_rng(seed)
    quads = keep_off_borders(100 + CORNERS * 90 + rng.uniform(-8, 8, (3, 4, 2)) + rng.uniform(0, 300, (3, 1, 2)))
    moved = quads + rng.uniform(-HARDLY, HARDLY, quads.shape)
    assert (crop_squares(NOISE, quads) == crop_squares(NOISE, moved)).all()


@given(steps)
def test_tiny_moves_of_nodes_give_the_same_view_from_above(seed: int) -> None:
    rng = np.random.default_rng(seed)
    nodes = {
        (r, c): (100 + 60 * c + rng.uniform(-5, 5), 90 + 60 * r + rng.uniform(-5, 5))
        for r in range(5)
        for c in range(5)
    }
    flat = Warp(np.array([[60.0, 0, 100], [0, 60, 90], [0, 0, 1]]), nodes)
    settled = {node: tuple(keep_off_borders(np.array(at)).tolist()) for node, at in nodes.items()}
    moved = {node: (x + rng.uniform(-HARDLY, HARDLY), y + HARDLY) for node, (x, y) in settled.items()}
    first, second = (
        rectify_images([NOISE], Warp(flat.homography, places), (1, 1, 3, 3), 40) for places in (settled, moved)
    )
    assert (first == second).all()


@given(st.floats(0.1, 0.9))
def test_nearly_equal_sizes_give_the_same_shrunk_picture(scale: float) -> None:
    mantissa, exponent = np.frexp(scale)
    settled = float(np.ldexp((np.rint(128 * mantissa) + 0.2) / 128, exponent))
    (first, used), (second, as_much) = (shrink_image(NOISE, settled * (1 + off)) for off in (0.0, 1e-6))
    assert used == as_much
    assert abs(used / scale - 1) < 0.01
    assert (first == second).all()
