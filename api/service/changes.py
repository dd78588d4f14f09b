"""Changes of a reading: added corrections, undo and redo; the original reading is never changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from api.documents.corrections import CORRECTIONS, Correction
from api.documents.forms import GameReview
from api.server.errors import ServerError
from api.service.review_cache import Reviews
from api.store.history import History
from api.store.readings import ReadingStore, StoredReading


@dataclass(frozen=True, slots=True)
class Change:
    """One of: corrections to add, a step of undo or redo, a reset to the reading, or whether others may correct.

    With `version` the change is refused if the reading has another version.
    """

    corrections: Sequence[Correction] | None = None
    undo: bool = False
    redo: bool = False
    reset: bool = False
    shared_correction: bool | None = None
    version: int | None = None


def apply_change(store: ReadingStore, reviews: Reviews, reading: StoredReading, change: Change, who: str) -> None:
    """Apply a change on behalf of `who` (empty: unknown); corrections without effect add no step to undo.

    Raises ServerError `conflict`, `not_read_yet`, `nothing_to_undo`, and CorrectionError.
    """
    if change.version not in (None, reading.version):
        raise ServerError("conflict", details={"version": reading.version})
    if change.shared_correction is not None:
        store.share(reading, change.shared_correction, who)
    elif change.undo or change.redo:
        _move(store, reviews, reading, change.redo, who)
    else:
        _add(store, reviews, reading, change, who)


def _move(store: ReadingStore, reviews: Reviews, reading: StoredReading, forth: bool, who: str) -> None:
    history = reading.history
    if not (history.can_redo if forth else history.can_undo):
        raise ServerError("nothing_to_undo")
    step = history.after if forth else history.before
    review = reviews.build(reading, History(history.steps, step).corrections)
    (store.redo if forth else store.undo)(reading, review.report.to_json(), who)
    reviews.keep(reading, review)


def _is_same(review: GameReview, other: GameReview) -> bool:
    """Return whether two reviews of a reading have the same state and the same report."""
    reports = [each.report.model_dump(exclude={"timing_ms"}) for each in (review, other)]
    return review.state == other.state and reports[0] == reports[1]


def _add(store: ReadingStore, reviews: Reviews, reading: StoredReading, change: Change, who: str) -> None:
    added = CORRECTIONS.dump_python([*(change.corrections or ())], mode="json")
    review = reviews.build(reading, [] if change.reset else [*reading.history.corrections, *added])
    if _is_same(reviews.get(reading), review):
        return
    store.add_step(reading, added, change.reset, review.report.to_json(), who)
    reviews.keep(reading, review)
