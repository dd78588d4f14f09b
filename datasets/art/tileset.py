"""Sets of tile pictures, and reading one from a folder of scans, cropped to the printed tiles."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.art.printed_ground import PrintedGround, trace_print
from datasets.art.style import Style
from scoring.carcassonne.tiles.catalogue import Catalogue
from vision.arrays import Image

TILE_PX = 160

MISTURNED = {"c2-krueger80/BA_CCG__0.jpg": 1, "c2-krueger80/BA_CFC_2__0.jpg": 1}
"""Clockwise quarter turns by which scans are off their layout, by their `file` in the manifest."""
MAX_BORDER_SHARE = 0.07  # of the side; the widest border seen on a scan of a tile is narrower
MIN_BEVEL_CONTRAST_LEVELS = 20.0  # grey levels between a border's line and the printed line behind it
MIN_BEVEL_SHARE = 0.85  # share of a border's line with contrast of the same sign
MAX_CORNER_SHARE = 0.02  # of the picture: a rounded corner is smaller, a white shield larger


@dataclass(frozen=True, eq=False)
class TileSet:
    """Pictures (s, s, 3), BGR, of each layout id in its canonical orientation.

    `others` are tiles outside the catalogue, under the ids of their source; `wonders` are pictures of the wonder tiles'
    frames (see `datasets.art.wonders`). `grounds` hold the traced print of each picture, for the layouts requested from
    `trace_grounds`. Missing pictures are drawn in the style `hand`.
    """

    name: str
    pictures: Mapping[str, tuple[Image, ...]]
    others: Mapping[str, tuple[Image, ...]] = field(default_factory=dict)
    wonders: Mapping[str, tuple[Image, ...]] = field(default_factory=dict)
    grounds: Mapping[str, tuple[PrintedGround, ...]] = field(default_factory=dict)
    hand: Style | None = None

    def filled_up(self, rest: TileSet) -> TileSet:
        """Return the set with another's pictures for the layouts it lacks."""
        return replace(self, pictures={**rest.pictures, **self.pictures})

    def trace_grounds(self, catalogue: Catalogue) -> TileSet:
        """Return the set with the traced print of its pictures of the catalogue's layouts."""
        traced = {
            name: tuple(trace_print(picture, catalogue[name]) for picture in pictures)
            for name, pictures in self.pictures.items()
        }
        return replace(self, grounds=traced)


class ArtError(ValueError):
    """An unusable folder of tile art; `code` gives the reason."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


def load_folder(folder: Path, catalogue: Catalogue, size: int = TILE_PX) -> TileSet:
    """Read the scans of one art set, whose ids are in the `manifest.csv` beside the folder.

    The columns `file` (relative to the manifest) and `topology_id` are required; a tile with a garden counts as its
    plain twin. Raises ArtError for a missing manifest or an unreadable picture.
    """
    pictures: dict[str, list[Image]] = defaultdict(list)
    others: dict[str, list[Image]] = defaultdict(list)
    for name, topology in _manifest(folder):
        scan = crop_printed_tile(_read(folder.parent / name), size)
        picture = np.ascontiguousarray(np.rot90(scan, MISTURNED.get(name, 0)))
        if topology in catalogue:
            pictures[catalogue[topology].id].append(picture)
        else:
            others[topology].append(picture)
    return TileSet(folder.name, _frozen(pictures), _frozen(others))


def _manifest(folder: Path) -> list[tuple[str, str]]:
    manifest = folder.parent / "manifest.csv"
    if not manifest.is_file():
        raise ArtError("no_manifest", f"{folder} has no manifest.csv beside it")
    with manifest.open(encoding="utf-8", newline="") as lines:
        rows = [(row["file"], row["topology_id"]) for row in csv.DictReader(lines)]
    return [(file, topology) for file, topology in rows if Path(file).parent.name == folder.name]


def _read(file: Path) -> Image:
    picture = cv2.imread(str(file), cv2.IMREAD_COLOR) if file.is_file() else None
    if picture is None:
        raise ArtError("unreadable_picture", f"{file} is no readable picture")
    return np.asarray(picture, np.uint8)


def _frozen(pictures: Mapping[str, list[Image]]) -> dict[str, tuple[Image, ...]]:
    return {name: tuple(several) for name, several in pictures.items()}


def crop_printed_tile(picture: Image, size: int) -> Image:
    """Crop the printed tile from a scan `(h, w, 3)` and resize it to a square `(size, size, 3)`."""
    top, bottom, left, right = measure_borders(picture)
    height, width = picture.shape[:2]
    inner = picture[top : height - bottom, left : width - right]
    shrinks = inner.shape[0] > size
    resized = cv2.resize(inner, (size, size), interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_CUBIC)
    return fill_corners(np.asarray(resized, np.uint8))


def measure_borders(picture: Image) -> tuple[int, int, int, int]:
    """Measure the border at the top, bottom, left and right, in pixels."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    return _lines(grey), _lines(grey[::-1]), _lines(grey.T), _lines(grey.T[::-1])


def _lines(grey: NDArray[np.float32]) -> int:
    """Return the number of rows from the top that end in one almost uniformly lighter or darker than the print behind
    it."""
    deepest = int(len(grey) * MAX_BORDER_SHARE)
    printed = grey[deepest + 1]
    for row in range(deepest, 0, -1):
        difference = grey[row - 1] - printed
        if (
            max(np.mean(difference > MIN_BEVEL_CONTRAST_LEVELS), np.mean(difference < -MIN_BEVEL_CONTRAST_LEVELS))
            > MIN_BEVEL_SHARE
        ):
            return row
    return 0


def fill_corners(picture: Image) -> Image:
    """Inpaint small, nearly black or white patches at a picture's four corners."""
    size = picture.shape[0]
    patch = np.zeros((size, size), np.uint8)
    for x, y in ((0, 0), (size - 1, 0), (0, size - 1), (size - 1, size - 1)):
        level = int(picture[y, x].mean())
        if 40 < level < 225:
            continue
        flooded = np.zeros((size + 2, size + 2), np.uint8)
        flags = 4 | cv2.FLOODFILL_MASK_ONLY | cv2.FLOODFILL_FIXED_RANGE | (255 << 8)
        cv2.floodFill(picture, flooded, (x, y), (0, 0, 0), (25,) * 3, (25,) * 3, flags)
        inside = flooded[1:-1, 1:-1]
        if np.count_nonzero(inside) < MAX_CORNER_SHARE * size * size:
            patch |= inside
    if not patch.any():
        return picture
    # OpenCV does not inpaint the outermost pixels, so the picture gets 2 more on every side.
    grown = cv2.dilate(cv2.copyMakeBorder(patch, 2, 2, 2, 2, cv2.BORDER_REPLICATE), np.ones((3, 3), np.uint8))
    padded = cv2.copyMakeBorder(picture, 2, 2, 2, 2, cv2.BORDER_REPLICATE)
    return np.asarray(cv2.inpaint(padded, grown, 3, cv2.INPAINT_TELEA)[2:-2, 2:-2], np.uint8)
