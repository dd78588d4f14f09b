"""Additions to an event: tables of a batch, some at a time, and submitted photos, each with its reading at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Engine, delete, func, select, update
from sqlalchemy.orm import Session

from api.errors import build_error_document
from api.server.errors import ServerError
from api.store.event_sync import (
    CHECKED,
    UNSCORABLE,
    assign_listed_table,
    build_table_identity,
    expire_readings,
    is_touched,
    lock_event,
    record_decision,
    update_standings,
    update_summary,
)
from api.store.events import Event, EventTable
from api.store.readings import FOREVER_SECONDS, StoredPhoto
from api.store.tables import REPLACED, ChangeRow, EventRow, EventTableRow, PhotoRow, ReadingRow, StepRow
from api.tournament.listed_tables import ListedTable

_NOT_READ = build_error_document(ServerError("not_read_yet"))["error"]


@dataclass(frozen=True, slots=True)
class ImportedReading:
    """A reading made elsewhere; `corrections` are facts known beside its photos, already in its report."""

    id: str
    rules: str
    files: tuple[str, ...]
    corrections: list[Any]
    snapshot: str
    report: str
    photos: tuple[StoredPhoto, ...]


@dataclass(frozen=True, slots=True)
class RestatedReading:
    """A reading's report with other facts beside its photos; refused if the reading has another version."""

    id: str
    version: int
    options: dict[str, Any]
    report: str


@dataclass(frozen=True, slots=True)
class TableEntry:
    """A table to import, in place of an existing `row` or as a new one."""

    row: int | None
    position: int
    listed_table: ListedTable
    key: str
    error: dict[str, Any] | None
    missing: list[Any]
    reading: ImportedReading | None = None
    restated: RestatedReading | None = None


class TableImporter:
    """Importer of tables into the events of a database."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def list_touched(self, event: str) -> set[int]:
        """List the tables that a person has decided or corrected: their readings are not replaced."""
        with Session(self._engine) as session:
            rows = select(EventTableRow.id).where(EventTableRow.event == event)
            decided = session.scalars(
                rows.where(EventTableRow.decided.is_not(None), EventTableRow.reading.is_not(None))
            )
            corrected = session.scalars(rows.join(StepRow, StepRow.reading == EventTableRow.reading))
            return {*decided, *corrected}

    def import_tables(self, event: Event, entries: Sequence[TableEntry]) -> None:
        """Import some tables with their readings; raises ServerError `conflict`, `not_found`."""
        with Session(self._engine) as session, session.begin():
            for entry in entries:  # readings are locked before the event, as everywhere
                _save_reading(session, event, entry)
            session.flush()
            lock_event(session, event.id)
            if session.get(EventRow, event.id) is None:
                raise ServerError("not_found")
            for entry in entries:
                _save_table(session, event, entry)
            update_standings(session, event.id)

    def drop(self, event: Event, tables: Sequence[int]) -> None:
        """Remove tables that are no longer in the event, and expire their readings."""
        with Session(self._engine) as session, session.begin():
            expire_readings(session, EventTableRow.id.in_(tables))
            lock_event(session, event.id)
            session.execute(delete(EventTableRow).where(EventTableRow.id.in_(tables)))
            update_standings(session, event.id)


def _save_reading(session: Session, event: Event, entry: TableEntry) -> None:
    if (new := entry.reading) is not None:
        if entry.row is not None:
            before = select(EventTableRow.reading).where(EventTableRow.id == entry.row)
            session.execute(update(ReadingRow).where(ReadingRow.id.in_(before)).values(expires=REPLACED))
        session.add(_build_reading_row(event, new))
        session.flush()
        session.add_all(PhotoRow(reading=new.id, **asdict(photo)) for photo in new.photos)
        session.add(ChangeRow(reading=new.id, who="", what="read", step=None))
    if (restated := entry.restated) is not None:
        change = update(ReadingRow).where(ReadingRow.id == restated.id, ReadingRow.version == restated.version)
        values = {"version": restated.version + 1, "asked": restated.options, "report": restated.report}
        if session.connection().execute(change.values(**values)).rowcount != 1:
            raise ServerError("conflict", details={"version": restated.version})


def _build_reading_row(event: Event, new: ImportedReading) -> ReadingRow:
    return ReadingRow(
        id=new.id,
        token_hash=event.token_hash,
        status="done",
        asked={"rules": new.rules, "track": {}, "files": list(new.files), "said": new.corrections},
        held=new.snapshot,
        report=new.report,
        expires=FOREVER_SECONDS,
        version=1,
    )


def _save_table(session: Session, event: Event, entry: TableEntry) -> None:
    row = session.get(EventTableRow, entry.row, populate_existing=True) if entry.row is not None else None
    if row is None:
        row = EventTableRow(event=event.id, reading=None, coming=None, by_hand=False, version=0)
        record_decision(row, None)
    assign_listed_table(row, entry.listed_table)
    row.position, row.key = entry.position, entry.key
    row.error, row.missing, row.version = entry.error, entry.missing, row.version + 1
    if entry.reading is not None:
        if row.decided == CHECKED or (row.decided == UNSCORABLE and row.reading is None):
            record_decision(row, None)
        row.reading = entry.reading.id
    with session.no_autoflush:  # a new row is complete only with its summary
        update_summary(row, session.scalar(select(ReadingRow.report).where(ReadingRow.id == row.reading)))
    session.add(row)


class SubmissionStore:
    """Store that adds photos to the events of a database.

    The options of such a reading hold, beside the usual ones, `contents` (SHA-256 of each photo submitted for it and
    before), `known` (how many of its files the table had before), `who` submitted them, and `version`: the version of
    the table's former reading, whose corrections carry over to this one.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def find_table(self, event: str, listed_table: ListedTable) -> int | None:
        """Return the id of the table at a place, if there is one."""
        with Session(self._engine) as session:
            return _find_table_id(session, event, listed_table)

    def list_contents(self, readings: Sequence[str]) -> set[str]:
        """Return the contents (SHA-256) of all photos submitted for some readings."""
        return {content for options in self.list_options(readings) for content in options.get("contents", ())}

    def list_options(self, readings: Sequence[str]) -> list[dict[str, Any]]:
        """Return the options with which some readings were submitted, if they still exist."""
        with Session(self._engine) as session:
            return list(session.scalars(select(ReadingRow.asked).where(ReadingRow.id.in_(readings))))

    def list_wonders(self, reading: str | None) -> list[dict[str, Any]]:
        """Return the layouts of wonders, as in their files, that were sent with the photos of a reading."""
        with Session(self._engine) as session:
            options = session.scalar(select(ReadingRow.asked).where(ReadingRow.id == reading))
            return list((options or {}).get("wonders", ()))

    def add(self, event: str, listed_table: ListedTable, reading: str, options: dict[str, Any]) -> None:
        """Add a table and its queued reading; raises ServerError `not_found`, `table_exists`."""
        with Session(self._engine) as session, session.begin():
            _queue(session, event, reading, options)
            lock_event(session, event)
            if (there := _find_table_id(session, event, listed_table)) is not None:
                raise ServerError("table_exists", details={"table": there})
            last = session.scalar(select(func.max(EventTableRow.position)).where(EventTableRow.event == event))
            row = EventTableRow(event=event, position=0 if last is None else last + 1, key="", reading=None, version=0)
            assign_listed_table(row, listed_table)
            row.error, row.missing = _NOT_READ, []
            row.coming, row.by_hand = reading, True
            record_decision(row, None)
            update_summary(row, None)
            session.add(row)

    def add_to(self, table: EventTable, reading: str, options: dict[str, Any]) -> None:
        """Add a reading of all photos to an existing table, which keeps its former reading until this one is done.

        Raises ServerError `already_checked` if a person has corrected the former reading or decided the table,
        `conflict`, `not_found`.
        """
        with Session(self._engine) as session, session.begin():
            _queue(session, table.event, reading, options)
            lock_event(session, table.event)
            row = session.get(EventTableRow, table.id)
            if row is None:
                raise ServerError("not_found")
            if is_touched(session, row, options.get("version")):
                raise ServerError("already_checked")
            if row.version != table.version:
                raise ServerError("conflict", details={"version": row.version})
            row.coming, row.version = reading, row.version + 1

    def take_back(self, reading: str) -> None:
        """Undo an addition whose reading cannot be queued."""
        with Session(self._engine) as session, session.begin():
            its = select(EventTableRow.id, EventTableRow.event).where(EventTableRow.coming == reading)
            table = session.execute(its).one_or_none()
            session.execute(delete(ReadingRow).where(ReadingRow.id == reading))
            if table is None:
                return
            lock_event(session, table.event)
            row = session.get(EventTableRow, table.id)
            if row is not None and row.by_hand and row.reading is None and row.error == _NOT_READ:
                session.delete(row)


def _queue(session: Session, event: str, reading: str, options: dict[str, Any]) -> None:
    """Add a queued reading; readings are locked before the event, as everywhere."""
    event_row = session.get(EventRow, event)
    if event_row is None:
        raise ServerError("not_found")
    keeping = {"token_hash": event_row.token_hash, "expires": FOREVER_SECONDS}
    session.add(ReadingRow(id=reading, status="queued", asked=options, **keeping))
    session.flush()


def _find_table_id(session: Session, event: str, listed_table: ListedTable) -> int | None:
    query = select(EventTableRow.id).where(EventTableRow.event == event)
    return session.scalar(query.where(EventTableRow.identity == build_table_identity(listed_table)))
