"""From surveys of one growing board to its game: the tiles and pieces at the time of each photo."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.tiles.geometry import Square
from vision.board.board import BoardTiles
from vision.board.wonders.finder import FoundWonders
from vision.errors import ReadingError
from vision.multiview.placed_pieces import join_pieces, read_grounds_of_photo, read_placed_pieces
from vision.multiview.reading import build_join_error, exclude_duplicate_surveys
from vision.photo.decoding import Photo
from vision.pieces.kind_prior import collect_marker_looks
from vision.pieces.meeples import read_meeples
from vision.pieces.piece_reader import PieceReader
from vision.reading.board import build_board
from vision.reading.piece import Piece
from vision.reading.values import Reading, TileReading, WonderReading
from vision.sequence.piece_history import PieceDoubt, trace_pieces
from vision.sequence.timeline import Timeline, build_timeline
from vision.squares.board_size import refuse_large_board
from vision.survey.survey import PlacedSurvey, Survey


class Follower:
    """Reader of the photos of one game in chronological order."""

    def __init__(self, board_tiles: BoardTiles, piece_reader: PieceReader) -> None:
        self._board_tiles = board_tiles
        self._piece_reader = piece_reader

    def follow(self, surveys: Sequence[Survey], colours: Collection[str] = ()) -> Followed:
        """Return the board of each photo in chronological order; `colours` are those in play, if known.

        The last photos are left out if they cannot follow those before them; `stopped` is the reason. Raises
        ReadingError if fewer than 2 photos can be followed: `board_not_found`, `board_too_large`,
        `photos_out_of_order`.
        """
        followable, stopped = exclude_duplicate_surveys(surveys), None
        left_out: list[Survey] = []
        while True:
            try:
                followed = self._follow_all(followable, colours)
            except ReadingError as error:
                stopped = stopped or error
                if len(followable) <= 2:
                    raise stopped from error
                left_out.insert(0, followable.pop())
            else:
                later = (*followed.left_out, *(survey.photo for survey in left_out))
                return replace(followed, left_out=later, stopped=followed.stopped or stopped)

    def _follow_all(self, surveys: Sequence[Survey], colours: Collection[str]) -> Followed:
        timeline = build_timeline(surveys, self._board_tiles.catalogue)
        refuse_large_board(len(timeline.since))
        tiles, wonders = self._read_board(timeline)
        moments = [self._read_moment(timeline, number, tiles, wonders) for number in range(len(timeline.placed))]
        return follow_game(timeline, moments, colours)

    def _read_board(self, timeline: Timeline) -> tuple[Sequence[TileReading], FoundWonders]:
        """Return the last board; if wonders are in doubt on it, upside-down pieces of any photo serve as further
        evidence.
        """
        squares, placed = tuple(timeline.since), timeline.placed
        tiles, wonders = self._board_tiles.read(squares, timeline.logits, placed[-1:])
        if wonders.doubtful:
            pieces = [self._find_pieces(timeline, number, tiles, wonders) for number in range(len(placed))]
            sightings = [sighting.piece for sighting in join_pieces(pieces, placed)]
            markers = collect_marker_looks(sightings, self._piece_reader.names.poses)
            tiles, wonders = self._board_tiles.read(squares, timeline.logits, placed[-1:], wonders, markers)
        return tiles, self._board_tiles.read_coats(wonders, squares, timeline.logits, placed[-1:])

    def _find_pieces(
        self, timeline: Timeline, number: int, tiles: Sequence[TileReading], wonders: FoundWonders
    ) -> list[Piece]:
        bare = self._select_lying(timeline, number, tiles, wonders)
        return read_placed_pieces(self._piece_reader, timeline.placed[number], bare.tiles, build_board(bare))

    def _select_lying(
        self, timeline: Timeline, number: int, tiles: Sequence[TileReading], wonders: FoundWonders
    ) -> Reading:
        """Return the tiles and wonders of the last board that were there by a given photo, or may have been."""
        placed = timeline.placed[number]
        since = _list_times(timeline, wonders)
        lying = tuple(tile for tile in tiles if since.get(tile.square, len(timeline.placed) - 1) <= number)
        squares = {tile.square for tile in lying}
        read, possible = (
            tuple(wonder for wonder in found if squares.issuperset(wonder.placed.squares))
            for found in (wonders.read, wonders.possible)
        )
        return Reading(*placed.size, lying, (), placed.warp, {}, wonders=read, possible_wonders=possible)

    def _read_moment(
        self, timeline: Timeline, number: int, tiles: Sequence[TileReading], wonders: FoundWonders
    ) -> Reading:
        """Return the reading of one photo: the tiles and wonders of the last board that were there by then, and the
        pieces.
        """
        placed = timeline.placed[number]
        bare = self._select_lying(timeline, number, tiles, wonders)
        board = build_board(bare)
        pieces = read_placed_pieces(self._piece_reader, placed, bare.tiles, board)
        grounds = read_grounds_of_photo(self._piece_reader, placed, pieces, board)
        meeples, possible = read_meeples(pieces, self._piece_reader.names, placed.warp, board, grounds)
        return replace(bare, meeples=meeples, possible_meeples=possible)


def _list_times(timeline: Timeline, wonders: FoundWonders) -> dict[Square, int]:
    """Return the first photo of each square's tile; a wonder's squares in no photo's lattice share the time of its
    others.
    """
    since = dict(timeline.since)
    for wonder in (*wonders.read, *wonders.possible):
        times = [timeline.since[square] for square in wonder.placed.squares if square in timeline.since]
        for square in wonder.placed.squares if times else ():
            since.setdefault(square, min(times))
    return since


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
