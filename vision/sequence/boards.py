"""One game in several photos: its boards in chronological order, in one frame."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.tiles.geometry import Square
from vision.errors import ReadingError
from vision.multiview.reading import build_join_error
from vision.photo.decoding import Photo
from vision.reading.board import build_board
from vision.reading.values import Reading, TileReading, WonderReading
from vision.sequence.piece_history import PieceDoubt, trace_pieces
from vision.sequence.timeline import Timeline
from vision.survey.survey import PlacedSurvey


@dataclass(frozen=True, slots=True, eq=False)
class Followed:
    """The board of each photo in chronological order; squares count from 0.

    `tiles` are those of the last board. `doubts` are pieces that may be others, `unsure` squares whose tile may have
    been laid before another photo, and `possible_wonders` may lie where other tiles were read. `apart` are the errors
    of photos that show another board. `left_out` are later photos that cannot follow these, because of the error
    `stopped`.
    """

    photos: tuple[Photo, ...]
    boards: tuple[Board, ...]
    tiles: tuple[TileReading, ...]
    doubts: tuple[PieceDoubt, ...]
    unsure: frozenset[Square]
    apart: tuple[ReadingError, ...] = ()
    possible_wonders: tuple[WonderReading, ...] = ()
    left_out: tuple[Photo, ...] = ()
    stopped: ReadingError | None = None

    @property
    def origin(self) -> Square:
        """Return the first row and column of the last board, from which people count squares."""
        return self.boards[-1].origin


def follow_game(timeline: Timeline, moments: Sequence[Reading], colours: Collection[str] = ()) -> Followed:
    """Return the boards of a timeline from the separate readings of its photos; `colours` are those in play, if
    known.
    """
    bare = [Board(build_board(moment).tiles) for moment in moments]
    meeples_by_photo = [(*moment.meeples, *moment.possible_meeples) for moment in moments]
    visible_squares = [
        _find_visible_squares(placed, board) for placed, board in zip(timeline.placed, bare, strict=True)
    ]
    boards, doubts = trace_pieces(bare, meeples_by_photo, visible_squares, colours)
    files = [placed.survey.photo for placed in timeline.placed]
    apart = tuple(
        build_join_error(survey, alignment, [photo.file for photo in files]) for survey, alignment in timeline.apart
    )
    last, left_out = moments[-1], tuple(survey.photo for survey in timeline.left_out)
    return Followed(
        tuple(files),
        boards,
        last.tiles,
        doubts,
        timeline.unsure,
        apart,
        last.possible_wonders,
        left_out,
        timeline.stopped,
    )


def _find_visible_squares(placed: PlacedSurvey, board: Board) -> frozenset[Square]:
    """Return the tiles that a photo shows as tiles; it is no evidence about others."""
    return frozenset(square for square in board.tiles if square in placed.index)
