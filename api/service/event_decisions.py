"""What a person decides of an event's table; an answer is a correction of the table's reading."""

from __future__ import annotations

from contextlib import suppress

from api.corrections.commands import Correction
from api.games.reports import parse_report_json
from api.report.score_track import is_track_open
from api.schemas.events import Decision
from api.schemas.readings import ReadingUpdate
from api.server.errors import ServerError
from api.service.changes import apply_change
from api.service.review_cache import Reviews
from api.store.events import EventStore, EventTable
from api.store.readings import ReadingStore, StoredReading


class EventDecisions:
    """Makes decisions on one store's events."""

    def __init__(self, events: EventStore, readings: ReadingStore, reviews: Reviews) -> None:
        self._events, self._readings, self._reviews = events, readings, reviews

    def decide(self, event: str, table: int, decision: Decision, who: str, language: str) -> None:
        """Make a decision that `who` asks for (empty: not told).

        Raises ServerError `conflict`, `not_found`, `not_read_yet`, `nothing_to_undo`, `track_open`, and
        CorrectionError.
        """
        there = self._events.get_table(event, table)
        if decision.version not in (None, there.version):
            raise ServerError("conflict", details={"version": there.version})
        if decision.answer is not None:
            self._answer(there, decision.answer, who, language)
        elif decision.undo:
            self._undo(there, who)
        elif decision.unscorable is not None:
            self._events.decide(there, "unscorable", who, decision.unscorable)
        else:
            if is_track_open(parse_report_json(str(self._get_reading(there).report))):
                raise ServerError("track_open")
            self._events.decide(there, "checked", who)

    def _answer(self, table: EventTable, answer: Correction, who: str, language: str) -> None:
        """Answer a question; with the last one answered, the table is checked if nothing is open.

        A table of which somebody has no name counts nowhere: it stays before the person who knows the names.
        """
        before = self._get_reading(table).history.at
        changed = self._change_reading(table, ReadingUpdate(corrections=[answer]), who)
        report = parse_report_json(str(changed.report))
        is_named = all(report.names.get(player) for player in report.scores.final_scoring)
        is_settled = not is_track_open(report) and not report.doubtful and is_named
        if is_settled and not self._reviews.list_questions(changed, language):
            with suppress(ServerError):  # somebody was there in between: then it is theirs to check
                now = self._events.get_table(table.event, table.id)
                settled = None if changed.history.at == before else changed.history.at
                self._events.decide(now, "checked", who, settled=settled)

    def _undo(self, table: EventTable, who: str) -> None:
        if table.decided is None:
            self._change_reading(table, ReadingUpdate(undo=True), who)
            return
        self._events.decide(table, "reopened", who)
        if table.settled is not None:
            reading = self._get_reading(table)
            if reading.history.at == table.settled:
                apply_change(self._readings, self._reviews, reading, ReadingUpdate(undo=True), who)

    def _change_reading(self, table: EventTable, change: ReadingUpdate, who: str) -> StoredReading:
        """Change the table's reading, if the table is as it was when it was looked at."""
        reading = self._get_reading(table)
        if self._events.get_table(table.event, table.id).version != table.version:
            raise ServerError("conflict", details={"version": table.version})
        apply_change(self._readings, self._reviews, reading, change, who)
        return self._readings.get(reading.id)

    def _get_reading(self, table: EventTable) -> StoredReading:
        if table.reading is None:
            raise ServerError("not_read_yet")
        return self._readings.get(table.reading)
