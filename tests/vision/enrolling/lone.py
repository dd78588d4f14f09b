"""Drawn photos of one wonder tile alone on a table, with their truths."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import cv2
import numpy as np

from datasets.art.style import STYLES
from datasets.generate import lay_alone
from datasets.render.shots import Manner, Shot, shoot
from datasets.scene.varied_wonders import Copies
from scoring.carcassonne.wonders.tiles import WONDERS, WonderLayout
from tests.datasets.tables import cheap_art
from tests.kept import keep
from vision.evaluation.labels import Truth, load_truth
from vision.photo.decoding import Photo
from vision.photo.pyramid import Halves

SIZE = (1600, 1200)
MANNER = Manner(SIZE, (50.0, 90.0), free=(0.2, 0.5), strength=0.3)
WOOD_SEED = 3


@keep
def _shoot_lone(id: str, seed: int, tabletop: str, copy: int) -> Shot:
    """Take a photo of a copy of a wonder, with its label."""
    rng = np.random.default_rng([seed, list(WONDERS).index(id)])
    copies = Copies(seed)
    layout = copies.make(id, copy)
    art = copies.draw(replace(cheap_art(), hand=STYLES["autumn"]), [layout], 160)
    return shoot(lay_alone(layout, rng), art, tabletop, MANNER, rng)


@cache
def draw_lone(id: str, seed: int = WOOD_SEED, tabletop: str = "wood", copy: int = 0) -> tuple[Path, Truth]:
    """Return the file of a photo of a copy of a wonder, and its truth."""
    folder = Path(mkdtemp())
    _shoot_lone(id, seed, tabletop, copy).save(folder, "lone")
    return folder / "lone.jpg", load_truth(folder / "lone.json")


def find_layout(truth: Truth) -> WonderLayout:
    (wonder,) = truth.board.wonders
    return wonder.layout


def photo(file: Path) -> Photo:
    return Photo.from_path(file)


def plain_photo(*quads: list[tuple[int, int]], size: tuple[int, int] = (800, 600)) -> Photo:
    """Return a photo of a green table with yellow pieces of cardboard on it."""
    image = np.full((size[1], size[0], 3), (60, 110, 40), np.uint8)
    noise = np.random.default_rng(1).integers(-6, 7, image.shape)
    for quad in quads:
        cv2.fillPoly(image, [np.array(quad, np.int32)], (70, 190, 220), cv2.LINE_AA)
    return Photo(Halves(np.clip(image + noise, 0, 255).astype(np.uint8)), "plain.jpg", "", 0.0)
