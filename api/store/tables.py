"""The database's tables. Times are whole seconds since 1970, UTC."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, ForeignKey, MetaData, String
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(DeclarativeBase):
    """All tables."""

    metadata = MetaData(naming_convention=NAMES)
    type_annotation_map = {dict[str, Any]: JSON, list[Any]: JSON}  # noqa: RUF012 - read by SQLAlchemy, never written


class ReadingRow(Base):
    """A reading: what was asked, what was read (`held`), and the report with the corrections up to `step`."""

    __tablename__ = "readings"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    token_hash: Mapped[str] = mapped_column(String(64))
    status: Mapped[str] = mapped_column(String(8), index=True)
    asked: Mapped[dict[str, Any]]
    error: Mapped[dict[str, Any] | None]
    held: Mapped[str | None] = mapped_column(deferred=True)
    report: Mapped[str | None]
    attempts: Mapped[int]
    created: Mapped[int]
    expires: Mapped[int] = mapped_column(index=True)
    shared_correction: Mapped[bool]
    version: Mapped[int]
    step: Mapped[int | None]


class PhotoRow(Base):
    """A photo of a reading, by its number in the report, and the name it is kept under."""

    __tablename__ = "photos"

    reading: Mapped[str] = mapped_column(ForeignKey("readings.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(String(64))
    width: Mapped[int]
    height: Mapped[int]


class StepRow(Base):
    """Corrections made at once, upon those of `parent`; rows are only ever added.

    With `reset` set those before count no more. The reading's `step` points to the last that counts: undo moves it to
    the parent, redo to the newest child.
    """

    __tablename__ = "steps"

    id: Mapped[int] = mapped_column(primary_key=True)
    reading: Mapped[str] = mapped_column(ForeignKey("readings.id", ondelete="CASCADE"), index=True)
    parent: Mapped[int | None]
    reset: Mapped[bool]
    corrections: Mapped[list[Any]]
    made: Mapped[int]
