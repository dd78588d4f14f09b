"""Reads the pieces on some squares of a photo's own lattice, and on which features of a board pieces stand."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.features import build_feature_map
from scoring.carcassonne.tiles.geometry import Square
from vision.arrays import Image
from vision.pieces.classifier import Piece
from vision.pieces.colour_clusters import weigh_presence_by_company
from vision.pieces.colour_prior import compute_played_odds
from vision.pieces.crops import STAND_TILE_PX
from vision.pieces.ground_classifier import NO_GROUNDS, Grounds, Shown, classify_ground_beneath
from vision.pieces.kind_classifier import OUTLINE_TILE_PX, classify_kinds
from vision.pieces.kind_prior import find_board_boxes
from vision.pieces.meeples import find_possible_pieces, read_meeples, select_shown_pieces
from vision.pieces.piece_names import Names
from vision.reading.values import MeepleReading, Warp
from vision.runtime.onnx import Net
from vision.survey.survey import Survey


class PieceReader:
    """Finds pieces with four nets: where feet may be, what stands there, of which kind it is, and on which feature."""

    def __init__(self, finder: Net, classifier: Net, kinds: Net, ground: Net) -> None:
        self.names = Names.of(classifier, kinds)
        self._finder, self._classifier, self._kinds, self._ground = finder, classifier, kinds, ground

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

    def classify_ground(
        self, image: Image, scale: float, warp: Warp, pieces: Sequence[Piece], board: Board
    ) -> list[Shown]:
        """Return what a photo, `image` at `scale`, shows beneath pieces of the features that they may stand on."""
        features = build_feature_map(board)
        return classify_ground_beneath(self._ground, image, scale, warp, pieces, self.names.poses, board, features)

    def read_meeples(
        self, pieces: Sequence[Piece], warp: Warp, board: Board, grounds: Grounds = NO_GROUNDS
    ) -> tuple[tuple[MeepleReading, ...], tuple[MeepleReading, ...]]:
        """Return the meeples that pieces are on the features of a board, and those that may stand there besides.

        `grounds` is what the photos show printed about them.
        """
        return read_meeples(pieces, self.names, warp, board, grounds)
