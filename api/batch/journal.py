"""What a batch has done so far, in one file that only grows: a line a photo's content, a line a reading.

A run that was broken off, however that came, may leave a torn last line; it is taken away when the journal is opened
again. Readings are known by the content of their photos and the rule set, so nothing is read twice under another name.
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

from api.tournament.errors import BatchError
from scoring.documents import MAX_NUMBER
from vision.enrolment.durable import sync
from vision.errors import InputError

JOURNAL = "journal.jsonl"
"""The journal's name in an output folder."""
_OPENINGS = (b'{"photo"', b'{"reading"')


@dataclass(frozen=True, slots=True)
class Stamp:
    """A file as it was when its content was looked at: size in bytes, and whatever its place says of its age."""

    name: str
    size: int
    age: str


def compute_reading_key(rules: str, contents: list[str]) -> str:
    """Compute the key of a reading of photos of some contents (SHA-256); their order does not matter."""
    return sha256("\n".join([rules, *sorted(set(contents))]).encode()).hexdigest()


def is_journal(file: Path) -> bool:
    """Whether a file is a batch's journal by how it begins; one that was just begun is empty or torn."""
    if not file.is_file():  # opening a pipe would wait
        return False
    try:
        with file.open("rb") as opened:
            start = opened.read(max(map(len, _OPENINGS)))
    except OSError:
        return False
    return any(opening.startswith(start[: len(opening)]) for opening in _OPENINGS)


class _Seen(BaseModel):
    """A line about a photo."""

    photo: str
    size: Annotated[int, Field(ge=0, le=MAX_NUMBER)]
    age: str
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{1,64}$")]


class _Error(BaseModel):
    code: str = ""
    text: str = ""
    details: dict[str, Any] = Field(default_factory=dict)


class _Outcome(BaseModel):
    """A line about a reading, beside its key; what is held, and the report, are looked at by those who use them."""

    said: str = ""
    error: _Error | None = None


class Journal:
    """The journal of one output folder; raises InputError `cannot_write`, BatchError `bad_journal`.

    Holds in memory where each reading stands in the file, not the readings. `beside` another run that writes it, a
    last line that is not whole yet is left alone.
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
        """Let go of the file."""
        self._file.close()
        self._reader.close()

    def get_content(self, stamp: Stamp) -> str | None:
        """Get the SHA-256 of a photo that has not changed since it was hashed."""
        return self._contents.get(stamp)

    def add_content(self, stamp: Stamp, digest: str) -> None:
        """Remember a photo's content; one that the power takes away is looked at again."""
        if self.get_content(stamp) == digest:
            return
        self._append({"photo": stamp.name, "size": stamp.size, "age": stamp.age, "sha256": digest}, sync=False)
        self._contents[stamp] = digest

    def __contains__(self, key: str) -> bool:
        return key in self._places

    def add_reading(self, key: str, outcome: dict[str, Any]) -> None:
        """Remember a reading: its report, or the error that it ended with."""
        self._places[key] = self._append({"reading": key, **outcome})

    def get_reading(self, key: str) -> dict[str, Any]:
        """Get the outcome of a reading; raises KeyError for one that was not done, BatchError `bad_journal`."""
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
        """Raise BatchError `bad_journal` where a report or a snapshot of a reading turns out to be none."""
        try:
            yield
        except ValidationError as error:
            raise BatchError("bad_journal", details={"file": str(self._path), "reason": str(error)}) from error

    def _open(self) -> tuple[FileIO, IO[bytes]]:
        """Open the file for writing, without a buffer that would be written later, and once more for reading."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            opened = FileIO(self._path, "ab"), self._path.open("rb")
            sync(self._path.parent)
            return opened
        except OSError as error:
            raise self._cannot_write(error) from error

    def _append(self, entry: dict[str, Any], sync: bool = True) -> int:
        """Write a line, with `sync` for good; returns its place in the file."""
        line = memoryview(json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
        try:
            place = self._file.seek(0, os.SEEK_END)
            while line:
                line = line[self._file.write(line) :]
            if sync:
                os.fsync(self._file.fileno())
        except OSError as error:
            raise self._cannot_write(error) from error
        return place

    def _cannot_write(self, error: OSError) -> InputError:
        return InputError("cannot_write", details={"file": str(self._path), "reason": error.strerror})

    def _load(self) -> None:
        end = 0
        for place, line in self._read_lines():
            if not line.endswith(b"\n"):
                break
            self._remember(place, line)
            end = place + len(line)
        if not self._beside:
            self._file.truncate(end)

    def _read_lines(self) -> Iterator[tuple[int, bytes]]:
        place = 0
        for line in self._reader:
            yield place, line
            place += len(line)

    def _remember(self, place: int, line: bytes) -> None:
        try:
            entry = from_json(line, allow_inf_nan=False)
            if "photo" in entry:
                seen = _Seen.model_validate(entry)
                self._contents[Stamp(seen.photo, seen.size, seen.age)] = seen.sha256
            else:
                self._places[str(entry["reading"])] = place
        except (ValueError, KeyError, TypeError) as error:
            raise self._build_damage_error(place) from error

    def _build_damage_error(self, place: int) -> BatchError:
        return BatchError("bad_journal", details={"file": str(self._path), "at": place})
