"""A game as its photos show it: the boards, in chronological order, and what they leave in doubt."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.tiles.geometry import Square
from vision.arrays import Floats
from vision.board.stand_ins import collect_edges, lay_stand_ins, place_on_stand_ins
from vision.errors import ReadingError
from vision.photo.decoding import Photo
from vision.reading.board import build_board
from vision.reading.values import Reading, TileReading, TrackReading, WonderReading
from vision.sequence.piece_history import PieceDoubt, trace_pieces
from vision.sequence.timeline import Timeline, list_tiled_squares


@dataclass(frozen=True, slots=True, eq=False)
class Followed:
    """The board of each photo in chronological order, in the lattice of the first one given.

    `tiles` are those of the last board. `doubts` are pieces that may be others, `unsure` squares whose tile may have
    been laid before another photo, and `possible_wonders` may lie where other tiles were read. `apart` are the errors
    of photos that show another board, `set_aside` photos that fit nowhere, with the reason, and `moved` the numbers of
    photos that came too early or too late. `cleared` is the number of pieces that the last photo should show, if
    it shows none. `views` are the homographies (3, 3) from lattice points (col, row) to the pixels of each photo.
    `first_square` is the square that people call row 1, column 1, if not the first board's. `takers` are the players
    who were seen to set a piece and take it back with the same tile, by its square. `tracks` are the score boards of
    the photos, None for a photo that shows none.
    """

    photos: tuple[Photo, ...]
    boards: tuple[Board, ...]
    tiles: tuple[TileReading, ...]
    doubts: tuple[PieceDoubt, ...]
    unsure: frozenset[Square]
    apart: tuple[ReadingError, ...] = ()
    possible_wonders: tuple[WonderReading, ...] = ()
    set_aside: tuple[tuple[Photo, ReadingError], ...] = ()
    moved: tuple[int, ...] = ()
    cleared: int = 0
    views: tuple[Floats, ...] = ()
    first_square: Square | None = None
    takers: Mapping[Square, str] = field(default_factory=dict)
    tracks: tuple[TrackReading | None, ...] = ()

    @property
    def origin(self) -> Square:
        """Return the first row and column of the first board, from which people count squares all game long."""
        return self.boards[0].origin if self.first_square is None else self.first_square


def follow_game(
    timeline: Timeline,
    moments: Sequence[Reading],
    colours: Collection[str] = (),
    apart: tuple[ReadingError, ...] = (),
    set_aside: tuple[tuple[Photo, ReadingError], ...] = (),
) -> Followed:
    """Return the boards of a timeline from the separate readings of its photos; `colours` are those in play, if
    known.

    Unknown tiles get a layout by their edges, the same in each photo.
    """
    edges = collect_edges(tuple(timeline.since), timeline.logits, moments[-1].possible_wonders)
    filled = {tile.square: tile for tile in lay_stand_ins(moments[-1].tiles, edges)}
    moments = [_fill_in(moment, filled) for moment in moments]
    bare = [Board(build_board(moment).tiles) for moment in moments]
    meeples_by_photo = [(*moment.meeples, *moment.possible_meeples) for moment in moments]
    visible_squares = [
        frozenset(board.tiles) & list_tiled_squares(placed) for placed, board in zip(timeline.placed, bare, strict=True)
    ]
    boards, doubts, takers = trace_pieces(bare, meeples_by_photo, visible_squares, colours)
    last = moments[-1]
    return Followed(
        tuple(placed.survey.photo for placed in timeline.placed),
        boards,
        last.tiles,
        doubts,
        timeline.unsure,
        apart,
        last.possible_wonders,
        set_aside,
        timeline.moved,
        _count_cleared(boards, moments[-1], visible_squares[-1]),
        tuple(placed.warp.homography for placed in timeline.placed),
        takers=takers,
        tracks=tuple(moment.track for moment in moments),
    )


def _fill_in(reading: Reading, filled: Mapping[Square, TileReading]) -> Reading:
    """Return the reading of one photo with the layouts that unknown tiles of the last board got."""
    tiles = tuple(filled.get(tile.square, tile) for tile in reading.tiles)
    meeples, possible = (
        place_on_stand_ins(group, reading.tiles, tiles) for group in (reading.meeples, reading.possible_meeples)
    )
    return replace(reading, tiles=tiles, meeples=meeples, possible_meeples=possible)


def _count_cleared(boards: Sequence[Board], last: Reading, visible: Collection[Square]) -> int:
    """Return the number of pieces that were cleared away before the last photo: 0 if it shows any, or if none stood."""
    standing = [piece for piece in boards[-1].meeples if piece.square in visible]
    return 0 if last.meeples or len(boards) < 2 else len(standing)
