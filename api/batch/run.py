"""A batch from its folder to its results: finished readings are reused, unreadable photos set aside."""

from __future__ import annotations

from base64 import b64decode
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from filelock import FileLock, Timeout
from pydantic_core import from_json

from api.batch.journal import JOURNAL, Journal, check_output_folder, compute_reading_key
from api.batch.photo_folder import PhotoFolder, find_photos
from api.batch.work import TaskResult, hash_photos, read_table, score_snapshot
from api.batch.worker_identity import compute_enrolment_digest, compute_text_digest, has_cluster_extra
from api.errors import guard_writing
from api.games.registry import parse_snapshot
from api.tournament.errors import BatchError
from api.tournament.listed_tables import ListedTable, group_photos_by_table
from api.tournament.options_file import BatchOptions, write_batch_options
from api.tournament.results import THUMBNAILS, Result, Summary, write_results
from scoring.carcassonne.board.box_rules import parse_box_rules
from scoring.carcassonne.board.boxes import format_boxes, parse_boxes
from scoring.carcassonne.final.table import Table
from vision.enrolment.durable import write_durably
from vision.errors import InputError

if TYPE_CHECKING:
    from api.batch.local_pool import LocalPool
    from api.batch.pool import ClusterPool

Progress = Callable[[str, int, int], None]
"""Callback with the stage (`looking`, `reading`), the number of items done, and their total."""
_MISSING = {"code": "photo_not_found", "text": "There is no such photo."}
_UNREAD = {
    "code": "not_read_yet",
    "text": "The run was broken off before this table: run the same again.",
    "details": {},
}
PHOTOS_PER_TASK = 8
"""Photos hashed in one task, since handing a task out takes longer than hashing a photo. A guess."""


def run_batch(options: BatchOptions, progress: Progress) -> Summary:
    """Read the tables not read yet and write the results of all; raises BatchError, ClusterError, InputError.

    Finished readings stay in the output folder's journal however a run ends, and the next run continues from there.
    Results are written even after an interruption.
    """
    if options.scheduler is not None:
        if not has_cluster_extra():
            raise BatchError("cluster_missing")
        from api.batch.pool import check_scheduler  # loads Dask, which only a cluster needs

        check_scheduler(options.scheduler)
    check_output_folder(options.out)
    photos = find_photos(options.folder, options.out)
    tables = _group_tables(options, photos)
    with _lock(options.out), Journal(options.out / JOURNAL) as journal, journal.refuse_damage():
        write_batch_options(options)
        job = _BatchRun(options, tables, photos, journal, progress)
        try:
            job.run()
        finally:
            summary = write_results(options.out, job.build_results())
    summary.not_read |= dict.fromkeys(photos.unlisted, "folder_unreachable")
    summary.passed_over, summary.linked_folders = photos.passed_over, photos.linked
    summary.not_used = job.not_used
    return summary


@dataclass(frozen=True, slots=True)
class TableOutcome:
    """Outcome of a table: its result, its reading's snapshot, and its photos' names by their SHA-256."""

    result: Result
    snapshot: dict[str, Any] | None
    photos: Mapping[str, str]


@contextmanager
def open_batch_results(
    options: BatchOptions,
) -> Iterator[tuple[Sequence[ListedTable], Callable[[ListedTable], TableOutcome]]]:
    """Open a batch's tables with their outcomes so far, even while it runs; raises BatchError, InputError."""
    photos = find_photos(options.folder, options.out)
    tables = _group_tables(options, photos)
    with Journal(options.out / JOURNAL, beside=True) as journal, journal.refuse_damage():
        job = _BatchRun(options, tables, photos, journal, lambda stage, done, of: None)
        yield tables, job.get_outcome


def _group_tables(options: BatchOptions, photos: PhotoFolder) -> list[ListedTable]:
    usual = Table(box_rules=parse_box_rules(options.box_rules), boxes=parse_boxes(options.boxes))
    return group_photos_by_table(list(photos.stamps), options.listing, options.pattern, usual)


class _BatchRun:
    """One run; `not_used` maps the addresses of unfit workers to the error code."""

    def __init__(
        self,
        options: BatchOptions,
        tables: Sequence[ListedTable],
        photos: PhotoFolder,
        journal: Journal,
        progress: Progress,
    ) -> None:
        self._options, self._tables, self._folder, self._stamps = options, tables, photos.folder, photos.stamps
        self._journal, self._progress = journal, progress
        self._failed: dict[str, dict[str, Any]] = {}
        self._errors: dict[str, dict[str, Any]] = {}
        self._shared: Mapping[str, str] | None = None
        self._hashed_count = 0
        wonders = compute_text_digest(options.wonders)
        self._inputs = " ".join(filter(None, [options.rules, options.game, compute_enrolment_digest(), wonders]))
        self.not_used: dict[str, str] = {}

    def run(self) -> None:
        """Hash the photos not hashed yet, then read the tables not read yet."""
        # A photo must be hashed again if its file system reports no age.
        stamps = self._stamps.items()
        looked_at = [name for name, stamp in stamps if not stamp.age or self._journal.get_content(stamp) is None]
        unread = self._list_unread() if not looked_at else None
        if unread == {}:
            return
        with _open_pool(self._options.scheduler) as pool:
            try:
                self._hash_all(pool, looked_at)
                self._read(pool, self._list_unread())
            finally:
                self.not_used = {address: error.code for address, error in pool.unfit.items()}

    def build_results(self) -> Iterator[Result]:
        """Yield the result of every table as far as it is read, in the tables' order."""
        self._shared = self._find_shared_photos()
        for table in self._tables:
            yield self._build_result(table)

    def _find_shared_photos(self) -> Mapping[str, str]:
        """Map each photo with the same content as a photo of another table to that photo's name.

        A table that was named is compared only with other named tables: unnamed photos are copies of its own.
        """
        tables_by_content = defaultdict[str, list[tuple[ListedTable, str]]](list)
        for table in self._tables:
            for content, name in self._list_openable(table).items():
                tables_by_content[content].append((table, name))
        shared: dict[str, str] = {}
        for tables in tables_by_content.values():
            named = [(table, name) for table, name in tables if _is_named(table)]
            for table, name in tables if len(tables) > 1 else ():
                others = [*named, *(() if _is_named(table) else tables)]
                if other := next((other for at, other in others if at is not table), None):
                    shared[name] = other
        return shared

    def get_outcome(self, table: ListedTable) -> TableOutcome:
        """Return the outcome of a table: its result, with the snapshot of its reading."""
        if self._shared is None:
            self._shared = self._find_shared_photos()
        result = self._build_result(table)
        outcome = self._journal.get_reading(result.key) if result.key else {}
        return TableOutcome(result, outcome.get("held"), self._list_openable(table))

    def _hash_all(self, pool: LocalPool | ClusterPool, names: Sequence[str]) -> None:
        """Hash photos in groups; if a group kills its workers, hash its photos one by one."""
        if alone := self._hash_groups(pool, _group(names, PHOTOS_PER_TASK), names):
            self._hash_groups(pool, _group(alone, 1), names)

    def _hash_groups(
        self, pool: LocalPool | ClusterPool, groups: Mapping[str, tuple[str, ...]], of: Sequence[str]
    ) -> list[str]:
        """Hash groups of photos; return the photos of groups that failed as a whole."""
        ended: list[str] = []
        for first, result in pool.run_tasks(
            hash_photos, ((first, (self._folder, group)) for first, group in groups.items())
        ):
            if "error" in result and len(groups[first]) > 1:
                ended += groups[first]
                continue
            self._record_hashes(groups[first], result)
            self._hashed_count += len(groups[first])
            self._progress("looking", self._hashed_count, len(of))
        return ended

    def _record_hashes(self, names: tuple[str, ...], result: TaskResult) -> None:
        """Record the hashes of some photos, or the errors of opening them."""
        if "error" in result:
            error: dict[str, Any] = result["error"]
            self._failed.update(dict.fromkeys(names, error))
            return
        for name, digest in result["contents"].items():
            self._journal.add_content(self._stamps[name], digest)
        self._failed.update(result["errors"])

    def _read(self, pool: LocalPool | ClusterPool, unread: dict[str, ListedTable]) -> None:
        self._progress("reading", 0, len(unread))
        for done, (key, result) in enumerate(pool.run_tasks(read_table, self._build_tasks(unread)), 1):
            self._record_reading(key, unread[key], result)
            self._progress("reading", done, len(unread))

    def _build_tasks(self, unread: dict[str, ListedTable]) -> Iterator[tuple[str, tuple[Any, ...]]]:
        for key, table in unread.items():
            if photos := tuple((name, digest) for digest, name in self._list_openable(table).items()):
                options = self._options
                yield key, (self._folder, photos, options.rules, table.said, options.game or "", options.wonders)

    def _record_reading(self, key: str, table: ListedTable, result: TaskResult) -> None:
        """Record permanently the reading of the photos of a table that could be opened."""
        self._failed |= result.pop("passing", {})
        contents = result.pop("contents", [])
        if not contents:
            self._errors[key] = result["error"]
            return
        key = self._key_contents(table, contents)
        if key in self._journal:
            return
        if thumbnail := result.pop("thumbnail", None):
            _write_thumbnail(self._options.out, key, b64decode(thumbnail))
        result = {part: from_json(result[part]) if part in ("held", "report") else result[part] for part in result}
        self._journal.add_reading(key, result)

    def _list_unread(self) -> dict[str, ListedTable]:
        """Return the unread tables by the keys of their readings, so that the same photos are read once."""
        keys = ((self._compute_key(table), table) for table in self._tables)
        return {key: table for key, table in keys if key and key not in self._journal}

    def _compute_key(self, table: ListedTable) -> str | None:
        contents = list(self._list_openable(table))
        return self._key_contents(table, contents) if contents else None

    def _key_contents(self, table: ListedTable, contents: list[str]) -> str:
        """Return the key of the reading of photos with these `contents`, which uses the table's copies of boxes."""
        return compute_reading_key(" ".join(filter(None, [self._inputs, format_boxes(table.played.boxes)])), contents)

    def _list_openable(self, table: ListedTable) -> dict[str, str]:
        """Return the table's photos that exist and are hashed, one for each content."""
        by_content: dict[str, str] = {}
        for name in table.photos:
            if not self._is_missing(name) and (content := self._journal.get_content(self._stamps[name])):
                by_content.setdefault(content, name)
        return by_content

    def _build_result(self, table: ListedTable) -> Result:
        key = self._compute_key(table)
        missing = {
            name: self._failed.get(name) or {**_MISSING, "details": {"file": name}}
            for name in table.photos
            if self._is_missing(name)
        }
        if key is None or key not in self._journal:
            errors = [*filter(None, [self._errors.get(key or "")]), *missing.values(), _UNREAD]
            return Result(table, error=errors[0])
        outcome = self._journal.get_reading(key)
        if "held" in outcome and outcome.get("said") != table.said:
            anew = score_snapshot(parse_snapshot(outcome["held"]), table.said)
            outcome = {part: from_json(anew[part]) if part == "report" else anew[part] for part in anew}
        same = self._shared or {}
        shared = tuple((name, same[name]) for name in table.photos if name in same)
        return Result(table, outcome.get("report"), outcome.get("error"), key, tuple(missing.items()), shared=shared)

    def _is_missing(self, name: str) -> bool:
        return name not in self._stamps or name in self._failed


def _is_named(table: ListedTable) -> bool:
    """Return whether the listing names the table or its players."""
    return bool(table.table or table.names)


def _open_pool(scheduler: str | None) -> LocalPool | ClusterPool:
    """Open the workers of a cluster, or of this machine if none is named; raises ClusterError."""
    if scheduler is None:
        from api.batch.local_pool import LocalPool

        return LocalPool()
    from api.batch.pool import ClusterPool

    return ClusterPool(scheduler)


def _group(names: Sequence[str], size: int) -> dict[str, tuple[str, ...]]:
    """Group names into tuples of a size, by the first name of each group."""
    return {names[i]: tuple(names[i : i + size]) for i in range(0, len(names), size)}


def _lock(out: Path) -> FileLock:
    """Lock the output folder, to which only one run may write at a time."""
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
    with guard_writing(file):
        file.parent.mkdir(exist_ok=True)
        write_durably(file, data, file.with_name(f".{file.name}.draft"))
