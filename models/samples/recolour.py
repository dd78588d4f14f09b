"""Tile art in colours that no art has, lest a net go by the colours it knows."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from datasets.scene.table import Table
from vision.arrays import Image


def recoloured(table: Table, rng: np.random.Generator) -> Table:
    """The table with its art's hues turned, and its colours stronger or paler."""
    angle, strength = rng.uniform(0, 2 * np.pi), rng.uniform(0.4, 1.5)
    grey = np.full((3, 3), 1 / 3)
    c, s = np.cos(angle), np.sin(angle) / np.sqrt(3)
    turn = grey + strength * (c * (np.eye(3) - grey) + s * np.array([(0, -1, 1), (1, 0, -1), (-1, 1, 0)]))
    seen: dict[int, tuple[Image, ...]] = {}
    for tile in table.tiles:
        if id(tile.picture) not in seen:
            seen[id(tile.picture)] = tuple(np.asarray(cv2.transform(p, turn), np.uint8) for p in tile.picture)
    return replace(table, tiles=tuple(replace(tile, picture=seen[id(tile.picture)]) for tile in table.tiles))
