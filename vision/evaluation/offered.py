"""A reading's alternatives compared with the truth, from which their probabilities are calibrated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from scoring.carcassonne.doubt.kinds.marker import UnseenMarker
from scoring.carcassonne.doubt.kinds.meeple import AnotherMeeple, OtherPlace
from scoring.carcassonne.doubt.kinds.player import OtherPlayer
from scoring.carcassonne.doubt.kinds.tile import OtherTile
from scoring.player_colours import NOBODY
from vision.doubt.alternatives import Doubted, find_raw_alternatives
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
    table = ReadTable(reading, truth, match_reading(reading, truth))
    for doubted, other in find_raw_alternatives(reading, build_board(reading)):
        if not other.spans_several:
            yield Offered(doubted, other.probability, JUDGES[type(other)](other, table))


@dataclass(frozen=True, slots=True)
class ReadTable:
    """A reading, its truth, and the match of both."""

    reading: Reading
    truth: Truth
    match: Match


def find_true_player(colour: str, match: Match) -> str | None:
    """Return the true colour of most of the pieces read with a colour; None if none of them is there."""
    true = Counter(true.placed.colour for read, true in match.meeples if read.colour == colour)
    return true.most_common(1)[0][0] if true else None


def _is_true_tile(other: OtherTile, table: ReadTable) -> bool:
    """Return whether an alternative tile matches the label; an empty square matches if no catalogue tile lies there."""
    pair = next((pair for pair in table.match.tiles if (pair[0].row, pair[0].col) == other.square), None)
    if other.placement is None or pair is None:
        return other.placement is None and (pair is None or pair[1].placement is None)
    read, true = pair
    instead = replace(read, tile=other.placement.tile, turns=other.placement.turns)
    return is_same_tile(instead, true, table.match)


def _is_true_place(other: OtherPlace, table: ReadTable) -> bool:
    """Return whether another place of a meeple, or its absence, is true."""
    reading, match = table.reading, table.match
    meeple = reading.meeples[match_meeples(reading.meeples, build_board(reading)).index(other.meeple)]
    true = match.find_true_meeple(meeple)
    if other.instead is None or true is None:
        return other.instead is None and true is None
    named = (other.instead.colour, other.instead.kind) == (true.placed.colour, true.placed.kind)
    return named and is_same_place(replace(meeple, segment=other.instead.segment), true, table.truth, match)


def _is_true_player(other: OtherPlayer, table: ReadTable) -> bool:
    """Return whether another colour of a player is true."""
    return (find_true_player(other.colour, table.match) or NOBODY) == other.instead


def _is_missed(other: AnotherMeeple | UnseenMarker, table: ReadTable) -> bool:
    """Return whether the reading missed a piece of this colour on this square."""
    square, colour = table.match.true_square(*other.meeple.square), other.meeple.colour
    return any((true.placed.square, true.placed.colour) == (square, colour) for true in table.match.missed_meeples)


JUDGES: Mapping[type, Callable[[Any, ReadTable], bool]] = {
    OtherTile: _is_true_tile,
    OtherPlace: _is_true_place,
    OtherPlayer: _is_true_player,
    AnotherMeeple: _is_missed,
    UnseenMarker: _is_missed,
}
"""Judges of the truth of an alternative, by its type."""
