"""The pieces that a photo shows on the tiles of a board, carried into the lattice that it shares with other photos, and
the roads that it shows near them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.tiles.geometry import PrintedRoads
from vision.multiview.piece_fusion import Sighting, move_piece
from vision.photo.crops import compute_tile_px
from vision.pieces.classifier import Piece
from vision.pieces.piece_reader import PieceReader
from vision.pieces.printed_roads import TILE_PX, trace_printed_roads
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


def trace_roads_near_sightings(
    placed: Sequence[PlacedSurvey], sightings: Sequence[Sighting], board: Board
) -> PrintedRoads:
    """Trace the roads near sighted pieces, each in the photo that shows its piece best, the first of several."""
    near = [[sighting.piece for sighting in sightings if sighting.best == number] for number in range(len(placed))]
    by_photo = [trace_roads_near_pieces(survey, pieces, board) for survey, pieces in zip(placed, near, strict=True)]
    return {road: course for roads in reversed(by_photo) for road, course in roads.items()}


def trace_roads_near_pieces(placed: PlacedSurvey, pieces: Sequence[Piece], board: Board) -> PrintedRoads:
    """Trace the roads near pieces that a photo shows, in the common lattice; those of wonders keep to their drawing."""
    known = {
        square: placement
        for square, placement in board.tiles.items()
        if placement is not None and placement.wonder is None and square in placed.index
    }
    if not known or not pieces:
        return {}
    quads = placed.quads(list(known))
    image, scale = placed.survey.photo.halves.sized(TILE_PX / float(np.median(compute_tile_px(quads))))
    return trace_printed_roads(image, quads * scale, known, np.array([piece.at for piece in pieces]))
