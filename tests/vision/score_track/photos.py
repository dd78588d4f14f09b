"""Photos of plain tabletops and of whatever an image shows."""

from __future__ import annotations

import numpy as np

from datasets.render.tabletops import draw_tabletop
from vision.arrays import Image
from vision.photo.decoding import Photo
from vision.photo.pyramid import Halves


def photo(image: Image, file: str = "token.jpg") -> Photo:
    return Photo(Halves(image), file, "", 0.0)


def table(seed: int = 0) -> Image:
    wood = draw_tabletop("wood", np.random.default_rng(seed), 1000)
    return np.ascontiguousarray(wood[:700, :900])
