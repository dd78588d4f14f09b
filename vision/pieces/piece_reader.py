"""Reads the pieces on some squares of a photo's own lattice, and on which features of a board pieces stand."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import numpy as np

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.features import build_feature_map
from scoring.carcassonne.tiles.geometry import Square
from vision.arrays import Floats, Image
from vision.localise.lattice import Lattice
from vision.photo.white_balance import correct_white_balance
from vision.pieces.background import reconstruct_bare_table
from vision.pieces.classifier import Piece, Table, classify_pieces
from vision.pieces.colour_clusters import weigh_presence_by_company
from vision.pieces.colour_prior import compute_played_odds
from vision.pieces.crops import STAND_TILE_PX
from vision.pieces.detector import find_possible_feet, is_near_square
from vision.pieces.ground_classifier import NO_GROUNDS, Evidence, Grounds, classify_ground_beneath
from vision.pieces.kind_classifier import OUTLINE_TILE_PX, classify_kinds
from vision.pieces.kind_prior import find_board_boxes
from vision.pieces.meeples import read_meeples, select_shown_pieces
from vision.pieces.piece_names import Names
from vision.reading.values import MeepleReading, Warp
from vision.runtime.onnx import Net
from vision.survey.survey import Survey

MAX_BESIDE_TILES = 0.35
"""Places farther from the tiles than this are not looked at: on a patterned cloth there may be a thousand."""
MAX_FOOT_OFF_TILES = 0.1
"""A foot that the closer look finds farther from the tiles than this is dropped: what a dark cloth shows there would
tell of all black pieces what they look like."""


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
    ) -> list[Evidence]:
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
    """Find what may stand on some squares of the lattice, however unlikely, some of it several times.

    `image` is the photo at `scale`. `bare_table` returns what it would show without pieces on squares with (n, 4, 2)
    corners. The lamp is estimated from (n, 4, 2) corners of `tiles` in the photo, or from the squares, which then are
    tiles.
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
