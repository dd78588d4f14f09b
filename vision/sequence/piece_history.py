"""The piece that stood on each tile, and for how long, by all photos of a game.

A piece is set when its tile is laid and goes home when what it stands on is complete: on one square there is one piece
or none, from the tile's first photo up to the one that shows its feature complete (an abbot may go home before). So a
piece that one photo hides is known from the others. A wonder is marked besides, for good.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

import numpy as np

from scoring.carcassonne.board.board import Board, PlacedMeeple, PlacedWonder, Placement
from scoring.carcassonne.board.features import Member, build_feature_map
from scoring.carcassonne.tiles.geometry import Square
from vision.pieces.kind_prior import MARKER
from vision.reading.values import MeepleReading

OVERLOOKED_PROBABILITY = 0.04
"""How likely a piece stands in its very place where a photo shows the tile and the reader finds none on it."""
MISREAD_PROBABILITY = 0.01
"""How likely something quite other than what was read stands there."""
UNDOUBTED_PROBABILITY = 0.97
"""How likely a piece is there whose reading says nothing against it."""
MIN_SURE_NATS = float(np.log(9.0))
"""One piece must stand out from another, and from none, by this much."""

_Any = TypeVar("_Any")


class Stay(NamedTuple):
    """A piece, and the segment that it stands on."""

    colour: str
    segment: int
    kind: str = "meeple"


class _Span(NamedTuple):
    """A piece or none, and the first photo that it is gone in."""

    stay: Stay | None
    until: int


@dataclass(frozen=True, slots=True)
class PieceDoubt:
    """A tile's piece (None: none) and what may be there instead, with its probability."""

    square: Square
    read: Stay | None
    instead: Stay | None
    probability: float


def trace_pieces(
    boards: Sequence[Board],
    meeples_by_photo: Sequence[Sequence[MeepleReading]],
    visible_squares: Sequence[frozenset[Square]],
    colours: Collection[str] = (),
) -> tuple[tuple[Board, ...], tuple[PieceDoubt, ...]]:
    """Return the boards with their pieces, and what is doubtful about these.

    `boards` are bare and grow; `meeples_by_photo` are the pieces read in each photo, surely or not, `visible_squares`
    the squares that it shows. `colours` are those that play, where that is known: no piece is of any other.
    """
    since = {square: n for n in reversed(range(len(boards))) for square in boards[n].tiles}
    until = _find_completions(boards)
    pieces: list[list[PlacedMeeple]] = [[] for _ in boards]
    doubts: list[PieceDoubt] = []
    for square, first in since.items():
        read = {
            n: next(_list_standing(square, meeples, boards[-1]), None) for n, meeples in enumerate(meeples_by_photo)
        }
        photos = {n: read[n] for n in range(first, len(boards)) if square in visible_squares[n]}
        span, doubt = _decide_piece(square, first, photos, until, len(boards), colours)
        doubts += [doubt] if doubt else []
        if span.stay:
            for n in range(first, span.until):
                pieces[n].append(_place_piece(square, span.stay, boards[-1]))
    for wonder in boards[-1].wonders:
        marker, unsure = _find_marker(
            wonder,
            [meeples for meeples, there in zip(meeples_by_photo, visible_squares, strict=True) if there],
            colours,
        )
        doubts += [unsure] if unsure else []
        for n in range(since[wonder.squares[0]], len(boards)):
            pieces[n] += [marker] if marker else []
    return tuple(replace(board, meeples=tuple(placed)) for board, placed in zip(boards, pieces, strict=True)), tuple(
        doubts
    )


def _list_standing(square: Square, meeples: Sequence[MeepleReading], board: Board) -> Iterator[MeepleReading]:
    """Yield the pieces read on a square, without a wonder's marker."""
    placement = board.tiles[square]
    on_square = (meeple for meeple in meeples if (meeple.row, meeple.col) == square)
    return (meeple for meeple in on_square if placement is None or not _marks_wonder(meeple, placement))


def _marks_wonder(meeple: MeepleReading, on: Placement) -> bool:
    """Return whether a piece marks the wonder whose square it is on: upside down, or on the wonder itself."""
    is_on_itself = meeple.segment is not None and on.layout.segments[meeple.segment].kind == "wonder"
    return on.wonder is not None and (meeple.pose == MARKER or is_on_itself)


def _find_marker(
    wonder: PlacedWonder, meeples_by_photo: Sequence[Sequence[MeepleReading]], colours: Collection[str]
) -> tuple[PlacedMeeple | None, PieceDoubt | None]:
    """The piece that marks a wonder, where the play engine sets it, and whose it may be instead."""
    cell, segment = wonder.layout.marked
    square, placements = wonder.squares[cell], wonder.placements
    markers = [
        meeple
        for photo in meeples_by_photo
        for meeple in photo
        if (on := placements.get((meeple.row, meeple.col))) and _marks_wonder(meeple, on)
    ]
    read = [_list_colour_odds(meeple) for meeple in markers]
    named = {colour for colour_odds in read for colour in colour_odds if not colours or colour in colours}
    if not named:
        return None, None
    weights = {
        colour: float(np.log([colour_odds.get(colour, MISREAD_PROBABILITY) for colour_odds in read]).sum())
        for colour in named
    }
    best, rival = max(named, key=lambda colour: weights[colour]), _find_rival(weights)
    kind = Counter(meeple.kind for meeple in markers).most_common(1)[0][0]
    doubt = PieceDoubt(square, Stay(best, segment, kind), Stay(rival[0], segment, kind), rival[1]) if rival else None
    return PlacedMeeple(best, square, segment, MARKER, kind), doubt


def _list_colour_odds(reading: MeepleReading) -> dict[str, float]:
    """The colours that a piece may have, with their probabilities."""
    others = {other.colour: other.probability for other in reading.alternatives if other.colour}
    return {
        colour: max(share, MISREAD_PROBABILITY)
        for colour, share in {**others, reading.colour: reading.confidence}.items()
    }


def _find_rival(weights: Mapping[_Any, float]) -> tuple[_Any, float] | None:
    """By log weights the next likely where the likeliest does not stand out, and how likely that one is."""
    best, *others = sorted(weights, key=lambda key: -weights[key])
    if not others or weights[best] - weights[others[0]] >= MIN_SURE_NATS:
        return None
    total = float(np.logaddexp.reduce(list(weights.values())))
    return others[0], float(np.exp(weights[others[0]] - total))


def _find_completions(boards: Sequence[Board]) -> Mapping[Member, int]:
    """The first board on which each segment's feature is complete."""
    completed: dict[Member, int] = {}
    for n, board in enumerate(boards):
        for feature in build_feature_map(board):
            if feature.complete:
                for member in feature.members:
                    completed.setdefault(member, n)
    return completed


def _decide_piece(
    square: Square,
    first: int,
    photos: Mapping[int, MeepleReading | None],
    until: Mapping[Member, int],
    end: int,
    colours: Collection[str],
) -> tuple[_Span, PieceDoubt | None]:
    """The likeliest piece of a square with its time, and the next likely where it is not sure."""
    stays = {stay for reading in photos.values() if reading for stay in _list_stays(reading)}
    playing = sorted(stay for stay in stays if not colours or stay.colour in colours)
    spans = [
        _Span(stay, n) for stay in playing for n in _list_ends(stay, first, until.get((square, stay.segment), end))
    ]
    weights = {
        span: sum(
            (_compute_log_likelihood(reading, span.stay if n < span.until else None) for n, reading in photos.items()),
            start=0.0,
        )
        for span in (_Span(None, first), *spans)
    }
    best = max(weights, key=lambda span: weights[span])
    rival = _find_rival({span: weight for span, weight in weights.items() if span == best or span.stay != best.stay})
    return best, PieceDoubt(square, best.stay, rival[0].stay, rival[1]) if rival else None


def _list_ends(stay: Stay, first: int, completed: int) -> range:
    """The photos from which on a piece may be gone: an abbot any, others that which shows their feature complete."""
    return range(first + 1 if stay.kind == "abbot" else max(first + 1, completed), completed + 1)


def _list_stays(reading: MeepleReading) -> Iterator[Stay]:
    if reading.segment is not None:
        yield Stay(reading.colour, reading.segment, reading.kind)
    yield from _list_other_stays(reading)


def _list_other_stays(reading: MeepleReading) -> dict[Stay, float]:
    """What else a piece may be, with the probabilities."""
    return {
        Stay(other.colour or reading.colour, other.segment, other.kind or reading.kind): other.probability
        for other in reading.alternatives
        if other.segment is not None
    }


def _compute_log_likelihood(reading: MeepleReading | None, stay: Stay | None) -> float:
    """What one photo's word weighs if a piece stands there, or none."""
    if reading is None:
        return float(np.log(OVERLOOKED_PROBABILITY if stay else 1 - OVERLOOKED_PROBABILITY))
    absent = next(
        (other.probability for other in reading.alternatives if other.segment is None), 1 - UNDOUBTED_PROBABILITY
    )
    if stay is None:
        return float(np.log(max(absent, MISREAD_PROBABILITY)))
    if stay == (reading.colour, reading.segment, reading.kind):
        return float(np.log(max(reading.confidence, MISREAD_PROBABILITY)))
    return float(np.log(max(_list_other_stays(reading).get(stay, 0.0) * (1 - absent), MISREAD_PROBABILITY)))


def _place_piece(square: Square, stay: Stay, board: Board) -> PlacedMeeple:
    """The piece as the play engine sets it: a disc or a meeple that fell over stands for what it stands on."""
    placement = board.tiles[square]
    assert placement is not None
    lying = placement.layout.segments[stay.segment].kind == "field"
    return PlacedMeeple(stay.colour, square, stay.segment, "lying" if lying else "standing", stay.kind)
