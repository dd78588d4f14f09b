"""Events follow their readings: what changes in one is summed up, and moves the standings, in the same transaction."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from sqlalchemy import delete, insert, select, update
from sqlalchemy.orm import Session

from api.batch.listing import Sitting
from api.batch.results import Result, Row, counted, summed
from api.batch.standings import Standing, TableScore, standings
from api.store.event_rows import EventRow, EventTableRow, StandingRow
from api.store.tables import ReadingRow

CHECKED, UNSCORABLE = "checked", "unscorable"


def follow(session: Session, reading: str) -> None:
    """Take over what a reading says now, where it is an event's; it was not checked like that."""
    for event in session.scalars(select(EventTableRow.event).where(EventTableRow.reading == reading)).all():
        lock(session, event)
        read = session.execute(select(ReadingRow.report, ReadingRow.error).where(ReadingRow.id == reading)).one()
        for row in session.scalars(select(EventTableRow).where(EventTableRow.reading == reading)):
            row.error, row.version = read.error, row.version + 1
            if row.decided == CHECKED:
                decide(row, None)
            sum_up(row, read.report)
        stand(session, event)


def forget(session: Session, reading: str, error: dict[str, Any]) -> None:
    """Have an event know why it has a reading no longer."""
    for event in session.scalars(select(EventTableRow.event).where(EventTableRow.reading == reading)).all():
        lock(session, event)
        for row in session.scalars(select(EventTableRow).where(EventTableRow.reading == reading)):
            row.reading, row.error, row.version = None, error, row.version + 1
            sum_up(row, None)
        stand(session, event)


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


def stand(session: Session, event: str) -> None:
    """Write an event's standings anew."""
    session.flush()
    session.execute(delete(StandingRow).where(StandingRow.event == event))
    placed = [_standing_row(event, number, own) for number, own in enumerate(standings(_scores(session, event)))]
    if placed:
        session.execute(insert(StandingRow), placed)


def _scores(session: Session, event: str) -> Iterator[TableScore]:
    asked = select(EventTableRow.contest, EventTableRow.status, EventTableRow.scores, EventTableRow.whole)
    rows = session.execute(asked.where(EventTableRow.event == event).order_by(EventTableRow.position))
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
