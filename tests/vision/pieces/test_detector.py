"""Faint feet are examined if the photo differs from the print there, and nowhere else."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from datasets.art.procedural import draw_tile
from datasets.art.style import STYLES
from scoring.carcassonne.tiles.catalogue import load_base_catalogue
from tests.readers import reader, survey_example
from vision.arrays import Image
from vision.pieces.detector import MIN_FAINT_HEAT, MIN_HEAT, find_possible_feet, is_near_square
from vision.pieces.piece_reader import MAX_BESIDE_TILES, MAX_FOOT_OFF_TILES
from vision.reading.values import Warp
from vision.runtime.onnx import MODELS, Net

TILE_PX = 80
SIDE = 3
SURE = 0.9


@pytest.fixture(scope="module")
def finder() -> Net:
    return Net(MODELS / "meeples.onnx", threads=1)


@pytest.fixture(scope="module")
def table() -> Image:
    """Return nine tiles without a piece, from above."""
    catalogue = load_base_catalogue()
    tiles = [
        cv2.resize(draw_tile(catalogue[letter], STYLES["meadow"], seed=1, size=160), (TILE_PX, TILE_PX))
        for letter in "ABCDEFGHI"
    ]
    rows = [np.hstack(tiles[SIDE * row : SIDE * (row + 1)]) for row in range(SIDE)]
    return np.asarray(np.vstack(rows), np.uint8)


def heats(finder: Net, table: Image, print_: Image, trust: int) -> NDArray[np.float64]:
    bare = np.dstack([print_, np.full(print_.shape[:2], trust, np.uint8)])
    warp = Warp(np.diag([TILE_PX, TILE_PX, 1.0]))
    _, seeming = find_possible_feet(finder, table, np.asarray(bare, np.uint8), 1.0, warp, (0, 0, SIDE, SIDE))
    return seeming


def otherwise(table: Image) -> Image:
    """Return the same brightness everywhere, in other colours."""
    lab = np.minimum(cv2.cvtColor(table, cv2.COLOR_BGR2LAB) + np.array([0, 14, 14]), 255)
    return np.asarray(cv2.cvtColor(lab.astype(np.uint8), cv2.COLOR_LAB2BGR), np.uint8)


def test_a_faint_foot_is_ignored_if_the_photo_shows_the_print(finder: Net, table: Image) -> None:
    assert (heats(finder, table, table, 255) >= MIN_HEAT).all()


def test_a_faint_foot_is_examined_if_the_photo_differs_from_the_print(finder: Net, table: Image) -> None:
    seeming = heats(finder, table, otherwise(table), 255)
    assert (seeming >= MIN_FAINT_HEAT).all()
    assert (seeming < MIN_HEAT).any()


def test_an_unknown_print_gives_no_evidence(finder: Net, table: Image) -> None:
    assert (heats(finder, table, otherwise(table), 0) >= MIN_HEAT).all()


def test_a_place_is_near_a_square_within_reach() -> None:
    squares = np.array([(0, 0), (0, 1), (3, 2)])
    places = np.array([(0.5, 0.5), (2.3, 0.5), (2.4, 0.5), (2.5, 2.7), (2.5, 2.6), (0.5, -0.34)])
    assert is_near_square(places, squares, 0.35).tolist() == [True, True, False, True, False, True]


def test_only_pieces_with_a_foot_on_or_near_the_examined_tiles_are_reported() -> None:
    """Each column of the table by itself: certain pieces of the next one stand within reach of it, and are left out."""
    own = reader()
    survey = survey_example("table")
    everywhere = [piece.at for piece in own.piece_reader.find_places(survey, survey.squares) if piece.presence > SURE]
    left_out = 0
    for column in sorted({col for _, col in survey.squares}):
        squares = [square for square in survey.squares if square[1] == column]
        places = np.array([piece.at for piece in own.piece_reader.find_places(survey, squares)]).reshape(-1, 2)
        assert is_near_square(places, np.array(squares), MAX_FOOT_OFF_TILES).all()
        near, on = (
            is_near_square(np.array(everywhere), np.array(squares), reach)
            for reach in (MAX_BESIDE_TILES, MAX_FOOT_OFF_TILES)
        )
        left_out += int((near & ~on).sum())
    assert left_out > 3
