"""A batch from its folder to its results: what was done before is not done again, what cannot be read is set aside."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from pydantic_core import from_json

from api.batch.journal import JOURNAL, Journal, Stamp, compute_reading_key
from api.batch.options_file import Asked, write_batch_options
from api.batch.output_folder import check_output_folder
from api.batch.photo_folder import Found, find_photos
from api.batch.pool import Pool
from api.batch.work import Told, hash_photos, read_table, score_snapshot
from api.batch.worker_identity import compute_enrolment_digest
from api.games.snapshots import parse_snapshot
from api.tournament.errors import BatchError
from api.tournament.results import THUMBNAILS, Result, Summary, write_results
from api.tournament.sittings import Sitting, group_photos_by_table
from vision.errors import InputError

Progress = Callable[[str, int, int], None]
"""Told what is being done (`looking`, `reading`), how much of it, of how much."""
LOOKED_TOGETHER = 8
"""Photos whose content one task tells: handing a task out takes longer than that."""


def run_batch(asked: Asked, progress: Progress) -> Summary:
    """Read what was not read before and write the results of all; raises BatchError, ClusterError, InputError.

    What was read stays in the output folder's journal, whatever ends a run: the next one goes on from there. Results
    are written also where a run was interrupted.
    """
    check_output_folder(asked.out)
    found = find_photos(asked.folder, asked.out)
    tables = group_photos_by_table(list(found.stamps), asked.listing, asked.pattern)
    with _locked(asked.out), Journal(asked.out / JOURNAL) as journal:
        write_batch_options(asked)
        job = _Job(asked, tables, found, journal, progress)
        try:
            job.do()
        finally:
            summary = write_results(asked.out, job.results())
    summary.not_read |= dict.fromkeys(found.unlisted, "folder_unreachable")
    summary.passed_over, summary.linked_folders = found.passed_over, found.linked
    summary.not_used = job.not_used
    return summary


@dataclass(frozen=True, slots=True)
class Left:
    """What a batch has of a table: its result, what is held of its reading, and its photos' names by their SHA-256."""

    result: Result
    held: dict[str, Any] | None
    photos: Mapping[str, str]


@contextmanager
def open_batch_results(asked: Asked) -> Iterator[tuple[Sequence[Sitting], Callable[[Sitting], Left]]]:
    """A batch's tables, and what it has left of each until now, also while it runs; raises BatchError, InputError."""
    found = find_photos(asked.folder, asked.out)
    tables = group_photos_by_table(list(found.stamps), asked.listing, asked.pattern)
    with Journal(asked.out / JOURNAL, beside=True) as journal:
        job = _Job(asked, tables, found, journal, lambda stage, done, of: None)
        yield tables, job.left


class _Job:
    """One run; `not_used` are workers that were unfit, by the code of the reason."""

    def __init__(
        self, asked: Asked, tables: Sequence[Sitting], found: Found, journal: Journal, progress: Progress
    ) -> None:
        self._asked, self._tables, self._folder, self._stamps = asked, tables, found.folder, found.stamps
        self._journal, self._progress = journal, progress
        self._failed: dict[str, dict[str, Any]] = {}
        self._errors: dict[str, dict[str, Any]] = {}
        self._seen = 0
        self._by = " ".join(filter(None, [asked.rules, asked.game, compute_enrolment_digest()]))
        self.not_used: dict[str, str] = {}

    def do(self) -> None:
        """Look at the photos that are not known, then read the tables that were not read."""
        looked_at = [name for name, stamp in self._stamps.items() if not self._is_known(stamp)]
        unread = self._unread() if not looked_at else None
        if unread == {}:
            return
        with Pool(self._asked.scheduler) as pool:
            try:
                self._look(pool, looked_at)
                self._read(pool, self._unread())
            finally:
                self.not_used = {address: error.code for address, error in pool.unfit.items()}

    def results(self) -> Iterator[Result]:
        """What is known of every table now, in the tables' order."""
        for table in self._tables:
            yield self._result(table)

    def _is_known(self, stamp: Stamp) -> bool:
        """Whether its content need not be looked at: where the place tells no ages, it may have changed."""
        return bool(stamp.age) and self._journal.content(stamp) is not None

    def left(self, table: Sitting) -> Left:
        """What is known of a table, with what is held of its reading."""
        result = self._result(table)
        told = self._journal.reading(result.key) if result.key else {}
        return Left(result, told.get("held"), self._openable(table))

    def _look(self, pool: Pool, names: Sequence[str]) -> None:
        """Have photos' contents told, several by one task; where that takes its workers with it, each by its own."""
        if alone := self._look_at(pool, _grouped(names, LOOKED_TOGETHER), names):
            self._look_at(pool, _grouped(alone, 1), names)

    def _look_at(self, pool: Pool, groups: Mapping[str, tuple[str, ...]], of: Sequence[str]) -> list[str]:
        """The photos of groups that ended as a whole, of which nothing is known yet."""
        ended: list[str] = []
        for first, told in pool.each(hash_photos, ((first, (self._folder, group)) for first, group in groups.items())):
            if "error" in told and len(groups[first]) > 1:
                ended += groups[first]
                continue
            self._looked(groups[first], told)
            self._seen += len(groups[first])
            self._progress("looking", self._seen, len(of))
        return ended

    def _looked(self, names: tuple[str, ...], told: Told) -> None:
        """Remember what was told of some photos, or why they could not be opened."""
        if "error" in told:
            error: dict[str, Any] = told["error"]
            self._failed.update(dict.fromkeys(names, error))
            return
        for name, digest in told["contents"].items():
            self._journal.add_content(self._stamps[name], digest)
        self._failed.update(told["errors"])

    def _read(self, pool: Pool, unread: dict[str, Sitting]) -> None:
        self._progress("reading", 0, len(unread))
        for done, (key, told) in enumerate(pool.each(read_table, self._tasks(unread)), 1):
            self._keep(key, told)
            self._progress("reading", done, len(unread))

    def _tasks(self, unread: dict[str, Sitting]) -> Iterator[tuple[str, tuple[Any, ...]]]:
        for key, table in unread.items():
            if photos := tuple((name, digest) for digest, name in self._openable(table).items()):
                yield key, (self._folder, photos, self._asked.rules, table.said, self._asked.game or "")

    def _keep(self, key: str, told: Told) -> None:
        """Remember for good what the photos that could be opened told."""
        self._failed |= told.pop("passing", {})
        contents = told.pop("contents", [])
        if not contents:
            self._errors[key] = told["error"]
            return
        key = compute_reading_key(self._by, contents)
        if key in self._journal:
            return
        if thumbnail := told.pop("thumbnail", None):
            _write_thumbnail(self._asked.out, key, b64decode(thumbnail))
        told = {part: from_json(told[part]) if part in ("held", "report") else told[part] for part in told}
        self._journal.add_reading(key, told)

    def _unread(self) -> dict[str, Sitting]:
        """The tables that were not read yet, by what their readings are known by: the same photos are read once."""
        keys = ((self._key(table), table) for table in self._tables)
        return {key: table for key, table in keys if key and key not in self._journal}

    def _key(self, table: Sitting) -> str | None:
        contents = list(self._openable(table))
        return compute_reading_key(self._by, contents) if contents else None

    def _openable(self, table: Sitting) -> dict[str, str]:
        """The table's photos that are there and were looked at, once each by their content."""
        by_content: dict[str, str] = {}
        for name in table.photos:
            if not self._is_missing(name) and (content := self._journal.content(self._stamps[name])):
                by_content.setdefault(content, name)
        return by_content

    def _result(self, table: Sitting) -> Result:
        key = self._key(table)
        missing = {name: self._failed.get(name) or _missing(name) for name in table.photos if self._is_missing(name)}
        if key is None or key not in self._journal:
            errors = [*filter(None, [self._errors.get(key or "")]), *missing.values(), _not_read()]
            return Result(table, error=errors[0])
        told = self._journal.reading(key)
        if "held" in told and told["said"] != table.said:
            anew = score_snapshot(parse_snapshot(told["held"]), table.said)
            told = {part: from_json(anew[part]) if part == "report" else anew[part] for part in anew}
        return Result(table, told.get("report"), told.get("error"), key, tuple(missing.items()))

    def _is_missing(self, name: str) -> bool:
        return name not in self._stamps or name in self._failed


def _grouped(names: Sequence[str], size: int) -> dict[str, tuple[str, ...]]:
    """So many at a time, by the first of them."""
    return {names[i]: tuple(names[i : i + size]) for i in range(0, len(names), size)}


def _missing(name: str) -> dict[str, Any]:
    return {"code": "photo_not_found", "text": "There is no such photo.", "details": {"file": name}}


def _not_read() -> dict[str, Any]:
    return {
        "code": "not_read_yet",
        "text": "The run was broken off before this table: run the same again.",
        "details": {},
    }


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
    file = out / THUMBNAILS / f"{key[:16]}.jpg"
    try:
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(data)
    except OSError as error:
        raise InputError("cannot_write", details={"file": str(file), "reason": error.strerror}) from error
