"""Changes of a reading: corrections are added, and steps undone and redone; what was read stays as it is."""

from __future__ import annotations

from typing import Any

from api.corrections import CORRECTIONS, corrected
from api.held import Held
from api.server_errors import ServerError
from api.store.history import History
from api.store.readings import ReadingStore, Stored
from api.wire import Change


def change(store: ReadingStore, reading: Stored, asked: Change) -> None:
    """Make a change; raises ServerError `conflict`, `not_read_yet`, `nothing_to_undo`, and CorrectionError."""
    if asked.version not in (None, reading.version):
        raise ServerError("conflict", details={"version": reading.version})
    if asked.shared_correction is not None:
        store.share(reading, asked.shared_correction)
    elif asked.undo or asked.redo:
        _move(store, reading, forth=asked.redo is not None)
    else:
        added = [] if asked.corrections is None else CORRECTIONS.dump_python(asked.corrections, mode="json")
        counted = [] if asked.reset else [*reading.history.corrections, *added]
        store.add_step(reading, added, bool(asked.reset), report_with(store, reading, counted))


def _move(store: ReadingStore, reading: Stored, forth: bool) -> None:
    history = reading.history
    if not (history.can_redo if forth else history.can_undo):
        raise ServerError("nothing_to_undo")
    step = history.after if forth else history.before
    moved = History(history.steps, step)
    store.point(reading, step, report_with(store, reading, moved.corrections))


def report_with(store: ReadingStore, reading: Stored, corrections: list[Any]) -> str:
    """The report with these corrections, as JSON."""
    held = Held.model_validate_json(store.held(reading.id))
    return corrected(held, CORRECTIONS.validate_python(corrections)).to_json()
