"""The pieces that a photo shows on the tiles of a board, in the lattice it shares with other photos, and the print
beneath them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.tiles.geometry import PrintedRoads
from vision.multiview.piece_fusion import Sighting, move_piece
from vision.photo.crops import compute_tile_px
from vision.pieces.ground_classifier import Evidence, Grounds
from vision.pieces.piece_reader import PieceReader
from vision.reading.piece import Piece
from vision.reading.values import TileReading
from vision.roads.drawn_roads import TILE_PX
from vision.roads.printed_roads import trace_printed_roads
from vision.survey.survey import PlacedSurvey


def read_placed_pieces(
    piece_reader: PieceReader, placed: PlacedSurvey, tiles: Sequence[TileReading], board: Board
) -> list[Piece]:
    """Return the pieces that one photo shows on the tiles: found in its own lattice, placed in the common one."""
    squares = sorted(placed.find_own_squares([tile.square for tile in tiles]))
    if not squares:
        return []
    return [move_piece(piece, placed.step) for piece in piece_reader.read_pieces(placed.survey, squares, board)]


def read_grounds(
    piece_reader: PieceReader, placed: Sequence[PlacedSurvey], sightings: Sequence[Sighting], board: Board
) -> Grounds:
    """Read the print beneath and around pieces, each in the photo that shows it best, the first of several."""
    near = [[i for i, sighting in enumerate(sightings) if sighting.best == number] for number in range(len(placed))]
    evidence: list[Evidence] = [{} for _ in sightings]
    roads: list[PrintedRoads] = []
    for survey, numbers in zip(placed, near, strict=True):
        grounds = read_grounds_of_photo(piece_reader, survey, [sightings[i].piece for i in numbers], board)
        roads.append(grounds.roads)
        for i, of_piece in zip(numbers, grounds.evidence, strict=True):
            evidence[i] = of_piece
    return Grounds({road: course for some in reversed(roads) for road, course in some.items()}, tuple(evidence))


def read_grounds_of_photo(
    piece_reader: PieceReader, placed: PlacedSurvey, pieces: Sequence[Piece], board: Board
) -> Grounds:
    """Read the print that one photo shows beneath and around pieces, in the common lattice."""
    known = {
        square: placement
        for square, placement in board.tiles.items()
        if placement is not None and square in placed.index
    }
    if not known or not pieces:
        return Grounds(evidence=tuple({} for _ in pieces))
    quads = placed.quads(list(known))
    image, scale = placed.survey.photo.halves.sized(TILE_PX / float(np.median(compute_tile_px(quads))))
    roads = trace_printed_roads(image, quads * scale, known, np.array([piece.at for piece in pieces]))
    return Grounds(roads, tuple(piece_reader.classify_ground(image, scale, placed.warp, pieces, board)))
