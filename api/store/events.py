"""Events in the database; every method is one transaction and may be called from any thread."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, Literal

from sqlalchemy import Engine, and_, delete, select, update
from sqlalchemy.orm import Session

from api.server.errors import ServerError
from api.store.database import begin_snapshot
from api.store.event_sync import (
    CHECKED,
    TABLE_ORDER,
    build_result,
    expire_readings,
    lock_event,
    read_listed_table,
    read_scores,
    record_decision,
    select_readings,
    update_standings,
    update_summary,
)
from api.store.readings import ChangeKind
from api.store.rosters import read_roster
from api.store.tables import ChangeRow, DecisionRow, EventRow, EventTableRow, ReadingRow, StandingRow, get_seconds
from api.tournament.listed_tables import ListedTable
from api.tournament.results import Result
from api.tournament.roster import Pairing
from api.tournament.standings import TIE_BREAKERS, Standing, TieBreaker, compute_standings
from scoring.carcassonne.board.box_rules import UNSAID, BoxRules

ROWS_PER_FETCH = 20
"""Rows fetched together when all are iterated. Bounds memory."""

AUTOMATIC_CHANGES = ("read", "failed")
"""Kinds of changes that no person makes."""

Verdict = Literal["checked", "unscorable", "reopened"]


@dataclass(frozen=True, slots=True)
class Event:
    """A stored tournament."""

    id: str
    token_hash: str
    name: str
    rules: str
    created: int
    version: int
    tie_breakers: tuple[TieBreaker, ...] = TIE_BREAKERS
    box_rules: BoxRules = UNSAID


@dataclass(frozen=True, slots=True)
class TablePlace:
    """The place of a table: the names of its event and contest, its round, and its number or name."""

    event: str
    contest: str
    round: str
    table: str


@dataclass(frozen=True, slots=True)
class EventTable:
    """A stored table of an event: see `api.store.tables.EventTableRow`."""

    listed_table: ListedTable
    id: int
    event: str
    position: int
    key: str
    reading: str | None
    error: dict[str, Any] | None
    missing: list[Any]
    status: str
    confidence: float | None
    whole: bool
    doubts: int
    scores: list[list[Any]]
    version: int
    decided: str | None
    reason: str
    who: str
    decided_at: int | None
    settled: int | None
    coming: str | None
    by_hand: bool


@dataclass(frozen=True, slots=True)
class EventOverview:
    """An event with its tables in order, its standings and its roster, at one moment."""

    event: Event
    tables: tuple[EventTable, ...]
    standings: tuple[Standing, ...]
    roster: tuple[Pairing, ...]


@dataclass(frozen=True, slots=True)
class Act:
    """An act on a table, in seconds since 1970: a change of its reading, or a decision (with a `reason`)."""

    made: int
    who: str
    what: ChangeKind | Verdict | Literal["added"]
    table: int
    reason: str = ""


class EventStore:
    """Events of a database."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def add(
        self,
        event: str,
        token_hash: str,
        name: str,
        rules: str,
        source: str | None = None,
        tie_breakers: Sequence[TieBreaker] = TIE_BREAKERS,
        box_rules: BoxRules = UNSAID,
    ) -> None:
        """Add an event without tables."""
        row = EventRow(id=event, token_hash=token_hash, name=name, rules=rules, source=source)
        row.tie_breakers, row.box_rules = list(tie_breakers), box_rules.choices
        with Session(self._engine) as session, session.begin():
            session.add(row)

    def get(self, event: str) -> Event:
        """Return an event; raises ServerError `not_found`."""
        with Session(self._engine) as session:
            return _build_event(_get_event_row(session, event))

    def find_by_source(self, source: str) -> Event | None:
        """Return the event that was imported from a batch, by the batch's id."""
        with Session(self._engine) as session:
            row = session.scalar(select(EventRow).where(EventRow.source == source))
            return None if row is None else _build_event(row)

    def list_tables(self, event: str) -> list[EventTable]:
        """Return all tables of an event, in order."""
        with Session(self._engine) as session:
            return list(_read_tables(session, event))

    def get_table(self, event: str, table: int) -> EventTable:
        """Return a table of an event; raises ServerError `not_found`."""
        with Session(self._engine) as session:
            return _build_table(_get_table_row(session, event, table))

    def find_table(self, reading: str) -> EventTable | None:
        """Return the table of a reading, None if it belongs to no event."""
        with Session(self._engine) as session:
            row = session.scalar(select(EventTableRow).where(EventTableRow.reading == reading))
            return None if row is None else _build_table(row)

    def find_place(self, reading: str) -> TablePlace | None:
        """Return the place of a reading in an event, None if it belongs to none."""
        query = select(EventRow.name, EventTableRow.contest, EventTableRow.round, EventTableRow.name)
        at_event = query.join(EventTableRow, EventTableRow.event == EventRow.id)
        with Session(self._engine) as session:
            row = session.execute(at_event.where(EventTableRow.reading == reading)).first()
        return None if row is None else TablePlace(*row)

    def list_standings(self, event: str, round: str | None = None) -> list[Standing]:
        """Return the present standings of an event, or of one of its rounds; raises ServerError `not_found`."""
        with Session(self._engine) as session:
            if round is None:
                return list(_read_standings(session, event))
            order = _build_event(_get_event_row(session, event)).tie_breakers
            tables = EventTableRow.event == event, EventTableRow.round == round
            return compute_standings(read_scores(session, *tables), order)

    def get_overview(self, event: str) -> EventOverview:
        """Return an event with its tables and standings at one moment; raises ServerError `not_found`."""
        with Session(self._engine) as session:
            begin_snapshot(session)
            row = _get_event_row(session, event)
            tables, standings = tuple(_read_tables(session, event)), tuple(_read_standings(session, event))
            return EventOverview(_build_event(row), tables, standings, read_roster(session, event))

    def decide(self, table: EventTable, what: Verdict, who: str, reason: str = "", settled: int | None = None) -> None:
        """Add a decision, effective at once; `settled` is the step of the reading that was made with it.

        Raises ServerError `conflict`, and `not_read_yet` for a check of a table without points.
        """
        now = get_seconds()
        with Session(self._engine) as session, session.begin():
            lock_event(session, table.event)
            row = _get_table_row(session, table.event, table.id)
            if row.version != table.version:
                raise ServerError("conflict", details={"version": row.version})
            if what == CHECKED and (row.reading is None or row.error is not None):
                raise ServerError("not_read_yet")
            made = {"made": now, "who": who, "what": what, "reason": reason}
            session.add(DecisionRow(event=table.event, event_table=table.id, **made))
            row.version += 1
            in_force, since = (None, None) if what == "reopened" else (what, now)
            record_decision(row, in_force, who, reason, since)
            row.settled = settled
            update_summary(row, session.scalar(select(ReadingRow.report).where(ReadingRow.id == row.reading)))
            update_standings(session, table.event)

    def list_acts(self, event: str) -> list[Act]:
        """Return all acts of people on an event's tables, newest last."""
        with Session(self._engine) as session:
            joined = select(ChangeRow, EventTableRow.id).join(EventTableRow, EventTableRow.reading == ChangeRow.reading)
            by_people = joined.where(EventTableRow.event == event, ChangeRow.what.not_in(AUTOMATIC_CHANGES))
            changes = session.execute(by_people).all()
            decisions = session.scalars(select(DecisionRow).where(DecisionRow.event == event)).all()
            acts = [Act(row.made, row.who, row.what, table) for row, table in changes]  # type: ignore[arg-type]
            acts += [Act(row.made, row.who, row.what, row.event_table, row.reason) for row in decisions]  # type: ignore[arg-type]
        return sorted(acts, key=lambda act: act.made)

    def iterate_results(self, event: str) -> Iterator[Result]:
        """Yield every table's result in order, all of one moment; only a few rows are in memory at a time."""
        query = select(EventTableRow, ReadingRow.report).outerjoin(ReadingRow, ReadingRow.id == EventTableRow.reading)
        ordered = query.where(EventTableRow.event == event).order_by(*TABLE_ORDER)
        with Session(self._engine) as session:
            for row, report in session.execute(ordered.execution_options(yield_per=ROWS_PER_FETCH)):
                yield build_result(row, report)

    def rank(self, event: str, tie_breakers: Sequence[TieBreaker]) -> None:
        """Rank an event's players by other criteria, effective at once; raises ServerError `not_found`."""
        with Session(self._engine) as session, session.begin():
            lock_event(session, event)
            _get_event_row(session, event).tie_breakers = list(tie_breakers)
            update_standings(session, event)

    def set_box_rules(self, event: str, rules: BoxRules) -> None:
        """Set an event's choices on boxes' own rules; raises ServerError `not_found`."""
        with Session(self._engine) as session, session.begin():
            lock_event(session, event)
            _get_event_row(session, event).box_rules = rules.choices

    def renew(self, event: str, token_hash: str) -> None:
        """Replace the token of an event and its readings."""
        readings = select_readings(EventTableRow.event == event)
        with Session(self._engine) as session, session.begin():
            session.execute(update(ReadingRow).where(ReadingRow.id.in_(readings)).values(token_hash=token_hash))
            session.execute(update(EventRow).where(EventRow.id == event).values(token_hash=token_hash))

    def delete(self, event: str) -> None:
        """Delete an event; its readings expire and go with the next sweep."""
        with Session(self._engine) as session, session.begin():
            expire_readings(session, EventTableRow.event == event)
            session.execute(delete(EventRow).where(EventRow.id == event))

    def delete_table(self, event: str, table: int) -> None:
        """Delete one of its tables in the same way; raises ServerError `not_found`."""
        with Session(self._engine) as session, session.begin():
            expire_readings(session, and_(EventTableRow.event == event, EventTableRow.id == table))
            lock_event(session, event)
            session.delete(_get_table_row(session, event, table))
            update_standings(session, event)


_COPIED_COLUMNS = tuple(column.name for column in fields(EventTable) if column.name != "listed_table")


def _get_event_row(session: Session, event: str) -> EventRow:
    # PostgreSQL's texts cannot hold NUL.
    row = None if "\0" in event else session.get(EventRow, event, populate_existing=True)
    if row is None:
        raise ServerError("not_found")
    return row


def _read_tables(session: Session, event: str) -> Iterator[EventTable]:
    rows = select(EventTableRow).where(EventTableRow.event == event).order_by(*TABLE_ORDER)
    return map(_build_table, session.scalars(rows))


def _read_standings(session: Session, event: str) -> Iterator[Standing]:
    rows = select(StandingRow).where(StandingRow.event == event).order_by(StandingRow.position)
    return map(_build_standing, session.scalars(rows))


def _get_table_row(session: Session, event: str, table: int) -> EventTableRow:
    row = session.get(EventTableRow, table, populate_existing=True)
    if row is None or row.event != event:
        raise ServerError("not_found")
    return row


def _build_event(row: EventRow) -> Event:
    order = tuple(row.tie_breakers) or TIE_BREAKERS
    rules = BoxRules.of(row.box_rules)
    return Event(row.id, row.token_hash, row.name, row.rules, row.created, row.version, order, rules)


def _build_table(row: EventTableRow) -> EventTable:
    return EventTable(read_listed_table(row), **{name: getattr(row, name) for name in _COPIED_COLUMNS})


def _build_standing(row: StandingRow) -> Standing:
    copied = {name: getattr(row, name) for name in ("place", "player", "tables", "points", "final_only", "doubtful")}
    return Standing(event=row.contest, wins=Fraction(row.wins), share=Fraction(row.share), **copied)
