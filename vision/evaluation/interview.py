"""What becomes of a reading while somebody who knows the table answers its questions, as plain values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from vision.evaluation.labels import Truth
from vision.multiview.reading import JoinedReading


@dataclass(frozen=True, slots=True)
class Interview:
    """The points of the players, {colour: points} without zeros, after 0, 1, 2, ... answers, up to the last question.

    It is `settled` where nothing was doubtful any more when the questions ended.
    """

    finals: tuple[Mapping[str, int], ...]
    settled: bool

    @property
    def questions(self) -> int:
        """How many questions were asked until none was left."""
        return len(self.finals) - 1

    def get_final(self, answers: int) -> Mapping[str, int]:
        """Return the points after so many answers, or after all of them where fewer were asked for."""
        return self.finals[min(answers, self.questions)]


Interviewer = Callable[[JoinedReading, Truth], Interview]
"""Asks the questions of a reading, the most important one first, and answers each from the label until none is left."""
