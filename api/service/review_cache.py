"""Cache of reviewed readings and of their questions, computed on demand."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Any, TypeVar

from api.documents.corrections import CORRECTIONS
from api.documents.forms import AnyQuestions, GameReview
from api.games.registry import find_game_of
from api.games.snapshots import parse_snapshot_json, review_snapshot
from api.store.readings import ReadingStore, StoredReading

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
        key = (reading.id, reading.version, language)
        return self._questions.get_or_make(key, lambda: self._build_questions(reading, language))

    def _build_questions(self, reading: StoredReading, language: str) -> AnyQuestions:
        review = self.get(reading)
        return find_game_of(review.report).list_questions(review, language)
