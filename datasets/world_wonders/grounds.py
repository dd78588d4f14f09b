"""Grounds of any kind for maps of other hands: cut from given pictures, table tops, and noise of any spectrum."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from datasets.render.tabletops import KINDS, draw_tabletop
from vision.arrays import Image, Singles

TEXTURE_PX = 512
"""Side of a texture before it is cut. A guess."""
PICTURES_SHARE = 0.5
"""Share of grounds cut from pictures, if there are any. A guess."""
TESTED_ONE_IN = 5
"""One picture in so many is kept for tests, by its name. A guess."""
MIN_PICTURE_PX = 48
"""Minimum side of a picture that is cut. A guess."""
MAX_STRETCH = 8.0
"""Maximum scale at which a picture is enlarged: small textures of games are repeated instead. A guess."""


def list_pictures(folders: Sequence[Path], is_tested: bool = False) -> list[Path]:
    """List the pictures under some folders for training, or those kept for tests."""
    files = sorted(file for folder in folders for file in folder.rglob("*") if file.suffix in (".png", ".jpg"))
    return [file for file in files if (zlib.crc32(file.name.encode()) % TESTED_ONE_IN == 0) == is_tested]


def draw_ground(rng: np.random.Generator, pictures: Sequence[Path], size: tuple[int, int]) -> Image:
    """Draw a ground (h, w, 3) of any kind; `size` is its width and height."""
    picture = None
    if pictures and rng.random() < PICTURES_SHARE:
        picture = cv2.imread(str(pictures[int(rng.integers(len(pictures)))]), cv2.IMREAD_COLOR)
    if picture is None or min(picture.shape[:2]) < MIN_PICTURE_PX:
        is_noise = rng.random() < 0.6
        picture = draw_noise(rng) if is_noise else draw_tabletop(str(rng.choice(KINDS)), rng, TEXTURE_PX)
    return cut_ground(np.asarray(picture, np.uint8), rng, size)


def cut_ground(picture: Image, rng: np.random.Generator, size: tuple[int, int]) -> Image:
    """Cut a ground out of a picture at some scale, repeating it where it is too small."""
    wide, high = size
    fitting = max(wide / picture.shape[1], high / picture.shape[0])
    scale = float(np.clip(fitting * np.exp(rng.uniform(-1.2, 1.2)), 0.2, MAX_STRETCH))
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    scaled = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=how)
    repeats = [-(-full // part) + 1 for full, part in zip((high, wide), scaled.shape[:2], strict=True)]
    scaled = np.tile(scaled[: high + 1, : wide + 1], (*(repeats if max(repeats) > 2 else (2, 2)), 1))
    y, x = (int(rng.integers(1 + max(0, scaled.shape[axis] - full))) for axis, full in ((0, high), (1, wide)))
    return np.ascontiguousarray(scaled[y : y + high, x : x + wide])


def draw_noise(rng: np.random.Generator, size: int = TEXTURE_PX) -> Image:
    """Draw coloured noise (size, size, 3) of a random spectrum, direction and depth on a plain colour."""
    grey, depth = rng.uniform(20, 235), float(np.exp(rng.uniform(np.log(1.0), np.log(60.0))))
    base = grey + rng.uniform(0, 1) * (rng.uniform(20, 235, 3) - grey)
    tints = rng.uniform(-1, 1, (int(rng.integers(1, 4)), 3)) + rng.choice([0, 1])
    layers = [sample_spectrum(rng, size)[..., None] * tint / (np.abs(tint).max() + 1e-6) for tint in tints]
    return np.asarray(np.clip(base + depth * sum(layers) / len(layers), 0, 255), np.uint8)


def sample_spectrum(rng: np.random.Generator, size: int) -> Singles:
    """Sample (size, size) noise of unit deviation whose amplitude falls with a random power of its frequency."""
    along, across = np.meshgrid(np.fft.rfftfreq(size), np.fft.fftfreq(size))
    angle, stretch = rng.uniform(0, np.pi), float(np.exp(rng.choice([0, 0, 1]) * rng.uniform(0, 2)))
    turned = np.cos(angle) * along + np.sin(angle) * across, np.cos(angle) * across - np.sin(angle) * along
    frequency = np.hypot(turned[0] * stretch, turned[1]) + rng.choice([1.0, 4.0, 16.0]) / size
    waves = np.fft.rfft2(rng.standard_normal((size, size))) / frequency ** rng.uniform(0, 2.2)
    waves[0, 0] = 0
    noise = np.fft.irfft2(waves, (size, size))
    return np.asarray(noise / (noise.std() + 1e-9), np.float32)
