"""A batch from its folder to its results: what was done before is not done again, what cannot be read is set aside."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from fsspec.core import url_to_fs

from api.batch import work
from api.batch.errors import BatchError
from api.batch.journal import Journal, Stamp, reading_key
from api.batch.listing import SUFFIXES, Sitting, sittings
from api.batch.pool import Pool, Told
from api.batch.remembered import Asked, remember
from api.batch.results import Result, Summary, write_results
from api.held import Held
from vision.errors import InputError

Progress = Callable[[str, int, int], None]
"""Told what is being done (`looking`, `reading`), how much of it, of how much."""


def run_batch(asked: Asked, progress: Progress) -> Summary:
    """Read what was not read before and write the results of all; raises BatchError, ClusterError, InputError.

    What was read stays in the output folder's journal, whatever ends a run: the next one goes on from there. Results
    are written also where a run was interrupted.
    """
    stamps = {stamp.name: stamp for stamp in _photos(asked.folder)}
    tables = sittings(list(stamps), asked.listing, asked.pattern)
    with _locked(asked.out), Journal(asked.out / "journal.jsonl") as journal:
        remember(asked)
        job = _Job(asked, tables, stamps, journal, progress)
        try:
            job.do()
        finally:
            summary = write_results(asked.out, job.results())
    return summary


@dataclass(frozen=True, slots=True)
class Left:
    """What a batch has of a table: its result, what is held of its reading, and its photos' names by their SHA-256."""

    result: Result
    held: dict[str, Any] | None
    photos: Mapping[str, str]


@contextmanager
def left_by(asked: Asked) -> Iterator[tuple[Sequence[Sitting], Callable[[Sitting], Left]]]:
    """A batch's tables, and what it has left of each until now, also while it runs; raises BatchError, InputError."""
    stamps = {stamp.name: stamp for stamp in _photos(asked.folder)}
    tables = sittings(list(stamps), asked.listing, asked.pattern)
    with Journal(asked.out / "journal.jsonl", beside=True) as journal:
        job = _Job(asked, tables, stamps, journal, lambda stage, done, of: None)
        yield tables, job.left


class _Job:
    """One run; `failed` are the errors of photos that a next run may not meet."""

    def __init__(
        self, asked: Asked, tables: Sequence[Sitting], stamps: dict[str, Stamp], journal: Journal, progress: Progress
    ) -> None:
        self._asked, self._tables, self._stamps = asked, tables, stamps
        self._journal, self._progress = journal, progress
        self._failed: dict[str, dict[str, Any]] = {}

    def do(self) -> None:
        looked_at = [name for name in self._stamps if self._journal.content(self._stamps[name]) is None]
        unread = self._unread() if not looked_at else None
        if unread == {}:
            return
        with Pool(self._asked.scheduler) as pool:
            self._look(pool, looked_at)
            self._read(pool, self._unread())

    def results(self) -> Iterator[Result]:
        """What is known of every table now, in the tables' order."""
        for table in self._tables:
            yield self._result(table)

    def left(self, table: Sitting) -> Left:
        """What is known of a table, with what is held of its reading."""
        result = self._result(table)
        told = self._journal.reading(result.key) if result.key else {}
        photos = {self._journal.content(self._stamps[name]) or "": name for name in self._openable(table)}
        return Left(result, told.get("held"), photos)

    def _look(self, pool: Pool, names: Sequence[str]) -> None:
        tasks = ((name, (self._asked.folder, name)) for name in names)
        for done, (name, told) in enumerate(pool.each(work.content_of, tasks), 1):
            if "sha256" in told:
                self._journal.add_content(self._stamps[name], told["sha256"])
            else:
                self._failed[name] = told["error"]
            self._progress("looking", done, len(names))

    def _read(self, pool: Pool, unread: dict[str, Sitting]) -> None:
        asked = self._asked
        tasks = ((key, (asked.folder, self._openable(t), asked.rules, t.said)) for key, t in unread.items())
        self._progress("reading", 0, len(unread))
        for done, (key, told) in enumerate(pool.each(work.read_table, tasks), 1):
            self._keep(key, unread[key], told)
            self._progress("reading", done, len(unread))

    def _keep(self, key: str, table: Sitting, told: Told) -> None:
        error = told.get("error")
        if error and error["code"] in work.PASSING:
            self._failed[table.photos[0]] = error
            return
        if thumbnail := told.pop("thumbnail", None):
            _write_thumbnail(self._asked.out, key, b64decode(thumbnail))
        told = {part: json.loads(told[part]) if part in ("held", "report") else told[part] for part in told}
        self._journal.add_reading(key, told)

    def _unread(self) -> dict[str, Sitting]:
        """The tables that were not read yet, by what their readings are known by: the same photos are read once."""
        keys = ((self._key(table), table) for table in self._tables)
        return {key: table for key, table in keys if key and key not in self._journal}

    def _key(self, table: Sitting) -> str | None:
        contents = [self._journal.content(self._stamps[name]) for name in self._openable(table)]
        return reading_key(self._asked.rules, [own for own in contents if own]) if any(contents) else None

    def _openable(self, table: Sitting) -> tuple[str, ...]:
        """The table's photos that are there, once each by their content."""
        by_content: dict[str, str] = {}
        for name in table.photos:
            if name in self._stamps and name not in self._failed:
                by_content.setdefault(self._journal.content(self._stamps[name]) or name, name)
        return tuple(by_content.values())

    def _result(self, table: Sitting) -> Result:
        key = self._key(table)
        missing = {name: self._failed.get(name) or _missing(name) for name in table.photos if self._is_missing(name)}
        if key is None or key not in self._journal:
            return Result(table, error=next(iter(missing.values()), _not_read()))
        told = self._journal.reading(key)
        if "held" in told and told["said"] != table.said:
            held = Held.model_validate(told["held"])
            scored = work.scored(held, table.said)
            told = {part: json.loads(scored[part]) if part == "report" else scored[part] for part in scored}
        return Result(table, told.get("report"), told.get("error"), key, tuple(missing.items()))

    def _is_missing(self, name: str) -> bool:
        return name not in self._stamps or name in self._failed


def _missing(name: str) -> dict[str, Any]:
    return {"code": "photo_not_found", "text": "There is no such photo.", "details": {"file": name}}


def _not_read() -> dict[str, Any]:
    return {
        "code": "not_read_yet",
        "text": "The run was broken off before this table: run the same again.",
        "details": {},
    }


def _photos(folder: str) -> Iterator[Stamp]:
    """The pictures in a folder and below, in the order of their names; raises BatchError."""
    try:
        files, root = url_to_fs(folder)
        found = files.find(root, detail=True)
    except (OSError, ValueError, ImportError) as error:
        raise BatchError("folder_unreachable", details={"folder": folder, "reason": str(error)}) from error
    below = len(root.rstrip("/")) + 1
    stamps = [_stamp(path[below:], about) for path, about in sorted(found.items())]
    shown = [own for own in stamps if own.name.lower().endswith(SUFFIXES) and "/." not in f"/{own.name}"]
    if not shown:
        raise BatchError("no_photos", details={"folder": folder})
    yield from shown


def _stamp(name: str, about: dict[str, Any]) -> Stamp:
    ages = (about.get(key) for key in ("mtime", "ETag", "etag", "LastModified", "last_modified", "updated"))
    return Stamp(name, int(about.get("size") or 0), str(next((age for age in ages if age is not None), "")))


def _locked(out: Path) -> FileLock:
    """One run at a time writes to a folder."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        lock = FileLock(out / ".lock")
        lock.acquire(timeout=0)
    except Timeout as error:
        raise BatchError("out_in_use", details={"out": str(out)}) from error
    except OSError as error:
        raise InputError("cannot_write", details={"file": str(out), "reason": error.strerror}) from error
    return lock


def _write_thumbnail(out: Path, key: str, data: bytes) -> None:
    file = out / "thumbnails" / f"{key[:16]}.jpg"
    try:
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(data)
    except OSError as error:
        raise InputError("cannot_write", details={"file": str(file), "reason": error.strerror}) from error
