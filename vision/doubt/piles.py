"""Farmers of one player that lie on or beside each other: their number is one doubt, instead of one doubt each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import dist

import numpy as np

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.doubt.kinds.pile import OtherCount
from vision.arrays import Floats
from vision.reading.board import match_meeples, place_meeple
from vision.reading.values import MeepleReading, Reading

PILE_REACH_TILES = 0.6
"""Distance within which feet may belong to one pile: a lying piece is 0.4 tiles long, and the upper ones of a pile of 3
seem to lie half a tile behind the lowest in a photo from the side. Geometry of the piece."""


@dataclass(frozen=True, slots=True)
class Pile:
    """Indices of pieces that lie together among meeples and possible ones; the first `read` are meeples.

    Read pieces come first, the surest of either group in front.
    """

    pieces: tuple[int, ...]
    read: int


def find_piles(meeples: Sequence[MeepleReading], possible_meeples: Sequence[MeepleReading]) -> list[Pile]:
    """Return the piles among a reading's pieces: two or more lying ones of one colour, each near another."""
    pieces = (*meeples, *possible_meeples)
    left = [number for number, piece in enumerate(pieces) if piece.pose == "lying" and piece.segment is not None]
    piles = []
    while left:
        pile = [left.pop(0)]
        for number in pile:
            colour, at = pieces[number].colour, pieces[number].at
            near = [i for i in left if pieces[i].colour == colour and dist(pieces[i].at, at) < PILE_REACH_TILES]
            left = [other for other in left if other not in near]
            pile += near
        if len(pile) > 1:
            ranked = sorted(pile, key=lambda number: (number >= len(meeples), -pieces[number].confidence))
            piles.append(Pile(tuple(ranked), sum(number < len(meeples) for number in pile)))
    return piles


def list_other_counts(
    pile: Pile, presence: Mapping[int, float], reading: Reading, board: Board
) -> Iterator[OtherCount]:
    """Yield each other number of pieces that may lie on a pile, given their probabilities (`presence`)."""
    likely = _count_present([presence[number] for number in pile.pieces])
    for count, probability in enumerate(likely.tolist()):
        if count != pile.read:
            yield build_other_count(pile, count, probability, reading, board)


def build_other_count(pile: Pile, count: int, probability: float, reading: Reading, board: Board) -> OtherCount:
    """Build the doubt that `count` pieces lie on a pile: its surest ones, and more like the first if needed."""
    indices = match_meeples(reading.meeples, board)
    placed = [place_meeple(piece) for piece in (*reading.meeples, *reading.possible_meeples)]
    further = [placed[number] for number in pile.pieces[pile.read : count]]
    further += [placed[pile.pieces[0]]] * (count - len(pile.pieces))
    gone = frozenset(indices[number] for number in pile.pieces[count : pile.read])
    return OtherCount(pile.pieces, count, gone, tuple(further), probability)


def _count_present(presence: Sequence[float]) -> Floats:
    """Return (n + 1,) the probabilities that 0, 1, ... n independent things with these probabilities are present."""
    likely = np.ones(1)
    for share in presence:
        likely = np.convolve(likely, [1 - share, share])
    return likely
