"""Prints that a person enrolled: small crops of tiles with their names, one file for each enrolment.

A file `NAME.npz` has `crops` (n, s, s, 3), uint8 BGR squares as they lay with their margin, `tiles` and `turns` (n,),
their contents (`BA/RCr` or `WH/alhambra#2`, clockwise quarter turns), and `metadata`, a text of JSON. All features that
reading compares are computed from the crops, so a file survives changes of these. Files lie in `enrolments` in the
user's data folder: `WONDERTALLY_DATA` if that is set, else the usual place of the system.
"""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoring.connected_squares import MAX_BOARD_SQUARES
from vision.arrays import Image
from vision.enrolment.store import NamedFiles, resolve_data_folder
from vision.photo.crops import CROP_MARGIN, CROP_PX

FORMAT = "wondertally/enrolment/1"


class TileKey(NamedTuple):
    """The identity of a square: a tile's id, for a wonder with the square's index (`WH/alhambra#2`), and its turns."""

    tile: str
    turns: int

    def turned(self, quarters: int) -> TileKey:
        """Return the same square after `quarters` clockwise quarter turns."""
        return TileKey(self.tile, (self.turns + quarters) % 4)


@dataclass(frozen=True, slots=True, eq=False)
class Enrolment:
    """The prints of one photo: (n, CROP_PX, CROP_PX, 3) crops and the identity of each.

    `source` is the photo's file name, `made` the day (ISO 8601).
    """

    name: str
    source: str
    made: str
    keys: tuple[TileKey, ...]
    crops: Image


class Enrolments(NamedFiles[Enrolment]):
    """The enrolments in a folder, which need not exist. Raises EnrolmentError for files it cannot read or write."""

    def __init__(self, folder: Path | None = None) -> None:
        super().__init__(folder or resolve_data_folder() / "enrolments")

    def packed(self, enrolment: Enrolment) -> bytes:
        """Return the bytes of an enrolment's file, without its name."""
        return pack_enrolment(enrolment)

    def unpacked(self, name: str, data: bytes) -> Enrolment:
        """Read an enrolment from the bytes of `packed`; damaged data may raise any exception."""
        return unpack_enrolment(name, data)


def pack_enrolment(enrolment: Enrolment) -> bytes:
    """Return the bytes of an enrolment's file, without its name."""
    data = io.BytesIO()
    np.savez_compressed(data, **_list_parts(enrolment))  # type: ignore[arg-type]
    return data.getvalue()


def unpack_enrolment(name: str, data: bytes) -> Enrolment:
    """Read an enrolment from the bytes of `pack_enrolment`; damaged data may raise any exception."""
    with np.load(io.BytesIO(data), allow_pickle=False) as parts:
        return _build_enrolment(name, {part: parts[part] for part in ("crops", "tiles", "turns", "metadata")})


def _list_parts(enrolment: Enrolment) -> dict[str, NDArray[np.generic]]:
    metadata = {"format": FORMAT, "source": enrolment.source, "made": enrolment.made, "margin": CROP_MARGIN}
    return {
        "crops": enrolment.crops,
        "tiles": np.array([key.tile for key in enrolment.keys], dtype=np.str_),
        "turns": np.array([key.turns for key in enrolment.keys], dtype=np.uint8),
        "metadata": np.array(json.dumps(metadata)),
    }


def _build_enrolment(name: str, parts: dict[str, NDArray[np.generic]]) -> Enrolment:
    """Build the enrolment from a file's parts; raises ValueError, KeyError or TypeError if they are invalid."""
    metadata = json.loads(str(parts["metadata"]))
    crops, tiles, turns = parts["crops"], parts["tiles"].astype(np.str_), parts["turns"].astype(np.int64)
    n = len(crops)
    if metadata["format"] != FORMAT or metadata["margin"] != CROP_MARGIN:
        raise ValueError("written by another version")
    if crops.dtype != np.uint8 or crops.shape[1:] != (CROP_PX, CROP_PX, 3) or not 0 < n <= MAX_BOARD_SQUARES:
        raise ValueError("no crops")
    if tiles.shape != (n,) or turns.shape != (n,) or not ((turns >= 0) & (turns < 4)).all():
        raise ValueError("crops without names")
    keys = tuple(TileKey(*key) for key in zip(tiles.tolist(), turns.tolist(), strict=True))
    return Enrolment(name, str(metadata["source"]), str(metadata["made"]), keys, np.asarray(crops, np.uint8))
