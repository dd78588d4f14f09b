"""Photos of a printed board for tests: a score board drawn by the project on a wooden table, with the truth."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from datasets.art.score_board import draw_score_board
from datasets.art.style import sample_style
from datasets.render.photometric import photograph
from datasets.render.tabletops import draw_tabletop
from datasets.scene.camera import Camera
from datasets.scene.clutter import paste
from vision.arrays import Floats, Image
from vision.flat_boards.board import BoardLie, EnrolledBoard, project_points

SIZE = (1200, 900)
HIGH_MM = 300.0
CORNERS = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float64)


@dataclass(frozen=True)
class Shot:
    """A photo, and for each board in it the (3, 3) homography from millimetres to pixels."""

    photo: Image
    homographies: tuple[Floats, ...]


def printed(seed: int) -> EnrolledBoard:
    rng = np.random.default_rng(seed)
    picture = draw_score_board(sample_style(rng), rng, 150)
    h, w = picture.shape[:2]
    return EnrolledBoard(picture, (w / h * HIGH_MM, HIGH_MM))


def photographed(board: EnrolledBoard, seed: int, elevation: float, count: int = 1, covered: float = 0.0) -> Shot:
    """Photograph such a number of boards on a table, a share of each under plain oblongs."""
    rng = np.random.default_rng(seed)
    camera = Camera.look_at(
        (0, 0),
        elevation=elevation,
        azimuth=rng.uniform(0, 360),
        roll=rng.uniform(-20, 20),
        distance=600 * np.sqrt(count),
        focal_px=0.8 * SIZE[0],
        size=SIZE,
    )
    image = np.asarray(cv2.resize(draw_tabletop("wood", rng), SIZE), np.uint8)
    lies = []
    for i in range(count):
        middle = np.array([(i % 2 - 0.5) * 480, (i // 2 - 0.5) * 480]) if count > 1 else np.zeros(2)
        angle = rng.uniform(0, 2 * np.pi)
        turn = np.array([(np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))])
        placed = (CORNERS - 0.5) * board.size_mm @ turn + middle
        quad = camera.project(np.column_stack([placed, np.zeros(4)]))
        paste(image, _covered(board.picture, covered, rng), quad)
        mm = (CORNERS * board.size_mm).astype(np.float32)
        lies.append(np.asarray(cv2.getPerspectiveTransform(mm, quad.astype(np.float32)), np.float64))
    return Shot(photograph(image, rng, 0.8), tuple(lies))


def _covered(picture: Image, share: float, rng: np.random.Generator) -> Image:
    under = picture.copy()
    h, w = picture.shape[:2]
    mask = np.zeros((h, w), np.uint8)
    while (mask > 0).mean() < share:
        x, y = int(rng.integers(w)), int(rng.integers(h))
        for layer, colour in ((under, rng.integers(0, 256, 3).tolist()), (mask, [255])):
            cv2.rectangle(layer, (x, y), (x + w // 12, y + h // 9), colour, -1)
    return under


BOARD = printed(1)


def off_mm(lie: BoardLie, truth: Floats, board: EnrolledBoard = BOARD) -> float:
    """Return the maximum error of places of the board under the pose found, in millimetres."""
    xs, ys = np.meshgrid(*(np.linspace(0, side, 5) for side in board.size_mm))
    places = np.stack([xs, ys], -1).reshape(-1, 2)
    return float(np.linalg.norm(lie.to_mm(project_points(truth, places)) - places, axis=1).max())
