"""The light on a table: a lamp of finite size and a surrounding room, sampled for every photo."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from datasets.render.tabletops import sample_fractal
from datasets.scene.camera import Camera
from datasets.scene.table import Table
from vision.arrays import Floats, Singles

ROOM_PX = (128, 64)
"""Size of the room's panorama: azimuth to the right, rows from straight up to straight down."""
MIN_LAMP_DISTANCE_RATIO = 1.3
"""Minimum distance of the lamp relative to the camera's, which keeps the lamp out of the picture."""


@dataclass(frozen=True, slots=True, eq=False)
class Light:
    """A `room` (h, w, 3) of RGB radiance from all sides and a ball-shaped lamp `at` (x, y, z) with `radius` and
    `radiance`."""

    room: Singles
    at: tuple[float, float, float]
    radius: float
    radiance: tuple[float, float, float]


def sample_light(table: Table, rng: np.random.Generator) -> Light:
    """Sample a room by day or evening and, in any proportion to it, a lamp in the direction of the table's light."""
    room = sample_room(rng)
    x0, y0, x1, y1 = table.bounds
    middle = np.array([(x0 + x1) / 2, (y0 + y1) / 2, 0.0])
    distance = max(rng.uniform(18, 60), MIN_LAMP_DISTANCE_RATIO * float(Camera.depth(table.camera, middle[None])[0]))
    radius = distance * rng.uniform(0.03, 0.22)
    share = rng.uniform(0.15, 0.85)
    over = compute_sky_irradiance(room) * share / (1 - share)
    power = over / (np.pi * (radius / distance) ** 2 * max(float(table.light[2]), 0.3))
    x, y, z = (middle + distance * table.light).tolist()
    r, g, b = (power * _tint(rng)).tolist()
    return Light(room, (x, y, z), radius, (r, g, b))


def compute_sky_irradiance(room: Singles) -> float:
    """Compute a room's irradiance on a horizontal table: the cosine-weighted integral over the upper hemisphere."""
    h = room.shape[0]
    slant = (np.arange(h // 2) + 0.5) * np.pi / h
    weights = np.cos(slant) * np.sin(slant)
    return float(np.pi * 2 * (room[: h // 2].mean(axis=(1, 2)) * weights).sum() * np.pi / h)


def sample_room(rng: np.random.Generator) -> Singles:
    """Sample a room: ceiling, walls and floor, up to 3 windows, and blotches for the objects in it."""
    w, h = ROOM_PX
    up = np.cos((np.arange(h) + 0.5) * np.pi / h)[:, None]
    ceiling, wall, floor = rng.uniform(0.5, 1.0), rng.uniform(0.15, 0.8), rng.uniform(0.05, 0.4)
    shade = np.where(up > 0.7, ceiling, np.where(up > -0.35, wall, floor)) * np.ones((h, w))
    shade *= np.exp(0.3 * cv2.resize(sample_fractal(rng, 64, 4, 3), (w, h)))
    room = shade[..., None] * _tint(rng)
    for _ in range(int(rng.integers(0, 4))):
        left, top = int(rng.integers(w)), int(rng.integers(h // 6, h // 3))
        wide, high = int(rng.integers(6, 30)), int(rng.integers(5, 16))
        room[top : top + high, np.arange(left, left + wide) % w] = rng.uniform(2, 12) * _tint(rng, daylight=True)
    return np.asarray(cv2.GaussianBlur(room, (0, 0), rng.uniform(0.5, 2.0), borderType=cv2.BORDER_REFLECT), np.float32)


def _tint(rng: np.random.Generator, daylight: bool = False) -> Floats:
    """Return RGB factors of a light, from blue sky to a warm bulb."""
    warmth = rng.uniform(-0.12, 0.05) if daylight else rng.normal(0.08, 0.12)
    return np.exp(np.array([warmth, rng.normal(0, 0.02), -1.4 * warmth]))
