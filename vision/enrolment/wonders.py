"""Layouts of wonders that a person taught: a file for each of the eight, as `docs/wonder-files.md` has it.

Files lie in `wonders` in the user's data folder (`vision.enrolment.store`), each under the wonder's short name
(`alhambra.toml`), those that they replaced in `wonders/earlier`, numbered (`alhambra.1.toml`). Others may be named in
WONDERTALLY_WONDERS, and go before these.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import tomlkit

from scoring.carcassonne.wonders.catalogue import is_shipped, load_custom_wonders, load_wonder_catalogue
from scoring.carcassonne.wonders.files import parse_wonder
from scoring.carcassonne.wonders.tiles import WonderLayout
from scoring.errors import CatalogueError
from vision.enrolment.store import NamedFiles, resolve_data_folder
from vision.errors import InputError

NAMED_FILES = "WONDERTALLY_WONDERS"

WonderLayouts = Mapping[str, WonderLayout]
"""Layouts of wonders by their ids."""


@dataclass(frozen=True, slots=True)
class TaughtWonder:
    """A wonder's layout under the wonder's short name."""

    layout: WonderLayout

    @property
    def name(self) -> str:
        """The wonder's id without the box."""
        return self.layout.id.removeprefix("WH/")


class TaughtWonders(NamedFiles[TaughtWonder]):
    """The taught wonders of a folder, by default that of this machine."""

    ending = "toml"

    def __init__(self, folder: Path | None = None) -> None:
        super().__init__(folder or resolve_data_folder() / "wonders")
        self.earlier_folder = self.folder / "earlier"

    def packed(self, entry: TaughtWonder) -> bytes:
        """Return the text of the wonder's file, in UTF-8."""
        return tomlkit.dumps(dict(entry.layout.entry)).encode()

    def unpacked(self, name: str, data: bytes) -> TaughtWonder:
        """Read a wonder from the text of its file."""
        return TaughtWonder(parse_wonder(data.decode()))

    def replace(self, taught: TaughtWonder) -> Path:
        """Write a layout over what was taught of its wonder before, which `take_back` has in force again.

        Raises `bad_name`, `cannot_write_enrolment`.
        """
        if taught.name in self.names():
            number = 1 + max((number for number, _ in self._list_earlier(taught.name)), default=0)
            earlier = self.earlier_folder / f"{taught.name}.{number}.{self.ending}"
            with self.report_unwritable():
                self.earlier_folder.mkdir(parents=True, exist_ok=True)
                shutil.copy2(self.folder / f"{taught.name}.{self.ending}", earlier)
        return self.save(taught, again=True)

    def take_back(self, name: str) -> None:
        """Undo what was taught last of a wonder: what it replaced is in force again, or else the shipped layout.

        Raises `bad_name`, `no_such_enrolment`, `cannot_write_enrolment`.
        """
        file = self._find_file(name)
        with self.report_unwritable():
            earlier = [path for _, path in self._list_earlier(name)]
            if earlier:
                earlier[-1].replace(file)
                os.utime(file)  # another time, so that whoever asks for the state notices
            else:
                file.unlink()

    def forget(self, name: str) -> None:
        """Undo all that was taught of a wonder; raises `no_such_enrolment`, `cannot_write_enrolment`."""
        super().forget(name)
        with self.report_unwritable():
            for _, path in self._list_earlier(name):
                path.unlink()
            if self.earlier_folder.is_dir() and not any(self.earlier_folder.iterdir()):
                self.earlier_folder.rmdir()

    def _list_earlier(self, name: str) -> list[tuple[int, Path]]:
        """What was replaced of a wonder, with its numbers, the oldest first."""
        paths = self.earlier_folder.glob(f"{name}.*.{self.ending}")
        numbered = [(path.stem.rpartition(".")[2], path) for path in paths]
        return sorted((int(number), path) for number, path in numbered if number.isdecimal())


def load_wonders_in_force(taught: TaughtWonders | None = None) -> WonderLayouts:
    """Load the layouts of all wonders by id: those in named files, else those taught, else those shipped.

    Raises EnrolmentError `bad_enrolment`, and CatalogueError and InputError for named files.
    """
    return {**load_wonders_beside((), taught), **read_wonder_files(list_named_files())}


def load_wonders_beside(texts: Iterable[str], taught: TaughtWonders | None = None) -> WonderLayouts:
    """Load the layouts of all wonders by id: those of some files' texts, else those taught, else those shipped.

    Files that are named on this machine do not count. Raises EnrolmentError `bad_enrolment`, CatalogueError.
    """
    layouts = {wonder.layout.id: wonder.layout for wonder in (taught or TaughtWonders()).all()}
    return {**load_wonder_catalogue(), **layouts, **{layout.id: layout for layout in map(parse_wonder, texts)}}


def read_named_texts() -> tuple[str, ...]:
    """Read the texts of the files that are named for this process; raises CatalogueError and InputError."""
    files = list_named_files()
    read_wonder_files(files)
    return tuple(file.read_text(encoding="utf-8") for file in files)


def list_named_files() -> list[Path]:
    """List the files that the setting WONDERTALLY_WONDERS names."""
    return [Path(file) for file in os.environ.get(NAMED_FILES, "").split(os.pathsep) if file]


def read_wonder_files(files: Iterable[Path]) -> WonderLayouts:
    """Read layouts by id from wonders' files alone; raises CatalogueError, and InputError `file_not_found`."""
    try:
        layouts = load_custom_wonders(*files)
    except UnicodeDecodeError as error:
        raise CatalogueError("bad_toml", "a wonder's file is no text") from error
    except OSError as error:
        raise InputError("file_not_found", "The file cannot be opened.", {"file": str(error.filename)}) from error
    return {id: layout for id, layout in layouts.items() if not is_shipped(layout)}


def name_wonder_files(files: Iterable[Path]) -> None:
    """Name files for this process and those it starts, once they are found to be good; raises as they are read."""
    files = list(files)
    if files:
        read_wonder_files(files)
        os.environ[NAMED_FILES] = os.pathsep.join(str(file.resolve()) for file in files)
