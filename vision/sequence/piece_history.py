"""The piece on each tile, and how long it stood there, from all photos of a game.

A piece is set when its tile is laid and goes home when its feature is complete. A square therefore has one piece or
none from the tile's first photo to the one that shows its feature complete (an abbot may go home earlier); a photo may
still show it there if it was taken before the piece went home. A piece hidden in one photo is known from the others. A
wonder's marker is additional and permanent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

import numpy as np

from scoring.carcassonne.board.board import Board, PlacedMeeple, PlacedWonder, Placement
from scoring.carcassonne.board.features import Member, build_feature_map
from scoring.carcassonne.doubt.alternatives import MIN_ASKED_PROBABILITY
from scoring.carcassonne.tiles.geometry import Square
from scoring.player_colours import NOBODY
from vision.multiview.grouping import MISREAD_SHARE
from vision.pieces.kind_prior import MARKER
from vision.reading.values import SURE_NATS, MeepleReading

_Any = TypeVar("_Any")


class Stay(NamedTuple):
    """A piece and the segment it stands on."""

    colour: str
    segment: int
    kind: str = "meeple"


class _Span(NamedTuple):
    """A piece or none, and the first photo in which it is gone."""

    stay: Stay | None
    until: int


@dataclass(frozen=True, slots=True)
class PieceDoubt:
    """A tile's piece (None: none) and an alternative with its probability."""

    square: Square
    read: Stay | None
    instead: Stay | None
    probability: float


Assumed = Mapping[Square, Stay | None]
"""Pieces, or None for none, that are assumed on squares."""
NO_PIECES: Assumed = {}


class TracedPieces(NamedTuple):
    """The boards with their pieces, the doubts about these, and who was seen to take a piece back at once.

    `photographed` is the probability that a photo shows a piece on a complete feature before it goes home.
    """

    boards: tuple[Board, ...]
    doubts: tuple[PieceDoubt, ...]
    takers: Mapping[Square, str]
    photographed: float


def trace_pieces(
    boards: Sequence[Board],
    meeples_by_photo: Sequence[Sequence[MeepleReading]],
    visible_squares: Sequence[frozenset[Square]],
    colours: Collection[str] = (),
    assumed: Assumed = NO_PIECES,
) -> TracedPieces:
    """Trace the pieces of a game through its photos.

    `boards` are bare and grow; `meeples_by_photo` are the pieces read in each photo, certain or not, and
    `visible_squares` the squares that it shows. `colours` are those in play, if known; no piece has any other. Pieces
    that are `assumed` count, whatever the photos show, and are in doubt.
    """
    since = {square: n for n in reversed(range(len(boards))) for square in boards[n].tiles}
    completions = _find_completions(boards)
    takers: dict[Square, str] = {}
    finished: list[bool] = []
    pieces: list[list[PlacedMeeple]] = [[] for _ in boards]
    doubts: list[PieceDoubt] = []
    for square, first in since.items():
        read = {
            n: next(_list_standing(square, meeples, boards[-1]), None) for n, meeples in enumerate(meeples_by_photo)
        }
        photos = {n: read[n] for n in range(first, len(boards)) if square in visible_squares[n]}
        span, doubt = _decide_piece(square, first, photos, completions, len(boards), colours, assumed)
        doubts += [doubt] if doubt else []
        if span.stay:
            completion = completions.get((square, span.stay.segment))
            for n in range(first, min(span.until, completion.first) if completion else span.until):
                pieces[n].append(_place_piece(square, span.stay, boards[-1]))
            if completion and completion.first == first and not doubt:
                takers[square] = span.stay.colour
            if completion and completion.first in photos and not doubt:
                finished.append(span.until > completion.first)
    for wonder in boards[-1].wonders:
        marker, unsure = _find_marker(
            wonder,
            [meeples for meeples, there in zip(meeples_by_photo, visible_squares, strict=True) if there],
            colours,
        )
        doubts += [unsure] if unsure else []
        for n in range(since[wonder.squares[0]], len(boards)):
            pieces[n] += [marker] if marker else []
    traced = tuple(replace(board, meeples=tuple(placed)) for board, placed in zip(boards, pieces, strict=True))
    # by Laplace's rule of succession
    return TracedPieces(traced, tuple(doubts), takers, (sum(finished) + 1) / (len(finished) + 2))


def _list_standing(square: Square, meeples: Sequence[MeepleReading], board: Board) -> Iterator[MeepleReading]:
    """Yield the pieces read on a square, without a wonder's marker."""
    placement = board.tiles[square]
    on_square = (meeple for meeple in meeples if (meeple.row, meeple.col) == square)
    return (meeple for meeple in on_square if placement is None or not _marks_wonder(meeple, placement))


def _marks_wonder(meeple: MeepleReading, on: Placement) -> bool:
    """Return whether a piece marks the wonder beneath it: it is upside down, or on the wonder itself."""
    is_on_itself = meeple.segment is not None and on.layout.segments[meeple.segment].kind == "wonder"
    return on.wonder is not None and (meeple.pose == MARKER or is_on_itself)


def _find_marker(
    wonder: PlacedWonder, meeples_by_photo: Sequence[Sequence[MeepleReading]], colours: Collection[str]
) -> tuple[PlacedMeeple | None, PieceDoubt | None]:
    """Return the marker of a wonder, on the play engine's place for it, and the doubt about its owner."""
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
        colour: float(np.log([colour_odds.get(colour, MIN_ASKED_PROBABILITY) for colour_odds in read]).sum())
        for colour in named
    }
    best, rival = max(named, key=lambda colour: weights[colour]), _find_rival(weights)
    kind = Counter(meeple.kind for meeple in markers).most_common(1)[0][0]
    doubt = PieceDoubt(square, Stay(best, segment, kind), Stay(rival[0], segment, kind), rival[1]) if rival else None
    return PlacedMeeple(best, square, segment, MARKER, kind), doubt


def _list_colour_odds(reading: MeepleReading) -> dict[str, float]:
    """Return the possible colours of a piece with their probabilities."""
    others = {other.colour: other.probability for other in reading.alternatives if other.colour not in (None, NOBODY)}
    return {
        colour: max(share, MIN_ASKED_PROBABILITY)
        for colour, share in {**others, reading.colour: reading.confidence}.items()
    }


def _find_rival(weights: Mapping[_Any, float]) -> tuple[_Any, float] | None:
    """Return the second most likely key by log weight and its probability, unless the most likely one stands out."""
    best, *others = sorted(weights, key=lambda key: -weights[key])
    if not others or weights[best] - weights[others[0]] >= SURE_NATS:
        return None
    total = float(np.logaddexp.reduce(list(weights.values())))
    return others[0], float(np.exp(weights[others[0]] - total))


class _Completion(NamedTuple):
    """The first board on which a feature is complete, and the last that may still show its pieces.

    They go home before the next tile is laid; if it was complete in the first photo, they are home.
    """

    first: int
    last: int


def _find_completions(boards: Sequence[Board]) -> Mapping[Member, _Completion]:
    """Return when each segment's feature is completed."""
    completed: dict[Member, _Completion] = {}
    for n, board in enumerate(boards):
        alike = [number for number in range(n, len(boards)) if boards[number].tiles.keys() == board.tiles.keys()]
        last = alike[-1] if n else n - 1
        for feature in build_feature_map(board):
            if feature.complete:
                for member in feature.members:
                    completed.setdefault(member, _Completion(n, last))
    return completed


def _decide_piece(
    square: Square,
    first: int,
    photos: Mapping[int, MeepleReading | None],
    completions: Mapping[Member, _Completion],
    end: int,
    colours: Collection[str],
    assumed: Assumed,
) -> tuple[_Span, PieceDoubt | None]:
    """Return the most likely piece of a square with its time, and the second most likely as a doubt if it is close.

    If a piece is assumed there, the likeliest other one is the doubt.
    """
    stays = {stay for reading in photos.values() if reading for stay in _list_stays(reading)}
    playing = sorted(stay for stay in stays if not colours or stay.colour in colours)
    playing += [stay for stay in [assumed.get(square)] if stay and stay not in playing]
    spans = [
        _Span(stay, n)
        for stay in playing
        for n in _list_ends(stay, first, completions.get((square, stay.segment), _Completion(end, end - 1)))
    ]
    weights = {
        span: sum(
            (_compute_log_likelihood(reading, span.stay if n < span.until else None) for n, reading in photos.items()),
            start=0.0,
        )
        for span in (_Span(None, first), *spans)
    }
    best = max(weights, key=lambda span: weights[span])
    if square in assumed and best.stay != assumed[square]:
        there = max((span for span in weights if span.stay == assumed[square]), key=lambda span: weights[span])
        share = float(np.exp(weights[best] - np.logaddexp(weights[best], weights[there])))
        return there, PieceDoubt(square, there.stay, best.stay, share)
    rival = _find_rival({span: weight for span, weight in weights.items() if span == best or span.stay != best.stay})
    return best, PieceDoubt(square, best.stay, rival[0].stay, rival[1]) if rival else None


def _list_ends(stay: Stay, first: int, completion: _Completion) -> range:
    """Return the photos from which a piece may be gone: any for an abbot, otherwise those with its feature complete."""
    return range(first + 1 if stay.kind == "abbot" else max(first + 1, completion.first), completion.last + 2)


def _list_stays(reading: MeepleReading) -> Iterator[Stay]:
    if reading.segment is not None:
        yield Stay(reading.colour, reading.segment, reading.kind)
    yield from _list_other_stays(reading)


def rank_stays(stays: Sequence[Stay | None], readings: Sequence[MeepleReading]) -> list[Stay | None]:
    """Return pieces that may stand on a square, the likeliest by its readings first."""
    return sorted(stays, key=lambda stay: -sum(_compute_log_likelihood(reading, stay) for reading in readings))


def _list_other_stays(reading: MeepleReading) -> dict[Stay, float]:
    """Return the alternatives to a piece, with their probabilities."""
    return {
        Stay(other.colour or reading.colour, other.segment, other.kind or reading.kind): other.probability
        for other in reading.alternatives
        if other.segment is not None
    }


def _compute_log_likelihood(reading: MeepleReading | None, stay: Stay | None) -> float:
    """Return the log-likelihood of one photo's reading if a given piece, or none, stands there."""
    if reading is None:
        return float(np.log(MISREAD_SHARE if stay else 1 - MISREAD_SHARE))
    # An absence that no alternative states is too unlikely to be asked about.
    stated = (other.probability for other in reading.alternatives if other.segment is None)
    absent = max(next(stated, 0.0), MIN_ASKED_PROBABILITY)
    if stay is None:
        return float(np.log(absent))
    if stay == (reading.colour, reading.segment, reading.kind):
        return float(np.log(max(reading.confidence, MIN_ASKED_PROBABILITY)))
    return float(np.log(max(_list_other_stays(reading).get(stay, 0.0) * (1 - absent), MIN_ASKED_PROBABILITY)))


def _place_piece(square: Square, stay: Stay, board: Board) -> PlacedMeeple:
    """Return the piece as set by the play engine: a disc or a fallen meeple stands for the piece its feature
    implies.
    """
    placement = board.tiles[square]
    assert placement is not None
    lying = placement.layout.segments[stay.segment].kind == "field"
    return PlacedMeeple(stay.colour, square, stay.segment, "lying" if lying else "standing", stay.kind)
