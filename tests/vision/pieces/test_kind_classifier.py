"""Kinds recognised by outline: the net's input pictures, and the net itself on our own drawings."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.render.compositor import compose
from datasets.scene.camera import Camera
from datasets.scene.pieces import COLOURS, Piece
from tests.datasets.tables import laid, plain, table
from vision.pieces.kind_classifier import (
    OUTLINE_CHANNELS,
    OUTLINE_PX,
    OUTLINE_REACH_TILES,
    OUTLINE_TILE_PX,
    classify_kinds,
    compute_outline_corners,
    crop_outlines,
)
from vision.reading.piece import Piece as Found
from vision.reading.values import Warp
from vision.runtime.onnx import MODELS, Net

MEADOW = plain((70, 150, 120))
SIDE = 6
SIZE = (900, 900)


@cache
def net() -> Net:
    return Net(MODELS / "kinds.onnx")


def camera(elevation: float) -> Camera:
    """Return a camera that looks at the centre of a board, whose tiles are about 110 pixels wide."""
    middle = (SIDE / 2, SIDE / 2)
    return Camera.look_at(
        middle, elevation=elevation, azimuth=70, roll=3, distance=9.5, focal_px=9.5 * OUTLINE_TILE_PX, size=SIZE
    )


def told(pieces: list[Piece], elevation: float = 55) -> list[str]:
    """Return the net's kind for each piece on a meadow of many tiles."""
    view = camera(elevation)
    tiles = {(row, col): laid((row, col), MEADOW) for row in range(SIDE) for col in range(SIDE)}
    image = compose(table(tiles, view, tuple(pieces)))
    kinds = np.ones(1)
    detections = [Found(piece.at, 1.0, np.ones(1), np.ones(1), kinds) for piece in pieces]
    named = classify_kinds(net(), image, 1.0, Warp(view.plane()), detections)
    return [net().metadata["kinds"][int(np.argmax(piece.kinds))] for piece in named]


def standing(kind: str, number: int) -> Piece:
    """Return a piece on a square of its own, with its own turn; both makes of a kind in turn."""
    row, col = divmod(number, 4)
    colour = ("red", "blue", "yellow", "black")[number % 4]
    at = (col + 1.5, row + 1.5)
    return Piece(colour, kind, "standing", at, 0.7 + 0.9 * number, COLOURS[colour][0], make=number)


@given(
    st.tuples(st.floats(-20, 20), st.floats(-20, 20)).map(np.array),
    st.tuples(st.floats(-1.5, 1.5), st.floats(-1.5, 1.5)).map(np.array),
)
def test_pictures_are_true_to_scale_wherever_a_piece_stands(foot: np.ndarray, lean: np.ndarray) -> None:
    nw, ne, se, sw = compute_outline_corners(foot[None], lean[None])[0]
    aside, beyond, before = OUTLINE_REACH_TILES
    sides = [np.linalg.norm(b - a) for a, b in ((nw, ne), (ne, se), (se, sw), (sw, nw))]
    assert sides == pytest.approx([2 * aside, beyond + before] * 2)
    assert (nw + ne + se + sw) / 4 - foot == pytest.approx((nw + ne - se - sw) / 2 * (beyond - before) / 1.8, abs=1e-9)


@pytest.mark.parametrize("colour", ["red", "blue", "black", "white"])
def test_a_picture_shows_where_the_paint_is(colour: str) -> None:
    """The whole front of a meeple on a meadow is of one paint, and no grass is."""
    image = np.full((200, 200, 3), (70, 150, 120), np.uint8)
    image[90:110, 90:110] = COLOURS[colour][0]
    square = np.array([(55, 36), (145, 36), (145, 126), (55, 126)], float)
    (picture,) = crop_outlines(image, square[None], np.zeros(1))
    assert picture.shape == (OUTLINE_PX, OUTLINE_PX, OUTLINE_CHANNELS)
    paint = picture[..., 3] > 200
    size = OUTLINE_PX / 90
    assert paint.sum() == pytest.approx((20 * size) ** 2, rel=0.2)
    assert paint[round(64 * size), round(45 * size)]


def test_without_pieces_no_kinds_are_classified() -> None:
    assert classify_kinds(net(), np.zeros((60, 80, 3), np.uint8), 1.0, Warp(np.eye(3)), []) == []


def test_most_pieces_of_our_own_drawings_are_recognised() -> None:
    """Lying builders and abbots, which it confuses, have no promised figure."""
    cases = [("meeple", "standing"), ("meeple", "lying"), ("big", "standing"), ("big", "lying"), ("pig", "standing")]
    right = []
    for kind, pose in [*cases, ("builder", "standing")]:
        pieces = [replace(standing(kind, number), pose=pose) for number in range(8)]
        right.append(np.mean([name == kind for name in told(pieces)]))
    assert min(right) >= 0.5
    assert np.mean(right) >= 0.8


def test_a_big_meeple_is_recognised_by_its_size_alone() -> None:
    """The same wood, a sixth smaller: then a big meeple looks like a meeple."""
    big = [replace(standing("big", number), pose="lying") for number in range(8)]
    small = [replace(piece, size=16 / 18.9) for piece in big]
    assert told(big).count("big") >= 6
    assert told(small).count("big") <= 2
