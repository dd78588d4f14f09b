"""Rendering of a laid table as its camera's lens and sensor record it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from datasets.pathtraced.lens import Lens, LensCamera, apply_lens, sample_lens
from datasets.pathtraced.light import sample_light
from datasets.pathtraced.staging import stage_table
from datasets.pathtraced.tracing import trace
from datasets.render.random_tables import find_squares_in_view
from datasets.scene.table import Table
from vision.arrays import Image, Singles

SAMPLES_PER_PIXEL = 8
"""Paths per pixel."""
MEAN, BRIGHT, BURNT = 0.20, 0.95, 1.2
"""Target mean of the exposure, and the quantile that may not exceed a level: the exposure is reduced if it would."""


def render_path_traced(table: Table, rng: np.random.Generator) -> tuple[Table, Image]:
    """Put a lens on a table's camera, and render the table's (h, w, 3) BGR picture through it.

    Samples only from a child of `rng`, so that later samples do not depend on the renderer. Raises InputError if
    Mitsuba is missing.
    """
    child = rng.spawn(1)[0]
    table_with_lens = add_lens(table, child)
    return table_with_lens, render(table_with_lens, child)


def add_lens(table: Table, rng: np.random.Generator) -> Table:
    """Put a random lens on a table's camera that cuts off no tile visible through the pinhole."""
    visible = find_squares_in_view(table)
    while True:
        candidate = replace(table, camera=LensCamera.of(table.camera, sample_lens(rng)))
        if visible <= find_squares_in_view(candidate):
            return candidate


def render(table: Table, rng: np.random.Generator, samples: int = SAMPLES_PER_PIXEL) -> Image:
    """Render a table's (h, w, 3) BGR picture, through its camera's lens if any; raises InputError if Mitsuba is
    missing."""
    camera = table.camera
    lens = camera.lens if isinstance(camera, LensCamera) else Lens()
    margin = lens.margin(camera.size)
    light = sample_light(table, rng)
    surfaces = stage_table(table, rng)
    radiance = trace(surfaces, light, camera, lens.aperture, margin, samples, int(rng.integers(2**20)))
    return expose(apply_lens(lens, radiance, margin), rng)


def expose(radiance: Singles, rng: np.random.Generator) -> Image:
    """Set exposure, white balance and tone curve like an automatic camera, with a random error."""
    balance = (radiance.mean() / radiance.mean(axis=(0, 1))) ** rng.uniform(0.2, 0.8)
    balanced = radiance * balance.astype(np.float32)
    mean = MEAN * np.exp(rng.normal(0, 0.2))
    gain = min(mean / balanced.mean(), BURNT / np.quantile(balanced, BRIGHT))
    linear = balanced * np.float32(gain)
    knee = np.where(linear > 0.7, 0.7 + 0.3 * (1 - np.exp((0.7 - linear) / 0.3)), linear)
    srgb = np.where(knee <= 0.0031308, 12.92 * knee, 1.055 * np.maximum(knee, 0) ** (1 / 2.4) - 0.055)
    return np.asarray(np.clip(srgb * 255 + 0.5, 0, 255), np.uint8)
