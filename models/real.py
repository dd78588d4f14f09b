"""Labelled photos of real tables as training material: `photos/train` alone, never `photos/check`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.labels import load_truth
from scoring.carcassonne.geometry import Square

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class RealTable:
    """A photo with its truth.

    `quads` holds (4, 2) pixel corners (NW, NE, SE, SW as placed) of every square with a tile; `tiles` the
    (layout id, turns) of the known ones; `feet` (n, 2) pixels of the meeples, `colours` and `poses` their kinds.
    """

    image: Image
    quads: dict[Square, Floats]
    tiles: dict[Square, tuple[str, int]]
    feet: Floats
    colours: tuple[str, ...]
    poses: tuple[str, ...]


def training_labels(folder: Path) -> list[Path]:
    """The labels in a folder whose photos may be trained on."""
    return [p for p in sorted(folder.glob("*.json")) if load_truth(p).photo.startswith("photos/train/")]


def load_real(label: Path, photos: Path) -> RealTable:
    """The photo that a label names, found under `photos` (the folder that holds `train`), with its truth."""
    truth = load_truth(label)
    image = cv2.imread(str(photos.parent / truth.photo), cv2.IMREAD_COLOR)
    if image is None:
        raise FileNotFoundError(f"{label.name} names {truth.photo}, which is not beside {photos}")
    known = {tile.square: tile.placement for tile in truth.tiles if tile.placement is not None}
    return RealTable(
        image=np.asarray(image, dtype=np.uint8),
        quads={tile.square: tile.corners_px for tile in truth.tiles},
        tiles={square: (laid.tile, laid.turns % laid.layout.symmetry) for square, laid in known.items()},
        feet=np.array([meeple.foot_px for meeple in truth.meeples], np.float64).reshape(-1, 2),
        colours=tuple(meeple.placed.colour for meeple in truth.meeples),
        poses=tuple(meeple.placed.pose for meeple in truth.meeples),
    )
