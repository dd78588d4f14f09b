"""Prints with roads, as painted by the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
import shapely
from shapely import LineString
from shapely.geometry.base import BaseGeometry

from scoring.carcassonne.tiles.geometry import Square
from vision.arrays import Floats, Image
from vision.photo.crops import CORNERS

TILE_PX = 90
MEADOW, TREE, ROAD, WALL, ROOF = (60, 150, 90), (40, 110, 60), (205, 215, 220), (90, 110, 190), (60, 70, 160)


def bend_course(line: LineString, bulge: float) -> LineString:
    """Return a course with the ends of a line that runs beside it in between."""
    shares = np.linspace(0, 1, 40)
    points = np.array([line.interpolate(share, normalized=True).coords[0] for share in shares])
    along = np.gradient(points, axis=0)
    beside = np.stack([along[:, 1], -along[:, 0]], axis=1) / np.linalg.norm(along, axis=1, keepdims=True)
    return LineString(points + beside * (bulge * np.sin(np.pi * shares))[:, None])


def strew_meadow(rows: int, cols: int, each: int, rng: np.random.Generator) -> Floats:
    """Paint a meadow of such a number of squares, with roofs and trees strewn over it, `each` per square."""
    picture = np.full((rows * TILE_PX, cols * TILE_PX, 3), MEADOW, np.float64)
    for x, y in rng.uniform(0, (cols, rows), (each * rows * cols, 2)) * TILE_PX:
        colour = ROOF if rng.random() < 0.3 else TREE
        cv2.circle(picture, (int(x), int(y)), int(rng.integers(2, 5)), colour, -1)
    return picture


def paint_road(picture: Floats, course: BaseGeometry) -> None:
    """Paint a road along a line in lattice units."""
    points = np.round(shapely.get_coordinates(course) * TILE_PX).astype(np.int32)
    cv2.polylines(picture, [points], False, ROAD, 7)


def finish(picture: Floats, rng: np.random.Generator) -> Image:
    """Return the picture as a sensor would record it."""
    return np.clip(picture + rng.normal(0, 6, picture.shape), 0, 255).astype(np.uint8)


def square_corners(squares: Iterable[Square]) -> Floats:
    """Return (n, 4, 2) pixels of the corners of squares."""
    return np.array([(CORNERS + np.array([col, row])) * TILE_PX for row, col in squares])
