"""The output folder of a batch, and its append-only journal: a line for each photo's content and for each reading.

An interrupted run may leave a torn last line, which is removed when the journal is next opened. A reading is identified
by the content of its photos and the rule set, so a renamed photo is not read twice. A batch overwrites only files of a
batch.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from io import FileIO
from pathlib import Path
from typing import IO, Annotated, Any, Self

from pydantic import BaseModel, Field, ValidationError
from pydantic_core import from_json

from api.errors import guard_writing
from api.tournament.errors import BatchError
from api.tournament.options_file import OPTIONS_FILE
from api.tournament.results import THUMBNAILS
from scoring.documents import MAX_NUMBER
from vision.enrolment.durable import sync

JOURNAL = "journal.jsonl"
"""Name of the journal in an output folder."""
_OPENINGS = (b'{"photo"', b'{"reading"')
_FILES = ("results.csv", "results.jsonl", "standings.csv", "index.html", OPTIONS_FILE)
OUTPUT_NAMES = (*_FILES, *(f".{name}.draft" for name in _FILES), THUMBNAILS, JOURNAL)
"""Names of all files that a batch writes, except its empty lock file."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """A file's state when its content was hashed: its size in bytes and the age its file system reports."""

    name: str
    size: int
    age: str


def compute_reading_key(rules: str, contents: list[str]) -> str:
    """Compute the key of a reading from the SHA-256 of its photos and the rule set; the photos' order is irrelevant."""
    return sha256("\n".join([rules, *sorted(set(contents))]).encode()).hexdigest()


def is_journal(file: Path) -> bool:
    """Return whether a file begins like a batch's journal; a new one may be empty or torn."""
    if not file.is_file():  # opening a pipe would block
        return False
    try:
        with file.open("rb") as opened:
            start = opened.read(max(map(len, _OPENINGS)))
    except OSError:
        return False
    return any(opening.startswith(start[: len(opening)]) for opening in _OPENINGS)


class _Seen(BaseModel):
    """A journal line about a photo."""

    photo: str
    size: Annotated[int, Field(ge=0, le=MAX_NUMBER)]
    age: str
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{1,64}$")]


class _Error(BaseModel):
    code: str = ""
    text: str = ""
    details: dict[str, Any] = Field(default_factory=dict)


class _Outcome(BaseModel):
    """A journal line about a reading, beside its key; snapshot and report are validated by their users."""

    said: str = ""
    error: _Error | None = None


class Journal:
    """Journal of one output folder; raises InputError `cannot_write`, BatchError `bad_journal`.

    Only each reading's position in the file is kept in memory, not the reading itself. With `beside`, another run is
    writing the file, so an incomplete last line is left alone.
    """

    def __init__(self, file: Path, beside: bool = False) -> None:
        self._path, self._beside = file, beside
        self._contents: dict[Stamp, str] = {}
        self._places: dict[str, int] = {}
        self._file, self._reader = self._open()
        try:
            self._load()
        except BatchError:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        self._reader.close()

    def get_content(self, stamp: Stamp) -> str | None:
        """Return the SHA-256 of a photo that has not changed since it was hashed."""
        return self._contents.get(stamp)

    def add_content(self, stamp: Stamp, digest: str) -> None:
        """Record a photo's content hash; it is not synced to disk, since a lost entry is simply computed again."""
        if self.get_content(stamp) == digest:
            return
        self._append({"photo": stamp.name, "size": stamp.size, "age": stamp.age, "sha256": digest}, sync=False)
        self._contents[stamp] = digest

    def __contains__(self, key: str) -> bool:
        return key in self._places

    def add_reading(self, key: str, outcome: dict[str, Any]) -> None:
        """Record a reading: its report, or the error that it ended with."""
        self._places[key] = self._append({"reading": key, **outcome})

    def get_reading(self, key: str) -> dict[str, Any]:
        """Return the outcome of a reading; raises KeyError if there is none, BatchError `bad_journal` if damaged."""
        place = self._places[key]
        self._reader.seek(place)
        try:
            outcome: dict[str, Any] = from_json(self._reader.readline(), allow_inf_nan=False)
            _Outcome.model_validate(outcome)
        except ValueError as error:
            raise self._build_damage_error(place) from error
        return outcome

    @contextmanager
    def refuse_damage(self) -> Iterator[None]:
        """Raise BatchError `bad_journal` if a reading's report or snapshot is invalid."""
        try:
            yield
        except ValidationError as error:
            raise BatchError("bad_journal", details={"file": str(self._path), "reason": str(error)}) from error

    def _open(self) -> tuple[FileIO, IO[bytes]]:
        """Open the file twice: unbuffered for appending, and for reading."""
        with guard_writing(self._path):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            opened = FileIO(self._path, "ab"), self._path.open("rb")
            sync(self._path.parent)
        return opened

    def _append(self, entry: dict[str, Any], sync: bool = True) -> int:
        """Append a line and return its position in the file; `sync` flushes it to disk."""
        line = memoryview(json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
        with guard_writing(self._path):
            place = self._file.seek(0, os.SEEK_END)
            while line:
                line = line[self._file.write(line) :]
            if sync:
                os.fsync(self._file.fileno())
        return place

    def _load(self) -> None:
        end = 0
        for line in self._reader:
            if not line.endswith(b"\n"):
                break
            self._remember(end, line)
            end += len(line)
        if not self._beside:
            self._file.truncate(end)

    def _remember(self, place: int, line: bytes) -> None:
        try:
            entry = from_json(line, allow_inf_nan=False)
            if "photo" in entry:
                stamped = _Seen.model_validate(entry)
                self._contents[Stamp(stamped.photo, stamped.size, stamped.age)] = stamped.sha256
            else:
                self._places[str(entry["reading"])] = place
        except (ValueError, KeyError, TypeError) as error:
            raise self._build_damage_error(place) from error

    def _build_damage_error(self, place: int) -> BatchError:
        return BatchError("bad_journal", details={"file": str(self._path), "at": place})


def check_output_folder(out: Path) -> None:
    """Raise BatchError `would_overwrite` if files of these names exist and no batch's journal does.

    A batch creates its journal before any other file, so the journal is checked after the others.
    """
    in_the_way = [name for name in OUTPUT_NAMES if os.path.lexists(out / name)]
    if in_the_way and not is_journal(out / JOURNAL):
        raise _build_overwrite_error(out, in_the_way)


def check_listing_place(listing: Path, out: Path) -> None:
    """Raise BatchError `would_overwrite` if a batch's results would overwrite its own listing."""
    written = (out / name for name in OUTPUT_NAMES)
    if in_the_way := [place.name for place in written if place.resolve() == listing.resolve()]:
        raise _build_overwrite_error(out, in_the_way)


def _build_overwrite_error(out: Path, files: list[str]) -> BatchError:
    return BatchError("would_overwrite", details={"out": str(out), "files": files})
