"""Wonders that a person enrolled: the layout of each, in the format of `docs/wonder-files.md`, and prints of its
squares.

Files lie in `wonders` in the user's data folder (`vision.enrolment.store`), each under the wonder's short name
(`alhambra.toml`), its prints in `wonders/art` (`vision.enrolment.prints`). Layouts may also be named in
WONDERTALLY_WONDERS, and take precedence over these. A wonder whose file is damaged counts as not enrolled, and
`find_damaged_wonders` names it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from scoring.carcassonne.wonders.catalogue import index_wonders, is_shipped, load_custom_wonders, load_wonder_catalogue
from scoring.carcassonne.wonders.files import parse_wonder
from scoring.carcassonne.wonders.tiles import WonderLayout
from scoring.errors import CatalogueError
from vision.enrolment.durable import write_durably
from vision.enrolment.prints import Enrolment, pack_enrolment, unpack_enrolment
from vision.enrolment.store import NamedFiles, read_plain_file, remove_entry, resolve_data_folder
from vision.errors import EnrolmentError, InputError

NAMED_FILES = "WONDERTALLY_WONDERS"

DAMAGED_TEXT = "The enrolled layout of this wonder is damaged: enrol it again, or take it back."

WonderLayouts = Mapping[str, WonderLayout]
"""Layouts of wonders by their ids."""


@dataclass(frozen=True, slots=True)
class EnrolledWonder:
    """A wonder's layout under the wonder's short name, and the prints of its squares if a photo showed them."""

    layout: WonderLayout
    art: Enrolment | None = None

    @property
    def name(self) -> str:
        """The wonder's id without the box."""
        return self.layout.id.removeprefix("WH/")


class EnrolledWonders(NamedFiles[EnrolledWonder]):
    """The enrolled wonders of a folder, by default that of this machine."""

    ending = "toml"

    def __init__(self, folder: Path | None = None) -> None:
        super().__init__(folder or resolve_data_folder() / "wonders")

    def load(self, name: str) -> EnrolledWonder:
        """Load a wonder, with its prints; raises `no_such_enrolment`, `bad_enrolment`."""
        try:
            return replace(super().load(name), art=self._load_art(name))
        except EnrolmentError as error:
            if error.code != "bad_enrolment":
                raise
            raise EnrolmentError(error.code, DAMAGED_TEXT, {**error.details, "wonder": f"WH/{name}"}) from error

    def list_sound(self) -> Iterator[EnrolledWonder]:
        """Load every wonder whose files are not damaged, by name."""
        for name in self.names():
            with suppress(EnrolmentError):
                yield self.load(name)

    def list_damaged(self) -> list[str]:
        """List the names of the wonders whose files cannot be read."""
        damaged_names = list[str]()
        for name in self.names():
            try:
                self.load(name)
            except EnrolmentError as error:
                damaged_names += [name] if error.code == "bad_enrolment" else []
        return damaged_names

    def packed(self, entry: EnrolledWonder) -> bytes:
        """Return the text of the wonder's file, in UTF-8."""
        import tomlkit  # not needed to read photos

        return tomlkit.dumps(dict(entry.layout.entry)).encode()

    def unpacked(self, name: str, data: bytes) -> EnrolledWonder:
        """Read a wonder from the text of its file; raises ValueError for that of another wonder."""
        wonder = EnrolledWonder(parse_wonder(data.decode()))
        if wonder.name != name:
            raise ValueError(f"the file of {wonder.name}")
        return wonder

    def _write(self, entry: EnrolledWonder) -> None:
        """Write a layout, and its prints, or remove those of the layout before."""
        super()._write(entry)
        art = self._find_art(entry.name)
        if entry.art is not None:
            art.parent.mkdir(exist_ok=True)
            write_durably(art, pack_enrolment(entry.art))
        elif os.path.lexists(art):
            remove_entry(art)

    def _find_paths(self, name: str) -> list[Path]:
        """Find the layout and the prints of a wonder."""
        return [*super()._find_paths(name), *filter(os.path.lexists, [self._find_art(name)])]

    def _load_art(self, name: str) -> Enrolment | None:
        """Load a wonder's prints, None if it has none; raises `bad_enrolment`."""
        file = self._find_art(name)
        try:
            return unpack_enrolment(name, read_plain_file(file)) if os.path.lexists(file) else None
        except Exception as error:  # damaged archives may raise any exception
            raise EnrolmentError("bad_enrolment", details={"name": name, "file": str(file)}) from error

    def _find_art(self, name: str) -> Path:
        """Return the file of a wonder's prints, which need not exist."""
        return self.folder / "art" / f"{name}.npz"


def load_wonders_in_force(enrolled: EnrolledWonders | None = None) -> WonderLayouts:
    """Load the layouts of all wonders by id: those in named files, else the enrolled ones, else those shipped.

    Damaged enrolments do not count: see `find_damaged_wonders`. Raises CatalogueError and InputError for named files.
    """
    return {**load_wonders_beside((), enrolled), **read_wonder_files(list_named_files())}


def load_wonders_beside(texts: Iterable[str], enrolled: EnrolledWonders | None = None) -> WonderLayouts:
    """Load the layouts of all wonders by id: those of some files' texts, else the enrolled ones, else those shipped.

    Files named on this machine do not count, nor do damaged enrolments. Raises CatalogueError.
    """
    layouts = {wonder.layout.id: wonder.layout for wonder in (enrolled or EnrolledWonders()).list_sound()}
    return {**load_wonder_catalogue(), **layouts, **index_wonders(map(parse_wonder, texts))}


def find_damaged_wonders(layouts: WonderLayouts, enrolled: EnrolledWonders | None = None) -> tuple[str, ...]:
    """Find the ids of enrolled wonders whose files are damaged and that have no other layout in force.

    `layouts` are those in force: a damaged wonder has the shipped one.
    """
    damaged = (f"WH/{name}" for name in (enrolled or EnrolledWonders()).list_damaged())
    return tuple(id for id in damaged if id in layouts and is_shipped(layouts[id]))


def refuse_damaged_wonders(ids: Iterable[str], layouts: WonderLayouts, enrolled: EnrolledWonders | None = None) -> None:
    """Raise EnrolmentError `bad_enrolment` for the first of some wonders whose enrolment is damaged."""
    wanted = {*ids}
    store = enrolled or EnrolledWonders()
    for id in find_damaged_wonders(layouts, store):
        if id in wanted:
            store.load(id.removeprefix("WH/"))


def read_named_texts() -> tuple[str, ...]:
    """Read the texts of the files that are named for this process; raises CatalogueError and InputError."""
    if files := list_named_files():
        read_wonder_files(files)
    return tuple(file.read_text(encoding="utf-8") for file in files)


def load_wonder_art(layouts: WonderLayouts, enrolled: EnrolledWonders | None = None) -> Iterator[Enrolment]:
    """Load the prints of enrolled wonders whose squares are numbered as those of the layouts in force."""
    for wonder in (enrolled or EnrolledWonders()).list_sound():
        if wonder.art is not None and layouts[wonder.layout.id].squares == wonder.layout.squares:
            yield wonder.art


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
    """Name files for this process and its children, once they are found valid; raises the errors of reading them."""
    files = list(files)
    if files:
        read_wonder_files(files)
        os.environ[NAMED_FILES] = os.pathsep.join(str(file.resolve()) for file in files)
