"""Tables of the database, those of events among them. Times are whole seconds since 1970, UTC."""

from __future__ import annotations

import time
from typing import Annotated, Any

from sqlalchemy import JSON, BigInteger, Double, ForeignKey, Integer, MetaData, String, UniqueConstraint, false
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}

Seconds = Annotated[int, mapped_column(Integer().with_variant(BigInteger(), "postgresql"))]
"""Seconds since 1970: SQLite's integers hold any value, PostgreSQL's plain ones end in 2038."""
REPLACED = 0
"""Expiry of a reading that was replaced by another: past on every clock."""


def get_seconds() -> int:
    """Return the present time in whole seconds since 1970."""
    return int(time.time())


class Base(DeclarativeBase):
    """Base of all tables."""

    metadata = MetaData(naming_convention=NAMES)
    type_annotation_map = {dict[str, Any]: JSON, list[Any]: JSON}  # noqa: RUF012 - read by SQLAlchemy, never written


class ReadingRow(Base):
    """A reading: its options (`asked`), its snapshot (`held`), and the report with the corrections up to `step`."""

    __tablename__ = "readings"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    token_hash: Mapped[str] = mapped_column(String(64))
    status: Mapped[str] = mapped_column(String(8), index=True)
    asked: Mapped[dict[str, Any]]
    error: Mapped[dict[str, Any] | None]
    held: Mapped[str | None] = mapped_column(deferred=True)
    report: Mapped[str | None]
    attempts: Mapped[int] = mapped_column(default=1)
    created: Mapped[Seconds] = mapped_column(default=get_seconds)
    expires: Mapped[Seconds] = mapped_column(index=True)
    shared_correction: Mapped[bool] = mapped_column(default=False)
    version: Mapped[int] = mapped_column(default=0)
    step: Mapped[int | None]


class PhotoRow(Base):
    """A photo of a reading: its number in the report, and its key in the store."""

    __tablename__ = "photos"

    reading: Mapped[str] = mapped_column(ForeignKey("readings.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(String(64))
    width: Mapped[int]
    height: Mapped[int]


class StepRow(Base):
    """Corrections made at once, on top of those of `parent`; rows are only ever added.

    With `reset`, earlier corrections are discarded. The reading's `step` points to the current step: undo moves it to
    the parent, redo to the newest child.
    """

    __tablename__ = "steps"

    id: Mapped[int] = mapped_column(primary_key=True)
    reading: Mapped[str] = mapped_column(ForeignKey("readings.id", ondelete="CASCADE"), index=True)
    parent: Mapped[int | None]
    reset: Mapped[bool]
    corrections: Mapped[list[Any]]
    made: Mapped[Seconds] = mapped_column(default=get_seconds)


class ChangeRow(Base):
    """A change of a reading, one row for each of its versions; rows are only ever added.

    `what` is one of `api.store.readings.ChangeKind`, `who` is the person's name (empty: unknown), `step` is the step
    made, undone or redone (None: none).
    """

    __tablename__ = "changes"

    id: Mapped[int] = mapped_column(primary_key=True)
    reading: Mapped[str] = mapped_column(ForeignKey("readings.id", ondelete="CASCADE"), index=True)
    made: Mapped[Seconds] = mapped_column(default=get_seconds)
    who: Mapped[str] = mapped_column(String(80))
    what: Mapped[str] = mapped_column(String(16))
    step: Mapped[int | None]


class EnrolmentRow(Base):
    """An enrolment: its name, the bytes of its file (`vision.enrolment.prints`), and their SHA-256 in hex."""

    __tablename__ = "enrolments"

    name: Mapped[str] = mapped_column(String(64), primary_key=True)
    digest: Mapped[str] = mapped_column(String(64))
    created: Mapped[Seconds]
    data: Mapped[bytes] = mapped_column(deferred=True)


class EarlierEnrolmentRow(Base):
    """An enrolment before a change: the bytes of its file, None if there was none; `changed` has fractions of seconds,
    to be compared with those of files."""

    __tablename__ = "earlier_enrolments"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(64), index=True)
    changed: Mapped[float] = mapped_column(Double)
    data: Mapped[bytes | None] = mapped_column(deferred=True)


class InstallationRow(Base):
    """The single row that identifies this database: an id, created with the table."""

    __tablename__ = "installation"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)


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
    created: Mapped[Seconds] = mapped_column(default=get_seconds)
    version: Mapped[int] = mapped_column(default=0)
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


class PairingRow(Base):
    """A table of an event's roster: its place, its players' `names` by colour, and `players` whose colours are open."""

    __tablename__ = "pairings"

    event: Mapped[str] = mapped_column(ForeignKey("events.id", ondelete="CASCADE"), primary_key=True)
    position: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    contest: Mapped[str]
    round: Mapped[str]
    name: Mapped[str]
    names: Mapped[dict[str, Any]]
    players: Mapped[list[Any]]


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


class GameRow(Base):
    """A game kept by its photos: its settings, and its document with the corrections made.

    `inputs` counts the changes that the document follows from, `documented` those that it follows; `problem` is the
    error of a game without a document. `version` counts all changes.
    """

    __tablename__ = "games"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    token_hash: Mapped[str] = mapped_column(String(64))
    settings: Mapped[dict[str, Any]]
    created: Mapped[Seconds] = mapped_column(default=get_seconds)
    expires: Mapped[Seconds] = mapped_column(index=True)
    finished: Mapped[Seconds | None]
    version: Mapped[int] = mapped_column(default=0)
    inputs: Mapped[int] = mapped_column(default=0)
    documented: Mapped[int] = mapped_column(default=0)
    document: Mapped[str | None]
    problem: Mapped[dict[str, Any] | None]


class GamePhotoRow(Base):
    """A photo of a game: its number in order of arrival, the client's own id for it, and its key in the store.

    `sha256` is that of the file as it was sent. `status` is one of `api.store.games.PhotoStatus`; `error` states why
    the photo could not be read.
    """

    __tablename__ = "game_photos"
    __table_args__ = (UniqueConstraint("game", "client_id", name="uq_game_photos_game_client_id"),)

    game: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    client_id: Mapped[str] = mapped_column(String(64))
    sha256: Mapped[str] = mapped_column(String(64))
    key: Mapped[str] = mapped_column(String(64))
    width: Mapped[int]
    height: Mapped[int]
    status: Mapped[str] = mapped_column(String(8), index=True)
    error: Mapped[dict[str, Any] | None]
    made: Mapped[Seconds] = mapped_column(default=get_seconds)


class GameCorrectionRow(Base):
    """A person's statement about a game, until it is removed; its id is never given again."""

    __tablename__ = "game_corrections"
    __table_args__ = ({"sqlite_autoincrement": True},)

    id: Mapped[int] = mapped_column(primary_key=True)
    game: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), index=True)
    correction: Mapped[dict[str, Any]]
    who: Mapped[str] = mapped_column(String(80))
    made: Mapped[Seconds] = mapped_column(default=get_seconds)
