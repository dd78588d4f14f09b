"""Score boards on tables: where the sheet lies beside the tiles, and who stands where on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely import Point

from datasets.clutter import rectangle
from datasets.pieces import Piece
from scoring.carcassonne.score_board import FIRST_EDITION, HEIGHT, LAP, TILE_MM, WIDTH

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

SIZE = (WIDTH / TILE_MM, HEIGHT / TILE_MM)
INWARD_MM = 5.0
"""So far from a space's border people set a piece down, as a rule."""
LYING = 0.2


@dataclass(frozen=True, slots=True)
class OnTrack:
    """A piece on a space of the score board."""

    piece: Piece
    space: int


@dataclass(frozen=True, slots=True, eq=False)
class LaidScoreBoard:
    """A score board on the table: (4, 2) corners in table units, space 0 in the third; its picture and its pieces."""

    corners: Floats
    picture: Image
    pieces: tuple[OnTrack, ...] = ()

    def holds(self, at: tuple[float, float]) -> bool:
        """Whether a place of the table lies under the sheet."""
        return cv2.pointPolygonTest(self.corners.astype(np.float32), at, False) >= 0


def beside_tiles(bounds: tuple[float, float, float, float], picture: Image, rng: np.random.Generator) -> LaidScoreBoard:
    """The sheet beside the tiles' (x, y, x, y) rectangle, turned anyhow, without pieces."""
    x0, y0, x1, y1 = bounds
    angle = rng.uniform(0, 2 * np.pi)
    c, s = abs(np.cos(angle)), abs(np.sin(angle))
    reach = np.array([c * SIZE[0] + s * SIZE[1], s * SIZE[0] + c * SIZE[1]]) / 2 + rng.uniform(0.2, 1.2)
    across, along = (0, 1) if rng.random() < 0.5 else (1, 0)
    low, high = np.array([x0, y0]), np.array([x1, y1])
    at = np.zeros(2)
    at[across] = low[across] - reach[across] if rng.random() < 0.5 else high[across] + reach[across]
    at[along] = rng.uniform(low[along], high[along])
    return LaidScoreBoard(rectangle((float(at[0]), float(at[1])), SIZE, angle), picture)


def pieces_on(
    board: LaidScoreBoard,
    players: Sequence[str],
    bgr: Mapping[str, tuple[int, int, int]],
    scale: float,
    rng: np.random.Generator,
) -> tuple[OnTrack, ...]:
    """A piece of each player on any space, standing or lying."""
    laid = []
    for player in players:
        space = int(rng.integers(LAP))
        pose = "lying" if rng.random() < LYING else "standing"
        at = _place_on(board, space, rng)
        piece = Piece(player, "meeple", pose, at, rng.uniform(0, 2 * np.pi), bgr[player], scale)
        laid.append(OnTrack(piece, space))
    return tuple(laid)


def _place_on(board: LaidScoreBoard, space: int, rng: np.random.Generator) -> tuple[float, float]:
    """A place of the table on a space, not too near its border."""
    inner = FIRST_EDITION.areas[space].buffer(-INWARD_MM)
    x0, y0, x1, y1 = inner.bounds
    while not inner.contains(Point(x := rng.uniform(x0, x1), y := rng.uniform(y0, y1))):
        pass
    nw, ne, _, sw = board.corners
    px, py = nw + x / WIDTH * (ne - nw) + y / HEIGHT * (sw - nw)
    return float(px), float(py)
