"""Import of a batch's tables into an event, some at a time, with readings, places and standings in one transaction."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Engine, delete, select, update
from sqlalchemy.orm import Session

from api.server.errors import ServerError
from api.store.event_rows import EventRow, EventTableRow
from api.store.event_sync import (
    CHECKED,
    UNSCORABLE,
    assign_sitting,
    expire_readings,
    lock_event,
    record_decision,
    update_standings,
    update_summary,
)
from api.store.events import Event
from api.store.readings import FOREVER_SECONDS, StoredPhoto
from api.store.tables import REPLACED, ChangeRow, PhotoRow, ReadingRow, StepRow
from api.tournament.sittings import Sitting


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
    sitting: Sitting
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
        session.add_all(
            PhotoRow(reading=new.id, number=p.number, key=p.key, width=p.width, height=p.height) for p in new.photos
        )
        session.add(ChangeRow(reading=new.id, made=int(time.time()), who="", what="read", step=None))
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
        attempts=1,
        created=int(time.time()),
        expires=FOREVER_SECONDS,
        shared_correction=False,
        version=1,
    )


def _save_table(session: Session, event: Event, entry: TableEntry) -> None:
    row = session.get(EventTableRow, entry.row, populate_existing=True) if entry.row is not None else None
    if row is None:
        row = EventTableRow(event=event.id, reading=None, coming=None, by_hand=False, version=0)
        record_decision(row, None)
    assign_sitting(row, entry.sitting)
    row.position, row.key = entry.position, entry.key
    row.error, row.missing, row.version = entry.error, entry.missing, row.version + 1
    if entry.reading is not None:
        if row.decided == CHECKED or (row.decided == UNSCORABLE and row.reading is None):
            record_decision(row, None)
        row.reading = entry.reading.id
    with session.no_autoflush:  # a new row is complete only with its summary
        update_summary(row, session.scalar(select(ReadingRow.report).where(ReadingRow.id == row.reading)))
    session.add(row)
