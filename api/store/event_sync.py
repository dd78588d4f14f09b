"""Events follow their readings: a changed reading updates its table and the standings in the same transaction."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from sqlalchemy import ColumnElement, CompoundSelect, delete, insert, or_, select, union, update
from sqlalchemy.orm import Session

from api.errors import build_error_document
from api.server.errors import ServerError
from api.store.tables import REPLACED, DecisionRow, EventRow, EventTableRow, ReadingRow, StandingRow, StepRow
from api.tournament.listed_tables import ListedTable
from api.tournament.results import Result, Row, extract_table_score, summarise_result
from api.tournament.standings import TIE_BREAKERS, Standing, TableScore, compute_standings
from scoring.carcassonne.board.box_rules import read_box_choices
from scoring.carcassonne.final.table import read_label_table, write_label_table

CHECKED, UNSCORABLE = "checked", "unscorable"
SAME_AS = "same_as"
"""Key of the photo of another table that has the same content as one of a table's photos."""
_USUAL_RULES = "usual_box_rules"
"""Key of the box rules for all tables, beside the fields of a label."""
TABLE_ORDER = (EventTableRow.position, EventTableRow.id)
"""Order in which an event's tables are read."""


def update_event_tables(session: Session, reading: str) -> None:
    """Update the tables of a reading after its change; a table that was checked is reopened."""
    before = select(EventTableRow.reading).where(EventTableRow.coming == reading)
    session.execute(select(ReadingRow.id).where(ReadingRow.id.in_(before)).with_for_update())  # as it may be released
    for event in _list_events(session, reading):
        lock_event(session, event)
        read = session.get_one(ReadingRow, reading, populate_existing=True)
        for row in session.scalars(select(EventTableRow).where(EventTableRow.reading == reading)):
            row.error, row.version = read.error, row.version + 1
            if row.decided == CHECKED:
                record_decision(row, None)
            update_summary(row, read.report)
        for row in session.scalars(select(EventTableRow).where(EventTableRow.coming == reading)):
            _arrive(session, row, read)
        update_standings(session, event)


def detach_reading(session: Session, reading: str, error: dict[str, Any]) -> None:
    """Record in an event the reason why it lost a reading."""
    for event in _list_events(session, reading):
        lock_event(session, event)
        for row in session.scalars(select(EventTableRow).where(EventTableRow.reading == reading)):
            row.reading, row.error, row.version = None, error, row.version + 1
            update_summary(row, None)
        for row in session.scalars(select(EventTableRow).where(EventTableRow.coming == reading)):
            row.coming, row.version = None, row.version + 1
            if row.reading is None:
                row.error = error
        update_standings(session, event)


def expire_readings(session: Session, tables: ColumnElement[bool]) -> None:
    """Expire the readings of some tables, done or coming: they go with the next sweep.

    A concurrent correction is refused, since the version changes.
    """
    change = update(ReadingRow).where(ReadingRow.id.in_(select_readings(tables)))
    values = {"expires": REPLACED, "version": ReadingRow.version + 1}
    session.execute(change.values(values), execution_options={"synchronize_session": False})


def select_readings(tables: ColumnElement[bool]) -> CompoundSelect[Any]:
    """Select the ids of all readings, done or coming, of some tables."""
    return union(select(EventTableRow.reading).where(tables), select(EventTableRow.coming).where(tables))


def is_touched(session: Session, row: EventTableRow, carried_version: int | None = None) -> bool:
    """Return whether a person has corrected a table's reading or decided the table, so that it must not be replaced.

    Corrections of its `carried_version` carry over to the other reading and do not count.
    """
    if row.reading is None:
        return False
    corrected = select(StepRow.id).join(ReadingRow, ReadingRow.id == StepRow.reading).limit(1)
    corrected = corrected.where(StepRow.reading == row.reading)
    if carried_version is not None:
        corrected = corrected.where(ReadingRow.version != carried_version)
    return row.decided is not None or session.scalar(corrected) is not None


def _list_events(session: Session, reading: str) -> Sequence[str]:
    its = or_(EventTableRow.reading == reading, EventTableRow.coming == reading)
    return session.scalars(select(EventTableRow.event).where(its).distinct()).all()


def _arrive(session: Session, row: EventTableRow, read: ReadingRow) -> None:
    """Let a pending reading take its place, unless it failed or a person was faster."""
    options, row.coming, row.version = read.asked, None, row.version + 1
    added = {"made": read.created, "who": options["who"], "what": "added", "reason": ""}
    session.add(DecisionRow(event=row.event, event_table=row.id, **added))
    if read.error is None and not is_touched(session, row, options.get("version")):
        expire_readings(session, EventTableRow.id == row.id)
        row.reading, row.photos, row.error, row.missing, row.by_hand = read.id, options["files"], None, [], True
        record_decision(row, None)
    else:
        read.expires = REPLACED
        _refuse(row, options, read.error or build_error_document(ServerError("conflict"))["error"])
    update_summary(row, session.scalar(select(ReadingRow.report).where(ReadingRow.id == row.reading)))


def _refuse(row: EventTableRow, options: Mapping[str, Any], error: dict[str, Any]) -> None:
    """Record why photos were not added to a table: for the whole table if it has no others."""
    if row.reading is None:
        row.error, row.photos = error, options["files"]
    else:
        row.missing = [*row.missing, *([name, error] for name in options["files"][options["known"] :])]


def lock_event(session: Session, event: str) -> None:
    """Count a change of an event, which locks it until the transaction ends."""
    session.execute(update(EventRow).where(EventRow.id == event).values(version=EventRow.version + 1))


def record_decision(
    row: EventTableRow, what: str | None, who: str = "", reason: str = "", made: int | None = None
) -> None:
    """Record the decision about a table; None for none, or no longer."""
    row.decided, row.who, row.reason, row.decided_at, row.settled = what, who, reason, made, None


def update_summary(row: EventTableRow, report: str | None) -> None:
    """Update a table's summary from its reading's report."""
    summary = summarise_result(build_result(row, report))
    row.status, row.confidence = summary.status, summary.confidence
    row.whole, row.doubts = summary.whole, summary.doubts
    row.scores = [list(score) for score in summary.scores]


def build_result(row: EventTableRow, report: str | None) -> Result:
    """Build the result of a table from its row and its reading's report."""
    table, (missing, shared) = read_listed_table(row), split_photo_faults(row.missing)
    is_unscorable = row.decided == UNSCORABLE
    error = {"code": "not_scorable", "text": row.reason, "details": {}} if is_unscorable else row.error
    if error is not None or report is None:
        return Result(table, error=error, key=row.key, missing=missing, shared=shared)
    return Result(table, json.loads(report), None, row.key, missing, row.decided == CHECKED, shared)


def join_photo_faults(result: Result) -> list[list[Any]]:
    """Join the faults of a table's photos for storage: errors, and photos shared with another table."""
    faults = [[name, error] for name, error in result.missing]
    return faults + [[name, {SAME_AS: other}] for name, other in result.shared]


def split_photo_faults(
    faults: Sequence[Sequence[Any]],
) -> tuple[tuple[tuple[str, dict[str, Any]], ...], tuple[tuple[str, str], ...]]:
    """Split the faults of `join_photo_faults`: photos with their errors, and photos with another table's photo."""
    missing = tuple((name, fault) for name, fault in faults if SAME_AS not in fault)
    return missing, tuple((name, fault[SAME_AS]) for name, fault in faults if SAME_AS in fault)


def read_listed_table(row: EventTableRow) -> ListedTable:
    """Read the players and the facts beside the photos from a table's row."""
    played, usual = read_label_table(row.played), read_box_choices(row.played.get(_USUAL_RULES, {}))
    who = (row.names, row.track, row.wonders)
    return ListedTable(tuple(row.photos), row.contest, row.round, row.name, *who, played, usual)


def build_table_identity(table: ListedTable) -> str:
    """Build the identity of a table in its event: its place, or else its first photo."""
    return json.dumps([table.event, table.round, table.table] if table.table else table.photos[:1], ensure_ascii=False)


def assign_listed_table(row: EventTableRow, table: ListedTable) -> None:
    """Write the players and facts to a row; the inverse of `read_sitting`."""
    row.identity, row.contest, row.round, row.name = build_table_identity(table), table.event, table.round, table.table
    row.photos, row.names = list(table.photos), dict(table.names)
    row.track, row.wonders = dict(table.track), dict(table.wonders)
    usual = {_USUAL_RULES: table.usual_rules.choices} if table.usual_rules else {}
    row.played = {**write_label_table(table.played), **usual}


def update_standings(session: Session, event: str) -> None:
    """Rewrite an event's standings."""
    session.flush()
    session.execute(delete(StandingRow).where(StandingRow.event == event))
    order = session.scalar(select(EventRow.tie_breakers).where(EventRow.id == event)) or TIE_BREAKERS
    placed = [
        _build_standing_row(event, number, standing)
        for number, standing in enumerate(compute_standings(read_scores(session, EventTableRow.event == event), order))
    ]
    if placed:
        session.execute(insert(StandingRow), placed)


def read_scores(session: Session, *tables: ColumnElement[bool]) -> Iterator[TableScore]:
    """Yield the scores of some tables."""
    query = select(EventTableRow.contest, EventTableRow.status, EventTableRow.scores, EventTableRow.whole)
    rows = session.execute(query.where(*tables).order_by(*TABLE_ORDER))
    for contest, status, scores, whole in rows:
        score_rows = [(colour, name, points, place) for colour, name, points, place in scores]
        yield from extract_table_score(Row(ListedTable((), contest), status, tuple(score_rows), whole))


def _build_standing_row(event: str, number: int, standing: Standing) -> dict[str, Any]:
    values = {name: str(value) if isinstance(value, Fraction) else value for name, value in asdict(standing).items()}
    return {**values, "event": event, "position": number, "contest": standing.event}
