"""A photo in which one corner of each square is marked, and its report."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from api.carcassonne.report.builder import build_report
from api.documents.report import Report
from scoring.carcassonne.board.board import Board
from tests.api.tables_read import HEIGHT, WIDTH, dealt, homography, reading_of
from vision.photo.decoding import Photo

BOARD = Board(dealt(4, 14).tiles)


def table(folder: Path, board: Board = BOARD) -> Photo:
    """Return a photo in which the north-west corner of every square of the board is red."""
    rows, cols = (max(numbers) + 1 for numbers in zip(*board.tiles, strict=True))
    canvas = np.full((rows * 40, cols * 40, 3), 90, np.uint8)
    for row, col in board.tiles:
        canvas[row * 40 : row * 40 + 16, col * 40 : col * 40 + 16] = (20, 20, 220)
    picture = cv2.warpPerspective(canvas, homography(board) @ np.diag([1 / 40, 1 / 40, 1]), (WIDTH, HEIGHT))
    cv2.imwrite(str(folder / "table.png"), picture)
    return Photo.from_path(folder / "table.png")


def report_of(folder: Path, board: Board = BOARD) -> tuple[Photo, Report]:
    photo = table(folder, board)
    return photo, build_report(photo, reading_of(board))
