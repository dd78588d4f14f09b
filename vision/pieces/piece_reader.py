"""Reads the pieces on some squares of a photo's own lattice, and on which features of a board pieces stand."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.tiles.geometry import NO_PRINTED_ROADS, PrintedRoads, Square
from vision.pieces.classifier import Piece
from vision.pieces.colour_clusters import weigh_presence_by_company
from vision.pieces.colour_prior import compute_played_odds
from vision.pieces.crops import STAND_TILE_PX
from vision.pieces.kind_classifier import OUTLINE_TILE_PX, classify_kinds
from vision.pieces.kind_prior import find_board_boxes
from vision.pieces.meeples import find_possible_pieces, read_meeples, select_shown_pieces
from vision.pieces.piece_names import Names
from vision.reading.values import MeepleReading, Warp
from vision.runtime.onnx import Net
from vision.survey.survey import Survey


class PieceReader:
    """Finds pieces with three nets: where feet may be, what stands there, and of which kind it is."""

    def __init__(self, finder: Net, classifier: Net, kinds: Net) -> None:
        self.names = Names.of(classifier, kinds)
        self._finder, self._classifier, self._kinds = finder, classifier, kinds

    def read_pieces(self, survey: Survey, squares: Sequence[Square], board: Board) -> list[Piece]:
        """Return the pieces on those squares of a photo on which tiles lie, in its own lattice.

        Their kinds are looked at only where the board's boxes hold other pieces than meeples.
        """
        pieces = self.find_pieces(survey, squares)
        if find_board_boxes(board):
            image, scale = survey.photo.halves.sized(OUTLINE_TILE_PX / survey.lattice.tile_px)
            pieces = classify_kinds(self._kinds, image, scale, survey.lattice.warp(), pieces)
        return pieces

    def find_pieces(self, survey: Survey, squares: Sequence[Square]) -> list[Piece]:
        """Return the pieces on some squares of a photo's own lattice, held against each other."""
        return select_shown_pieces(self.find_weighed_places(survey, squares), self.names.colours)

    def find_weighed_places(self, survey: Survey, squares: Sequence[Square]) -> list[Piece]:
        """Return where pieces may stand on some squares, as likely as the others make them, some several times."""
        return weigh_presence_by_company(self.find_places(survey, squares), compute_played_odds(self.names.colours))

    def find_places(self, survey: Survey, squares: Sequence[Square]) -> list[Piece]:
        """Return where pieces may stand on some squares of a photo's own lattice, not yet held against each other."""
        image, scale = survey.photo.halves.sized(STAND_TILE_PX / survey.lattice.tile_px)
        return find_possible_pieces(self._finder, self._classifier, image, scale, survey.lattice, squares)

    def read_meeples(
        self, pieces: Sequence[Piece], warp: Warp, board: Board, printed: PrintedRoads = NO_PRINTED_ROADS
    ) -> tuple[tuple[MeepleReading, ...], tuple[MeepleReading, ...]]:
        """Return the meeples that pieces are on the features of a board, and those that may stand there besides.

        `printed` is where the photos show roads near them.
        """
        return read_meeples(pieces, self.names, warp, board, printed)
