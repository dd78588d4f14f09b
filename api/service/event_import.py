"""What a batch has left becomes an event of the server: no photo is read anew, no correction is lost."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from api.batch.names import escape_name
from api.batch.options_file import Asked, read_batch_options
from api.batch.run import Left, Progress, open_batch_results
from api.batch.work import read_photo_bytes
from api.corrections.commands import CORRECTIONS, Correction
from api.errors import CorrectionError, TrackError, build_error_document
from api.games.forms import AnySnapshot
from api.games.reports import AnyReport, parse_report
from api.games.snapshots import build_snapshot_report, parse_snapshot, parse_snapshot_json
from api.server.settings import Settings
from api.server.tokens import generate_id, generate_token, hash_secret
from api.store.database import open_database
from api.store.event_import import Entry, NewReading, Restated, Taking
from api.store.event_sync import build_table_identity
from api.store.events import Event, EventStore, EventTable
from api.store.photos import PhotoStore, build_photo_key
from api.store.place import PhotoPlace
from api.store.readings import ReadingStore, Stored, StoredPhoto
from api.tournament.errors import BatchError
from api.tournament.sittings import Sitting
from scoring.errors import ScoringError
from vision.errors import PhotoError
from vision.photo.decoding import Photo

AT_ONCE = 20
"""Tables that are taken over in one transaction."""


@dataclass(slots=True)
class Imported:
    """What was done: tables of the batch, of these read by now, changed otherwise, and left as a person has them.

    Left are tables whose readings were corrected, and those whose photos were handed in on the page.
    `token` is the event's where it is new, else empty.
    """

    event: str
    token: str
    tables: int = 0
    taken: int = 0
    changed: int = 0
    kept: int = 0

    @property
    def page(self) -> str:
        """The event's address on the server, with what opens it for changes."""
        return f"/event/{self.event}" + (f"#token={self.token}" if self.token else "")

    def to_json(self) -> str:
        """The same as a line of JSON."""
        return json.dumps(asdict(self) | {"page": self.page}) + "\n"


def import_batch(out: Path, name: str | None, photos: str | None, settings: Settings, progress: Progress) -> Imported:
    """Take a batch's folder over into the server's database and photos.

    Raises BatchError, InputError, and ServerError `conflict` where somebody corrects just what is taken over: nothing
    is lost by running it again.
    """
    source, asked = read_batch_options(out)
    asked = replace(asked, folder=photos or asked.folder)
    settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    engine = open_database(settings.database_url, settings.data / "enrolments")
    try:
        events, readings, own = EventStore(engine), ReadingStore(engine), PhotoStore(settings.photos_url)
        PhotoPlace(own, readings)
        with open_batch_results(asked) as (tables, left):
            event, token = _event(events, source, name or _name_of(tables, out), asked)
            importing = _Import(event, asked, events, Taking(engine), readings, own)
            return importing.done(Imported(event.id, token, len(tables)), tables, left, progress)
    finally:
        engine.dispose()


def renew_event_token(out: Path, settings: Settings) -> Imported:
    """Another token for the event of a batch's folder, where the one before was lost; raises BatchError `no_event`."""
    source, _ = read_batch_options(out)
    engine = open_database(settings.database_url, settings.data / "enrolments")
    try:
        events = EventStore(engine)
        if (event := events.taken_from(source)) is None:
            raise BatchError("no_event", details={"out": str(out)})
        token = generate_token()
        events.renew(event.id, hash_secret(token))
        return Imported(event.id, token, len(events.tables(event.id)))
    finally:
        engine.dispose()


def _event(events: EventStore, source: str, name: str, asked: Asked) -> tuple[Event, str]:
    """The event of a batch, and its token where it is new."""
    if (known := events.taken_from(source)) is not None:
        return known, ""
    event, token = generate_id(), generate_token()
    events.add(event, hash_secret(token), name, asked.rules, source)
    return events.get(event), token


def _name_of(tables: Sequence[Sitting], out: Path) -> str:
    """What the listing calls the event, where it is one; else as the folder."""
    names = {table.event for table in tables}
    return (names.pop() if len(names) == 1 else "") or escape_name(out.resolve().name)


@dataclass(slots=True)
class _Import:
    """One run: tables that are there are known by their place, those that have moved by their photos."""

    event: Event
    asked: Asked
    events: EventStore
    taking: Taking
    readings: ReadingStore
    photos: PhotoStore
    rows: dict[str, EventTable] = field(default_factory=dict)
    moved: dict[str, EventTable] = field(default_factory=dict)
    touched: set[int] = field(default_factory=set)

    def done(
        self, told: Imported, tables: Sequence[Sitting], left: Callable[[Sitting], Left], progress: Progress
    ) -> Imported:
        """Take all over that is not there as it is."""
        there = {build_table_identity(row.sitting): row for row in self.events.tables(self.event.id)}
        by_hand = {place for place, row in there.items() if row.by_hand}
        told.kept += sum(build_table_identity(table) in by_hand for table in tables)
        tables = [table for table in tables if build_table_identity(table) not in by_hand]
        places = {build_table_identity(table) for table in tables} | by_hand
        self.rows = {place: row for place, row in there.items() if place in places}
        self.moved = {row.key: row for place, row in there.items() if place not in places}
        self.touched = self.taking.touched(self.event.id)
        for first in range(0, len(tables), AT_ONCE):
            some = enumerate(tables[first : first + AT_ONCE], first)
            self._take([entry for number, table in some for entry in self._entries(told, number, left(table))])
            progress("taking over", min(first + AT_ONCE, len(tables)), len(tables))
        gone = [row.id for row in self.moved.values() if row.id not in self.touched]
        if gone:
            self.taking.drop(self.event, gone)
        return told

    def _take(self, entries: Sequence[Entry]) -> None:
        if not entries:
            return
        self.taking.take(self.event, entries)
        for entry in entries:  # a server that sweeps just now takes photos of no reading away
            if entry.reading is not None:
                self._keep_photos(entry.reading.photos, entry.reading.files)

    def _entries(self, told: Imported, number: int, left: Left) -> Iterator[Entry]:
        """What is to be done for a table: nothing where it is as it was."""
        result = left.result
        row = self.rows.get(build_table_identity(result.table)) or self.moved.pop(result.key, None)
        missing = [[name, error] for name, error in result.missing]
        entry = Entry(row.id if row else None, number, result.table, result.key, result.error, missing)
        touched = row is not None and row.id in self.touched
        if left.held is not None and (row is None or row.reading is None or (row.key != result.key and not touched)):
            entry = self._with_reading(entry, left, left.held)
        elif row is not None and row.reading is not None:
            told.kept += touched and row.key != result.key
            entry = self._restated(replace(entry, key=row.key, error=row.error), row)
        if entry.reading is not None:
            told.taken += 1
            yield entry
        elif row is None or not _is_same(row, entry):
            told.changed += row is not None
            yield entry

    def _with_reading(self, entry: Entry, left: Left, kept: dict[str, Any]) -> Entry:
        """With a reading of the server's own, and its photos; what cannot be opened now is tried again next time."""
        reading, held = generate_id(), parse_snapshot(kept)
        said: list[Correction] = CORRECTIONS.validate_json(left.result.table.said)
        report = None if left.result.report is None else parse_report(left.result.report)
        if report is None:
            said, report = _going(held, said, [])
        infos = held.photos
        files = tuple(left.photos.get(info.sha256, info.file) for info in infos)
        photos = tuple(
            StoredPhoto(number, build_photo_key(reading, number), info.width, info.height)
            for number, info in enumerate(infos)
        )
        try:
            self._keep_photos(photos, files)
        except PhotoError as error:
            return replace(entry, error=build_error_document(error)["error"])
        told = CORRECTIONS.dump_python(said, mode="json")
        new = NewReading(reading, self.asked.rules, files, told, held.to_json(), report.to_json(), photos)
        return replace(entry, reading=new)

    def _restated(self, entry: Entry, row: EventTable) -> Entry:
        """With what the listing now says of a table, beneath what people said of its reading."""
        if row.sitting.said == entry.sitting.said or row.reading is None:
            return entry
        stored = self.readings.get(row.reading)
        held = parse_snapshot_json(self.readings.held(stored.id))
        said, more = CORRECTIONS.validate_json(entry.sitting.said), _made(stored)
        error = None
        try:
            report = build_snapshot_report(held, [*said, *more])
        except (CorrectionError, TrackError, ScoringError) as refused:
            error = build_error_document(refused)["error"]
            said, report = _going(held, said, more)
        asked = {**stored.asked, "said": CORRECTIONS.dump_python(said, mode="json")}
        return replace(entry, error=error, restated=Restated(stored.id, stored.version, asked, report.to_json()))

    def _keep_photos(self, photos: Sequence[StoredPhoto], files: Sequence[str]) -> None:
        """Have the server keep photos that it has not; raises PhotoError."""
        for photo, name in zip(photos, files, strict=True):
            if not self.photos.has(photo.key):
                self.photos.put(photo.key, Photo.from_bytes(read_photo_bytes(self.asked.folder, name), name).pixels)


def _made(stored: Stored) -> list[Correction]:
    return CORRECTIONS.validate_python(stored.history.corrections)


def _going(
    held: AnySnapshot, said: Sequence[Correction], more: Sequence[Correction]
) -> tuple[list[Correction], AnyReport]:
    """As much of what is known beside the photos as goes with what was read, and the report that this gives."""
    going, report = list[Correction](), build_snapshot_report(held, more)
    for correction in said:
        with suppress(CorrectionError, TrackError, ScoringError):
            report = build_snapshot_report(held, [*going, correction, *more])
            going.append(correction)
    return going, report


def _is_same(row: EventTable, entry: Entry) -> bool:
    """Whether nothing is to be written."""
    there = (row.position, row.sitting, row.key, row.error, row.missing)
    return entry.restated is None and there == (entry.position, entry.sitting, entry.key, entry.error, entry.missing)
