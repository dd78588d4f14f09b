"""Layouts of wonders that a person taught: a file for each of the eight, as `docs/wonder-files.md` has it.

Files lie in `wonders` in the user's data folder (`vision.enrolment.store`), each under the wonder's short name
(`alhambra.toml`). Others may be named in WONDERTALLY_WONDERS, and go before these.
"""

from __future__ import annotations

import os
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

    def packed(self, entry: TaughtWonder) -> bytes:
        """Return the text of the wonder's file, in UTF-8."""
        return tomlkit.dumps(dict(entry.layout.entry)).encode()

    def unpacked(self, name: str, data: bytes) -> TaughtWonder:
        """Read a wonder from the text of its file."""
        return TaughtWonder(parse_wonder(data.decode()))


def load_wonders_in_force(taught: TaughtWonders | None = None) -> WonderLayouts:
    """Load the layouts of all wonders by id: those in named files, else those taught, else those shipped.

    Raises EnrolmentError `bad_enrolment`, and CatalogueError and InputError for named files.
    """
    return {**load_wonders_beside((), taught), **read_wonder_files(_list_named_files())}


def load_wonders_beside(texts: Iterable[str], taught: TaughtWonders | None = None) -> WonderLayouts:
    """Load the layouts of all wonders by id: those of some files' texts, else those taught, else those shipped.

    Files that are named on this machine do not count. Raises EnrolmentError `bad_enrolment`, CatalogueError.
    """
    layouts = {wonder.layout.id: wonder.layout for wonder in (taught or TaughtWonders()).all()}
    return {**load_wonder_catalogue(), **layouts, **{layout.id: layout for layout in map(parse_wonder, texts)}}


def read_named_texts() -> tuple[str, ...]:
    """Read the texts of the files that are named for this process; raises CatalogueError and InputError."""
    files = _list_named_files()
    read_wonder_files(files)
    return tuple(file.read_text(encoding="utf-8") for file in files)


def _list_named_files() -> list[Path]:
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
