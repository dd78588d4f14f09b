"""Decisions about an event's table; an answer is a correction of the table's reading."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from api.documents.corrections import CORRECTIONS, Correction, list_box_corrections
from api.documents.forms import AnyReport, is_track_open, parse_report_json
from api.documents.tile_corrections import SetBoxRules
from api.server.errors import ServerError
from api.service.reviews import Change, Reviews, apply_change
from api.store.events import EventStore, EventTable
from api.store.readings import ReadingStore, StoredReading
from scoring.carcassonne.board.box_rules import BoxRules


@dataclass(frozen=True, slots=True)
class TableDecision:
    """One of: an answer to a question, a reason why the table cannot be scored, undo, or else a confirmation.

    With `version` the decision is refused if the table has another version.
    """

    answer: Correction | None = None
    unscorable: str | None = None
    undo: bool = False
    version: int | None = None


class EventDecisions:
    """Decisions on one store's events."""

    def __init__(self, events: EventStore, readings: ReadingStore, reviews: Reviews) -> None:
        self._events, self._readings, self._reviews = events, readings, reviews

    def decide(self, event: str, table: int, decision: TableDecision, who: str, language: str) -> None:
        """Make a decision on behalf of `who` (empty: unknown).

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

    def set_box_rules(self, event: str, rules: BoxRules, who: str) -> None:
        """Set an event's choices on boxes' own rules, and apply them at once to tables where that is open.

        Raises ServerError `not_found`.
        """
        self._events.set_box_rules(event, rules)
        for table in self._events.list_tables(event):
            self._go_by(rules, table, who)

    def follow_correction(self, reading: str, change: Change, who: str) -> None:
        """Make its owner's statement on boxes' rules, made at one table, a choice of the event, and apply it to the
        others.

        If a correction turned the event's choices into a question at the table, they are applied there as well.
        """
        table = self._events.find_table(reading)
        if table is None or change.undo or change.redo:
            return
        remembered = rules = self._events.get(table.event).box_rules
        for correction in change.corrections or ():
            if isinstance(correction, SetBoxRules) and correction.played is not None:
                rules = rules.override(BoxRules.of(dict.fromkeys(correction.boxes, correction.played)))
        if rules != remembered:
            self.set_box_rules(table.event, rules, who)
        else:
            self._go_by(remembered, table, who)

    def catch_up(self, reading: str) -> None:
        """Apply the event's current choices on boxes' rules to a table that was just read."""
        if (table := self._events.find_table(reading)) is not None:
            self._go_by(self._events.get(table.event).box_rules, table, "")

    def _go_by(self, rules: BoxRules, table: EventTable, who: str) -> None:
        """Apply choices to a table's questions on boxes' rules, and to its former choices inherited from the event.

        Anything that a person decided or stated at the table stays.
        """
        if table.reading is None or table.decided is not None:
            return
        reading = self._readings.get(table.reading)
        while reading.report is not None:
            report = parse_report_json(reading.report)
            boxes = _list_asked_boxes(report) | _list_otherwise_inherited(report, reading, rules)
            known = BoxRules.of({box: played for box, played in rules.choices.items() if box in boxes})
            if not known:
                return
            corrections: list[Correction] = [*list_box_corrections(known, beforehand=True)]
            with suppress(ServerError):  # changed meanwhile by another person, whose page asks
                apply_change(self._readings, self._reviews, reading, Change(corrections=corrections), who)
            before, reading = reading, self._readings.get(reading.id)
            if reading.version == before.version:
                return

    def _answer(self, table: EventTable, answer: Correction, who: str, language: str) -> None:
        """Answer a question; once all are answered and nothing is open, the table is checked.

        A table with an unnamed player counts in no standings, so it stays open for a person who knows the names.
        """
        before = self._get_reading(table).history.at
        change = Change(corrections=[answer])
        changed = self._change_reading(table, change, who)
        self.follow_correction(changed.id, change, who)
        changed = self._get_reading(table)
        report = parse_report_json(str(changed.report))
        is_named = all(report.names.get(player) for player in report.scores.final_scoring)
        is_settled = not is_track_open(report) and not report.doubtful and is_named
        if is_settled and not self._reviews.list_questions(changed, language):
            with suppress(ServerError):  # changed meanwhile by another person, who checks it
                now = self._events.get_table(table.event, table.id)
                settled = None if changed.history.at == before else changed.history.at
                self._events.decide(now, "checked", who, settled=settled)

    def _undo(self, table: EventTable, who: str) -> None:
        if table.decided is None:
            self._change_reading(table, Change(undo=True), who)
            return
        self._events.decide(table, "reopened", who)
        if table.settled is not None:
            reading = self._get_reading(table)
            if reading.history.at == table.settled:
                apply_change(self._readings, self._reviews, reading, Change(undo=True), who)

    def _change_reading(self, table: EventTable, change: Change, who: str) -> StoredReading:
        """Change the table's reading, if the table is unchanged since it was loaded."""
        reading = self._get_reading(table)
        if self._events.get_table(table.event, table.id).version != table.version:
            raise ServerError("conflict", details={"version": table.version})
        apply_change(self._readings, self._reviews, reading, change, who)
        return self._readings.get(reading.id)

    def _get_reading(self, table: EventTable) -> StoredReading:
        if table.reading is None:
            raise ServerError("not_read_yet")
        return self._readings.get(table.reading)


def _list_asked_boxes(report: AnyReport) -> set[str]:
    """Return the boxes about whose own rules a report asks."""
    questions = (one for one in report.scores.assumed if one.fact == "box_rules" and one.final_scoring)
    return {box for assumed in questions for box in str(assumed.values["boxes"]).split(",")}


def _list_otherwise_inherited(report: AnyReport, reading: StoredReading, rules: BoxRules) -> set[str]:
    """Return the boxes with a choice inherited from the event that differs from the event's present one."""
    inherited: dict[str, bool] = {}
    for correction in CORRECTIONS.validate_python([*reading.options.get("said", ()), *reading.history.corrections]):
        if isinstance(correction, SetBoxRules):
            inherited |= dict.fromkeys(correction.boxes, correction.beforehand)
    choices = report.rules.box_rules
    return {box for box, played in rules.choices.items() if inherited.get(box) and choices.get(box, played) != played}
