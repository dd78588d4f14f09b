"""Reviewed readings, cached with their questions, and changes of readings; the original reading is never changed."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any, TypeVar

from api.documents.corrections import CORRECTIONS, Correction
from api.documents.forms import AnyQuestions, GameReview
from api.games.registry import find_game_of, parse_snapshot_json, review_snapshot
from api.server.errors import ServerError
from api.store.readings import History, ReadingStore, StoredReading

MAX_REVIEWS = 8
"""Maximum number of cached reviews. Bounds memory."""
MAX_QUESTIONS = 256
"""Maximum number of cached lists of questions. Bounds memory."""

V = TypeVar("V")


class _RecentCache(OrderedDict[tuple[Any, ...], V]):
    """The most recently used values; two threads may compute the same value at once, which is harmless."""

    def __init__(self, max_count: int) -> None:
        super().__init__()
        self._max_count, self._lock = max_count, Lock()

    def get_or_make(self, key: tuple[Any, ...], make: Callable[[], V]) -> V:
        with self._lock:
            if key in self:
                self.move_to_end(key)
                return self[key]
        self.keep(key, made := make())
        return made

    def keep(self, key: tuple[Any, ...], value: V) -> None:
        with self._lock:
            self[key] = value
            while len(self) > self._max_count:
                self.popitem(last=False)


class Reviews:
    """Reviews of a store's readings, by id and version."""

    def __init__(self, store: ReadingStore) -> None:
        self._store = store
        self._reviews: _RecentCache[GameReview] = _RecentCache(MAX_REVIEWS)
        self._questions: _RecentCache[AnyQuestions] = _RecentCache(MAX_QUESTIONS)

    def get(self, reading: StoredReading) -> GameReview:
        """Return the review of a reading with its corrections; raises ServerError `not_found`, `not_read_yet`."""
        return self._reviews.get_or_make(
            (reading.id, reading.version), lambda: self.build(reading, reading.history.corrections)
        )

    def build(self, reading: StoredReading, corrections: list[Any]) -> GameReview:
        """Build the review of a reading with other corrections; raises CorrectionError, and as `get` does.

        The facts known beside its photos (`said` among its options) are applied before any correction, and are never
        undone.
        """
        snapshot = parse_snapshot_json(self._store.get_snapshot(reading.id))
        return review_snapshot(snapshot, CORRECTIONS.validate_python([*reading.options.get("said", []), *corrections]))

    def keep(self, reading: StoredReading, review: GameReview) -> None:
        """Keep the review of a reading under its next version."""
        self._reviews.keep((reading.id, reading.version + 1), review)

    def list_questions(self, reading: StoredReading, language: str) -> AnyQuestions:
        """List the questions about a reading; empty until it is read."""
        if reading.report is None:
            return []

        def build_questions() -> AnyQuestions:
            review = self.get(reading)
            return find_game_of(review.report).list_questions(review, language)

        return self._questions.get_or_make((reading.id, reading.version, language), build_questions)


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
