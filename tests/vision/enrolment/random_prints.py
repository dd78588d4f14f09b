"""Enrolments with random pictures."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from scoring.carcassonne.tiles.catalogue import load_full_catalogue
from scoring.carcassonne.wonders.tiles import WONDERS
from vision.enrolment.prints import Enrolment, TileKey
from vision.photo.crops import CROP_PX

TILES = [*(layout.id for layout in load_full_catalogue()), *(f"{wonder}#{i}" for wonder in WONDERS for i in range(5))]
keys = st.lists(st.builds(TileKey, st.sampled_from(TILES), st.integers(0, 3)), min_size=1, max_size=6)


def enrolment(name: str = "mine", keys: tuple[TileKey, ...] = (TileKey("BA/RCr", 1),), seed: int = 0) -> Enrolment:
    crops = np.random.default_rng(seed).integers(0, 256, (len(keys), CROP_PX, CROP_PX, 3), dtype=np.uint8)
    return Enrolment(name, "laid out.jpg", "2024-05-01", keys, crops)
