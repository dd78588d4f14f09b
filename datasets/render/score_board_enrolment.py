"""Simulated enrolment of a score board: a photo of the empty board, and the file with the positions of its spaces.

Both are as exact as a user pointing at pixels. A token is enrolled by a photo alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from datasets.art.score_designs import SIDE_MM, Design
from datasets.render.photometric import photograph
from datasets.render.tabletops import draw_tabletop
from datasets.scene.camera import Camera
from datasets.scene.clutter import paste
from vision.arrays import Floats, Image
from vision.photo.crops import CORNERS, shrink_image

SIZE_PX = (2600, 1950)
ELEVATION_DEGREES = (72.0, 88.0)
STRENGTH = 0.35
MAX_FILLED_SHARE = 0.85
"""Maximum share of the picture's width or height that the board spans."""
POINTING_ERROR_PX = 2.0
"""Twice the standard deviation of a user's pointing error at a corner or a centre."""


@dataclass(frozen=True, slots=True, eq=False)
class ShownScoreBoard:
    """A photo (h, w, 3) BGR, and the text of the file."""

    photo: Image
    spaces: str

    def save(self, folder: Path, name: str) -> None:
        """Write `name`.jpg and `name`.toml to an existing folder."""
        cv2.imwrite(str(folder / f"{name}.jpg"), self.photo, [cv2.IMWRITE_JPEG_QUALITY, 92])
        (folder / f"{name}.toml").write_text(self.spaces, encoding="utf-8")


def show_score_board(picture: Image, design: Design, rng: np.random.Generator) -> ShownScoreBoard:
    """Photograph a printed board (h, w, 3) of a design alone on a table, and point at its corners and spaces."""
    size = np.array(design.layout.size)
    camera, image = _laid(picture, size, "wood", rng)
    corners, middles = _seen(camera, CORNERS * size), _seen(camera, design.middles[list(design.named)])
    pointed, named = (at + rng.normal(0, POINTING_ERROR_PX / 2, at.shape) for at in (corners, middles))
    lines = [
        f"size_mm = [{size[0]:g}, {size[1]:g}]",
        f"corners_px = [{', '.join(f'[{x:.0f}, {y:.0f}]' for x, y in pointed)}]",
        "path = [",
        *(f"    [{space}, {x:.0f}, {y:.0f}]," for space, (x, y) in zip(design.named, named, strict=True)),
        "]",
        f"laps = {design.layout.lap}",
    ]
    return ShownScoreBoard(photograph(image, rng, STRENGTH), "\n".join(lines) + "\n")


def show_score_token(picture: Image, rng: np.random.Generator) -> Image:
    """Photograph one side (h, w, 3) of a token alone on a plain table: the whole photo (h, w, 3) BGR."""
    return photograph(_laid(picture, np.full(2, SIDE_MM), "plain", rng)[1], rng, STRENGTH)


def _laid(picture: Image, size: Floats, kind: str, rng: np.random.Generator) -> tuple[Camera, Image]:
    """Return the camera and a clean picture of a print of the size (2,) in millimetres on a table top of a kind."""
    camera = _camera(size, rng)
    ground = cv2.resize(draw_tabletop(kind, rng, 1024), (max(SIZE_PX), max(SIZE_PX)), interpolation=cv2.INTER_CUBIC)
    image = np.ascontiguousarray(ground[: SIZE_PX[1], : SIZE_PX[0]], np.uint8)
    corners = _seen(camera, CORNERS * size)
    shrink = float(np.sqrt(abs(cv2.contourArea(corners.astype(np.float32))) / (picture.shape[0] * picture.shape[1])))
    paste(image, shrink_image(picture, min(1.0, 1.2 * shrink))[0], corners)
    return camera, image


def _camera(size: Floats, rng: np.random.Generator) -> Camera:
    """Return a camera that sees the board upright, from nearly above."""
    elevation, roll = float(rng.uniform(*ELEVATION_DEGREES)), float(rng.normal(0, 3))
    focal = 0.85 * SIZE_PX[0]
    distance = float(max(size))
    while True:
        camera = Camera.look_at(
            size / 2, elevation=elevation, azimuth=90, roll=roll, distance=distance, focal_px=focal, size=SIZE_PX
        )
        corners = _seen(camera, CORNERS * size)
        if np.isfinite(corners).all() and ((corners.max(0) - corners.min(0)) / SIZE_PX).max() < MAX_FILLED_SHARE:
            return camera
        distance *= 1.05


def _seen(camera: Camera, mm: Floats) -> Floats:
    return camera.project(np.column_stack([mm, np.zeros(len(mm))]))
