"""Tile art in made-up colours, so that a net does not rely on the colours it knows."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from datasets.scene.table import Table
from vision.arrays import Image


def recolour_table(table: Table, rng: np.random.Generator) -> Table:
    """Rotate the hues of a table's art, and make its colours stronger or paler."""
    angle, strength = rng.uniform(0, 2 * np.pi), rng.uniform(0.4, 1.5)
    grey = np.full((3, 3), 1 / 3)
    c, s = np.cos(angle), np.sin(angle) / np.sqrt(3)
    turn = grey + strength * (c * (np.eye(3) - grey) + s * np.array([(0, -1, 1), (1, 0, -1), (-1, 1, 0)]))
    turned_pictures: dict[int, tuple[Image, ...]] = {}
    for tile in table.tiles:
        if id(tile.picture) not in turned_pictures:
            turned_pictures[id(tile.picture)] = tuple(
                np.asarray(cv2.transform(p, turn), np.uint8) for p in tile.picture
            )
    return replace(table, tiles=tuple(replace(tile, picture=turned_pictures[id(tile.picture)]) for tile in table.tiles))
