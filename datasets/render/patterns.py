"""Repeating patterns of a few strong colours: cloths and floors that resemble laid tiles at a glance."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Singles


def _repeated(draw: Callable[[Floats, Floats, np.random.Generator], Singles]) -> Callable[..., Singles]:
    """Return a sampler of layers (size, size, 3) from a pattern defined on points across and down, in units of its
    step."""

    def layer(rng: np.random.Generator, size: int) -> Singles:
        step, angle = rng.uniform(12, 110), rng.choice([0.0, rng.uniform(0, np.pi)])
        ys, xs = np.mgrid[: 2 * size, : 2 * size] / (2 * step)  # drawn at double size to smooth its edges
        across = np.cos(angle) * xs + np.sin(angle) * ys
        down = np.cos(angle) * ys - np.sin(angle) * xs
        picture = draw(across * rng.uniform(0.5, 1.0), down, rng)
        return np.asarray(cv2.resize(picture, (size, size), interpolation=cv2.INTER_AREA), dtype=np.float32)

    return layer


def _colours(rng: np.random.Generator, count: int) -> Singles:
    """Sample (count, 3) differences from the ground's colour, from faint to garish."""
    return rng.normal(0, rng.uniform(8, 80), (count, 3)).astype(np.float32)


def _of(which: NDArray[np.intp], rng: np.random.Generator, most: int = 5) -> Singles:
    """Assign a colour to each number: a few in rotation, or a random one for each of 64 positions."""
    colours = _colours(rng, int(rng.integers(2, most)))
    order = np.arange(64) if rng.random() < 0.5 else rng.integers(0, 64, 64)
    return np.asarray(colours[order[which % 64] % len(colours)])


def _joints(picture: Singles, at: NDArray[np.bool_], rng: np.random.Generator) -> Singles:
    """Draw the joints in a colour of their own half of the time."""
    if rng.random() < 0.5:
        picture[at] = _colours(rng, 1)[0]
    return picture


def _bricks(across: Floats, down: Floats, rng: np.random.Generator) -> Singles:
    """Draw rows of bricks, each row shifted against the previous one."""
    long, shift = rng.uniform(1, 4), rng.choice([0.5, 1 / 3, 0.25])
    row = np.floor(down).astype(int)
    along = across / long + row * shift
    brick = np.floor(along).astype(int)
    width = rng.uniform(0.03, 0.12)
    lines = (down % 1 < width) | (along % 1 < width / long)
    return _joints(_of(brick * 3 + row * 7, rng), lines, rng)


def _lozenges(across: Floats, down: Floats, rng: np.random.Generator) -> Singles:
    """Draw diamonds with thin lines across them, as on a harlequin's cloth."""
    one, other = across + down, across - down
    width = rng.uniform(0.02, 0.1)
    lines = ((one + 0.5) % 1 < width) | ((other + 0.5) % 1 < width)
    return _joints(_of(np.floor(one).astype(int) + 5 * np.floor(other).astype(int), rng), lines, rng)


def _scales(across: Floats, down: Floats, rng: np.random.Generator) -> Singles:
    """Draw round shingles, each row over the one behind."""
    best = np.zeros(across.shape, int)
    edge = np.zeros(across.shape, bool)
    width = rng.uniform(0.04, 0.15)
    top = np.floor(2 * down).astype(int)
    for behind in (0, 1, 2):  # upper rows cover lower ones
        row = top - behind
        x = across + 0.5 * (row % 2)
        away = np.hypot(x % 1 - 0.5, down - row / 2)
        on = away < 0.6
        best = np.where(on, np.floor(x).astype(int) * 3 + row * 5, best)
        edge = np.where(on, away > 0.6 - width, edge)
    return _joints(_of(best, rng), edge, rng)


def _houndstooth(across: Floats, down: Floats, rng: np.random.Generator) -> Singles:
    """Draw checks of two colours with jagged corners, as woven from bands of four threads."""
    col, row = (np.floor(8 * part).astype(int) % 8 for part in (across, down))
    twill = (col + row) % 4 < 2
    dark = np.where(twill, col < 4, row < 4)
    return _of(dark.astype(int), rng, most=3)


def _honeycomb(across: Floats, down: Floats, rng: np.random.Generator) -> Singles:
    """Draw hexagons: each point belongs to the nearest centre of two grids."""
    tall = np.sqrt(3.0)
    grids = []
    for shift in (0.0, 0.5):
        col, row = np.round(across - shift), np.round(down / tall - shift)
        away = np.hypot(across - shift - col, (down / tall - shift - row) * tall)
        grids.append((away, (col * 3 + row * 7 + 11 * (shift > 0)).astype(int)))
    (near, one), (far, other) = grids
    picture = _of(np.where(near < far, one, other), rng)
    return _joints(picture, np.abs(near - far) < rng.uniform(0.03, 0.12), rng)


REPEATS = {
    "bricks": _repeated(_bricks),
    "lozenges": _repeated(_lozenges),
    "scales": _repeated(_scales),
    "houndstooth": _repeated(_houndstooth),
    "honeycomb": _repeated(_honeycomb),
}
"""Samplers of layers by name; each takes a generator and a size in pixels."""
