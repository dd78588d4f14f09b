"""Tables of the database. Times are whole seconds since 1970, UTC."""

from __future__ import annotations

from typing import Annotated, Any

from sqlalchemy import JSON, BigInteger, ForeignKey, Integer, MetaData, String
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
    attempts: Mapped[int]
    created: Mapped[Seconds]
    expires: Mapped[Seconds] = mapped_column(index=True)
    shared_correction: Mapped[bool]
    version: Mapped[int]
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
    made: Mapped[Seconds]


class ChangeRow(Base):
    """A change of a reading, one row for each of its versions; rows are only ever added.

    `what` is one of `api.store.history.ChangeKind`, `who` is the person's name (empty: unknown), `step` is the step
    made, undone or redone (None: none).
    """

    __tablename__ = "changes"

    id: Mapped[int] = mapped_column(primary_key=True)
    reading: Mapped[str] = mapped_column(ForeignKey("readings.id", ondelete="CASCADE"), index=True)
    made: Mapped[Seconds]
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


class InstallationRow(Base):
    """The single row that identifies this database: an id, created with the table."""

    __tablename__ = "installation"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
