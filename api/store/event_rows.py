"""Tables of events in the database. Times are whole seconds since 1970, UTC."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Double, ForeignKey, Integer, String, UniqueConstraint, false
from sqlalchemy.orm import Mapped, mapped_column

from api.store.tables import Base, Seconds


class EventRow(Base):
    """A tournament; `version` counts all changes in it, `source` is the id of the batch it was imported from.

    `tie_breakers` are the ranking criteria in order, empty for the default. `box_rules` are the stated choices on
    boxes' own rules, for all tables.
    """

    __tablename__ = "events"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    token_hash: Mapped[str] = mapped_column(String(64))
    name: Mapped[str]
    rules: Mapped[str] = mapped_column(String(40))
    source: Mapped[str | None] = mapped_column(String(64), unique=True)
    created: Mapped[Seconds]
    version: Mapped[int]
    tie_breakers: Mapped[list[Any]] = mapped_column(server_default="[]", default=list)
    box_rules: Mapped[dict[str, Any]] = mapped_column(server_default="{}", default=dict)


class EventTableRow(Base):
    """A table of an event: its place, the facts beside its photos, their result, and the decision about it.

    `identity` distinguishes it from the others: its place in the event, or its photo. `contest` is the event's name in
    the listing, since a batch may hold several; `played` is the table as in a label; `key` is that of the batch's
    reading. `missing` are photos that were not read, each with an error or with the photo of another table that has the
    same content. `status`, `confidence`, `whole`, `doubts` and `scores` summarise its reading, as
    `api.tournament.results.Row` does. `decided` is `checked` or `unscorable` (with a `reason`), with person and time;
    `settled` is the step of the reading that was made with it. `coming` is a pending reading of submitted photos, which
    replaces `reading` once it is done; `by_hand` is set if the table has submitted photos: no batch changes it then.
    """

    __tablename__ = "event_tables"
    __table_args__ = (UniqueConstraint("event", "identity", name="uq_event_tables_event_identity"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    event: Mapped[str] = mapped_column(ForeignKey("events.id", ondelete="CASCADE"), index=True)
    identity: Mapped[str]
    position: Mapped[int]
    contest: Mapped[str]
    round: Mapped[str]
    name: Mapped[str]
    photos: Mapped[list[Any]]
    names: Mapped[dict[str, Any]]
    track: Mapped[dict[str, Any]]
    wonders: Mapped[dict[str, Any]]
    played: Mapped[dict[str, Any]] = mapped_column(server_default="{}")
    key: Mapped[str] = mapped_column(String(64))
    reading: Mapped[str | None] = mapped_column(ForeignKey("readings.id", ondelete="SET NULL"), index=True)
    error: Mapped[dict[str, Any] | None]
    missing: Mapped[list[Any]]
    status: Mapped[str] = mapped_column(String(8))
    confidence: Mapped[float | None] = mapped_column(Double)
    whole: Mapped[bool]
    doubts: Mapped[int]
    scores: Mapped[list[Any]]
    version: Mapped[int]
    decided: Mapped[str | None] = mapped_column(String(12))
    reason: Mapped[str]
    who: Mapped[str] = mapped_column(String(80))
    decided_at: Mapped[Seconds | None]
    settled: Mapped[int | None]
    coming: Mapped[str | None] = mapped_column(ForeignKey("readings.id", ondelete="SET NULL"), index=True)
    by_hand: Mapped[bool] = mapped_column(server_default=false())


class DecisionRow(Base):
    """An act on a table: `checked`, `unscorable` with a `reason`, `reopened`, or `added` photos.

    Rows are only ever added.
    """

    __tablename__ = "decisions"

    id: Mapped[int] = mapped_column(primary_key=True)
    event: Mapped[str] = mapped_column(ForeignKey("events.id", ondelete="CASCADE"), index=True)
    event_table: Mapped[int] = mapped_column(ForeignKey("event_tables.id", ondelete="CASCADE"), index=True)
    made: Mapped[Seconds]
    who: Mapped[str] = mapped_column(String(80))
    what: Mapped[str] = mapped_column(String(12))
    reason: Mapped[str]


class StandingRow(Base):
    """The present standings, by `api.tournament.standings`; `wins` and `share` are fractions in Python's notation.

    They are rewritten in the transaction of every change that affects them.
    """

    __tablename__ = "standings"

    event: Mapped[str] = mapped_column(ForeignKey("events.id", ondelete="CASCADE"), primary_key=True)
    position: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    contest: Mapped[str]
    place: Mapped[int]
    player: Mapped[str]
    tables: Mapped[int]
    wins: Mapped[str]
    points: Mapped[int]
    share: Mapped[str]
    final_only: Mapped[int]
    doubtful: Mapped[int]
