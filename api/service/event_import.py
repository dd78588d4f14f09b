"""Import of a batch as an event of the server: no photo is read again, and no correction is lost."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from sqlalchemy import Engine

from api.batch.run import Progress, TableOutcome, open_batch_results
from api.batch.work import read_photo_bytes
from api.documents.corrections import CORRECTIONS, Correction
from api.documents.forms import AnyReport, GameSnapshot, parse_report
from api.errors import CorrectionError, TrackError, build_error_document
from api.games.registry import build_snapshot_report, parse_snapshot, parse_snapshot_json
from api.server.settings import Settings
from api.server.tokens import generate_id, generate_token, hash_secret
from api.store.database import open_database
from api.store.event_additions import ImportedReading, RestatedReading, TableEntry, TableImporter
from api.store.event_sync import build_table_identity, join_photo_faults
from api.store.events import Event, EventStore, EventTable
from api.store.photos import PhotoPlace, PhotoStore, build_photo_key
from api.store.readings import ReadingStore, StoredPhoto
from api.tournament.errors import BatchError
from api.tournament.listed_tables import ListedTable
from api.tournament.names import escape_name
from api.tournament.options_file import BatchOptions, read_batch_options
from scoring.carcassonne.board.box_rules import parse_box_rules
from scoring.errors import ScoringError
from vision.errors import PhotoError
from vision.photo.decoding import Photo

TABLES_PER_TRANSACTION = 20
"""Tables imported in one transaction. A guess."""


@dataclass(slots=True)
class ImportSummary:
    """Summary of an import: the numbers of tables in the batch, newly read, otherwise changed, and kept.

    Kept are tables whose readings were corrected, and those whose photos were submitted on the page. `token` is set
    only for a new event.
    """

    event: str
    token: str
    tables: int = 0
    taken: int = 0
    changed: int = 0
    kept: int = 0

    @property
    def page(self) -> str:
        """Address of the event on the server, with the token if there is one."""
        return f"/event/{self.event}" + (f"#token={self.token}" if self.token else "")

    def to_json(self) -> str:
        """Format the summary as a line of JSON."""
        return json.dumps(asdict(self) | {"page": self.page}) + "\n"


@contextmanager
def _opened_database(settings: Settings) -> Iterator[Engine]:
    engine = open_database(settings.database_url)
    try:
        yield engine
    finally:
        engine.dispose()


def import_batch(
    out: Path, name: str | None, photos: str | None, settings: Settings, progress: Progress
) -> ImportSummary:
    """Import a batch's folder into the server's database and photos.

    Raises BatchError, InputError, and ServerError `conflict` if a table is being corrected at the same time: the import
    can safely be run again.
    """
    source, options = read_batch_options(out)
    options = replace(options, folder=photos or options.folder)
    settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _opened_database(settings) as engine:
        events, readings, photo_store = EventStore(engine), ReadingStore(engine), PhotoStore(settings.photos_url)
        PhotoPlace(photo_store, readings)
        with open_batch_results(options) as (tables, get_outcome):
            event, token = _find_or_add_event(events, source, name or _choose_name(tables, out), options)
            importing = _BatchImport(event, options, events, TableImporter(engine), readings, photo_store)
            return importing.run(ImportSummary(event.id, token, len(tables)), tables, get_outcome, progress)


def renew_event_token(out: Path, settings: Settings) -> ImportSummary:
    """Create a new token for the event of a batch's folder; raises BatchError `no_event`."""
    source, _ = read_batch_options(out)
    with _opened_database(settings) as engine:
        events = EventStore(engine)
        if (event := events.find_by_source(source)) is None:
            raise BatchError("no_event", details={"out": str(out)})
        token = generate_token()
        events.renew(event.id, hash_secret(token))
        return ImportSummary(event.id, token, len(events.list_tables(event.id)))


def _find_or_add_event(events: EventStore, source: str, name: str, options: BatchOptions) -> tuple[Event, str]:
    """Find the event of a batch or add it; the token is empty for an existing event."""
    if (existing := events.find_by_source(source)) is not None:
        return existing, ""
    event, token = generate_id(), generate_token()
    rules = parse_box_rules(options.box_rules)
    events.add(event, hash_secret(token), name, options.rules, source, box_rules=rules)
    return events.get(event), token


def _choose_name(tables: Sequence[ListedTable], out: Path) -> str:
    """Choose the event's name: the one in the listing if there is only one, else the folder's."""
    names = {table.event for table in tables}
    return (names.pop() if len(names) == 1 else "") or escape_name(out.resolve().name)


@dataclass(slots=True)
class _BatchImport:
    """One run; existing tables are identified by their place, moved ones by their photos."""

    event: Event
    options: BatchOptions
    events: EventStore
    importer: TableImporter
    readings: ReadingStore
    photos: PhotoStore
    rows: dict[str, EventTable] = field(default_factory=dict)
    moved: dict[str, EventTable] = field(default_factory=dict)
    touched: set[int] = field(default_factory=set)

    def run(
        self,
        summary: ImportSummary,
        tables: Sequence[ListedTable],
        get_outcome: Callable[[ListedTable], TableOutcome],
        progress: Progress,
    ) -> ImportSummary:
        """Import all tables that differ from those in the event."""
        there = {build_table_identity(row.listed_table): row for row in self.events.list_tables(self.event.id)}
        by_hand = {place for place, row in there.items() if row.by_hand}
        summary.kept += sum(build_table_identity(table) in by_hand for table in tables)
        tables = [table for table in tables if build_table_identity(table) not in by_hand]
        places = {build_table_identity(table) for table in tables} | by_hand
        self.rows = {place: row for place, row in there.items() if place in places}
        self.moved = {row.key: row for place, row in there.items() if place not in places}
        self.touched = self.importer.list_touched(self.event.id)
        for first in range(0, len(tables), TABLES_PER_TRANSACTION):
            some = enumerate(tables[first : first + TABLES_PER_TRANSACTION], first)
            found = (self._build_entry(summary, number, get_outcome(table)) for number, table in some)
            self._take([entry for entry in found if entry is not None])
            progress("taking over", min(first + TABLES_PER_TRANSACTION, len(tables)), len(tables))
        gone = [row.id for row in self.moved.values() if row.id not in self.touched]
        if gone:
            self.importer.drop(self.event, gone)
        return summary

    def _take(self, entries: Sequence[TableEntry]) -> None:
        if not entries:
            return
        self.importer.import_tables(self.event, entries)
        for entry in entries:  # a server sweeping right now deletes photos without a reading
            if entry.reading is not None:
                self._keep_photos(entry.reading.photos, entry.reading.files)

    def _build_entry(self, summary: ImportSummary, number: int, outcome: TableOutcome) -> TableEntry | None:
        """Build the entry to write for a table; None if it is unchanged."""
        result = outcome.result
        row = self.rows.get(build_table_identity(result.table)) or self.moved.pop(result.key, None)
        faults = join_photo_faults(result)
        entry = TableEntry(row.id if row else None, number, result.table, result.key, result.error, faults)
        touched = row is not None and row.id in self.touched
        if outcome.snapshot is not None and (
            row is None or row.reading is None or (row.key != result.key and not touched)
        ):
            entry = self._add_reading(entry, outcome, outcome.snapshot)
        elif row is not None and row.reading is not None:
            summary.kept += touched and row.key != result.key
            entry = self._restate(replace(entry, key=row.key, error=row.error), row)
        if entry.reading is not None:
            summary.taken += 1
        elif row is not None and _is_same(row, entry):
            return None
        else:
            summary.changed += row is not None
        return entry

    def _add_reading(self, entry: TableEntry, outcome: TableOutcome, document: dict[str, Any]) -> TableEntry:
        """Add a new reading and its photos to an entry; photos that cannot be opened now are tried again next time."""
        reading, snapshot = generate_id(), parse_snapshot(document)
        corrections: list[Correction] = CORRECTIONS.validate_json(outcome.result.table.said)
        report = None if outcome.result.report is None else parse_report(outcome.result.report)
        if report is None:
            corrections, report = _fit_corrections(snapshot, corrections, [])
        infos = snapshot.photos
        files = tuple(outcome.photos.get(info.sha256, info.file) for info in infos)
        photos = tuple(
            StoredPhoto(number, build_photo_key(reading, number), info.width, info.height)
            for number, info in enumerate(infos)
        )
        try:
            self._keep_photos(photos, files)
        except PhotoError as error:
            return replace(entry, error=build_error_document(error)["error"])
        correction_documents = CORRECTIONS.dump_python(corrections, mode="json")
        new = ImportedReading(
            reading, self.options.rules, files, correction_documents, snapshot.to_json(), report.to_json(), photos
        )
        return replace(entry, reading=new)

    def _restate(self, entry: TableEntry, row: EventTable) -> TableEntry:
        """Rebuild a table's report with the listing's present facts, beneath people's corrections."""
        if row.listed_table.said == entry.listed_table.said or row.reading is None:
            return entry
        stored = self.readings.get(row.reading)
        snapshot = parse_snapshot_json(self.readings.get_snapshot(stored.id))
        corrections: list[Correction] = CORRECTIONS.validate_json(entry.listed_table.said)
        more: list[Correction] = CORRECTIONS.validate_python(stored.history.corrections)
        error = None
        try:
            report = build_snapshot_report(snapshot, [*corrections, *more])
        except (CorrectionError, TrackError, ScoringError) as refused:
            error = build_error_document(refused)["error"]
            corrections, report = _fit_corrections(snapshot, corrections, more)
        options = {**stored.options, "said": CORRECTIONS.dump_python(corrections, mode="json")}
        restated = RestatedReading(stored.id, stored.version, options, report.to_json())
        return replace(entry, error=error, restated=restated)

    def _keep_photos(self, photos: Sequence[StoredPhoto], files: Sequence[str]) -> None:
        """Store the photos that the server lacks; raises PhotoError."""
        for photo, name in zip(photos, files, strict=True):
            if not self.photos.has(photo.key):
                self.photos.put(photo.key, Photo.from_bytes(read_photo_bytes(self.options.folder, name), name).pixels)


def _fit_corrections(
    snapshot: GameSnapshot, corrections: Sequence[Correction], more: Sequence[Correction]
) -> tuple[list[Correction], AnyReport]:
    """Select the listing's corrections that fit the reading, and build the report with them."""
    fitting, report = list[Correction](), build_snapshot_report(snapshot, more)
    for correction in corrections:
        with suppress(CorrectionError, TrackError, ScoringError):
            report = build_snapshot_report(snapshot, [*fitting, correction, *more])
            fitting.append(correction)
    return fitting, report


def _is_same(row: EventTable, entry: TableEntry) -> bool:
    """Return whether nothing has to be written."""
    there = (row.position, row.listed_table, row.key, row.error, row.missing)
    return entry.restated is None and there == (
        entry.position,
        entry.listed_table,
        entry.key,
        entry.error,
        entry.missing,
    )
