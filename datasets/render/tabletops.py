"""Table tops and the room around: procedural textures for the ground under the tiles."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
from scipy.spatial import cKDTree

from datasets.render.patterns import REPEATS
from vision.arrays import Image, Singles

KINDS = (
    *("plain", "wood", "planks", "cloth", "stripes", "granite", "paper"),
    *("leather", "grass", "photo", "patchwork", "mosaic", "dots", "tartan", "madras", "parquet"),
    *("motifs", "floor", "oilcloth"),
)
REPEATED_KINDS = tuple(REPEATS)
"""Further kinds for training the search for squares; drawn elsewhere only if requested by name."""
CALIBRATION_KINDS = ("checks",)
MEASURED_KINDS = ("marble", "herringbone", "rosettes")
HELD_OUT_KINDS = (*CALIBRATION_KINDS, *MEASURED_KINDS)
"""Kinds held out from training: the first are for calibrating confidence, the others for measuring."""
TRIED_KINDS = ("medallions", "carpet", "squared")
"""Further kinds held out from training, for trying decisions about cloths that resemble tiles."""


def sample_noise(rng: np.random.Generator, size: int, cells: tuple[int, int]) -> Singles:
    """Sample (size, size) smooth noise of zero mean and unit deviation, with about `cells` (across, down) blobs."""
    small = rng.standard_normal((max(2, cells[1]), max(2, cells[0]))).astype(np.float32)
    big = cv2.resize(small, (size, size), interpolation=cv2.INTER_CUBIC)
    return np.asarray((big - big.mean()) / (big.std() + 1e-6), dtype=np.float32)


def sample_fractal(rng: np.random.Generator, size: int, cells: int, octaves: int = 4) -> Singles:
    """Sample (size, size) noise with detail at several scales."""
    total = sum(sample_noise(rng, size, (cells * 2**o, cells * 2**o)) / 2**o for o in range(octaves))
    return np.asarray(total / np.std(total), dtype=np.float32)


def draw_tabletop(kind: str, rng: np.random.Generator, size: int = 512) -> Image:
    """Draw a (size, size, 3) BGR picture of a table top of the given kind."""
    base = _colour(kind, rng)
    layer = _LAYERS[kind](rng, size)
    picture = base + layer[..., None] * _tint(rng, base) if layer.ndim == 2 else base + layer
    picture = picture + rng.normal(0, rng.uniform(0, 4), (size, size, 1))
    return np.clip(picture, 0, 255).astype(np.uint8)


def _colour(kind: str, rng: np.random.Generator) -> Singles:
    if kind in ("wood", "planks"):
        hue, saturation, value = rng.uniform(6, 18), rng.uniform(50, 190), rng.uniform(35, 230)
    elif kind == "paper":
        hue, saturation, value = rng.uniform(0, 180), rng.uniform(0, 25), rng.uniform(170, 245)
    elif kind == "grass":
        hue, saturation, value = rng.uniform(30, 55), rng.uniform(60, 200), rng.uniform(50, 180)
    else:
        hue, saturation = rng.uniform(0, 180), rng.choice([rng.uniform(0, 40), rng.uniform(40, 220)])
        value = rng.uniform(15, 245)
    hsv = np.array([[[hue, saturation, value]]]).astype(np.uint8)
    return cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32)


def _tint(rng: np.random.Generator, base: Singles) -> Singles:
    toward = rng.uniform(0.6, 1.4, 3) * (base + 40) / 160
    return np.asarray(toward, dtype=np.float32)


def _plain(rng: np.random.Generator, size: int) -> Singles:
    return sample_noise(rng, size, (3, 3)) * rng.uniform(0, 8)


def _wood(rng: np.random.Generator, size: int) -> Singles:
    across = int(rng.integers(20, 140))
    grain = sample_noise(rng, size, (2, across)) + 0.6 * sample_noise(rng, size, (6, across * 2))
    return np.asarray(np.rot90(grain, int(rng.integers(2))) * rng.uniform(5, 28), dtype=np.float32)


def _planks(rng: np.random.Generator, size: int) -> Singles:
    grain = sample_noise(rng, size, (3, 90)) * rng.uniform(4, 18)
    count = int(rng.integers(3, 12))
    edges = np.linspace(0, size, count + 1).astype(int)
    for top, bottom in pairwise(edges):
        grain[top:bottom] += rng.normal(0, 14)
        grain[top : top + int(rng.integers(1, 6))] -= rng.uniform(20, 110)
    return np.asarray(np.rot90(grain, int(rng.integers(2))), dtype=np.float32)


def _cloth(rng: np.random.Generator, size: int) -> Singles:
    period = rng.uniform(3, 12)
    wave = np.sin(np.arange(size, dtype=np.float32) * 2 * np.pi / period)
    weave = wave[:, None] * wave[None, :] if rng.random() < 0.5 else np.broadcast_to(wave[:, None], (size, size))
    folds = sample_fractal(rng, size, 3, 2) * rng.uniform(2, 22)
    return np.asarray(weave * rng.uniform(2, 14) + folds, dtype=np.float32)


def _stripes(rng: np.random.Generator, size: int) -> Singles:
    period = rng.uniform(20, 120)
    wave = np.sign(np.sin(np.arange(size, dtype=np.float32) * 2 * np.pi / period) + rng.uniform(-0.6, 0.6))
    stripes = np.broadcast_to(wave[:, None], (size, size)) * rng.uniform(8, 45)
    return np.asarray(np.rot90(stripes + sample_noise(rng, size, (4, 4)) * 5, int(rng.integers(2))), dtype=np.float32)


def _checks(rng: np.random.Generator, size: int) -> Singles:
    period = rng.uniform(24, 110)
    a = np.sign(np.sin(np.arange(size, dtype=np.float32) * 2 * np.pi / period))
    checks = a[:, None] * a[None, :] if rng.random() < 0.5 else (a[:, None] + a[None, :]) / 1.5
    return np.asarray(checks * rng.uniform(15, 50) + sample_noise(rng, size, (4, 4)) * 4, dtype=np.float32)


def _tartan(rng: np.random.Generator, size: int) -> Singles:
    """Draw woven bands of several widths and colours, the same along and across."""
    threads = _threads(rng, size)
    return np.asarray(
        (threads[:, None] + threads[None, :]) / 2 + sample_noise(rng, size, (4, 4))[..., None] * 3, np.float32
    )


def _madras(rng: np.random.Generator, size: int) -> Singles:
    """Draw woven bands, different along and across, one set possibly faint."""
    along, across = (_threads(rng, size) * rng.uniform(0.2, 0.9) for _ in range(2))
    return np.asarray(along[:, None] + across[None, :] + sample_noise(rng, size, (4, 4))[..., None] * 3, np.float32)


def _threads(rng: np.random.Generator, size: int) -> Singles:
    """Draw repeating bands (size, 3) of several widths and colours."""
    repeat = int(rng.integers(60, 260))
    band = np.zeros((repeat, 3), np.float32)
    for _ in range(int(rng.integers(3, 8))):
        start, width = int(rng.integers(repeat)), int(rng.integers(2, repeat // 3))
        band[start : start + width] += rng.normal(0, 28, 3).astype(np.float32)
    return np.asarray(band[np.arange(size) % repeat])


def _parquet(rng: np.random.Generator, size: int) -> Singles:
    """Draw square blocks of strips, alternately along and across."""
    strips, strip = int(rng.integers(3, 8)), int(rng.integers(6, 24))
    block, depth = strips * strip, rng.uniform(10, 70)
    layer = sample_noise(rng, size, (60, 60)) * rng.uniform(2, 8)
    for y in range(0, size, block):
        for x in range(0, size, block):
            shades = np.repeat(rng.normal(0, 12, strips), strip)[:, None] * np.ones(block)
            shades[::strip] -= depth
            part = shades if (x + y) // block % 2 else shades.T
            layer[y : y + block, x : x + block] += part[: size - y, : size - x].astype(np.float32)
    return np.asarray(layer, dtype=np.float32)


def _herringbone(rng: np.random.Generator, size: int) -> Singles:
    """Draw rows of slanted oblongs in alternating directions."""
    width, height = int(rng.integers(16, 60)), int(rng.integers(8, 30))
    ys, xs = np.mgrid[:size, :size]
    slant = np.abs(xs % (2 * width) - width) + ys
    layer = np.where((slant % height < 2) | (xs % width < 2), -rng.uniform(15, 80), 0.0)
    shades = rng.normal(0, 10, (size // width + 1, (size + width) // height + 1))
    return np.asarray(
        layer + shades[xs // width, slant // height] + sample_noise(rng, size, (40, 40)) * 3, dtype=np.float32
    )


def _rosettes(rng: np.random.Generator, size: int) -> Singles:
    """Draw a many-coloured ornament with four-fold symmetry in every field of a grid."""
    step = int(rng.integers(30, 130))
    quarter = np.stack([sample_fractal(rng, step, 3, 3) for _ in range(3)], -1)
    whole = quarter + np.rot90(quarter) + np.rot90(quarter, 2) + np.rot90(quarter, 3)
    tiles = np.tile(whole, (size // step + 1, size // step + 1, 1))[:size, :size]
    return np.asarray(np.sign(tiles) * rng.uniform(5, 30) + tiles * rng.uniform(2, 10), dtype=np.float32)


def _medallions(rng: np.random.Generator, size: int) -> Singles:
    """Draw blossoms of rings and petals in a few colours, in rows or staggered."""
    step, petals = int(rng.integers(30, 130)), int(rng.integers(3, 9))
    ys, xs = (np.mgrid[:step, :step] - (step - 1) / 2) / step
    angle, away = np.arctan2(ys, xs), np.hypot(xs, ys)
    rings = (away * rng.uniform(6, 16) + rng.uniform(0.2, 1.2) * np.cos(petals * angle)).astype(int) % 5
    row = np.tile(rng.normal(0, 40, (5, 3)).astype(np.float32)[rings], (1, size // step + 2, 1))
    shift = step // 2 if rng.random() < 0.5 else 0
    rows = [row[:, (i % 2) * shift :][:, :size] for i in range(size // step + 1)]
    return np.asarray(np.concatenate(rows)[:size], dtype=np.float32)


def _carpet(rng: np.random.Generator, size: int) -> Singles:
    """Draw a repeating woven ornament, mirrored to the right and down, sometimes with bands between."""
    step, levels = int(rng.integers(20, 70)), int(rng.integers(2, 6))
    shades = np.stack([sample_fractal(rng, step, 3, 2) for _ in range(3)], -1)
    quarter = np.round(shades * levels / 2) * 2 / levels
    if rng.random() < 0.5:
        quarter[: max(1, step // 10)] = rng.normal(0, 1.5, 3)
        quarter[:, : max(1, step // 10)] = rng.normal(0, 1.5, 3)
    half = np.concatenate([quarter, quarter[:, ::-1]], axis=1)
    whole = np.concatenate([half, half[::-1]])
    cloth = np.tile(whole, (size // len(whole) + 1,) * 2 + (1,))[:size, :size]
    return np.asarray(cloth * rng.uniform(8, 35), dtype=np.float32)


def _squared(rng: np.random.Generator, size: int) -> Singles:
    """Draw squared paper: fields of two alternating shades, or thin lines."""
    step, depth = int(rng.integers(30, 130)), rng.uniform(15, 90)
    at = np.arange(size) // step
    lines = np.arange(size) % step < rng.integers(1, 4)
    fields = (at[:, None] + at) % 2 if rng.random() < 0.5 else lines[:, None] | lines
    return np.asarray(sample_noise(rng, size, (3, 3)) * 4 - depth * fields, dtype=np.float32)


def _marble(rng: np.random.Generator, size: int) -> Singles:
    field = sample_fractal(rng, size, 3, 5)
    veins = np.exp(-np.abs(field) * rng.uniform(3, 9))
    return np.asarray((veins * rng.choice([-1, 1]) + 0.25 * field) * rng.uniform(25, 80), dtype=np.float32)


def _granite(rng: np.random.Generator, size: int) -> Singles:
    cells = int(rng.integers(80, 256))
    return np.asarray(
        sample_noise(rng, size, (cells, cells)) * rng.uniform(8, 35) + sample_fractal(rng, size, 4, 2) * 5,
        dtype=np.float32,
    )


def _paper(rng: np.random.Generator, size: int) -> Singles:
    layer = sample_noise(rng, size, (3, 3)) * 4
    if rng.random() < 0.6:  # ruled or squared paper
        step = int(rng.integers(12, 60))
        depth = rng.uniform(15, 90)
        layer[::step] -= depth
        if rng.random() < 0.7:
            layer[:, ::step] -= depth
    ink = np.zeros((size, size), np.uint8)
    for _ in range(int(rng.integers(0, 25))):
        at = (int(rng.integers(size)), int(rng.integers(size)))
        text = "".join(rng.choice(list("0123456789+-/abc"), int(rng.integers(1, 5))))
        cv2.putText(ink, text, at, cv2.FONT_HERSHEY_SIMPLEX, rng.uniform(0.3, 0.8), int(rng.integers(40, 150)), 1)
    return np.asarray(layer - ink, dtype=np.float32)


def _leather(rng: np.random.Generator, size: int) -> Singles:
    cells = int(rng.integers(30, 90))
    return np.asarray(np.abs(sample_noise(rng, size, (cells, cells))) * rng.uniform(4, 20), dtype=np.float32)


def _grass(rng: np.random.Generator, size: int) -> Singles:
    return np.asarray(sample_fractal(rng, size, 20, 4) * rng.uniform(8, 30), dtype=np.float32)


def _photo(rng: np.random.Generator, size: int) -> Singles:
    """Draw blobs of many colours, like a pattern or a nearby object: one layer per channel."""
    cells = int(rng.integers(3, 14))
    layers = [sample_fractal(rng, size, cells, 3) * rng.uniform(5, 45) for _ in range(3)]
    return np.asarray(np.stack(layers, -1), dtype=np.float32)


def _patchwork(rng: np.random.Generator, size: int) -> Singles:
    """Draw a quilt or floor of oblongs, each in its own colour."""
    rows, cols = (_cuts(rng, size) for _ in range(2))
    patches = rng.normal(0, rng.uniform(8, 55), (len(rows), len(cols), 3)).astype(np.float32)
    layer = np.repeat(np.repeat(patches, rows, axis=0), cols, axis=1)
    if rng.random() < 0.5:  # seams or grout between them
        depth = rng.uniform(-50, 70)
        layer[np.cumsum(rows)[:-1]] -= depth
        layer[:, np.cumsum(cols)[:-1]] -= depth
    return np.asarray(layer, dtype=np.float32)


def _cuts(rng: np.random.Generator, size: int) -> list[int]:
    """Return lengths that add up to `size`, all equal or all different."""
    step = int(rng.integers(18, 110))
    if rng.random() < 0.5:
        edges = np.arange(step, size, step)
    else:
        edges = np.unique(rng.integers(8, size - 8, max(2, size // step)))
    return [int(n) for n in np.diff([0, *edges, size])]


def _mosaic(rng: np.random.Generator, size: int) -> Singles:
    """Draw shards: every point has the colour of its nearest seed."""
    seeds = rng.uniform(0, size, (int(rng.integers(20, 200)), 2)).astype(np.float32)
    half = size // 2
    ys, xs = np.mgrid[:half, :half].astype(np.float32) * 2
    nearest = cKDTree(seeds).query(np.stack([xs, ys], -1).reshape(-1, 2))[1].reshape(half, half)
    colours = rng.normal(0, rng.uniform(6, 50), (len(seeds), 3)).astype(np.float32)
    return np.asarray(cv2.resize(colours[nearest], (size, size), interpolation=cv2.INTER_NEAREST), dtype=np.float32)


def _dots(rng: np.random.Generator, size: int) -> Singles:
    """Draw dots or blossoms in rows, as on a table cloth."""
    step = int(rng.integers(16, 90))
    spots = np.zeros((size, size), np.uint8)
    radius = int(rng.integers(2, max(3, step // 2)))
    for i, y in enumerate(range(0, size, step)):
        for x in range((i % 2) * step // 2, size, step):
            cv2.circle(spots, (x, y), radius, 255, -1, cv2.LINE_AA)
    return np.asarray(spots.astype(np.float32) / 255 * rng.choice([-1, 1]) * rng.uniform(15, 90), dtype=np.float32)


def _motifs(rng: np.random.Generator, size: int) -> Singles:
    """Repeat a printed picture of a few shapes in rows or staggered."""
    across, down = (
        (int(n) for n in rng.integers(24, 130, 2)) if rng.random() < 0.5 else (int(rng.integers(24, 130)),) * 2
    )
    row = np.tile(_shapes(rng, down, across), (1, size // across + 2, 1))
    shift = across // 2 if rng.random() < 0.5 else 0
    rows = [row[:, (i % 2) * shift :][:, :size] for i in range(size // down + 1)]
    return np.asarray(np.concatenate(rows)[:size], dtype=np.float32)


def _floor(rng: np.random.Generator, size: int) -> Singles:
    """Draw square slabs with joints, each with one of a few pictures in a random quarter turn."""
    step = int(rng.integers(30, 130))
    kinds = [_shapes(rng, step, step) * rng.uniform(0.2, 1) for _ in range(int(rng.integers(1, 6)))]
    joint, depth = int(rng.integers(0, max(2, step // 12))), rng.uniform(-70, 90)
    layer = np.zeros((size + step, size + step, 3), np.float32)
    turned = rng.random() < 0.7
    for y in range(0, size, step):
        for x in range(0, size, step):
            slab = np.rot90(kinds[int(rng.integers(len(kinds)))], int(rng.integers(4)) if turned else 0).copy()
            slab += np.float32(rng.normal(0, 8))
            slab[:joint] -= depth
            slab[:, :joint] -= depth
            layer[y : y + step, x : x + step] = slab
    return layer[:size, :size]


def _oilcloth(rng: np.random.Generator, size: int) -> Singles:
    """Draw alternating plain and printed squares, sometimes with lines between them."""
    step = int(rng.integers(24, 120))
    plain = np.full((step, step, 3), rng.normal(0, 30, 3), np.float32)
    printed = _shapes(rng, step, step)
    lined = rng.random() < 0.5
    for square in (plain, printed):
        if lined:
            square[:2] += 40
            square[:, :2] += 40
    pair = np.concatenate([np.hstack([plain, printed]), np.hstack([printed, plain])])
    return np.asarray(np.tile(pair, (size // step // 2 + 1,) * 2 + (1,))[:size, :size], dtype=np.float32)


def _shapes(rng: np.random.Generator, height: int, width: int) -> Singles:
    """Draw a few leaves, rings, bars and corners (height, width, 3) in their own colours, on an even ground."""
    layer = np.zeros((height, width, 3), np.float32)
    for _ in range(int(rng.integers(1, 7))):
        colour = [float(v) for v in rng.normal(0, 55, 3)]
        centre = (int(rng.integers(width)), int(rng.integers(height)))
        axes = (int(rng.integers(1, width // 2)), int(rng.integers(1, height // 2)))
        thickness = -1 if rng.random() < 0.6 else int(rng.integers(1, 5))
        shape = rng.integers(3)
        if shape == 0:
            cv2.ellipse(layer, centre, axes, float(rng.uniform(0, 180)), 0, 360, colour, thickness, cv2.LINE_AA)
        elif shape == 1:
            corner = (centre[0] + axes[0], centre[1] + axes[1])
            cv2.rectangle(layer, centre, corner, colour, thickness, cv2.LINE_AA)
        else:
            corners = np.stack([rng.integers(0, width, 3), rng.integers(0, height, 3)], 1).astype(np.int32)
            cv2.fillPoly(layer, [corners], colour, cv2.LINE_AA)
    if rng.random() < 0.5:  # mirror-symmetric, like many prints
        layer[:, (width + 1) // 2 :] = layer[:, : width // 2][:, ::-1]
    return layer


_LAYERS = {
    "motifs": _motifs,
    "floor": _floor,
    "oilcloth": _oilcloth,
    "plain": _plain,
    "wood": _wood,
    "planks": _planks,
    "cloth": _cloth,
    "stripes": _stripes,
    "checks": _checks,
    "medallions": _medallions,
    "carpet": _carpet,
    "squared": _squared,
    "marble": _marble,
    "tartan": _tartan,
    "madras": _madras,
    "parquet": _parquet,
    "herringbone": _herringbone,
    "rosettes": _rosettes,
    "granite": _granite,
    "paper": _paper,
    "leather": _leather,
    "grass": _grass,
    "photo": _photo,
    "patchwork": _patchwork,
    "mosaic": _mosaic,
    "dots": _dots,
    **REPEATS,
}
