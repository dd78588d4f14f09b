"""Pieces on squares of a wonder that was not read: one of them is its marker, the others stand where their feet are.

They were read on other tiles, on which no piece stands on its head.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from scoring.carcassonne.board.board import Board, PlacedWonder, Placement
from scoring.carcassonne.board.locate import locate_piece, locate_piece_on_tile
from vision.pieces.kind_prior import MARKER, weigh_markers
from vision.pieces.meeples import PLACE_SURE, SHOWN_PROBABILITY
from vision.reading.values import MeepleAlternative, MeepleReading


def find_marker(meeples: Iterable[MeepleReading], wonder: PlacedWonder) -> MeepleReading | None:
    """Find the piece that more probably than not marks a wonder, given how much each piece on it looks upside down."""
    near = [meeple for meeple in meeples if (meeple.row, meeple.col) in wonder.squares]
    looks = np.array([meeple.on_head for meeple in near])
    likely = looks * weigh_markers(looks)
    best = max(range(len(near)), key=lambda i: likely[i], default=None)
    return near[best] if best is not None and likely[best] > 1 - looks[best] else None


def stand_as_marker(meeple: MeepleReading, wonder: PlacedWonder) -> MeepleReading:
    """Return a piece as the marker of the wonder below it; the doubt that it may be missing stays.

    If its foot is beside the wonder's squares, although it was read on one, it stands at the place of the marker.
    """
    cell, segment = wonder.layout.marked
    (row, col) = wonder.squares[cell]
    if places := locate_piece(Board(wonder.placements), meeple.at, MARKER):
        (row, col), segment = places[0].square, places[0].segment
    return replace(_stand(meeple, 1.0), pose=MARKER, row=row, col=col, segment=segment)


def stand_by_foot(meeple: MeepleReading, on: Placement) -> MeepleReading:
    """Return a piece on the part of another tile below its foot, on none if it can be on none."""
    places = locate_piece_on_tile(on, (meeple.row, meeple.col), meeple.at, meeple.pose, meeple.kind)
    if not places:
        return replace(meeple, segment=None, alternatives=())
    (segment, sure), *others = places
    there = [MeepleAlternative(part, p) for part, p in others if p >= SHOWN_PROBABILITY]
    on_foot = _stand(meeple, sure)
    return replace(on_foot, segment=segment, alternatives=(*there, *on_foot.alternatives))


def _stand(meeple: MeepleReading, sure: float) -> MeepleReading:
    """Return a piece that surely stands on a part of another tile, without its alternatives on its own tile.

    If it could stand on no part of its own tile, only its presence was sure.
    """
    nowhere = tuple(other for other in meeple.alternatives if other.segment is None)
    if meeple.segment is not None:
        doubtful = meeple.doubtful or sure < PLACE_SURE
        return replace(meeple, confidence=meeple.confidence * sure, doubtful=doubtful, alternatives=nowhere)
    presence = 1 - sum(other.probability for other in nowhere)
    return replace(meeple, confidence=presence * sure, doubtful=presence * sure < PLACE_SURE, alternatives=nowhere)
