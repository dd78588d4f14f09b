"""A lens with radial distortion and vignetting on a pinhole camera, and the mapping of its pixels."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike

from datasets.scene.camera import Camera
from vision.arrays import Floats, Singles


@dataclass(frozen=True, slots=True)
class Lens:
    """Brown's radial terms `k1` and `k2`, for distances from the picture's centre in half diagonals.

    `falloff` is the darkening of the corners; `aperture` is the radius of the opening in tiles.
    """

    k1: float = 0.0
    k2: float = 0.0
    falloff: float = 0.0
    aperture: float = 0.0

    def bend(self, points: ArrayLike, size: tuple[int, int]) -> Floats:
        """Map (n, 2) pixels of a pinhole picture of this (width, height) to the distorted picture."""
        middle, half = _middle(size)
        away = (np.asarray(points, np.float64) - middle) / half
        squared = (away**2).sum(axis=-1, keepdims=True)
        return np.asarray(middle + half * away * (1 + self.k1 * squared + self.k2 * squared**2))

    def unbend(self, points: ArrayLike, size: tuple[int, int]) -> Floats:
        """Invert `bend` by fixed-point iteration, for distortions of a few per cent."""
        middle, half = _middle(size)
        bent = (np.asarray(points, np.float64) - middle) / half
        away = bent
        for _ in range(12):
            squared = (away**2).sum(axis=-1, keepdims=True)
            away = bent / (1 + self.k1 * squared + self.k2 * squared**2)
        return np.asarray(middle + half * away)

    def margin(self, size: tuple[int, int]) -> int:
        """Return the margin in pixels that the pinhole picture needs around the distorted one."""
        w, h = size
        border = np.array([(0, 0), (w / 2, 0), (0, h / 2)], np.float64)
        return int(np.ceil(max(0.0, -self.unbend(border, size).min()))) + 1


@dataclass(frozen=True, slots=True, eq=False)
class LensCamera(Camera):
    """A camera whose lens distorts its pictures; `plane` is that of the pinhole alone."""

    lens: Lens

    @classmethod
    def of(cls, camera: Camera, lens: Lens) -> LensCamera:
        """Put a lens on a camera."""
        return cls(camera.matrix, camera.position, camera.size, lens)

    def project(self, points: ArrayLike) -> Floats:
        """Project (n, 3) lattice points to (n, 2) pixels of the distorted picture."""
        return self.lens.bend(Camera.project(self, points), self.size)


def apply_lens(lens: Lens, image: Singles, margin: int) -> Singles:
    """Apply a lens to a pinhole picture (h, w, 3) that is `margin` pixels larger than the photo on each side."""
    size = (image.shape[1] - 2 * margin, image.shape[0] - 2 * margin)
    ys, xs = np.mgrid[: size[1], : size[0]]
    pixels = np.stack([xs, ys], -1).reshape(-1, 2) + 0.5
    source = (lens.unbend(pixels, size) + margin - 0.5).astype(np.float32).reshape(*size[::-1], 2)
    bent = cv2.remap(image, source[..., 0], source[..., 1], cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    middle, half = _middle(size)
    squared = (((pixels - middle) / half) ** 2).sum(axis=1).reshape(*size[::-1], 1)
    return np.asarray(np.maximum(bent, 0) * (1 - lens.falloff * squared), dtype=np.float32)


def sample_lens(rng: np.random.Generator) -> Lens:
    """Sample the lens of a phone or compact camera, with a distortion of at most a few per cent of the picture."""
    k1 = float(np.clip(rng.normal(0, 0.012), -0.03, 0.03))
    k2 = float(np.clip(rng.normal(0, 0.004), -0.01, 0.01))
    return Lens(k1, k2, falloff=float(rng.uniform(0, 0.35)), aperture=float(rng.uniform(0.02, 0.10)))


def _middle(size: tuple[int, int]) -> tuple[Floats, float]:
    """Return the centre (2,) of the picture and half its diagonal."""
    middle = np.array(size, np.float64) / 2
    return middle, float(np.hypot(*middle))
