"""Readings with exact truth: a board seen through a known homography, as if read without a mistake."""

from __future__ import annotations

import random

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.deal.boards import deal_random_board, sample_foot_points
from vision.photo.decoding import Photo
from vision.photo.pyramid import Halves
from vision.reading.values import MeepleReading, Reading, TileReading, Warp

WIDTH, HEIGHT = 1200, 900
SPAN = 12
"""Squares across the photo, whatever the board, so that a tile is small and its perspective slight."""
UNIT = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)


def dealt(seed: int, tiles: int = 30) -> Board:
    """Return a random legal board whose squares begin at (0, 0)."""
    return deal_random_board(random.Random(seed), tiles=tiles)


def homography(board: Board) -> NDArray[np.float64]:
    """Return the homography from lattice units to a photo of WIDTH x HEIGHT, seen obliquely."""
    rows, cols = zip(*board.tiles, strict=True)
    left, top = min(cols), min(rows)
    span = max(SPAN, max(cols) + 1 - left, max(rows) + 1 - top)
    right, bottom = left + span, top + span
    lattice = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)
    photo = np.array([[260, 120], [930, 90], [1110, 820], [80, 840]], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(lattice, photo), np.float64)


def seen(points: NDArray[np.float64], matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return lattice points (n, 2) in the photo, by the textbook formula."""
    mapped = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(mapped[:, :2] / mapped[:, 2:], np.float64)


def reading_of(board: Board, seed: int = 0) -> Reading:
    """Return a reading of the board without a mistake or a doubt."""
    matrix = homography(board)
    feet = np.asarray(sample_foot_points(board, random.Random(seed)), np.float64).reshape(-1, 2)
    tiles = []
    for (row, col), placement in board.tiles.items():
        turns = placement.turns if placement else 0
        corners = np.roll(seen(UNIT + np.array([col, row]), matrix), -turns, axis=0)
        name = placement.tile if placement else None
        cell = placement.cell if placement else None
        tiles.append(TileReading(row, col, name, turns, corners, 0.999, placement is None, cell=cell))
    meeples = [
        MeepleReading(
            m.colour,
            m.kind,
            m.pose,
            (float(x), float(y)),
            (float(at[0]), float(at[1])),
            *m.square,
            m.segment,
            0.97,
            False,
        )
        for m, at, (x, y) in zip(board.meeples, feet, seen(feet, matrix), strict=True)
    ]
    return Reading(WIDTH, HEIGHT, tuple(tiles), tuple(meeples), Warp(matrix), {"lattice": 80.0, "tiles": 70.0})


def grey_photo() -> Photo:
    """Return a photo of nothing, so that all drawings on it show."""
    return Photo(Halves(np.full((HEIGHT, WIDTH, 3), 120, np.uint8)), "table.jpg", "0" * 64, 5.0)
