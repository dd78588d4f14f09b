"""Reader of the pieces on some squares of a photo's own lattice, and of the features they stand on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import numpy as np

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.features import build_feature_map
from scoring.carcassonne.tiles.geometry import Square
from vision.arrays import Floats, Image
from vision.colour.white_balance import correct_white_balance
from vision.localise.lattice import Lattice
from vision.pieces.background import reconstruct_bare_table
from vision.pieces.classifier import Table, classify_pieces
from vision.pieces.company import weigh_presence_by_company
from vision.pieces.crops import STAND_TILE_PX
from vision.pieces.detector import find_possible_feet, is_near_square
from vision.pieces.ground_classifier import Evidence, classify_ground_beneath
from vision.pieces.kind_classifier import OUTLINE_TILE_PX, Names, classify_kinds
from vision.pieces.kind_prior import find_board_boxes
from vision.pieces.meeples import select_shown_pieces
from vision.reading.piece import Piece
from vision.reading.values import Warp
from vision.runtime.onnx import Net
from vision.survey.survey import Survey

MAX_BESIDE_TILES = 0.35
"""Maximum distance of examined places from the tiles: a patterned cloth may yield a thousand places. A guess."""
MAX_FOOT_OFF_TILES = 0.1
"""Maximum distance of a refined foot from the tiles: dark cloth read as pieces would distort the look of all black
ones. A guess.
"""


class PieceReader:
    """Finder of pieces with 4 nets: for possible feet, for the pieces there, for their kinds, and for the features
    beneath.
    """

    def __init__(self, finder: Net, classifier: Net, kinds: Net, ground: Net) -> None:
        self.names = Names.of(classifier, kinds)
        self._finder, self._classifier, self._kinds, self._ground = finder, classifier, kinds, ground

    def read_pieces(self, survey: Survey, squares: Sequence[Square], board: Board) -> list[Piece]:
        """Return the pieces on those squares of a photo that hold tiles, in its own lattice.

        Their kinds are only examined if the board's boxes contain other pieces than meeples.
        """
        pieces = self.find_pieces(survey, squares)
        if find_board_boxes(board):
            image, scale = survey.photo.halves.sized(OUTLINE_TILE_PX / survey.lattice.tile_px)
            pieces = classify_kinds(self._kinds, image, scale, survey.lattice.warp(), pieces)
        return pieces

    def find_pieces(self, survey: Survey, squares: Sequence[Square]) -> list[Piece]:
        """Return the pieces on some squares of a photo's own lattice, weighed against each other."""
        return select_shown_pieces(self.find_weighed_places(survey, squares), self.names.colours)

    def find_weighed_places(self, survey: Survey, squares: Sequence[Square]) -> list[Piece]:
        """Return possible pieces on some squares, with presence updated by the others, some repeated."""
        return weigh_presence_by_company(self.find_places(survey, squares), self.names.colours)

    def find_places(self, survey: Survey, squares: Sequence[Square]) -> list[Piece]:
        """Return possible pieces on some squares of a photo's own lattice, not yet weighed against each other."""
        image, scale = survey.photo.halves.sized(STAND_TILE_PX / survey.lattice.tile_px)
        return find_possible_pieces(self._finder, self._classifier, image, scale, survey.lattice, squares)

    def classify_ground(
        self, image: Image, scale: float, warp: Warp, pieces: Sequence[Piece], board: Board
    ) -> list[Evidence]:
        """Return the evidence of a photo, `image` at `scale`, for the features that may lie beneath pieces."""
        features = build_feature_map(board)
        return classify_ground_beneath(self._ground, image, scale, warp, pieces, self.names.poses, board, features)


def find_possible_pieces(
    finder: Net,
    classifier: Net,
    image: Image,
    scale: float,
    lattice: Lattice,
    squares: Collection[Square],
    bare_table: Callable[[Image, Floats], Image] = reconstruct_bare_table,
    tiles: Floats | None = None,
) -> list[Piece]:
    """Return possible pieces on some squares of the lattice, however unlikely, some of them repeated.

    `image` is the photo at `scale`. `bare_table` returns the picture without pieces on squares with (n, 4, 2) corners.
    The lamp is estimated from (n, 4, 2) corners of `tiles` in the photo, or from the squares, which then are tiles.
    """
    rows, cols = ([square[i] for square in squares] for i in (0, 1))
    warp = lattice.warp()
    quads = np.array([lattice.corners[square] for square in squares]) * scale
    image = correct_white_balance(image, quads if tiles is None else tiles * scale)
    box = (min(cols), min(rows), max(cols) + 1, max(rows) + 1)
    bare = bare_table(image, quads)
    feet, seeming = find_possible_feet(finder, image, bare, scale, warp, box)
    on = np.array(list(squares))
    near = is_near_square(feet, on, MAX_BESIDE_TILES)
    named = classify_pieces(classifier, Table(image, bare, scale), warp, feet[near], seeming[near])
    stands = is_near_square(np.array([piece.at for piece in named]).reshape(-1, 2), on, MAX_FOOT_OFF_TILES)
    return [piece for piece, there in zip(named, stands.tolist(), strict=True) if there]
