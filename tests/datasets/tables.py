"""Tables laid in known ways, in art whose every pixel is known, and the styles that tests iterate over."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
import pytest

from datasets.art.style import STYLES
from datasets.art.tileset import TileSet
from datasets.render.compositor import build_pyramid
from datasets.scene.camera import Camera
from datasets.scene.pieces import Finish, Piece, build_prism
from datasets.scene.table import LaidMeeple, LaidTile, Table
from scoring.carcassonne.tiles.catalogue import load_base_catalogue
from scoring.carcassonne.tiles.geometry import Square
from vision.arrays import Floats, Image

GREY = np.full((64, 64, 3), 128, np.uint8)
ABOVE = np.array([0.0, 0.0, 1.0])


def camera(elevation: float = 60.0, azimuth: float = 30.0, roll: float = 0.0, distance: float = 10.0) -> Camera:
    """Return a camera that looks at the centre of the square (0, 0); a tile there is about 900 px / `distance` wide."""
    return Camera.look_at(
        (0.5, 0.5),
        elevation=elevation,
        azimuth=azimuth,
        roll=roll,
        distance=distance,
        focal_px=900.0,
        size=(640, 480),
    )


def compute_silhouette(piece: Piece, camera: Camera) -> Floats:
    """Compute the (n, 2) convex hull of the piece in the photo, in pixels."""
    points = camera.project(np.vstack(build_prism(piece)))
    return np.asarray(cv2.convexHull(points.astype(np.float32))[:, 0], dtype=np.float64)


def plain(bgr: tuple[int, int, int], size: int = 64) -> Image:
    """Return a picture of one colour."""
    return np.full((size, size, 3), bgr, np.uint8)


def laid(square: Square, picture: Image, turns: int = 0) -> LaidTile:
    """Return a tile that lies exactly on its square."""
    row, col = square
    corners = np.array([(col, row), (col + 1, row), (col + 1, row + 1), (col, row + 1)], float)
    return LaidTile(square, "BA/RCr", turns, corners, build_pyramid(picture))


def table(
    tiles: Mapping[Square, LaidTile], viewpoint: Camera, pieces: tuple[Piece, ...] = (), clutter_seed: int | None = None
) -> Table:
    """Return tiles and pieces on a grey table under a lamp right above."""
    return Table(
        tiles=tuple(tiles.values()),
        meeples=tuple(LaidMeeple(piece, (0, 0), piece.at, None) for piece in pieces),
        strays=(),
        camera=viewpoint,
        light=ABOVE,
        ground=GREY,
        ground_tiles=20.0,
        room=GREY,
        edge=None,
        cardboard=(90, 90, 90),
        finish=Finish(gloss=0.0),
        rim=(0.0, 0.02),
        clutter_seed=clutter_seed,
    )


def cheap_art(size: int = 48) -> TileSet:
    """Return a picture of blobs for every layout: quick to make, no two alike."""
    rng = np.random.default_rng(0)
    blobs = {layout.id: rng.integers(0, 256, (6, 6, 3)).astype(np.uint8) for layout in load_base_catalogue()}
    pictures = {tile: np.asarray(cv2.resize(picture, (size, size)), dtype=np.uint8) for tile, picture in blobs.items()}
    return TileSet("blobs", {tile: (picture,) for tile, picture in pictures.items()})


def list_styles(*usual: str, seeds: tuple[int, ...] = ()) -> list[object]:
    """List the usual styles and, only in the long run, all others and sampled ones."""
    others = [*(name for name in STYLES if name not in usual), *seeds]
    return [*usual, *(pytest.param(other, marks=pytest.mark.soak) for other in others)]
