"""Enrolments of a server, stored in its database so that every machine with the same database has them.

Enrolments that `wondertally enrol` keeps as files in the data folder count on that machine as well, from the next
reading on and as long as the files exist.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from sqlalchemy import Engine, delete, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from api.store.tables import EarlierEnrolmentRow, EnrolmentRow
from vision.enrolment.prints import Enrolment, Enrolments, pack_enrolment, unpack_enrolment
from vision.enrolment.steps import MAX_EARLIER
from vision.enrolment.store import check_name, find_free_name, read_plain_file
from vision.errors import EnrolmentError

Place = Literal["database", "folder"]


@dataclass(frozen=True, slots=True)
class EnrolmentEntry:
    """An enrolment's name and place; it may be damaged, and a name may be in both places."""

    name: str
    place: Place


class EnrolmentStore:
    """Enrolments of a database and of a folder, which need not exist; raises EnrolmentError."""

    def __init__(self, engine: Engine, folder: Path) -> None:
        self._engine, self._files = engine, Enrolments(folder)

    def list_entries(self) -> list[EnrolmentEntry]:
        """List all enrolments by name; one stored identically in database and folder is listed once."""
        rows = self._read_digests()
        files = [
            EnrolmentEntry(name, "folder")
            for name in self._files.names()
            if self._compute_file_digest(name) != rows.get(name)
        ]
        return sorted(
            [*(EnrolmentEntry(name, "database") for name in rows), *files], key=lambda one: (one.name, one.place)
        )

    def load(self, entry: EnrolmentEntry) -> Enrolment:
        """Load an enrolment; raises `no_such_enrolment`, `bad_enrolment`."""
        if entry.place == "folder":
            return self._files.load(entry.name)
        with Session(self._engine) as session:
            data = session.scalar(select(EnrolmentRow.data).where(EnrolmentRow.name == entry.name))
        if data is None:
            raise EnrolmentError("no_such_enrolment", details={"name": entry.name, "known": self._list_names()})
        try:
            return unpack_enrolment(entry.name, data)
        except Exception as error:  # a damaged archive raises whatever its first wrong byte causes
            raise EnrolmentError("bad_enrolment", details={"name": entry.name}) from error

    def all(self) -> Iterator[Enrolment]:
        """Load every enrolment."""
        return map(self.load, self.list_entries())

    def state(self) -> tuple[tuple[str, str | int], ...]:
        """Return a value that changes whenever the set of enrolments changes."""
        return (*sorted(self._read_digests().items()), *self._files.state())

    def save(self, enrolment: Enrolment) -> None:
        """Store an enrolment in the database; raises `bad_name`, `enrolment_exists`."""
        check_name(enrolment.name)
        exists_error = EnrolmentError("enrolment_exists", details={"name": enrolment.name})
        if enrolment.name in self._files.names():
            raise exists_error
        data = pack_enrolment(enrolment)
        try:
            with Session(self._engine) as session, session.begin():
                session.add(_build_row(enrolment.name, data))
                _keep_earlier(session, enrolment.name, None)
        except IntegrityError as error:
            raise exists_error from error

    def forget(self, name: str) -> None:
        """Delete an enrolment from both places; `take_back` restores it.

        Raises `bad_name`, `no_such_enrolment`, `cannot_write_enrolment`.
        """
        check_name(name)
        with Session(self._engine) as session, session.begin():
            data = session.scalar(select(EnrolmentRow.data).where(EnrolmentRow.name == name))
            forgotten = session.connection().execute(delete(EnrolmentRow).where(EnrolmentRow.name == name))
            if forgotten.rowcount:
                _keep_earlier(session, name, data)
        if name in self._files.names():
            self._files.forget(name)
        elif not forgotten.rowcount:
            raise EnrolmentError("no_such_enrolment", details={"name": name, "known": self._list_names()})

    def take_back(self, name: str) -> None:
        """Restore an enrolment as it was before its last change, in the database or the folder.

        One without earlier versions is forgotten. Raises `bad_name`, `nothing_to_take_back`, `cannot_write_enrolment`.
        """
        check_name(name)
        steps = select(EarlierEnrolmentRow).where(EarlierEnrolmentRow.name == name).order_by(EarlierEnrolmentRow.id)
        with Session(self._engine) as session, session.begin():
            step = session.scalars(steps).all()[-1:]
            if step and step[0].changed > self._files.get_change_time(name):
                session.execute(delete(EnrolmentRow).where(EnrolmentRow.name == name))
                if step[0].data is not None:
                    session.add(_build_row(name, step[0].data))
                session.delete(step[0])
                return
        if name in self._read_digests() and not self._files.can_take_back(name):
            self.forget(name)
        else:
            self._files.take_back(name)

    def list_forgotten(self) -> list[str]:
        """List the names of the forgotten enrolments, in alphabetical order."""
        with Session(self._engine) as session:
            changed = session.scalars(select(EarlierEnrolmentRow.name).distinct())
            return sorted({*changed, *self._files.list_forgotten()} - {*self._list_names()})

    def find_free_name(self, wanted: str) -> str:
        """Find an unused name as close as possible to the wanted one."""
        return find_free_name(wanted, self._list_names())

    def _list_names(self) -> list[str]:
        return sorted({*self._read_digests(), *self._files.names()})

    def _read_digests(self) -> dict[str, str]:
        with Session(self._engine) as session:
            rows = session.execute(select(EnrolmentRow.name, EnrolmentRow.digest))
            return {row.name: row.digest for row in rows}

    def _compute_file_digest(self, name: str) -> str:
        try:
            return compute_digest(read_plain_file(self._files.folder / f"{name}.npz"))
        except OSError:  # a folder or a pipe, for example, is damaged
            return ""


def _build_row(name: str, data: bytes) -> EnrolmentRow:
    """Build the row of an enrolment from the bytes of its file."""
    return EnrolmentRow(name=name, digest=compute_digest(data), created=int(time.time()), data=data)


def _keep_earlier(session: Session, name: str, data: bytes | None) -> None:
    """Keep an enrolment as it was before a change, and delete the oldest beyond the maximum."""
    session.add(EarlierEnrolmentRow(name=name, changed=time.time(), data=data))
    steps = select(EarlierEnrolmentRow.id).where(EarlierEnrolmentRow.name == name).order_by(EarlierEnrolmentRow.id)
    surplus = session.scalars(steps).all()[:-MAX_EARLIER]
    session.execute(delete(EarlierEnrolmentRow).where(EarlierEnrolmentRow.id.in_(surplus)))


def compute_digest(data: bytes) -> str:
    """Return the SHA-256 of some bytes, in hex."""
    return hashlib.sha256(data).hexdigest()
