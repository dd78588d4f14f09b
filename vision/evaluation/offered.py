"""A reading's alternatives compared with the truth, from which their probabilities are calibrated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from scoring.carcassonne.board.board import PlacedMeeple
from scoring.carcassonne.doubt.alternatives import (
    Alternative,
    AnotherMeeple,
    OtherPlace,
    OtherPlayer,
    OtherTile,
    OtherWonder,
    UnseenMarker,
)
from vision.doubt.alternatives import find_raw_alternatives
from vision.doubt.calibration import Doubted
from vision.evaluation.labels import Truth
from vision.evaluation.matching import Match, is_same_place, is_same_tile, match_reading
from vision.reading.board import build_board, match_meeples
from vision.reading.values import Reading


@dataclass(frozen=True, slots=True)
class Offered:
    """One alternative of a reading: its stated probability, and whether it is true."""

    doubted: Doubted
    said: float
    so: bool


def judge_alternatives(reading: Reading, truth: Truth) -> Iterator[Offered]:
    """Yield every alternative of a reading except those of wonders, whose truth spans several squares."""
    match, board = match_reading(reading, truth), build_board(reading)
    for doubted, other in find_raw_alternatives(reading, board):
        if not isinstance(other, OtherWonder):
            yield Offered(doubted, other.probability, is_true_alternative(other, reading, truth, match))


def is_true_alternative(other: Alternative, reading: Reading, truth: Truth, match: Match) -> bool:
    """Return whether an alternative is true; alternatives of wonders are not judged."""
    if isinstance(other, OtherTile):
        return _is_true_tile(other, match)
    if isinstance(other, OtherPlace):
        return _is_true_place(other, reading, truth, match)
    if isinstance(other, OtherPlayer):
        return find_true_player(other.colour, match) == other.instead
    return isinstance(other, AnotherMeeple | UnseenMarker) and _is_missed(other.meeple, match)


def find_true_player(colour: str, match: Match) -> str | None:
    """Return the true colour of most of the pieces read with a colour; None if none of them is there."""
    true = Counter(true.placed.colour for read, true in match.meeples if read.colour == colour)
    return true.most_common(1)[0][0] if true else None


def _is_true_tile(other: OtherTile, match: Match) -> bool:
    """Return whether another tile is true; an empty square is if it has no tile of the catalogue."""
    pair = next((pair for pair in match.tiles if (pair[0].row, pair[0].col) == other.square), None)
    if other.placement is None or pair is None:
        return other.placement is None and (pair is None or pair[1].placement is None)
    read, true = pair
    instead = replace(read, tile=other.placement.tile, turns=other.placement.turns)
    return is_same_tile(instead, true, match)


def _is_true_place(other: OtherPlace, reading: Reading, truth: Truth, match: Match) -> bool:
    meeple = reading.meeples[match_meeples(reading.meeples, build_board(reading)).index(other.meeple)]
    true = match.find_true_meeple(meeple)
    if other.instead is None or true is None:
        return other.instead is None and true is None
    named = (other.instead.colour, other.instead.kind) == (true.placed.colour, true.placed.kind)
    return named and is_same_place(replace(meeple, segment=other.instead.segment), true, truth, match)


def _is_missed(other: PlacedMeeple, match: Match) -> bool:
    square, colour = match.true_square(*other.square), other.colour
    return any((true.placed.square, true.placed.colour) == (square, colour) for true in match.missed_meeples)
