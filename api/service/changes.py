"""Changes of a reading: corrections are added, and steps undone and redone; what was read stays as it is."""

from __future__ import annotations

from api.corrections.commands import CORRECTIONS
from api.schemas.readings import Change
from api.server.errors import ServerError
from api.service.review_cache import Reviews
from api.store.history import History
from api.store.readings import ReadingStore, Stored


def apply_change(store: ReadingStore, reviews: Reviews, reading: Stored, asked: Change, who: str) -> None:
    """Make a change that `who` asks for (empty: not told).

    Raises ServerError `conflict`, `not_read_yet`, `nothing_to_undo`, and CorrectionError.
    """
    if asked.version not in (None, reading.version):
        raise ServerError("conflict", details={"version": reading.version})
    if asked.shared_correction is not None:
        store.share(reading, asked.shared_correction, who)
    elif asked.undo or asked.redo:
        _move(store, reviews, reading, asked.redo is not None, who)
    else:
        _add(store, reviews, reading, asked, who)


def _move(store: ReadingStore, reviews: Reviews, reading: Stored, forth: bool, who: str) -> None:
    history = reading.history
    if not (history.can_redo if forth else history.can_undo):
        raise ServerError("nothing_to_undo")
    step = history.after if forth else history.before
    review = reviews.made(reading, History(history.steps, step).corrections)
    (store.redo if forth else store.undo)(reading, review.report.to_json(), who)
    reviews.keep(reading, review)


def _add(store: ReadingStore, reviews: Reviews, reading: Stored, asked: Change, who: str) -> None:
    added = [] if asked.corrections is None else CORRECTIONS.dump_python(asked.corrections, mode="json")
    review = reviews.made(reading, [] if asked.reset else [*reading.history.corrections, *added])
    store.add_step(reading, added, bool(asked.reset), review.report.to_json(), who)
    reviews.keep(reading, review)
