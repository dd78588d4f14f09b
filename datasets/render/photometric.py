"""Effects of light, lens, sensor and JPEG on a clean picture; every function maps (h, w, 3) BGR uint8 to the same."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Image, Singles


def photograph(image: Image, rng: np.random.Generator, strength: float = 1.0) -> Image:
    """Turn a clean picture into a camera photo; `strength` from 0 (flawless) to 1 (the range seen on real tables)."""
    x = image.astype(np.float32)
    x = _light(x, rng, strength)
    if rng.random() < 0.3 * strength:
        x = _glare(x, rng)
    x = _colour(x, rng, strength)
    x = _blur(x, rng, strength)
    sigma = abs(rng.normal(0, 5)) * strength
    grain = rng.standard_normal(x.shape[:2], dtype=np.float32)[..., None]
    picture = np.clip(x + grain * sigma, 0, 255).astype(np.uint8)
    if rng.random() < 0.7:
        quality = int(rng.integers(95 - int(55 * strength), 97))
        picture = compress_jpeg(picture, quality)
    return picture


def apply_lamp(image: Image, rng: np.random.Generator) -> Image:
    """Light a clean picture by one strongly coloured lamp, usually red or yellow with little blue.

    One picture in five gets an app's fading filter instead.
    """
    if rng.random() < 0.2:
        return fade(image, rng)
    weak = np.exp(rng.uniform(-1.0, -0.35))
    warm = np.array([weak, rng.uniform(weak, 1.0), 1.0])
    gains = warm if rng.random() < 0.75 else rng.permutation(warm)
    return np.clip(image * (gains / gains.mean()).astype(np.float32), 0, 255).astype(np.uint8)


def fade(image: Image, rng: np.random.Generator) -> Image:
    """Overlay a coloured veil in one or two channels; no pixel stays darker than the veil."""
    veil = rng.uniform(0, 15, 3) + rng.permutation([rng.uniform(15, 60), rng.uniform(0, 40), 0.0])
    return np.asarray(np.round(veil + image * (1 - veil / 255)), dtype=np.uint8)


def measure_light(clean: Image, photo: Image) -> dict[str, float]:
    """Measure the effect of light and camera on a clean picture.

    `light` is the photo's relative brightness, `tint` the gain of red over blue in stops, `evenness` the ratio of the
    darkest part's light to the brightest part's.
    """
    before, after = (np.maximum(cv2.resize(p, (6, 6), interpolation=cv2.INTER_AREA), 1.0) for p in (clean, photo))
    gain = after.mean(axis=(0, 1)) / before.mean(axis=(0, 1))
    parts = after.mean(axis=2) / before.mean(axis=2)
    measured = {"light": gain.mean(), "tint": np.log2(gain[2] / gain[0]), "evenness": parts.min() / parts.max()}
    return {name: round(float(value), 2) for name, value in measured.items()}


def compress_jpeg(image: Image, quality: int) -> Image:
    """Compress the picture to JPEG at `quality` and decode it."""
    data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)


def _light(x: Singles, rng: np.random.Generator, strength: float) -> Singles:
    """Apply uneven light: a gradient over the picture and soft shadows of objects outside it."""
    h, w = x.shape[:2]
    small = np.ones((24, 24), np.float32)
    ys, xs = np.mgrid[-1:1:24j, -1:1:24j].astype(np.float32)
    angle = rng.uniform(0, 2 * np.pi)
    small += strength * rng.uniform(0, 0.35) * (np.cos(angle) * xs + np.sin(angle) * ys)
    small -= strength * rng.uniform(0, 0.2) * (xs**2 + ys**2)
    if rng.random() < 0.35 * strength:
        a, offset = rng.uniform(0, 2 * np.pi), rng.uniform(-0.8, 0.8)
        side = (np.cos(a) * xs + np.sin(a) * ys - offset) * rng.uniform(1.5, 20)
        small *= 1 - rng.uniform(0.1, 0.55) / (1 + np.exp(-side))
    factor = cv2.resize(np.clip(small, 0.15, 1.8), (w, h), interpolation=cv2.INTER_LINEAR)
    return np.asarray(x * factor[..., None], dtype=np.float32)


def _glare(x: Singles, rng: np.random.Generator) -> Singles:
    h, w = x.shape[:2]
    layer: Singles = np.zeros((48, 48), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        centre = (int(rng.integers(48)), int(rng.integers(48)))
        axes = (int(rng.integers(1, 9)), int(rng.integers(1, 9)))
        cv2.ellipse(layer, centre, axes, float(rng.uniform(0, 180)), 0, 360, float(rng.uniform(40, 230)), -1)
    layer = _softened(layer, rng.uniform(0.8, 4))
    return x + cv2.resize(layer, (w, h), interpolation=cv2.INTER_LINEAR)[..., None]


def _colour(x: Singles, rng: np.random.Generator, strength: float) -> Singles:
    """Vary white balance, exposure, saturation and tone curve."""
    gains = np.exp(rng.normal(0, 0.10 * strength, 3)) * np.exp(rng.normal(0, 0.18 * strength))
    if rng.random() < 0.12 * strength:  # warm lamp light
        gains *= (0.7, 0.93, 1.2)
    x = x * gains.astype(np.float32)
    grey = x.mean(axis=2, keepdims=True)
    x = grey + (x - grey) * np.float32(np.exp(rng.normal(0, 0.22 * strength)))
    gamma = np.exp(rng.normal(0, 0.18 * strength))
    return np.asarray(255 * (np.clip(x, 0, 255) / 255) ** np.float32(gamma), dtype=np.float32)


def _blur(x: Singles, rng: np.random.Generator, strength: float) -> Singles:
    if rng.random() < 0.45 * strength:
        x = _softened(x, rng.uniform(0.3, 1.3))
    if rng.random() < 0.08 * strength:
        x = _shaken(x, rng)
    if rng.random() < 0.25 * strength:  # a phone's sharpening
        x = x + rng.uniform(0.2, 1.0) * (x - _softened(x, 1.2))
    return x


def _softened(x: Singles, sigma: float) -> Singles:
    return np.asarray(cv2.GaussianBlur(x, (0, 0), sigma), dtype=np.float32)


def _shaken(x: Singles, rng: np.random.Generator) -> Singles:
    length = int(rng.integers(3, 6))
    kernel = np.zeros((length, length), np.float32)
    angle = rng.uniform(0, np.pi)
    c = (length - 1) / 2
    for t in np.linspace(-c, c, 4 * length):
        kernel[round(c + t * np.sin(angle)), round(c + t * np.cos(angle))] = 1
    return np.asarray(cv2.filter2D(x, -1, kernel / kernel.sum()), dtype=np.float32)
