"""The warp: its inverse, its nodes, and the rectified picture."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.geometry.warp import project_to_photo, rectify_images
from vision.reading.values import Warp


def tilted(seed: int, rows: int = 4, cols: int = 5, shift: float = 3.0) -> Warp:
    """Return a perspective warp with tiles of about 60 px whose nodes lie up to `shift` pixels off the plane."""
    rng = np.random.default_rng(seed)
    quad = np.array([(0, 0), (cols, 0), (cols, rows), (0, rows)], np.float32)
    target = quad * 60 + 80 + rng.uniform(-25, 25, (4, 2)).astype(np.float32)
    plane = cv2.getPerspectiveTransform(quad, target.astype(np.float32))
    nodes = {}
    for row in range(rows + 1):
        for col in range(cols + 1):
            x, y = cv2.perspectiveTransform(np.array([[[float(col), float(row)]]]), plane)[0, 0]
            dx, dy = rng.uniform(-shift, shift, 2)
            nodes[row, col] = (float(x + dx), float(y + dy))
    return Warp(np.asarray(plane, dtype=np.float64), nodes)


def test_the_warp_passes_exactly_through_its_nodes() -> None:
    warp = tilted(3)
    nodes = np.array([(col, row) for row, col in warp.nodes], float)
    assert project_to_photo(warp, nodes) == pytest.approx(np.array(list(warp.nodes.values())), abs=0.01)


def test_far_from_all_tiles_the_warp_equals_the_plane() -> None:
    warp = tilted(4, shift=0.0)
    beyond = np.array([(-1.5, 6.0), (7.2, -0.8)])
    plane = cv2.perspectiveTransform(beyond[:, None], warp.homography)[:, 0]
    assert project_to_photo(warp, beyond) == pytest.approx(plane, abs=0.6)


def test_a_rectified_picture_shows_each_square_at_its_place() -> None:
    warp = tilted(5)
    image = np.zeros((420, 480, 3), np.uint8)
    squares = [(row, col) for row in range(4) for col in range(5)]
    for row, col in squares:
        corners = np.array([(col, row), (col + 1, row), (col + 1, row + 1), (col, row + 1)], float)
        colour = (40 + 50 * row, 40 + 40 * col, 128)
        cv2.fillConvexPoly(image, np.rint(project_to_photo(warp, corners)).astype(np.int32), colour)
    beside = np.full((420, 480, 4), 7, np.uint8)
    picture = rectify_images((image, beside), warp, (0, 0, 5, 4), 20)
    assert picture.shape == (80, 100, 7)
    assert (picture[..., 3:] == 7).all()
    for row, col in squares:
        assert tuple(picture[row * 20 + 10, col * 20 + 10, :3]) == (40 + 50 * row, 40 + 40 * col, 128)


def test_large_tiles_are_rectified_to_a_pixel() -> None:
    nodes = {(0, 0): (12.3, 9.1), (0, 1): (121.7, 14.9), (0, 2): (238.2, 8.4)}
    nodes |= {(1, 0): (8.6, 118.8), (1, 1): (126.1, 124.2), (1, 2): (241.9, 116.5)}
    corners = [(0, 0), (0, 2), (1, 2), (1, 0)]
    ends = np.array([nodes[node] for node in corners], np.float32)
    plane = cv2.getPerspectiveTransform(np.array(corners, np.float32)[:, ::-1].copy(), ends)
    warp = Warp(np.asarray(plane, np.float64), nodes)
    across = np.tile(np.arange(256, dtype=np.uint8), (256, 1))
    picture = np.dstack([across, across.T])
    seen = rectify_images([picture], warp, (0, 0, 2, 1), 48)
    middles = (np.stack(np.meshgrid(np.arange(96), np.arange(48)), axis=-1).reshape(-1, 2) + 0.5) / 48
    true = project_to_photo(warp, middles).reshape(48, 96, 2) - 0.5
    assert np.abs(seen - true).max() < 0.75, "half a grey level is rounding"


def test_an_odd_number_of_pixels_per_tile_is_refused() -> None:
    with pytest.raises(ValueError, match="odd"):
        rectify_images([np.zeros((9, 9, 3), np.uint8)], tilted(1), (0, 0, 1, 1), 47)
