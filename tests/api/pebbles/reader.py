"""The reader of Pebbles, for a photo that shows the board from straight above and nothing else."""

from __future__ import annotations

import time
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.api.pebbles.game import COLUMNS, ROWS
from vision.enrolment.games import GameEnrolment
from vision.errors import ReadingError
from vision.flat_boards.reading import SpotReading, TableReading
from vision.photo.decoding import Photo

SQUARE = 60
PAINT = {"-": (200, 220, 200), "red": (40, 40, 220), "blue": (220, 60, 40)}
"""BGR."""
SPREAD = 45.0


class PebblesReader:
    """An implementation of `vision.flat_boards.reading.TableReader`."""

    def __init__(self, enrolment: GameEnrolment) -> None:
        self._board = enrolment.pictures["board"]

    def likeness(self, photo: Photo) -> float:
        """Return the share of the picture that looks like the empty board."""
        height, width = self._board.shape[:2]
        picture = cv2.resize(photo.pixels, (width, height), interpolation=cv2.INTER_AREA)
        apart = np.abs(picture.astype(np.int16) - self._board.astype(np.int16)).max(axis=2)
        return float((apart < 30).mean())

    def read(self, photos: Sequence[Photo]) -> TableReading:
        """Read the squares of the photo that is most like the board."""
        started = time.perf_counter()
        photo = max(photos, key=self.likeness)
        if self.likeness(photo) < 0.3:
            raise ReadingError("board_not_found")
        spots = [self._spot(photo, row, col) for row in range(ROWS) for col in range(COLUMNS)]
        values = {str(spot.value) for spot in spots} | {str(other) for spot in spots for other, _ in spot.alternatives}
        players = tuple(colour for colour in ("red", "blue") if colour in values)
        aside = tuple((other, "board_not_found") for other in photos if other is not photo)
        spent = (time.perf_counter() - started) * 1000
        return TableReading((photo,), players, tuple(spots), {"spots": spent}, aside)

    def _spot(self, photo: Photo, row: int, col: int) -> SpotReading:
        side = photo.width / COLUMNS
        middle = photo.pixels[int((row + 0.35) * side) : int((row + 0.65) * side)]
        colour = middle[:, int((col + 0.35) * side) : int((col + 0.65) * side)].reshape(-1, 3).mean(axis=0)
        near = {name: np.exp(-np.linalg.norm(colour - paint) / SPREAD) for name, paint in PAINT.items()}
        order = sorted(near, key=lambda name: -near[name])
        shares = [float(near[name] / sum(near.values())) for name in order]
        others = tuple((name, share) for name, share in zip(order[1:], shares[1:], strict=True) if share > 0.01)
        ring = (np.array([[col, row], [col + 1, row], [col + 1, row + 1], [col, row + 1]], np.float64)) * side
        return SpotReading(f"square.{row}.{col}", order[0], shares[0], others, ring)


def build_reader(enrolment: GameEnrolment) -> PebblesReader:
    return PebblesReader(enrolment)


def drawn(pebbles: dict[tuple[int, int], str], scale: int = 1, blend: float = 0.0) -> NDArray[np.uint8]:
    """Draw a photo of a table (h, w, 3) BGR; with `blend` the pebbles' paint is that near to the board's."""
    picture = np.empty((ROWS * SQUARE, COLUMNS * SQUARE, 3), np.uint8)
    picture[:] = PAINT["-"]
    for line in range(1, COLUMNS):
        cv2.line(picture, (line * SQUARE, 0), (line * SQUARE, ROWS * SQUARE), (60, 60, 60), 3)
    cv2.line(picture, (0, SQUARE), (COLUMNS * SQUARE, SQUARE), (60, 60, 60), 3)
    for (row, col), colour in pebbles.items():
        paint = (np.array(PAINT[colour]) * (1 - blend) + np.array(PAINT["-"]) * blend).tolist()
        cv2.circle(picture, (int((col + 0.5) * SQUARE), int((row + 0.5) * SQUARE)), 18, paint, -1, cv2.LINE_AA)
    whole = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    return np.asarray(whole, np.uint8)
