"""Photos of real tables as training material: `photos/train`, and others with marks, never `photos/check`.

The photos in `photos/unlabelled` and 2 in `photos/failing`, on which nothing is measured, have marks of our own, in
`models/marks`. The marks have the squares as the reader found them, and the pieces and the places mistaken for pieces
as seen by eye. Some also have the tiles, as read and compared with the photo by eye, except those that remain in doubt.
No tiles are marked in photos that are measured (`datasets/real`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from scoring.carcassonne.tiles.geometry import Square
from vision.arrays import Floats, Image
from vision.evaluation.labels import load_truth
from vision.photo.crops import compute_tile_px, shrink_image

MARKS = Path(__file__).parents[1] / "marks"
MAX_TILE_PX = 130.0
"""Maximum size of a tile for any net: photos with larger tiles are shrunk. Bounds memory."""


def _nowhere() -> Floats:
    return np.zeros((0, 2))


@dataclass(frozen=True, slots=True, eq=False)
class RealTable:
    """A photo with its truth.

    `quads` has the (4, 2) pixel corners (NW, NE, SE, SW as placed) of every square with a tile; `tiles` the (layout id,
    turns) of the known ones, with the id None for a tile in no catalogue. `feet` (n, 2) are the pieces' pixels, and
    `colours`, `poses` and `kinds` describe them; an unknown pose is None. At `mistaken` (n, 2) pixels are things that
    look like pieces but are none; at `unsure` ones even people cannot say. If `whole` is False, the photo has tiles
    beside those of `quads`; if `counted` is False, it has pieces beside those of `feet`; if `exact` is False, the feet
    are where the reader found them.
    """

    image: Image
    quads: dict[Square, Floats]
    tiles: dict[Square, tuple[str | None, int]]
    feet: Floats
    colours: tuple[str, ...]
    poses: tuple[str | None, ...]
    kinds: tuple[str, ...]
    mistaken: Floats = field(default_factory=_nowhere)
    unsure: Floats = field(default_factory=_nowhere)
    whole: bool = True
    counted: bool = True
    exact: bool = True


def find_training_labels(folder: Path) -> list[Path]:
    """Find the labels in a folder whose photos are open to training."""
    return [p for p in sorted(folder.glob("*.json")) if load_truth(p).photo.startswith("photos/train/")]


def load_real(label: Path, photos: Path) -> RealTable:
    """Load the photo that a label names, found under `photos` (the folder that holds `train`), with its truth."""
    truth = load_truth(label)
    quads = {tile.square: tile.corners_px for tile in truth.tiles}
    image, scale = _picture(photos.parent / truth.photo, label, quads)
    placements = {tile.square: tile.placement for tile in truth.tiles if tile.placement is not None}
    return RealTable(
        image=image,
        quads={square: quad * scale for square, quad in quads.items()},
        tiles={
            square: (placement.tile, placement.turns % placement.layout.symmetry)
            for square, placement in placements.items()
        },
        feet=_points([meeple.foot_px for meeple in truth.meeples]) * scale,
        colours=tuple(meeple.placed.colour for meeple in truth.meeples),
        poses=tuple(meeple.placed.pose for meeple in truth.meeples),
        kinds=tuple(meeple.placed.kind for meeple in truth.meeples),
    )


def load_marked(marks: Path, photos: Path) -> RealTable:
    """Load the photo that a file of marks names, found under `photos` (which holds `train`), with its marks."""
    document = json.loads(marks.read_text(encoding="utf-8"))
    pieces = document["pieces"] or ()
    quads = {(row, col): np.array(s["corners"], float) for s in document["squares"] for row, col in [s["cell"]]}
    image, scale = _picture(photos.parent / document["photo"], marks, quads)
    return RealTable(
        image=image,
        quads={square: quad * scale for square, quad in quads.items()},
        tiles={(row, col): _tile(s["tile"]) for s in document["squares"] if "tile" in s for row, col in [s["cell"]]},
        feet=_points([piece["foot_px"] for piece in pieces]) * scale,
        colours=tuple(piece["colour"] for piece in pieces),
        poses=tuple(piece["pose"] for piece in pieces),
        kinds=tuple(piece.get("kind", "meeple") for piece in pieces),
        mistaken=_points(document.get("mistaken", ())) * scale,
        unsure=_points(document.get("unsure", ())) * scale,
        whole=document["whole"],
        counted=document["pieces"] is not None,
        exact=False,
    )


def _tile(token: str) -> tuple[str | None, int]:
    """Parse a tile in marks: `IC/RFr.i@1`, or `??` for one in no catalogue."""
    name, _, turns = token.partition("@")
    return (None, 0) if name == "??" else (name, int(turns))


def _points(rows: Sequence[Sequence[float]]) -> Floats:
    return np.array(rows, np.float64).reshape(-1, 2)


def _picture(photo: Path, label: Path, quads: dict[Square, Floats]) -> tuple[Image, float]:
    image = cv2.imread(str(photo), cv2.IMREAD_COLOR)
    if image is None:
        raise FileNotFoundError(f"{label.name} names {photo.name}, which is not in {photo.parent}")
    size = float(np.median(compute_tile_px(np.array(list(quads.values())))))
    return shrink_image(np.asarray(image, dtype=np.uint8), MAX_TILE_PX / size)
