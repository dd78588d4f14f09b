"""The pieces that a photo shows on the tiles of a board, in the lattice it shares with other photos, and the print
beneath them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.locate import DISC_RADIUS_TILES
from scoring.carcassonne.tiles.geometry import PrintedRoads
from vision.multiview.piece_fusion import Sighting, move_piece
from vision.photo.crops import compute_tile_px
from vision.pieces.ground_classifier import Evidence, Grounds
from vision.pieces.piece_reader import PieceReader
from vision.pieces.tiles_beneath import rename_likeliest_tile
from vision.reading.board import build_board
from vision.reading.piece import Piece
from vision.reading.values import Reading, TileReading
from vision.roads.drawn_roads import TILE_PX
from vision.roads.printed_roads import HIDDEN_TILES, trace_printed_roads
from vision.survey.survey import PlacedSurvey


def read_placed_pieces(
    piece_reader: PieceReader, placed: PlacedSurvey, tiles: Sequence[TileReading], board: Board
) -> list[Piece]:
    """Return the pieces that one photo shows on the tiles: found in its own lattice, placed in the common one."""
    squares = sorted(placed.find_own_squares([tile.square for tile in tiles]))
    if not squares:
        return []
    return [move_piece(piece, placed.step) for piece in piece_reader.read_pieces(placed.survey, squares, board)]


def weigh_tiles_and_grounds(
    piece_reader: PieceReader, placed: Sequence[PlacedSurvey], sightings: Sequence[Sighting], reading: Reading
) -> tuple[tuple[TileReading, ...], Board, Grounds]:
    """Return the tiles of a reading weighed by the pieces, the board they form, and the print beneath the pieces.

    If the pieces favour another name for a tile, all tiles are weighed again on the resulting board.
    """
    tiles, pieces = reading.tiles, [sighting.piece for sighting in sightings]
    while True:
        board = build_board(replace(reading, tiles=tiles))
        grounds = read_grounds(piece_reader, placed, sightings, board)
        weighed = piece_reader.weigh_tiles(tiles, pieces, board, grounds)
        renamed = rename_likeliest_tile(tiles, weighed)
        if renamed is None:
            return weighed, board, grounds
        tiles = renamed


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
    disc = piece_reader.names.poses.index("disc")
    radii = [DISC_RADIUS_TILES if np.argmax(piece.poses) == disc else HIDDEN_TILES for piece in pieces]
    feet = np.array([piece.at for piece in pieces])
    roads = trace_printed_roads(image, quads * scale, known, feet, np.array(radii))
    return Grounds(roads, tuple(piece_reader.classify_ground(image, scale, placed.warp, pieces, board)))
