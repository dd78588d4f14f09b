"""Sets of tile pictures, and reading one from a folder of scans."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np

from datasets.art.borders import crop_printed_tile
from datasets.art.printed_ground import PrintedGround, trace_print
from datasets.art.style import Style
from scoring.carcassonne.tiles.catalogue import Catalogue
from vision.arrays import Image

TILE_PX = 160

MISTURNED = {"c2-krueger80/BA_CCG__0.jpg": 1, "c2-krueger80/BA_CFC_2__0.jpg": 1}
"""Clockwise quarter turns by which scans are off their layout, by their `file` in the manifest."""


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
