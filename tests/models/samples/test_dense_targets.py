"""The training targets of the nets convert back into their tiles and meeples."""

from __future__ import annotations

import cv2
import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from models.samples.dense_targets import (
    STRIDE,
    TILE_PX,
    build_localiser_target,
    build_meeple_target,
    measure_parallelogram,
)
from vision.arrays import Floats

SQUARE = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], float)


def spanned(values: NDArray[np.float32]) -> Floats:
    """Return (2, 2) edge vectors, as columns, of the tile that five target values describe."""
    log_size, a, b, cos4, sin4 = values.astype(float)
    half = np.array([[a, b], [b, -a]]) / 2
    power, vectors = np.linalg.eigh(half)
    root = vectors @ np.diag(np.exp(power)) @ vectors.T
    phi = np.arctan2(sin4, cos4) / 4
    rotation = np.array([[np.cos(phi), -np.sin(phi)], [np.sin(phi), np.cos(phi)]])
    return np.asarray(TILE_PX * np.exp(log_size) * root @ rotation)


@st.composite
def edges(draw: st.DrawFn) -> Floats:
    """Return (2, 2) edge vectors of a tile seen under a moderate angle, in pixels."""
    size, turn = draw(st.floats(8, 300)), draw(st.floats(-np.pi, np.pi))
    squeeze, lean = draw(st.floats(0.4, 1.0)), draw(st.floats(-np.pi, np.pi))
    c, s = np.cos(turn), np.sin(turn)
    d, t = np.cos(lean), np.sin(lean)
    tilt = np.array([[d, -t], [t, d]]) @ np.diag([1, squeeze]) @ np.array([[d, t], [-t, d]])
    return np.asarray(size * tilt @ np.array([[c, -s], [s, c]]))


@given(e=edges(), x=st.floats(-50, 400), y=st.floats(-50, 400))
def test_a_tile_is_rebuilt_up_to_a_quarter_turn(e: Floats, x: float, y: float) -> None:
    rebuilt = spanned(measure_parallelogram(SQUARE @ e.T + (x, y)))
    quarter = np.array([[0.0, -1.0], [1.0, 0.0]])
    turned = [rebuilt @ np.linalg.matrix_power(quarter, k) for k in range(4)]
    assert min(np.abs(one - e).max() for one in turned) < 2e-3 * np.abs(e).max()


@given(e=edges(), turns=st.integers(1, 3))
def test_the_own_turn_of_a_tile_does_not_matter(e: Floats, turns: int) -> None:
    quad = SQUARE @ e.T
    np.testing.assert_allclose(
        measure_parallelogram(np.roll(quad, turns, axis=0)), measure_parallelogram(quad), atol=1e-4
    )


def test_the_maps_show_a_tile_at_its_place() -> None:
    quad = SQUARE @ np.array([[48.0, -12.0], [12.0, 48.0]]).T + (60, 40)
    maps = build_localiser_target(quad[None], (160, 128))
    area, seams, geometry, offsets, counts = maps[0], maps[2], maps[3:8], maps[8:10], maps[10] > 0
    assert area.shape == (32, 40)
    for row, col in np.ndindex(*area.shape):
        deep = (
            cv2.pointPolygonTest(quad.astype(np.float32), ((col + 0.5) * STRIDE, (row + 0.5) * STRIDE), True) / STRIDE
        )
        assert area[row, col] == (1 if deep > 1 else 0) or -1.6 < deep <= 1
        assert (seams[row, col] > 0.5) <= (abs(deep) < 1.1)
    ys, xs = np.nonzero(counts)
    np.testing.assert_allclose(geometry[:, counts], np.repeat(measure_parallelogram(quad)[:, None], len(xs), axis=1))
    size_px = TILE_PX * np.exp(geometry[0, counts])
    centres = (np.stack([xs, ys]) + 0.5) * STRIDE + offsets[:, counts] * size_px
    np.testing.assert_allclose(centres, np.repeat(quad.mean(0)[:, None], len(xs), axis=1), atol=1e-2)


def test_corner_heat_peaks_at_the_corners() -> None:
    quad = SQUARE * 60 + (42, 30)
    heat = build_localiser_target(quad[None], (160, 128))[1]
    for x, y in quad:
        assert heat[int(y) // STRIDE, int(x) // STRIDE] > 0.7
    assert heat[60 // STRIDE, 72 // STRIDE] < 0.05


def test_seams_follow_the_outline() -> None:
    quad = SQUARE * 60 + (42, 30)
    seams = build_localiser_target(quad[None], (160, 128))[2]
    for start, end in zip(quad, np.roll(quad, -1, axis=0), strict=True):
        x, y = (start + end) / 2 / STRIDE
        assert seams[int(y) - 1 : int(y) + 2, int(x) - 1 : int(x) + 2].max() > 0.7
    assert seams[60 // STRIDE, 72 // STRIDE] == 0


def test_tiles_outside_the_picture_leave_no_trace() -> None:
    assert not build_localiser_target(SQUARE[None] * 50 + (400, 400), (160, 128)).any()
    assert not build_localiser_target(np.zeros((0, 4, 2)), (160, 128)).any()


@given(x=st.floats(0, 192), y=st.floats(0, 192), colour=st.integers(0, 6), pose=st.integers(0, 2))
def test_the_heat_of_a_meeple_peaks_at_its_foot_in_its_colour_and_pose(
    x: float, y: float, colour: int, pose: int
) -> None:
    n = 192 // STRIDE
    target = build_meeple_target(np.array([(x, y)]), np.array([colour]), np.array([pose]), 192, np.ones((n, n), bool))
    row, col = np.unravel_index(int(target[0].argmax()), (n, n))
    assert abs((col + 0.5) * STRIDE - x) <= STRIDE / 2 + 1e-6
    assert abs((row + 0.5) * STRIDE - y) <= STRIDE / 2 + 1e-6
    assert (target[1, row, col], target[2, row, col]) == (colour, pose)


def test_masked_areas_do_not_count() -> None:
    target = build_meeple_target(np.zeros((0, 2)), np.zeros(0, int), np.zeros(0, int), 192, np.zeros((48, 48), bool))
    assert not target[3].any()
    assert (target[1:3] == -1).all()
