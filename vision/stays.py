"""Which piece stood on each tile, and how long, by all photos of a game.

A piece is set when its tile is laid and goes home when what it stands on is complete: on one tile there is one piece or
none, from the tile's first photo up to the one that shows its feature complete. So a piece that one photo hides is
known from the others.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from scoring.carcassonne.board import Board, PlacedMeeple
from scoring.carcassonne.features import Member, features
from scoring.carcassonne.geometry import Square
from vision.reading import MeepleReading

OVERSEEN = 0.04
"""How likely a piece stands in its very place where a photo shows the tile and the reader finds none on it."""
MISREAD = 0.01
"""How likely something quite other than what was read stands there."""
UNSAID = 0.97
"""How likely a piece is there whose reading says nothing against it."""
SURE_NATS = float(np.log(9.0))
"""By so much one piece must stand out from another, and from none."""

Stay = tuple[str, int]
"""A colour, and the segment that it stands on."""


@dataclass(frozen=True, slots=True)
class PieceDoubt:
    """A tile's piece (None: none) and what may be there instead, with its probability."""

    square: Square
    read: Stay | None
    instead: Stay | None
    probability: float


def stays(
    boards: Sequence[Board],
    seen: Sequence[Sequence[MeepleReading]],
    shown: Sequence[frozenset[Square]],
    colours: Collection[str] = (),
) -> tuple[tuple[Board, ...], tuple[PieceDoubt, ...]]:
    """The boards with their pieces, and what is doubtful about these.

    `boards` are bare and grow; `seen` are the pieces read in each photo, surely or not, `shown` the squares that it
    shows. `colours` are those that play, where that is known: no piece is of any other.
    """
    since = {square: n for n in reversed(range(len(boards))) for square in boards[n].tiles}
    until = _completed(boards)
    pieces: list[list[PlacedMeeple]] = [[] for _ in boards]
    doubts: list[PieceDoubt] = []
    for square, first in since.items():
        read = {n: next((m for m in own if (m.row, m.col) == square), None) for n, own in enumerate(seen)}
        photos = {n: read[n] for n in range(first, len(boards)) if square in shown[n]}
        stay, doubt = _decided(square, first, photos, until, len(boards), colours)
        doubts += [doubt] if doubt else []
        if stay:
            for n in range(first, until.get((square, stay[1]), len(boards))):
                pieces[n].append(_placed(square, stay, boards[-1]))
    return tuple(replace(board, meeples=tuple(own)) for board, own in zip(boards, pieces, strict=True)), tuple(doubts)


def _completed(boards: Sequence[Board]) -> Mapping[Member, int]:
    """The first board on which each segment's feature is complete."""
    found: dict[Member, int] = {}
    for n, board in enumerate(boards):
        for feature in features(board):
            if feature.complete:
                for member in feature.members:
                    found.setdefault(member, n)
    return found


def _decided(
    square: Square,
    first: int,
    photos: Mapping[int, MeepleReading | None],
    until: Mapping[Member, int],
    end: int,
    colours: Collection[str],
) -> tuple[Stay | None, PieceDoubt | None]:
    """The likeliest piece of a tile, and the next likely where it is not sure."""
    stays = {stay for reading in photos.values() if reading for stay in _possible(reading)}
    playing = (stay for stay in stays if not colours or stay[0] in colours)
    visible = sorted(stay for stay in playing if until.get((square, stay[1]), end) > first)
    weights: dict[Stay | None, float] = {None: sum(_log(reading, None) for reading in photos.values())}
    for stay in visible:
        last = until.get((square, stay[1]), end)
        weights[stay] = sum(_log(reading, stay if n < last else None) for n, reading in photos.items())
    best, *others = sorted(weights, key=lambda stay: -weights[stay])
    if not others or weights[best] - weights[others[0]] >= SURE_NATS:
        return best, None
    total = float(np.logaddexp.reduce(list(weights.values())))
    return best, PieceDoubt(square, best, others[0], float(np.exp(weights[others[0]] - total)))


def _possible(reading: MeepleReading) -> Iterator[Stay]:
    if reading.segment is not None:
        yield reading.colour, reading.segment
    for other in reading.alternatives:
        if other.segment is not None:
            yield other.colour or reading.colour, other.segment


def _log(reading: MeepleReading | None, stay: Stay | None) -> float:
    """What one photo's word weighs if a piece stands there, or none."""
    if reading is None:
        return float(np.log(OVERSEEN if stay else 1 - OVERSEEN))
    absent = next((other.probability for other in reading.alternatives if other.segment is None), 1 - UNSAID)
    if stay is None:
        return float(np.log(max(absent, MISREAD)))
    if stay == (reading.colour, reading.segment):
        return float(np.log(max(reading.confidence, MISREAD)))
    named = (other for other in reading.alternatives if other.segment is not None)
    share = next((o.probability for o in named if (o.colour or reading.colour, o.segment) == stay), 0.0)
    return float(np.log(max(share * (1 - absent), MISREAD)))


def _placed(square: Square, stay: Stay, board: Board) -> PlacedMeeple:
    """The piece as the play engine sets it: a disc or a meeple that fell over stands for what it stands on."""
    colour, segment = stay
    placement = board.tiles[square]
    assert placement is not None
    lying = placement.layout.segments[segment].kind == "field"
    return PlacedMeeple(colour, square, segment, "lying" if lying else "standing")
