"""Photos for benchmarks with many photos: a few drawn tables, each photographed repeatedly so that all files differ."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

import cv2
import numpy as np

from datasets.generate import gather_art
from datasets.render.photometric import photograph
from datasets.render.shots import Manner, shoot
from scoring.carcassonne.deal.boards import deal_random_board

SIZE_PX = (1200, 900)
TILES = 30
STYLES = ("meadow", "terra")
TABLETOPS = ("wood", "planks")
SCENES = 4
STRENGTH = 0.3
"""Strength of light and lens effects: low, so that all photos of a scene cost about the same. A guess."""
MAX_CROP_PX = 12
"""Maximum number of pixels cut off at an edge. A guess."""


def draw_photos(folder: Path, count: int, seed: int) -> list[Path]:
    """Draw `count` distinct JPEGs, the same for the same seed: each cropped at 2 edges, in its own light.

    Existing ones are not drawn again.
    """
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / f"photo_{i:04d}.jpg" for i in range(count)]
    missing = [i for i, file in enumerate(files) if not file.exists()]
    scenes = _scenes(seed) if missing else []
    for i in missing:
        rng = np.random.default_rng([seed, i])
        top, left = rng.integers(MAX_CROP_PX, size=2)
        photo = photograph(np.ascontiguousarray(scenes[i % SCENES][top:, left:]), rng, STRENGTH)
        cv2.imwrite(str(files[i]), photo, [cv2.IMWRITE_JPEG_QUALITY, 90])
    return files


def copy_first(files: list[Path], count: int, folder: Path) -> Path:
    """Copy the first of some photos into a new folder."""
    folder.mkdir(parents=True)
    for file in files[:count]:
        shutil.copy(file, folder)
    return folder


def _scenes(seed: int) -> list[np.ndarray]:
    sets, manner = gather_art([], STYLES, seed), Manner(SIZE_PX, (60.0, 90.0), free=(0.05, 0.15), strength=None)
    boards = [deal_random_board(Random(seed + i), tiles=TILES) for i in range(SCENES)]
    return [
        shoot(board, sets[i % 2], TABLETOPS[i // 2 % 2], manner, np.random.default_rng([seed, i])).image
        for i, board in enumerate(boards)
    ]
