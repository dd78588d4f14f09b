"""Readings in which either of two pieces of a player may be the big one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

from scoring.carcassonne.final.scoring import compute_final_scoring
from tests.vision.evaluation.dealt import Frame, dealt, perfect
from vision.evaluation.labels import Truth
from vision.reading.board import build_board
from vision.reading.values import MeepleAlternative, MeepleReading, Reading

LIKELY = (0.3, 0.2)


def find_rivals() -> tuple[Truth, Reading, tuple[int, int]]:
    """Return a table, a certain reading, and two pieces of one player: points depend on whether the first is big."""
    for seed in range(200):
        truth = dealt(seed)
        reading = perfect(truth, Frame())
        pair = choose_rivals(reading)
        if pair is not None:
            return truth, reading, pair
    raise AssertionError


def choose_rivals(reading: Reading) -> tuple[int, int] | None:
    """Return two such pieces, if there are any."""
    for first, second in permutations(range(len(reading.meeples)), 2):
        meeples = reading.meeples[first], reading.meeples[second]
        stand = all(meeple.segment is not None for meeple in meeples)
        if (
            stand
            and meeples[0].colour == meeples[1].colour
            and count_points(reading, first) != count_points(reading, None)
        ):
            return first, second
    return None


def count_points(reading: Reading, big: int | None) -> str:
    """Return the points where one piece is big, or none."""
    meeples = [replace(m, kind="big") if number == big else m for number, m in enumerate(reading.meeples)]
    totals = compute_final_scoring(build_board(replace(reading, meeples=tuple(meeples)))).totals
    return str({player: n for player, n in sorted(totals.items()) if n})


def doubt_kinds(reading: Reading, pair: Sequence[int], read_big: bool = False) -> Reading:
    """Return the reading in which each of two pieces may be big; the first was read so if `read_big`."""
    meeples = list(reading.meeples)
    for number, likely in zip(pair, LIKELY, strict=True):
        meeples[number] = _doubt_kind(meeples[number], likely)
    if read_big:
        first = meeples[pair[0]]
        meeples[pair[0]] = replace(
            first, kind="big", alternatives=(MeepleAlternative(first.segment, 0.3, kind="meeple"),)
        )
    return replace(reading, meeples=tuple(meeples))


def _doubt_kind(meeple: MeepleReading, likely: float) -> MeepleReading:
    big = MeepleAlternative(meeple.segment, likely, kind="big")
    return replace(meeple, confidence=1 - likely, doubtful=True, alternatives=(big,))
