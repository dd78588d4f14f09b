"""Readings with what a person said of them, worked out when they are asked about, and kept for the next question."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Any, TypeVar

from api.corrections.commands import CORRECTIONS
from api.games.forms import AnyQuestions, AnyReview
from api.games.registry import find_game_of
from api.games.snapshots import parse_snapshot_json, review_snapshot
from api.store.readings import ReadingStore, Stored

REVIEWS_MOST = 8
QUESTIONS_MOST = 256

V = TypeVar("V")


class _Newest(OrderedDict[tuple[Any, ...], V]):
    """The values that were asked for last; two threads may work one out at once, which does no harm."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most, self._lock = most, Lock()

    def value(self, key: tuple[Any, ...], make: Callable[[], V]) -> V:
        with self._lock:
            if key in self:
                self.move_to_end(key)
                return self[key]
        self.keep(key, made := make())
        return made

    def keep(self, key: tuple[Any, ...], value: V) -> None:
        with self._lock:
            self[key] = value
            while len(self) > self._most:
                self.popitem(last=False)


class Reviews:
    """Of the readings of a store, by id and version."""

    def __init__(self, store: ReadingStore) -> None:
        self._store = store
        self._reviews: _Newest[AnyReview] = _Newest(REVIEWS_MOST)
        self._questions: _Newest[AnyQuestions] = _Newest(QUESTIONS_MOST)

    def of(self, reading: Stored) -> AnyReview:
        """The reading as it is corrected now; raises ServerError `not_found`, `not_read_yet`."""
        return self._reviews.value(
            (reading.id, reading.version), lambda: self.made(reading, reading.history.corrections)
        )

    def made(self, reading: Stored, corrections: list[Any]) -> AnyReview:
        """The reading with other corrections; raises CorrectionError, and as above.

        What is known beside its photos (`said`) comes before all that a person says, and is not undone with it.
        """
        kept = parse_snapshot_json(self._store.held(reading.id))
        return review_snapshot(kept, CORRECTIONS.validate_python([*reading.asked.get("said", []), *corrections]))

    def keep(self, reading: Stored, review: AnyReview) -> None:
        """What a reading was worked out to be, under its next version."""
        self._reviews.keep((reading.id, reading.version + 1), review)

    def questions(self, reading: Stored, language: str) -> AnyQuestions:
        """What to ask about a reading; nothing while it is not read."""
        if reading.report is None:
            return []
        key = (reading.id, reading.version, language)
        return self._questions.value(key, lambda: self._list_questions(reading, language))

    def _list_questions(self, reading: Stored, language: str) -> AnyQuestions:
        review = self.of(reading)
        return find_game_of(review.report).list_questions(review, language)
