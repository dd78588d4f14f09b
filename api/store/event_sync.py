"""Events follow their readings: what changes in one is summed up, and moves the standings, in the same transaction."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, CompoundSelect, delete, insert, or_, select, union, update
from sqlalchemy.orm import Session

from api.errors import error_document
from api.server.errors import ServerError
from api.store.event_rows import DecisionRow, EventRow, EventTableRow, StandingRow
from api.store.tables import ReadingRow, StepRow
from api.tournament.results import Result, Row, counted, summed
from api.tournament.sittings import Sitting
from api.tournament.standings import Standing, TableScore, standings

CHECKED, UNSCORABLE = "checked", "unscorable"
IN_ORDER = (EventTableRow.position, EventTableRow.id)
"""How an event's tables are gone through."""


def follow(session: Session, reading: str) -> None:
    """Take over what a reading says now, where it is an event's; it was not checked like that."""
    before = select(EventTableRow.reading).where(EventTableRow.coming == reading)
    session.execute(select(ReadingRow.id).where(ReadingRow.id.in_(before)).with_for_update())  # as it may be let go
    for event in _events_of(session, reading):
        lock(session, event)
        read = session.get_one(ReadingRow, reading, populate_existing=True)
        for row in session.scalars(select(EventTableRow).where(EventTableRow.reading == reading)):
            row.error, row.version = read.error, row.version + 1
            if row.decided == CHECKED:
                decide(row, None)
            sum_up(row, read.report)
        for row in session.scalars(select(EventTableRow).where(EventTableRow.coming == reading)):
            _arrive(session, row, read)
        stand(session, event)


def forget(session: Session, reading: str, error: dict[str, Any]) -> None:
    """Have an event know why it has a reading no longer."""
    for event in _events_of(session, reading):
        lock(session, event)
        for row in session.scalars(select(EventTableRow).where(EventTableRow.reading == reading)):
            row.reading, row.error, row.version = None, error, row.version + 1
            sum_up(row, None)
        for row in session.scalars(select(EventTableRow).where(EventTableRow.coming == reading)):
            row.coming, row.version = None, row.version + 1
            if row.reading is None:
                row.error = error
        stand(session, event)


def let_go(session: Session, tables: ColumnElement[bool]) -> None:
    """Have the readings of some tables, done or coming, be past their time: they go with the next sweep.

    Who is about to correct one is told that it has changed.
    """
    change = update(ReadingRow).where(ReadingRow.id.in_(readings_of(tables)))
    values = {"expires": 0, "version": ReadingRow.version + 1}
    session.execute(change.values(values), execution_options={"synchronize_session": False})


def readings_of(tables: ColumnElement[bool]) -> CompoundSelect[Any]:
    """The ids of all readings, done or coming, of some tables."""
    return union(select(EventTableRow.reading).where(tables), select(EventTableRow.coming).where(tables))


def is_touched(session: Session, row: EventTableRow) -> bool:
    """Whether a person has said something of a table's reading, which is not given up for another then."""
    if row.reading is None:
        return False
    corrected = select(StepRow.id).where(StepRow.reading == row.reading).limit(1)
    return row.decided is not None or session.scalar(corrected) is not None


def _events_of(session: Session, reading: str) -> Sequence[str]:
    its = or_(EventTableRow.reading == reading, EventTableRow.coming == reading)
    return session.scalars(select(EventTableRow.event).where(its).distinct()).all()


def _arrive(session: Session, row: EventTableRow, read: ReadingRow) -> None:
    """Have what a table waited for take its place; what failed, or comes after a person's word, does not."""
    asked, row.coming, row.version = read.asked, None, row.version + 1
    added = {"made": read.created, "who": asked["who"], "what": "added", "reason": ""}
    session.add(DecisionRow(event=row.event, event_table=row.id, **added))
    if read.error is None and not is_touched(session, row):
        let_go(session, EventTableRow.id == row.id)
        row.reading, row.photos, row.error, row.missing, row.by_hand = read.id, asked["files"], None, [], True
        decide(row, None)
    else:
        read.expires = 0
        _refuse(row, asked, read.error or error_document(ServerError("conflict"))["error"])
    sum_up(row, session.scalar(select(ReadingRow.report).where(ReadingRow.id == row.reading)))


def _refuse(row: EventTableRow, asked: Mapping[str, Any], error: dict[str, Any]) -> None:
    """Note why photos did not come to be a table's: for the whole of it where it has no others."""
    if row.reading is None:
        row.error, row.photos = error, asked["files"]
    else:
        row.missing = [*row.missing, *([name, error] for name in asked["files"][asked["known"] :])]


def lock(session: Session, event: str) -> None:
    """Count a change of an event; until the transaction ends nobody else changes it."""
    session.execute(update(EventRow).where(EventRow.id == event).values(version=EventRow.version + 1))


def decide(row: EventTableRow, what: str | None, who: str = "", reason: str = "", made: int | None = None) -> None:
    """Note what was decided of a table; None for nothing, or no longer."""
    row.decided, row.who, row.reason, row.decided_at, row.settled = what, who, reason, made, None


def sum_up(row: EventTableRow, report: str | None) -> None:
    """Sum a table up anew, from its reading's report."""
    own = summed(result_of(row, report))
    row.status, row.confidence, row.whole, row.doubts = own.status, own.confidence, own.whole, own.doubts
    row.scores = [list(score) for score in own.scores]


def result_of(row: EventTableRow, report: str | None) -> Result:
    """A table as the results have it."""
    table, missing = sitting_of(row), tuple((name, error) for name, error in row.missing)
    error = unscorable(row.reason) if row.decided == UNSCORABLE else row.error
    if error is not None or report is None:
        return Result(table, error=error, key=row.key, missing=missing)
    return Result(table, json.loads(report), None, row.key, missing, row.decided == CHECKED)


def unscorable(reason: str) -> dict[str, Any]:
    """Why a table that a person took out of the scores has none."""
    return {"code": "not_scorable", "text": reason, "details": {}}


def sitting_of(row: EventTableRow) -> Sitting:
    """Who sat where, and what is known beside the photos."""
    return Sitting(tuple(row.photos), row.contest, row.round, row.name, row.names, row.track, row.wonders)


def identity_of(table: Sitting) -> str:
    """What tells a table from the others of its event: its place, or else its first photo."""
    return json.dumps([table.event, table.round, table.table] if table.table else table.photos[:1], ensure_ascii=False)


def seat(row: EventTableRow, table: Sitting) -> None:
    """Have a row say who sat where: the inverse of `sitting_of`."""
    row.identity, row.contest, row.round, row.name = identity_of(table), table.event, table.round, table.table
    row.photos, row.names = list(table.photos), dict(table.names)
    row.track, row.wonders = dict(table.track), dict(table.wonders)


def stand(session: Session, event: str) -> None:
    """Write an event's standings anew."""
    session.flush()
    session.execute(delete(StandingRow).where(StandingRow.event == event))
    placed = [_standing_row(event, number, own) for number, own in enumerate(standings(_scores(session, event)))]
    if placed:
        session.execute(insert(StandingRow), placed)


def _scores(session: Session, event: str) -> Iterator[TableScore]:
    asked = select(EventTableRow.contest, EventTableRow.status, EventTableRow.scores, EventTableRow.whole)
    rows = session.execute(asked.where(EventTableRow.event == event).order_by(*IN_ORDER))
    for contest, status, scores, whole in rows:
        told = [(colour, name, points, place) for colour, name, points, place in scores]
        yield from counted(Row(Sitting((), contest), status, tuple(told), whole))


def _standing_row(event: str, number: int, own: Standing) -> dict[str, Any]:
    return {
        "event": event,
        "position": number,
        "contest": own.event,
        "place": own.place,
        "player": own.player,
        "tables": own.tables,
        "wins": str(own.wins),
        "points": own.points,
        "share": str(own.share),
        "final_only": own.final_only,
        "doubtful": own.doubtful,
    }
