"""Layouts of wonders that a person taught: a file for each of the eight, as `docs/wonder-files.md` has it.

Files lie in `wonders` in the user's data folder (`vision.enrolment.store`), each under the wonder's short name
(`alhambra.toml`), and in its folder `before` as they were until another copy was taught. Others may be named in
WONDERTALLY_WONDERS, and go before these.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import tomlkit

from scoring.carcassonne.wonders.catalogue import is_shipped, load_custom_wonders, load_wonder_catalogue
from scoring.carcassonne.wonders.files import parse_wonder
from scoring.carcassonne.wonders.tiles import WonderLayout
from scoring.errors import CatalogueError
from vision.enrolment.store import NamedFiles, resolve_data_folder
from vision.errors import EnrolmentError, InputError

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
        self._before = self.folder / "before"

    def packed(self, entry: TaughtWonder) -> bytes:
        """Return the text of the wonder's file, in UTF-8."""
        return tomlkit.dumps(dict(entry.layout.entry)).encode()

    def unpacked(self, name: str, data: bytes) -> TaughtWonder:
        """Read a wonder from the text of its file."""
        return TaughtWonder(parse_wonder(data.decode()))

    def save(self, entry: TaughtWonder, again: bool = False) -> Path:
        """Write a wonder; with `again` in the place of one that was taught before, to which `undo` goes back.

        Raises `enrolment_exists`, `cannot_write_enrolment`.
        """
        file = self._file(entry.name)
        if again and file.exists():
            if file.read_bytes() == self.packed(entry):
                return file
            self._set_aside(entry.name)
        return super().save(entry, again)

    def forget(self, name: str) -> None:
        """Forget a wonder, and all that was taught of it before; raises as its class does."""
        super().forget(name)
        for file in self._list_before(name):
            file.unlink(missing_ok=True)
        with suppress(OSError):  # others' files lie in it, or it was never made
            self._before.rmdir()

    def undo(self, name: str) -> TaughtWonder:
        """Go back to what was taught of a wonder before, and return that.

        Raises `no_such_enrolment`, `nothing_before`, `cannot_write_enrolment`, `bad_enrolment`.
        """
        file = self._find_file(name)
        layouts = self._list_before(name)
        if not layouts:
            raise EnrolmentError("nothing_before", details={"name": name})
        try:
            layouts[-1].replace(file)
            os.utime(file)  # another time, so that whoever asks for the state notices
        except OSError as error:
            raise self._build_write_error(error) from error
        return self.load(name)

    def _set_aside(self, name: str) -> None:
        """Copy what is taught of a wonder, so that it can be gone back to."""
        number = 1 + max((int(file.stem.rpartition("-")[2]) for file in self._list_before(name)), default=0)
        try:
            self._before.mkdir(parents=True, exist_ok=True)
            shutil.copy2(self._file(name), self._before / f"{name}-{number:04d}.{self.ending}")
        except OSError as error:
            raise self._build_write_error(error) from error

    def _list_before(self, name: str) -> list[Path]:
        """The files of what was taught of a wonder before, the oldest first."""
        return sorted(
            file for file in self._before.glob(f"{name}-*") if re.fullmatch(rf"{re.escape(name)}-\d+", file.stem)
        )

    def _build_write_error(self, error: OSError) -> EnrolmentError:
        return EnrolmentError(
            "cannot_write_enrolment", details={"folder": str(self.folder), "reason": str(error.strerror)}
        )


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
