"""From the surveys of one table to its board: tiles and wonders from all photos together, then the pieces on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace

from scoring.carcassonne.tiles.geometry import Square, find_outer_neighbours
from scoring.carcassonne.wonders.tiles import WonderLayout
from vision.board.board import BoardTiles
from vision.board.stand_ins import collect_edges, lay_stand_ins, place_on_stand_ins
from vision.board.wonders.finder import FoundWonders
from vision.multiview.coat_occlusion import update_hidden_coats
from vision.multiview.grouping import Joint, group_surveys, replace_surveys
from vision.multiview.placed_pieces import Sighting, join_pieces, read_placed_pieces, weigh_tiles_and_grounds
from vision.multiview.reading import JoinedReading, build_joined_reading, exclude_duplicate_surveys
from vision.pieces.kind_prior import collect_marker_looks, find_board_boxes
from vision.pieces.meeples import read_meeples
from vision.pieces.piece_reader import PieceReader
from vision.reading.board import build_board
from vision.reading.piece import Piece
from vision.reading.values import MeepleReading, Reading, TileReading, TrackReading
from vision.runtime.parallel import sum_laps
from vision.squares.board_size import find_shown_tiles, refuse_large_board
from vision.squares.square_reader import SquareReader
from vision.survey.survey import PlacedSurvey, Survey
from vision.survey.surveyor import extend_survey


@dataclass(frozen=True, slots=True, eq=False)
class JoinedBoard:
    """The tiles and wonders of one table, and the surveys that show them.

    `probability` is that of a table of Carcassonne.
    """

    joint: Joint
    tiles: tuple[TileReading, ...]
    wonders: FoundWonders
    probability: float

    @property
    def squares(self) -> frozenset[Square]:
        """The squares of its tiles."""
        return frozenset(tile.square for tile in self.tiles)

    @property
    def reading(self) -> Reading:
        """The board without pieces, in the pixels of the photo that shows most."""
        first = self.joint.placed[0]
        return Reading(
            *first.size,
            self.tiles,
            (),
            first.warp,
            {},
            wonders=self.wonders.read,
            possible_wonders=self.wonders.possible,
            probability=self.probability,
        )


@dataclass(frozen=True, slots=True, eq=False)
class JoinedTable:
    """A board and the pieces on it: `pieces` are those that each photo shows, `sightings` all of them, each once."""

    board: JoinedBoard
    pieces: tuple[list[Piece], ...]
    sightings: tuple[Sighting, ...]
    meeples: tuple[MeepleReading, ...]
    possible_meeples: tuple[MeepleReading, ...]

    @property
    def colours(self) -> set[str]:
        """The colours of the pieces that stand on the board, or may."""
        return {meeple.colour for meeple in (*self.meeples, *self.possible_meeples)}

    def fill_in(self) -> JoinedTable:
        """Return the table with a layout for each unknown tile, except where a possible wonder is asked about."""
        board, joint = self.board, self.board.joint
        tiles = lay_stand_ins(board.tiles, collect_edges(joint.squares, joint.logits, board.wonders.possible))
        meeples, possible = (
            place_on_stand_ins(group, board.tiles, tiles) for group in (self.meeples, self.possible_meeples)
        )
        return replace(self, board=replace(board, tiles=tiles), meeples=meeples, possible_meeples=possible)

    def build_reading(self, track: TrackReading | None, laps: dict[str, float]) -> JoinedReading:
        """Return the reading in each photo, with the milliseconds of all stages: `laps`, and the surveys' own.

        The time for joining is dropped for a single photo.
        """
        joint = self.board.joint
        timing_ms = sum_laps((*(placed.survey.timing_ms for placed in joint.placed), laps))
        if len(joint.placed) == 1:
            timing_ms.pop("join", None)
        main = replace(
            self.board.reading,
            meeples=self.meeples,
            possible_meeples=self.possible_meeples,
            track=track,
            timing_ms=timing_ms,
        )
        return build_joined_reading(main, joint, self.sightings)


class Joiner:
    """A reader of one board from several surveys, whose photos are consulted about further squares if needed.

    `wonders` are the layouts in force, by id, else those shipped.
    """

    def __init__(
        self,
        square_reader: SquareReader,
        piece_reader: PieceReader,
        wonders: Mapping[str, WonderLayout] | None = None,
    ) -> None:
        self._square_reader, self._piece_reader = square_reader, piece_reader
        self._catalogue = square_reader.catalogue
        self.board_tiles = BoardTiles(self._catalogue, wonders)

    def state(self, copies: Mapping[str, int]) -> Joiner:
        """Return the reader of a table with these stated copies of boxes; no other reading knows of them."""
        other = copy(self)
        other.board_tiles = self.board_tiles.state(copies)
        return other

    def group(self, surveys: Sequence[Survey]) -> Joint:
        """Return the largest group of surveys that show one table, the others apart from it."""
        return group_surveys(exclude_duplicate_surveys(surveys), self._catalogue)

    def refuse_large_table(self, joint: Joint) -> None:
        """Raise ReadingError `board_too_large` if the photos together show more tiles than a board has."""
        refuse_large_board(len(find_shown_tiles(joint.logits, self._catalogue)))

    def read_board(self, joint: Joint) -> JoinedBoard:
        """Return the most likely legal board, extended as long as the squares beside it show more tiles.

        Raises ReadingError: `board_not_found`, `board_too_large`.
        """
        tiles, wonders = self.board_tiles.read(joint.squares, joint.logits, joint.placed)
        before = 0
        while len(tiles) > before and (wider := self._extend(joint, tiles)) is not joint:
            joint, before = wider, len(tiles)
            tiles, wonders = self.board_tiles.read(joint.squares, joint.logits, joint.placed)
        refuse_large_board(len(tiles))
        return JoinedBoard(joint, tiles, wonders, self.board_tiles.weigh_table(joint.squares, joint.logits, tiles))

    def read_table(self, board: JoinedBoard) -> JoinedTable:
        """Return a board with its pieces (`read_pieces`), and with a layout for each unknown tile."""
        return self.read_pieces(board).fill_in()

    def read_pieces(self, board: JoinedBoard) -> JoinedTable:
        """Return the pieces on a board; coats of arms that they hide are then read again.

        If wonders are in doubt, pieces that stand on their heads are further evidence. Pieces are then searched for
        once more on the resulting tiles.
        """
        pieces = self.find_pieces(board)
        if board.wonders.doubtful:
            marked = self._read_marked_board(board, pieces)
            if _list_piece_grounds(marked) != _list_piece_grounds(board):
                pieces = self.find_pieces(marked)
            board = marked
        joint = board.joint
        wonders = self.board_tiles.read_coats(board.wonders, joint.squares, joint.logits, joint.placed)
        board = self._update_coats(replace(board, wonders=wonders), pieces)
        sightings = tuple(join_pieces(pieces, board.joint.placed))
        tiles, laid, grounds = weigh_tiles_and_grounds(self._piece_reader, board.joint.placed, sightings, board.reading)
        candidates = [sighting.piece for sighting in sightings]
        meeples, possible = read_meeples(candidates, self._piece_reader.names, board.reading.warp, laid, grounds)
        return JoinedTable(replace(board, tiles=tiles), pieces, sightings, meeples, possible)

    def find_pieces(self, board: JoinedBoard) -> tuple[list[Piece], ...]:
        """Return the pieces that each photo shows on the tiles of a board."""
        bare = build_board(board.reading)
        return tuple(read_placed_pieces(self._piece_reader, placed, board.tiles, bare) for placed in board.joint.placed)

    def _read_marked_board(self, board: JoinedBoard, pieces: Sequence[Sequence[Piece]]) -> JoinedBoard:
        """Return the board given the evidence of its pieces for wonders, too."""
        joint = board.joint
        sightings = [sighting.piece for sighting in join_pieces(pieces, joint.placed)]
        markers = collect_marker_looks(sightings, self._piece_reader.names.poses)
        tiles, wonders = self.board_tiles.read(joint.squares, joint.logits, joint.placed, board.wonders, markers)
        return replace(board, tiles=tiles, wonders=wonders)

    def _extend(self, joint: Joint, tiles: Sequence[TileReading]) -> Joint:
        """Return the photos with the free squares beside the tiles, where tiles missed by the localiser may lie.

        The result is the same object if all tiles are laid, or no photo shows a square that its lattice lacks.
        """
        if self.board_tiles.is_whole(tiles, joint.logits):
            return joint
        beside = find_outer_neighbours([tile.square for tile in tiles])
        surveys = [self._extend_survey(placed, beside) for placed in joint.placed]
        if all(survey is placed.survey for survey, placed in zip(surveys, joint.placed, strict=True)):
            return joint
        return replace_surveys(joint, surveys, self._catalogue)

    def _extend_survey(self, placed: PlacedSurvey, squares: Sequence[Square]) -> Survey:
        """Extend a photo's survey by those squares of the common lattice that it shows but lacks."""
        back = placed.step.inverse()
        lacking = [square for square in squares if square not in placed.index]
        visible = [back.square(square) for square, whole in zip(lacking, placed.shows(lacking), strict=True) if whole]
        return extend_survey(placed.survey, visible, self._square_reader)

    def _update_coats(self, board: JoinedBoard, pieces: Sequence[Sequence[Piece]]) -> JoinedBoard:
        """Return the board given the coats of arms that may be hidden by the pieces in each photo."""
        joint = update_hidden_coats(
            board.joint, pieces, self._piece_reader.names.poses, self._catalogue, self._square_reader.twins
        )
        if joint is board.joint:
            return board
        tiles, _ = self.board_tiles.read(joint.squares, joint.logits, joint.placed, board.wonders)
        return replace(board, joint=joint, tiles=tiles)


def _list_piece_grounds(board: JoinedBoard) -> tuple[frozenset[Square], frozenset[str]]:
    """Return the inputs of the search for pieces: the squares of tiles, and the boxes these belong to."""
    return board.squares, find_board_boxes(build_board(board.reading))
