"""From a laid table to the picture that a camera's lens and sensor give of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from datasets.pathtraced.lens import Lens, LensCamera, random_lens, through
from datasets.pathtraced.light import random_light
from datasets.pathtraced.staging import stage
from datasets.pathtraced.tracing import trace
from datasets.render.random_tables import squares_in_view
from datasets.scene.table import Table
from vision.arrays import Image

Radiance = NDArray[np.float32]

SAMPLES = 8
"""Paths a pixel."""
MEAN, BRIGHT, BURNT = 0.20, 0.95, 1.2
"""Exposure brings a photo's mean to the first, unless the quantile that is the second would pass the third."""


def path_traced(table: Table, rng: np.random.Generator) -> tuple[Table, Image]:
    """The table before a camera with a lens, which bends what it projects, and its (h, w, 3) BGR picture.

    Draws from a child of `rng` alone, so that what is drawn after it does not depend on the renderer. Raises
    InputError without Mitsuba.
    """
    own = rng.spawn(1)[0]
    seen = seen_through_lens(table, own)
    return seen, render(seen, own)


def seen_through_lens(table: Table, rng: np.random.Generator) -> Table:
    """The same table before a camera with some lens that cuts none of its tiles off which the pinhole shows."""
    shown = squares_in_view(table)
    while True:
        seen = replace(table, camera=LensCamera.of(table.camera, random_lens(rng)))
        if shown <= squares_in_view(seen):
            return seen


def render(table: Table, rng: np.random.Generator, samples: int = SAMPLES) -> Image:
    """The (h, w, 3) BGR picture of a table, through its camera's lens if any; raises InputError without Mitsuba."""
    camera = table.camera
    lens = camera.lens if isinstance(camera, LensCamera) else Lens()
    margin = lens.margin(camera.size)
    light = random_light(table, rng)
    surfaces = stage(table, rng)
    radiance = trace(surfaces, light, camera, lens.aperture, margin, samples, int(rng.integers(2**20)))
    return exposed(through(lens, radiance, margin), rng)


def exposed(radiance: Radiance, rng: np.random.Generator) -> Image:
    """Exposure, white balance and tone curve as an automatic camera sets them, not quite right each time."""
    balance = (radiance.mean() / radiance.mean(axis=(0, 1))) ** rng.uniform(0.2, 0.8)
    balanced = radiance * balance.astype(np.float32)
    mean = MEAN * np.exp(rng.normal(0, 0.2))
    gain = min(mean / balanced.mean(), BURNT / np.quantile(balanced, BRIGHT))
    linear = balanced * np.float32(gain)
    knee = np.where(linear > 0.7, 0.7 + 0.3 * (1 - np.exp((0.7 - linear) / 0.3)), linear)
    srgb = np.where(knee <= 0.0031308, 12.92 * knee, 1.055 * np.maximum(knee, 0) ** (1 / 2.4) - 0.055)
    return np.asarray(np.clip(srgb * 255 + 0.5, 0, 255), np.uint8)
