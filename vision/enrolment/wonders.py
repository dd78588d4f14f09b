"""Wonders that a person enrolled: the layout of each, in the format of `docs/wonder-files.md`, and prints of its
squares.

Files lie in `wonders` in the user's data folder (`vision.enrolment.store`), each under the wonder's short name
(`alhambra.toml`), its prints in `wonders/art` (`vision.enrolment.prints`), and replaced versions in `wonders/earlier`,
numbered (`alhambra.1.toml`), the last MAX_EARLIER of each. Layouts may also be named in WONDERTALLY_WONDERS, and take
precedence over these. A wonder whose file is damaged counts as not enrolled, and `find_damaged_wonders` names it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from scoring.carcassonne.wonders.catalogue import index_wonders, is_shipped, load_custom_wonders, load_wonder_catalogue
from scoring.carcassonne.wonders.files import parse_wonder
from scoring.carcassonne.wonders.tiles import WonderLayout
from scoring.errors import CatalogueError
from vision.enrolment.durable import sync, write_durably
from vision.enrolment.prints import Enrolment, Enrolments
from vision.enrolment.steps import MAX_EARLIER
from vision.enrolment.store import NamedFiles, remove_entry, resolve_data_folder
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

    def is_same(self, other: EnrolledWonder) -> bool:
        """Return whether another one has the same layout, written in the same way, and prints of the same pixels."""
        if dict(self.layout.entry) != dict(other.layout.entry):
            return False
        if self.art is None or other.art is None:
            return self.art is other.art
        return self.art.keys == other.art.keys and np.array_equal(self.art.crops, other.art.crops)


class EnrolledWonders(NamedFiles[EnrolledWonder]):
    """The enrolled wonders of a folder, by default that of this machine."""

    ending = "toml"

    def __init__(self, folder: Path | None = None) -> None:
        super().__init__(folder or resolve_data_folder() / "wonders")
        self.earlier_folder = self.folder / "earlier"
        self.art = Enrolments(self.folder / "art", self._lock)

    def files(self) -> list[Path]:
        """Return the files of all layouts and prints."""
        return [*super().files(), *self.art.files()]

    def state(self) -> tuple[tuple[str, int], ...]:
        """Return the files with their times: another value whenever a layout or a print changes."""
        return (*super().state(), *self.art.state())

    def load(self, name: str) -> EnrolledWonder:
        """Load a wonder, with its prints; raises `no_such_enrolment`, `bad_enrolment`."""
        try:
            enrolled = super().load(name)
            return replace(enrolled, art=self.art.load(name)) if name in self.art.names() else enrolled
        except EnrolmentError as error:
            if error.code != "bad_enrolment":
                raise
            raise EnrolmentError(error.code, DAMAGED_TEXT, {**error.details, "wonder": f"WH/{name}"}) from error

    def save(self, entry: EnrolledWonder, again: bool = False) -> Path:
        """Write a layout, and its prints; `again` replaces those of its wonder, including the prints.

        Raises `bad_name`, `enrolment_exists`, `cannot_write_enrolment`.
        """
        with self.write_alone():
            file = super().save(entry, again)
            if entry.art is not None:
                self.art.save(replace(entry.art, name=entry.name), again=True)
            else:
                self._forget_art(entry.name)
        return file

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

    def replace(self, enrolled: EnrolledWonder) -> Path:
        """Write a layout over the current one of its wonder, which `take_back` restores.

        A layout that is already in force adds no step. Raises `bad_name`, `cannot_write_enrolment`.
        """
        with self.write_alone():
            if enrolled.name in self.names():
                if self._is_kept(enrolled):
                    return self._file(enrolled.name)
                self._keep_earlier(enrolled.name)
            return self.save(enrolled, again=True)

    def take_back(self, name: str) -> None:
        """Undo the last enrolment of a wonder, with its prints; restore the one before, else the shipped layout.

        Raises `bad_name`, `no_such_enrolment`, `enrolment_not_empty`, `cannot_write_enrolment`.
        """
        with self.write_alone():
            file = self.find_file(name)
            earlier = [path for _, path in self._list_earlier(name)]
            if file.is_dir() or not earlier:
                remove_entry(file)
            self._forget_art(name)
            if earlier:
                earlier[-1].replace(file)
                os.utime(file)  # changes the state, so that readers notice
                art = earlier[-1].with_suffix(".npz")
                if art.exists():
                    self.art.folder.mkdir(parents=True, exist_ok=True)
                    os.utime(art.replace(self._find_art(name)))
                sync(self.folder)

    def forget(self, name: str) -> None:
        """Delete all enrolments of a wonder.

        Raises `no_such_enrolment`, `enrolment_not_empty`, `cannot_write_enrolment`.
        """
        with self.write_alone():
            super().forget(name)
            self._forget_art(name)
            for _, path in self._list_earlier(name):
                _delete_earlier(path)
            if self.earlier_folder.is_dir() and not any(self.earlier_folder.iterdir()):
                self.earlier_folder.rmdir()

    def _is_kept(self, enrolled: EnrolledWonder) -> bool:
        """Return whether exactly this is in force for a wonder; a damaged file never is."""
        try:
            return self.load(enrolled.name).is_same(enrolled)
        except EnrolmentError:
            return False

    def _keep_earlier(self, name: str) -> None:
        """Copy the current version of a wonder to the earlier ones, and delete the oldest beyond the maximum.

        Anything but a plain file was never in force.
        """
        if not self._file(name).is_file():
            return
        earlier = self._list_earlier(name)
        number = 1 + max((number for number, _ in earlier), default=0)
        self.earlier_folder.mkdir(parents=True, exist_ok=True)
        for file in (self._find_art(name), self._file(name)):  # the layout last: it completes the step
            if file.is_file():
                write_durably(self.earlier_folder / f"{name}.{number}{file.suffix}", file.read_bytes())
        for _, path in earlier[: max(len(earlier) + 1 - MAX_EARLIER, 0)]:
            _delete_earlier(path)

    def _find_art(self, name: str) -> Path:
        """Return the file of a wonder's prints, which need not exist."""
        return self.art.folder / f"{name}.{self.art.ending}"

    def _forget_art(self, name: str) -> None:
        with suppress(FileNotFoundError):
            remove_entry(self._find_art(name))
        with suppress(OSError):  # the folder has prints of other wonders, or does not exist
            self.art.folder.rmdir()

    def _list_earlier(self, name: str) -> list[tuple[int, Path]]:
        """List the replaced layouts of a wonder, with their numbers, the oldest first."""
        paths = self.earlier_folder.glob(f"{name}.*.{self.ending}")
        numbered = [(path.stem.rpartition(".")[2], path) for path in paths]
        return sorted((int(number), path) for number, path in numbered if number.isdecimal())


def _delete_earlier(file: Path) -> None:
    """Delete a replaced layout, and its prints."""
    file.unlink()
    file.with_suffix(".npz").unlink(missing_ok=True)


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
