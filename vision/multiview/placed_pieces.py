"""The pieces that a photo shows on the tiles of a board, carried into the lattice that it shares with other photos."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.carcassonne.board.board import Board
from vision.multiview.piece_fusion import move_piece
from vision.pieces.classifier import Piece
from vision.pieces.piece_reader import PieceReader
from vision.reading.values import TileReading
from vision.survey.survey import PlacedSurvey


def read_placed_pieces(
    piece_reader: PieceReader, placed: PlacedSurvey, tiles: Sequence[TileReading], board: Board
) -> list[Piece]:
    """Return the pieces that one photo shows on the tiles: looked for in its own lattice, placed in the common one."""
    squares = sorted(placed.find_own_squares([tile.square for tile in tiles]))
    if not squares:
        return []
    return [move_piece(piece, placed.step) for piece in piece_reader.read_pieces(placed.survey, squares, board)]
