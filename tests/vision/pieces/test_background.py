"""The table without its pieces, from the twins of its squares."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.art.procedural import draw_tile
from datasets.art.style import STYLES
from scoring.carcassonne.tiles.catalogue import load_base_catalogue
from vision.arrays import Floats, Image
from vision.photo.crops import CROP_PX
from vision.pieces.background import TwinSquare, reconstruct_bare_table, turn_shift

PX = 80
LAID = tuple((layout, turns) for layout in "BDN" for turns in (0, 1, 3, 2))
"""Three rows of four squares: layouts with their turns."""


@cache
def print_of(layout: str) -> Image:
    return draw_tile(load_base_catalogue()[layout], STYLES["meadow"], 5, PX)


def table() -> tuple[Image, Floats]:
    """Return a picture of the squares LAID side by side, and their corners (12, 4, 2)."""
    squares = [np.rot90(print_of(layout), -turns) for layout, turns in LAID]
    picture = np.vstack([np.hstack(squares[i : i + 4]) for i in range(0, 12, 4)])
    origins = np.array([(i % 4, i // 4) for i in range(12)], float)
    unit = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], float)
    return np.ascontiguousarray(picture), (origins[:, None] + unit) * PX


def with_piece(picture: Image, square: int, colour: tuple[int, int, int]) -> tuple[Image, tuple[slice, slice]]:
    """Return the picture with a disc on a square, and the part of it that the disc hides."""
    x, y = square % 4 * PX + PX // 2, square // 4 * PX + PX // 2
    scene = cv2.circle(picture.copy(), (x, y), PX // 8, colour, -1)
    return np.asarray(scene, np.uint8), (slice(y - 6, y + 6), slice(x - 6, x + 6))


def off(a: Image, b: Image) -> float:
    """Return the mean difference in grey levels."""
    return float(np.abs(a.astype(float) - b.astype(float)).mean())


@pytest.mark.parametrize("square", [0, 3, 6, 9])
@pytest.mark.parametrize("colour", [(30, 200, 240), (30, 30, 200), (30, 30, 30)])
def test_the_print_hidden_by_a_piece_is_taken_from_a_twin(square: int, colour: tuple[int, int, int]) -> None:
    printed, quads = table()
    scene, hidden = with_piece(printed, square, colour)
    bare = reconstruct_bare_table(scene, quads)
    assert bare[hidden][..., 3].min() > 0
    assert off(bare[hidden][..., :3], printed[hidden]) < 0.35 * off(scene[hidden], printed[hidden])


def test_a_gradient_of_light_does_not_matter() -> None:
    printed, quads = table()
    scene, hidden = with_piece(printed, 0, (30, 200, 240))
    fading = np.linspace(1.0, 0.45, printed.shape[1])[None, :, None]
    dimmed, bare_truth = ((p * fading).astype(np.uint8) for p in (scene, printed))
    bare = reconstruct_bare_table(dimmed, quads)
    assert off(bare[hidden][..., :3], bare_truth[hidden]) < 0.35 * off(dimmed[hidden], bare_truth[hidden])


def test_a_twin_with_the_same_piece_is_outvoted() -> None:
    printed, quads = table()
    scene, hidden = with_piece(printed, 0, (30, 200, 240))
    scene, other = with_piece(scene, 1, (30, 200, 240))
    bare = reconstruct_bare_table(scene, quads)
    for part in (hidden, other):
        assert off(bare[part][..., :3], printed[part]) < 0.35 * off(scene[part], printed[part])


def test_dissimilar_squares_give_no_evidence() -> None:
    rng = np.random.default_rng(3)
    noise = cv2.resize(rng.integers(0, 256, (12, 12, 3), dtype=np.uint8), (320, 320), interpolation=cv2.INTER_NEAREST)
    unit = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], float) * 160
    quads = np.stack([unit + np.array([x, y]) for x in (0, 160) for y in (0, 160)])
    assert not reconstruct_bare_table(np.asarray(noise, np.uint8), quads)[..., 3].any()


@pytest.mark.parametrize("count", [0, 1])
def test_without_other_squares_nothing_is_reconstructed(count: int) -> None:
    printed, quads = table()
    bare = reconstruct_bare_table(printed, quads[:count])
    assert bare.shape == (*printed.shape[:2], 4)
    assert not bare.any()


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 3), st.floats(0.6, 1.4), st.tuples(st.floats(-30, 30), st.floats(-30, 30)))
def test_nothing_is_reconstructed_beside_the_squares(turns: int, scale: float, step: tuple[float, float]) -> None:
    printed, quads = table()
    angle = turns * np.pi / 2
    turn = np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))]) * scale
    centre = np.array(printed.shape[1::-1]) / 2
    moved = (quads - centre) @ turn.T + centre + step
    m = np.column_stack([turn, centre + step - turn @ centre])
    photo = cv2.warpAffine(printed, m, printed.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    trust = reconstruct_bare_table(np.asarray(photo, np.uint8), moved)[..., 3]
    hull = cv2.convexHull(moved.reshape(-1, 2).astype(np.float32))
    inside = cv2.fillConvexPoly(np.zeros_like(trust), np.round(hull).astype(np.int32), 1)
    assert not trust[cv2.dilate(inside, np.ones((5, 5))) == 0].any()


def test_slightly_misaligned_squares_are_aligned() -> None:
    """This holds for any number of squares with the same twin, aligned together or one after the other."""
    printed, quads = table()
    slips = np.array([(2, -3), (-3, 2), (3, 3), (-2, -2)] * 3, float)
    scene, hidden = with_piece(printed, 5, (30, 200, 240))
    threads = cv2.getNumThreads()
    try:
        reconstructions = []
        for count in (1, 2, 2):
            cv2.setNumThreads(count)
            reconstructions.append(reconstruct_bare_table(scene, quads + slips[:, None]))
    finally:
        cv2.setNumThreads(threads)
    assert (reconstructions[0] == reconstructions[1]).all()
    assert (reconstructions[1] == reconstructions[2]).all()
    assert off(reconstructions[0][hidden][..., :3], printed[hidden]) < 0.2 * off(scene[hidden], printed[hidden])
    middle = reconstructions[0][40:-40, 40:-40]
    mask = middle[..., 3] > 0
    assert mask.mean() > 0.9
    assert off(middle[mask][:, :3], printed[40:-40, 40:-40][mask]) < 9


@pytest.mark.parametrize("turns", range(4))
def test_the_shift_between_twins_is_symmetric(turns: int) -> None:
    """Therefore each shift is measured once."""
    small = cv2.resize(print_of("BA/RCr"), (CROP_PX, CROP_PX), interpolation=cv2.INTER_AREA)
    picture = np.asarray(small, np.uint8)
    step = np.array([(1, 0, 2.0), (0, 1, -1.0)], np.float32)
    moved = np.asarray(cv2.warpAffine(picture, step, (CROP_PX,) * 2, borderMode=cv2.BORDER_REPLICATE), np.uint8)
    one, twin = (TwinSquare.from_picture(each, np.ones(3)) for each in (moved, picture))
    twin, back = twin.rotate(-turns % 4), -turns % 4
    x, y = twin.rotate(turns).measure_shift(one)
    assert (x, y) == pytest.approx((2, -1), abs=0.3)
    assert one.rotate(back).measure_shift(twin) == pytest.approx(turn_shift((-x, -y), back), abs=0.05)
