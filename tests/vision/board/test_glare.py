"""Squares hidden by glare beside the board are asked about; a table that is white all over is not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from scoring.carcassonne.tiles.geometry import Square
from tests.vision.surveys import CATALOGUE, CLASSES
from vision.board.glare import find_tiles_under_glare
from vision.geometry.lattice_transform import Step
from vision.localise.lattice import Lattice
from vision.localise.refinement import compute_square_corners
from vision.photo.decoding import Photo
from vision.photo.pyramid import Halves
from vision.reading.values import TileReading
from vision.squares.classifier import TileLogits
from vision.survey.survey import PlacedSurvey, Survey

SIDE, ROOM, TILE_PX = 3, 2, 60
"""Tiles per side of the board, squares of bare table around it, pixels per tile."""
BOARD = [(row, col) for row in range(SIDE) for col in range(SIDE)]
GREEN, BROWN, WHITE = (60, 150, 90), (40, 70, 110), (255, 255, 255)
EAST = (1.5, 3.5)
"""Centre of a glare beside the board's eastern side, (row, col)."""


def taken(
    table: tuple[int, int, int], glare: tuple[float, float] | None = None, tiles: tuple[int, int, int] = GREEN
) -> PlacedSurvey:
    """Take a photo from straight above, with a round glare of 0.7 tiles about a place."""
    px = (SIDE + 2 * ROOM) * TILE_PX
    picture: NDArray[np.uint8] = np.full((px, px, 3), table, np.uint8)
    low, high = ROOM * TILE_PX, (ROOM + SIDE) * TILE_PX
    picture[low:high, low:high] = tiles
    if glare is not None:
        row, col = ((place + ROOM) * TILE_PX for place in glare)
        cv2.circle(picture, (int(col), int(row)), int(0.7 * TILE_PX), WHITE, -1)
    homography = np.array([[TILE_PX, 0, low], [0, TILE_PX, low], [0, 0, 1.0]])
    corners = {square: (compute_square_corners(square) + ROOM) * TILE_PX for square in BOARD}
    logits = TileLogits(np.zeros((len(BOARD), len(CLASSES) + 2)), np.zeros((len(BOARD), 4, 4)))
    lattice = Lattice(corners, dict.fromkeys(BOARD, 1.0), homography)
    return PlacedSurvey.at(Survey(Photo(Halves(picture), "a", "a", 1.0), lattice, logits, {}), Step(), CATALOGUE)


def read() -> list[TileReading]:
    return [TileReading(*square, "E", 0, compute_square_corners(square), 1.0, False) for square in BOARD]


def unseen(*photos: PlacedSurvey) -> list[Square]:
    return [(tile.row, tile.col) for tile in find_tiles_under_glare(read(), photos)]


def test_a_square_under_glare_that_touches_the_board_may_hold_a_tile() -> None:
    (tile,) = find_tiles_under_glare(read(), [taken(BROWN, EAST)])
    assert (tile.row, tile.col, tile.tile, tile.doubtful) == (1, 3, None, True)
    assert tile.corners_px.tolist() == ((compute_square_corners((1, 3)) + ROOM) * TILE_PX).tolist()


@pytest.mark.parametrize(
    ("photo", "why"),
    [
        (taken(BROWN), "nothing glares"),
        (taken(BROWN, (1.5, 3.75)), "the glare lies on the table alone, and the tile's edge is seen"),
        (taken(WHITE), "a white cloth is no glare"),
        (taken(WHITE, tiles=(252, 252, 252)), "all is too bright, and nothing is known of the table"),
    ],
)
def test_squares_without_glare_are_left_alone(photo: PlacedSurvey, why: str) -> None:
    assert unseen(photo) == [], why


def test_another_photo_that_shows_the_square_settles_it() -> None:
    assert unseen(taken(BROWN, EAST), taken(BROWN, EAST)) == [(1, 3)]
    assert unseen(taken(BROWN, EAST), taken(BROWN)) == []
