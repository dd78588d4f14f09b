"""Prints that a person taught: small crops of tiles with their names, one file for each enrolment.

A file `NAME.npz` holds `crops` (n, s, s, 3), uint8 BGR squares as they lay with their margin, `tiles` and `turns` (n,),
what each shows (`BA/RCr` or `WH/alhambra#2`, clockwise quarter turns), and `metadata`, a text of JSON. Whatever reading
compares is made from the crops, so that a file outlives every change of that. Files lie in `enrolments` in the user's
data folder: `WONDERTALLY_DATA` where that is set, else the place usual on the system.
"""

from __future__ import annotations

import io
import json
import os
import re
import sys
from collections.abc import Container, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.crops import CROP_MARGIN, CROP_PX
from vision.errors import EnrolmentError

Image = NDArray[np.uint8]

FORMAT = "wondertally/enrolment/1"
SQUARES_MOST = 600
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


class TileKey(NamedTuple):
    """What a square shows: a tile's id, of a wonder with the square's index (`WH/alhambra#2`), and its turns."""

    tile: str
    turns: int

    def turned(self, quarters: int) -> TileKey:
        """The same square after so many clockwise quarter turns."""
        return TileKey(self.tile, (self.turns + quarters) % 4)


@dataclass(frozen=True, slots=True, eq=False)
class Enrolment:
    """The prints of one photo: (n, CROP_PX, CROP_PX, 3) crops and what each shows.

    `source` is the photo's file name, `made` the day (ISO 8601).
    """

    name: str
    source: str
    made: str
    keys: tuple[TileKey, ...]
    crops: Image


class Enrolments:
    """The enrolments in a folder, which need not exist. Raises EnrolmentError for what cannot be read or written."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or data_folder() / "enrolments"

    def names(self) -> list[str]:
        """The names of all, in alphabetical order, damaged ones among them."""
        return sorted(file.stem for file in self.folder.glob("*.npz") if NAME.fullmatch(file.stem))

    def all(self) -> Iterator[Enrolment]:
        """Every enrolment, by name."""
        return (self.load(name) for name in self.names())

    def load(self, name: str) -> Enrolment:
        """One enrolment; raises `no_such_enrolment`, `bad_enrolment`."""
        file = self._known(name)
        try:
            return unpacked(name, file.read_bytes())
        except Exception as error:  # damaged archives raise whatever their first wrong byte leads to
            raise EnrolmentError("bad_enrolment", details={"name": name, "file": str(file)}) from error

    def save(self, enrolment: Enrolment) -> Path:
        """Write it whole or not at all; raises `bad_name`, `enrolment_exists`, `cannot_write_enrolment`."""
        file = self._file(enrolment.name)
        if file.exists():
            raise EnrolmentError("enrolment_exists", details={"name": enrolment.name})
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with NamedTemporaryFile(dir=self.folder, suffix=".part", delete=False) as partial:
                try:
                    partial.write(packed(enrolment))
                except BaseException:
                    Path(partial.name).unlink()
                    raise
            Path(partial.name).replace(file)
        except OSError as error:
            details = {"folder": str(self.folder), "reason": error.strerror}
            raise EnrolmentError("cannot_write_enrolment", details=details) from error
        return file

    def forget(self, name: str) -> None:
        """Undo an enrolment, a damaged one as well; raises `no_such_enrolment`, `cannot_write_enrolment`."""
        file = self._known(name)
        try:
            file.unlink()
        except OSError as error:
            details = {"folder": str(self.folder), "reason": error.strerror}
            raise EnrolmentError("cannot_write_enrolment", details=details) from error

    def free_name(self, wanted: str) -> str:
        """A name that is not taken, as near to the one wanted as can be."""
        return free_name(wanted, self.names())

    def _known(self, name: str) -> Path:
        file = self._file(name)
        if not file.is_file():
            raise EnrolmentError("no_such_enrolment", details={"name": name, "known": self.names()})
        return file

    def _file(self, name: str) -> Path:
        check_name(name)
        return self.folder / f"{name}.npz"


def check_name(name: str) -> None:
    """Raises EnrolmentError `bad_name` for what an enrolment cannot be called."""
    if not NAME.fullmatch(name):
        raise EnrolmentError("bad_name", details={"name": name})


def free_name(wanted: str, taken: Container[str]) -> str:
    """A name that is not taken, as near to the one wanted as can be."""
    plain = re.sub(r"[^A-Za-z0-9_-]+", "-", wanted).strip("-_")[:60] or "set"
    numbered = (plain if n == 1 else f"{plain}-{n}" for n in count(1))
    return next(name for name in numbered if name not in taken)


def packed(enrolment: Enrolment) -> bytes:
    """The bytes of an enrolment's file, but for its name."""
    data = io.BytesIO()
    np.savez_compressed(data, **_parts(enrolment))  # type: ignore[arg-type]
    return data.getvalue()


def unpacked(name: str, data: bytes) -> Enrolment:
    """The inverse of `packed`; what is damaged raises whatever its first wrong byte leads to."""
    with np.load(io.BytesIO(data), allow_pickle=False) as parts:
        return _enrolment(name, {part: parts[part] for part in ("crops", "tiles", "turns", "metadata")})


def data_folder() -> Path:
    """Where what a person taught is kept: never in the package, which an update replaces."""
    if own := os.environ.get("WONDERTALLY_DATA"):
        return Path(own)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "wondertally"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "wondertally"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "wondertally"


def _parts(enrolment: Enrolment) -> dict[str, NDArray[np.generic]]:
    metadata = {"format": FORMAT, "source": enrolment.source, "made": enrolment.made, "margin": CROP_MARGIN}
    return {
        "crops": enrolment.crops,
        "tiles": np.array([key.tile for key in enrolment.keys], dtype=np.str_),
        "turns": np.array([key.turns for key in enrolment.keys], dtype=np.uint8),
        "metadata": np.array(json.dumps(metadata)),
    }


def _enrolment(name: str, parts: dict[str, NDArray[np.generic]]) -> Enrolment:
    """The enrolment in a file's parts; raises ValueError, KeyError or TypeError for one that cannot be."""
    metadata = json.loads(str(parts["metadata"]))
    crops, tiles, turns = parts["crops"], parts["tiles"].astype(np.str_), parts["turns"].astype(np.int64)
    n = len(crops)
    if metadata["format"] != FORMAT or metadata["margin"] != CROP_MARGIN:
        raise ValueError("written by another version")
    if crops.dtype != np.uint8 or crops.shape[1:] != (CROP_PX, CROP_PX, 3) or not 0 < n <= SQUARES_MOST:
        raise ValueError("no crops")
    if tiles.shape != (n,) or turns.shape != (n,) or not ((turns >= 0) & (turns < 4)).all():
        raise ValueError("crops without names")
    keys = tuple(TileKey(*key) for key in zip(tiles.tolist(), turns.tolist(), strict=True))
    return Enrolment(name, str(metadata["source"]), str(metadata["made"]), keys, np.asarray(crops, np.uint8))
