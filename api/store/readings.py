"""Readings in the database, with the tree of their corrections; every method is one transaction, from any thread."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

from sqlalchemy import Engine, delete, func, select, update
from sqlalchemy.orm import Session, undefer
from sqlalchemy.orm.interfaces import ORMOption

from api.errors import build_error_document
from api.server.errors import ServerError
from api.store import event_sync as following
from api.store.tables import (
    REPLACED,
    ChangeRow,
    GamePhotoRow,
    InstallationRow,
    PhotoRow,
    ReadingRow,
    StepRow,
    get_seconds,
)

Status = Literal["queued", "done", "failed"]
FOREVER_SECONDS = 253_402_300_799
"""Last second of the year 9999: the expiry of a reading that is kept as long as its event."""
ChangeKind = Literal["read", "failed", "corrected", "reset", "undone", "redone", "shared", "unshared"]
"""Kinds of changes of a reading."""


@dataclass(frozen=True, slots=True)
class StoredPhoto:
    """A photo of a reading: its key in the store, and its size in pixels."""

    number: int
    key: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class StoredReading:
    """A stored reading; `options` were sent with the photos, `report` is the current report as JSON."""

    id: str
    token_hash: str
    status: Status
    options: dict[str, Any]
    error: dict[str, Any] | None
    report: str | None
    attempts: int
    created: int
    expires: int
    shared_correction: bool
    version: int
    history: History
    photos: tuple[StoredPhoto, ...]

    def get_report_json(self) -> str:
        """Return the current report; raises ServerError `not_read_yet`."""
        if self.report is None:
            raise ServerError("not_read_yet")
        return self.report


_COPIED_COLUMNS = tuple(
    column.name for column in fields(StoredReading) if column.name not in ("options", "history", "photos")
)


class ReadingStore:
    """Readings of a database; expired ones are not found."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def get_installation_id(self) -> str:
        """Return the id that identifies this database."""
        with Session(self.engine) as session:
            return session.scalars(select(InstallationRow.id)).one()

    def list_ids(self) -> set[str]:
        """Return the ids of all readings."""
        with Session(self.engine) as session:
            return set(session.scalars(select(ReadingRow.id)))

    def add(self, reading: str, token_hash: str, options: dict[str, Any], keep_seconds: float) -> None:
        """Add a queued reading."""
        expires = get_seconds() + int(keep_seconds)
        row = ReadingRow(id=reading, token_hash=token_hash, status="queued", asked=options, expires=expires)
        with Session(self.engine) as session, session.begin():
            session.add(row)

    def get(self, reading: str) -> StoredReading:
        """Return a reading; raises ServerError `not_found`."""
        with Session(self.engine) as session:
            return _load_reading(session, _get_row(session, reading))

    def get_snapshot(self, reading: str) -> str:
        """Return the snapshot of a reading, as JSON; raises ServerError `not_found`, `not_read_yet`."""
        with Session(self.engine) as session:
            row = _get_row(session, reading, undefer(ReadingRow.held))
            if row.held is None:
                raise ServerError("not_read_yet")
            return row.held

    def finish(self, reading: str, snapshot: str, report: str, photos: Sequence[StoredPhoto]) -> bool:
        """Store the result of a reading; return False if the reading was deleted in the meantime."""
        with Session(self.engine) as session, session.begin():
            if not _end(session, reading, "read", status="done", held=snapshot, report=report):
                return False
            session.add_all(PhotoRow(reading=reading, **asdict(photo)) for photo in photos)
            return True

    def fail(self, reading: str, error: dict[str, Any]) -> bool:
        """Record that a reading failed; return False if it was deleted or finished in the meantime."""
        with Session(self.engine) as session, session.begin():
            return _end(session, reading, "failed", status="failed", error=error)

    def count_attempt(self, reading: str) -> None:
        """Count another attempt at an unfinished reading."""
        with Session(self.engine) as session, session.begin():
            change = update(ReadingRow).where(ReadingRow.id == reading)
            session.execute(change.values(attempts=ReadingRow.attempts + 1))

    def delete(self, reading: str) -> None:
        """Delete a reading and all its data except its photos' files."""
        with Session(self.engine) as session, session.begin():
            following.detach_reading(session, reading, build_error_document(ServerError("not_found"))["error"])
            session.execute(delete(ReadingRow).where(ReadingRow.id == reading))

    def list_unfinished(self) -> list[StoredReading]:
        """Return the unfinished readings, oldest first."""
        with Session(self.engine) as session:
            rows = session.scalars(select(ReadingRow).where(ReadingRow.status == "queued").order_by(ReadingRow.created))
            return [_load_reading(session, row) for row in rows]

    def find_newest(self) -> int | None:
        """Return the creation time of the newest reading, or None if there is none."""
        with Session(self.engine) as session:
            return session.scalar(select(func.max(ReadingRow.created)))

    def list_expired(self, by_clock: bool = True) -> list[StoredReading]:
        """Return the expired readings; without `by_clock`, only those that were replaced by others."""
        latest = time.time() if by_clock else REPLACED
        with Session(self.engine) as session:
            rows = session.scalars(select(ReadingRow).where(ReadingRow.expires <= latest))
            return [_load_reading(session, row) for row in rows]

    def list_used(self) -> tuple[set[str], set[str]]:
        """Return the keys of all photos of finished readings and of games, and the ids of queued readings."""
        with Session(self.engine) as session:
            waiting = set(session.scalars(select(ReadingRow.id).where(ReadingRow.status == "queued")))
            return {*session.scalars(select(PhotoRow.key)), *session.scalars(select(GamePhotoRow.key))}, waiting

    def list_changes(self, reading: str) -> list[ChangeRecord]:
        """Return all changes of a reading, in order."""
        query = select(ChangeRow, StepRow.corrections).outerjoin(StepRow, StepRow.id == ChangeRow.step)
        with Session(self.engine) as session:
            rows = session.execute(query.where(ChangeRow.reading == reading).order_by(ChangeRow.id))
            return [ChangeRecord(row.made, row.who, row.what, row.step, corrections or []) for row, corrections in rows]

    def share(self, reading: StoredReading, allowed: bool, who: str = "") -> None:
        """Set whether everyone with the id may correct; raises ServerError `conflict`."""
        with Session(self.engine) as session, session.begin():
            _change(session, reading, shared_correction=allowed)
            _note(session, reading.id, "shared" if allowed else "unshared", who)

    def undo(self, reading: StoredReading, report: str, who: str = "") -> None:
        """Go back to the step before the current one; raises ServerError `conflict`."""
        with Session(self.engine) as session, session.begin():
            _change(session, reading, step=reading.history.before, report=report)
            _note(session, reading.id, "undone", who, reading.history.at)

    def redo(self, reading: StoredReading, report: str, who: str = "") -> None:
        """Go forward to the newest step after the current one; raises ServerError `conflict`."""
        with Session(self.engine) as session, session.begin():
            _change(session, reading, step=reading.history.after, report=report)
            _note(session, reading.id, "redone", who, reading.history.after)

    def add_step(self, reading: StoredReading, corrections: list[Any], reset: bool, report: str, who: str = "") -> None:
        """Add a step and make it current; raises ServerError `conflict`."""
        step = StepRow(reading=reading.id, parent=reading.history.at, reset=reset, corrections=corrections)
        with Session(self.engine) as session, session.begin():
            _change(session, reading)
            session.add(step)
            session.flush()
            session.execute(update(ReadingRow).where(ReadingRow.id == reading.id).values(step=step.id, report=report))
            _note(session, reading.id, "reset" if reset else "corrected", who, step.id)


def _get_row(session: Session, reading: str, *options: ORMOption) -> ReadingRow:
    """Return the row of an unexpired reading; an id with NUL, which PostgreSQL's texts cannot hold, is not found."""
    row = None if "\0" in reading else session.get(ReadingRow, reading, options=options)
    if row is None or row.expires <= time.time():
        raise ServerError("not_found")
    return row


def _change(session: Session, reading: StoredReading, **values: Any) -> None:
    """Change a reading that still has the given version; raises ServerError `conflict`."""
    change = update(ReadingRow).where(ReadingRow.id == reading.id, ReadingRow.version == reading.version)
    changed = session.connection().execute(change.values(version=reading.version + 1, **values))
    if changed.rowcount != 1:
        raise ServerError("conflict", details={"version": reading.version})


def _end(session: Session, reading: str, what: ChangeKind, **values: Any) -> bool:
    """Finish a queued reading; return False if there is none."""
    change = update(ReadingRow).where(ReadingRow.id == reading, ReadingRow.status == "queued")
    changed = session.connection().execute(change.values(version=ReadingRow.version + 1, **values))
    if changed.rowcount == 1:
        _note(session, reading, what)
    return changed.rowcount == 1


def _note(session: Session, reading: str, what: ChangeKind, who: str = "", step: int | None = None) -> None:
    """Record a change in the transaction that makes it, and update the tables of events."""
    session.add(ChangeRow(reading=reading, who=who, what=what, step=step))
    if what not in ("shared", "unshared"):
        following.update_event_tables(session, reading)


def _load_reading(session: Session, row: ReadingRow) -> StoredReading:
    steps = session.scalars(select(StepRow).where(StepRow.reading == row.id).order_by(StepRow.id))
    photos = session.scalars(select(PhotoRow).where(PhotoRow.reading == row.id).order_by(PhotoRow.number))
    history = History([Step(s.id, s.parent, s.reset, s.corrections) for s in steps], row.step)
    stored_photos = tuple(StoredPhoto(p.number, p.key, p.width, p.height) for p in photos)
    copied = {name: getattr(row, name) for name in _COPIED_COLUMNS}
    return StoredReading(options=row.asked, history=history, photos=stored_photos, **copied)


@dataclass(frozen=True, slots=True)
class Step:
    """Corrections made at once, on top of `parent` (None: of the reading); `reset` discards all earlier ones."""

    id: int
    parent: int | None
    reset: bool
    corrections: list[Any]


@dataclass(frozen=True, slots=True)
class ChangeRecord:
    """A change of a reading, `made` in seconds since 1970, by `who` (empty: unknown).

    `step` was made, undone or redone (None: none), with its `corrections`.
    """

    made: int
    who: str
    what: ChangeKind
    step: int | None
    corrections: list[Any]


@dataclass(frozen=True, slots=True)
class History:
    """All steps in the order they were made, and the current one (None: the reading as it was read)."""

    steps: Sequence[Step]
    at: int | None

    @property
    def corrections(self) -> list[Any]:
        """Corrections in force, in order."""
        by_id = {step.id: step for step in self.steps}
        parts: list[list[Any]] = []
        step = by_id.get(self.at or 0)
        while step is not None and not step.reset:
            parts.append(step.corrections)
            step = by_id.get(step.parent or 0)
        return [correction for part in reversed(parts) for correction in part]

    @property
    def before(self) -> int | None:
        """Step that undo leads to."""
        return next((step.parent for step in self.steps if step.id == self.at), None)

    @property
    def after(self) -> int | None:
        """Step that redo leads to: the newest child of the current step, None if it has none."""
        return max((step.id for step in self.steps if step.parent == self.at), default=None)

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to undo."""
        return self.at is not None

    @property
    def can_redo(self) -> bool:
        """Whether there is a step to redo."""
        return self.after is not None
