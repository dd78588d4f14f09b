"""The points of a reading while a person who knows the table answers its questions, as plain values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from vision.evaluation.labels import Truth
from vision.multiview.reading import JoinedReading


@dataclass(frozen=True, slots=True)
class Interview:
    """The points of the players, {colour: points} without zeros, after 0, 1, 2, ... answers, up to the last question.

    It is `settled` if no doubt was left when the questions ended.
    """

    finals: tuple[Mapping[str, int], ...]
    settled: bool


Interviewer = Callable[[JoinedReading, Truth], Interview]
"""A function that asks the questions of a reading, the most important one first, and answers each from the label until
none is left."""
