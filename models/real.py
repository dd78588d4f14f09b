"""Labelled photos of real tables as training material: `photos/train` alone, never `photos/check`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import RBFInterpolator

from scoring.carcassonne.catalogue import base_catalogue
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


def lattice_map(points: Floats) -> RBFInterpolator:
    """From lattice corners (n, 2) of (col, row) to pixels: a thin-plate spline through a label's marked corners."""
    smoothing, degree = (0.5, 1) if len(points) > 8 else (0.0, 1)
    base, _ = cv2.findHomography(points[:, 2:4], points[:, :2], 0)

    def plane(at: Floats) -> Floats:
        return cv2.perspectiveTransform(np.asarray(at, float).reshape(-1, 1, 2), base).reshape(-1, 2)

    if len(points) <= 8:
        return plane
    bend = RBFInterpolator(
        points[:, 2:4], points[:, :2] - plane(points[:, 2:4]), kernel="thin_plate_spline", smoothing=smoothing, degree=degree
    )
    return lambda at: plane(at) + bend(np.asarray(at, float).reshape(-1, 2))


def load_real(label: Path, photos: Path) -> RealTable:
    """The photo that a label names, found under `photos` (the folder that holds `train`), with its truth."""
    data = json.loads(label.read_text(encoding="utf-8"))
    image = cv2.imread(str(photos.parent / data["photo"]), cv2.IMREAD_COLOR)
    if image is None:
        raise FileNotFoundError(f"{label.name} names {data['photo']}, which is not beside {photos}")
    to_px = lattice_map(np.array(data["points"], float))
    quads, tiles = {}, {}
    catalogue = base_catalogue()
    for row, line in enumerate(data["rows"]):
        for col, token in enumerate(line.split()):
            if token in ("..", "."):
                continue
            corners = [(col, row), (col + 1, row), (col + 1, row + 1), (col, row + 1)]
            quads[row, col] = to_px(np.array(corners, float))
            tile, turns = token.split("@") if "@" in token else (token[0], token[1:])
            if tile in catalogue:
                layout = catalogue[tile]
                tiles[row, col] = (layout.id, int(turns) % layout.symmetry)
    meeples = data.get("meeples", [])
    feet = to_px(np.array([m["at"] for m in meeples], float)) if meeples else np.zeros((0, 2))
    return RealTable(image, quads, tiles, feet, tuple(m["colour"] for m in meeples), tuple(m["pose"] for m in meeples))
