"""Pieces beside the tiles under examination are not read as pieces on them, and do not affect those."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.readers import reader
from vision.photo.decoding import Photo
from vision.pieces.detector import is_near_square
from vision.pieces.piece_reader import MAX_BESIDE_TILES, MAX_FOOT_OFF_TILES

PHOTO = Path(__file__).parents[3] / "datasets" / "examples" / "table.jpg"
SURE = 0.9


def test_only_what_has_its_foot_on_the_tiles_looked_at_or_hardly_beside_is_told() -> None:
    """Each column of the table by itself: certain pieces of the next one stand within reach of it, and are left out."""
    own = reader()
    survey = own.survey(Photo.from_path(PHOTO))
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
