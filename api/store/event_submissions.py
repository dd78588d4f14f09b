"""Submission of photos at an event: a queued reading and its table, added in one transaction."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Engine, delete, func, select
from sqlalchemy.orm import Session

from api.errors import build_error_document
from api.server.errors import ServerError
from api.store.event_rows import EventRow, EventTableRow
from api.store.event_sync import (
    assign_sitting,
    build_table_identity,
    is_touched,
    lock_event,
    record_decision,
    update_summary,
)
from api.store.events import EventTable
from api.store.readings import FOREVER_SECONDS
from api.store.tables import ReadingRow
from api.tournament.sittings import Sitting

_NOT_READ = build_error_document(ServerError("not_read_yet"))["error"]


class SubmissionStore:
    """Store that adds photos to the events of a database.

    The options of such a reading hold, beside the usual ones, `contents` (SHA-256 of each photo submitted for it and
    before), `known` (how many of its files the table had before), `who` submitted them, and `version`: the version of
    the table's former reading, whose corrections carry over to this one.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def fill_contest(self, event: str, sitting: Sitting) -> Sitting:
        """Fill in a table's contest if none is named: the contest of the event's other tables, if there is only one."""
        if sitting.event:
            return sitting
        with Session(self._engine) as session:
            names = session.scalars(select(EventTableRow.contest).where(EventTableRow.event == event).distinct()).all()
        return replace(sitting, event=names[0] if len(names) == 1 else "")

    def find_table(self, event: str, sitting: Sitting) -> int | None:
        """Return the id of the table at a place, if there is one."""
        with Session(self._engine) as session:
            return _find_table_id(session, event, sitting)

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

    def add(self, event: str, sitting: Sitting, reading: str, options: dict[str, Any]) -> None:
        """Add a table and its queued reading; raises ServerError `not_found`, `table_exists`."""
        with Session(self._engine) as session, session.begin():
            _queue(session, event, reading, options)
            lock_event(session, event)
            if (there := _find_table_id(session, event, sitting)) is not None:
                raise ServerError("table_exists", details={"table": there})
            last = session.scalar(select(func.max(EventTableRow.position)).where(EventTableRow.event == event))
            row = EventTableRow(event=event, position=0 if last is None else last + 1, key="", reading=None, version=0)
            assign_sitting(row, sitting)
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
    row = ReadingRow(
        id=reading,
        token_hash=event_row.token_hash,
        status="queued",
        asked=options,
        attempts=1,
        created=int(time.time()),
        expires=FOREVER_SECONDS,
        shared_correction=False,
        version=0,
    )
    session.add(row)
    session.flush()


def _find_table_id(session: Session, event: str, sitting: Sitting) -> int | None:
    query = select(EventTableRow.id).where(EventTableRow.event == event)
    return session.scalar(query.where(EventTableRow.identity == build_table_identity(sitting)))
