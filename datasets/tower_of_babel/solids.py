"""Wooden solids on the board, in millimetres: houses in any pose and columns, as a camera sees them, with shadows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from datasets.scene.camera import Camera
from datasets.scene.pieces import Finish, build_circle
from vision.arrays import Floats, Image

WORN_EDGE_RATIO = 1.12
"""Brightness of a wooden piece's edges, worn by handling, relative to its faces."""
STAIN_SHARE = 0.035
"""Standard deviation of the paint between two pieces of a colour, and twice that between a piece's faces."""
GRAIN_LINES, GRAIN_SHARE = 4, 0.05
"""Number of grain lines on a face, and the standard deviation of their difference from its paint."""
EAVES_SHARE = 0.55
"""Height of a house's walls relative to its total height; the rest is the roof."""
UPRIGHT, ON_WALL, ON_GABLE = "upright", "on wall", "on gable"
_TURNS: dict[str, Floats] = {
    UPRIGHT: np.eye(3),
    ON_WALL: np.array([(0, 0, 1), (0, 1, 0), (-1, 0, 0)], float),
    ON_GABLE: np.array([(1, 0, 0), (0, 0, -1), (0, 1, 0)], float),
}
"""Rotation of a house that stands, lies on a wall, or stands on a gable."""


@dataclass(frozen=True, slots=True, eq=False)
class Solid:
    """A convex solid: its `corners` (n, 3), x right, y down, z up, its `faces` as corner indices, and its paint."""

    corners: Floats
    faces: tuple[tuple[int, ...], ...]
    bgr: tuple[int, int, int]
    is_round: bool = False

    @property
    def outline(self) -> Floats:
        """(n, 2) outline of its projection onto the board."""
        return compute_hull(self.corners[:, :2])

    @property
    def middle(self) -> Floats:
        """(2,) centre of its outline."""
        return np.asarray(self.outline.mean(axis=0))

    def moved(self, by: Floats) -> Solid:
        """Return the same solid moved by (2,) millimetres."""
        return Solid(self.corners + np.array((*by, 0.0)), self.faces, self.bgr, self.is_round)


def compute_hull(points: Floats) -> Floats:
    """Compute the (m, 2) convex hull of (n, 2) points, clockwise with x right and y down."""
    hull = np.asarray(cv2.convexHull(points.astype(np.float32))[:, 0], np.float64)
    x, y = hull.T
    return hull if (x * np.roll(y, -1) - y * np.roll(x, -1)).sum() > 0 else hull[::-1]


def build_house(
    at: Floats,
    yaw: float,
    size: tuple[float, float, float],
    bgr: tuple[int, int, int],
    pose: str = UPRIGHT,
    lean: float = 0.0,
) -> Solid:
    """Build a gabled house: `size` is its width, its length along the ridge, and its height to the ridge.

    It is turned by `yaw` radians, and leans by `lean` radians towards its own y.
    """
    wide, long, high = size
    eaves = EAVES_SHARE * high
    gable = np.array([(-wide / 2, 0), (wide / 2, 0), (wide / 2, eaves), (0, high), (-wide / 2, eaves)])
    corners = np.array([(x, y, z) for y in (-long / 2, long / 2) for x, z in gable]) - (0, 0, high / 2)
    corners = corners @ _TURNS[pose].T
    c, s = np.cos(lean), np.sin(lean)
    corners = corners @ np.array([(1, 0, 0), (0, c, s), (0, -s, c)]).T
    corners -= (0, 0, corners[:, 2].min())
    c, s = np.cos(yaw), np.sin(yaw)
    corners = corners @ np.array([(c, -s, 0), (s, c, 0), (0, 0, 1)]).T
    middle = compute_hull(corners[:, :2]).mean(axis=0)
    corners += (*(np.asarray(at) - middle), 0)
    return Solid(corners, (*((i, (i + 1) % 5, (i + 1) % 5 + 5, i + 5) for i in range(5)), *_gables()), bgr)


def _gables() -> tuple[tuple[int, ...], tuple[int, ...]]:
    return tuple(range(5)), tuple(range(5, 10))


def build_cylinder(at: Floats, radius: float, high: float, bgr: tuple[int, int, int]) -> Solid:
    """Build a cylinder."""
    ring = np.asarray(build_circle(28) * 2 * radius + at)
    n = len(ring)
    corners = np.vstack([np.column_stack([ring, np.full(n, z)]) for z in (0.0, high)])
    sides = tuple((i, (i + 1) % n, (i + 1) % n + n, i + n) for i in range(n))
    return Solid(corners, (*sides, tuple(range(n, 2 * n))), bgr, is_round=True)


def sort_far_to_near(solids: list[Solid], camera: Camera) -> list[Solid]:
    """Sort solids so that each precedes those that may hide it, by a line that separates them."""
    outlines = {id(solid): solid.outline for solid in solids}
    left = sorted(solids, key=lambda solid: -float(np.linalg.norm(solid.middle - camera.position[:2])))
    ordered: list[Solid] = []
    while left:
        free = (
            solid
            for solid in left
            if not any(_hides(outlines[id(solid)], outlines[id(other)], camera) for other in left if other is not solid)
        )
        ordered.append(chosen := next(free, left[0]))
        left.remove(chosen)
    return ordered


def _hides(one: Floats, other: Floats, camera: Camera) -> bool:
    """Return whether `one` is in front of `other`: a side of either separates them, with the camera on the side of
    `one`."""
    if np.linalg.norm(one.mean(axis=0) - other.mean(axis=0)) > 60:
        return False
    for near, far, sign in ((one, other, 1.0), (other, one, -1.0)):
        following = np.roll(near, -1, axis=0)
        along = following - near
        out = np.stack([along[:, 1], -along[:, 0]], axis=1)
        beyond = ((far[None] - near[:, None]) * out[:, None]).sum(axis=2).min(axis=1) >= -1e-6
        toward = ((camera.position[:2] - near) * out).sum(axis=1) * sign
        if beyond.any():
            return bool((toward[beyond] < 0).any())
    return False


def compute_shadow(solid: Solid, light: Floats) -> Floats:
    """Compute a solid's shadow (n, 2) on the board in millimetres; `light` points to the lamp (x, y, z up)."""
    cast = solid.corners[:, :2] - solid.corners[:, 2:] * light[:2] / max(light[2], 0.25)
    return compute_hull(np.vstack([solid.outline, cast]))


def draw_solid(
    image: Image, solid: Solid, camera: Camera, light: Floats, finish: Finish, rng: np.random.Generator
) -> None:
    """Paint the visible faces of a solid into the photo (h, w, 3) BGR."""
    pixels = camera.project(solid.corners)
    middle = solid.corners.mean(axis=0)
    view = camera.position - middle
    stain = rng.normal(1, STAIN_SHARE)
    for face in solid.faces:
        corners, polygon = solid.corners[list(face)], pixels[list(face)]
        normal = _compute_normal(corners, middle)
        if normal @ (camera.position - corners.mean(axis=0)) <= 0:
            continue
        shade = _shade(solid.bgr, normal, light, view, finish) * stain
        if solid.is_round and len(face) == 4:
            _fill(image, polygon, shade, None)
        else:
            _fill(image, polygon, shade * rng.normal(1, STAIN_SHARE / 2), shade)
            _draw_grain(image, polygon, shade, rng)


def _compute_normal(corners: Floats, middle: Floats) -> Floats:
    """Return the outward unit normal (3,) of a face."""
    normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
    normal /= np.linalg.norm(normal)
    return normal if normal @ (corners[0] - middle) > 0 else -normal


def _shade(bgr: tuple[int, int, int], normal: Floats, light: Floats, view: Floats, finish: Finish) -> Floats:
    """Return the BGR (3,) of a face with a unit normal: matt light, and a highlight."""
    half = light + view / np.linalg.norm(view)
    shine = max(0.0, float(normal @ half / np.linalg.norm(half))) ** 12
    lit = 0.55 * np.array(finish.shade) + 0.5 * max(0.0, float(normal @ light)) * np.array(finish.lamp)
    return np.asarray(np.clip(np.array(bgr, float) * lit + 120 * finish.gloss * shine, 0, 255))


def _fill(image: Image, polygon: Floats, colour: Floats, edge: Floats | None) -> None:
    fixed = [np.round(polygon * 16).astype(np.int32)]
    cv2.fillPoly(image, fixed, np.clip(colour, 0, 255).tolist(), cv2.LINE_AA, 4)
    if edge is not None:
        cv2.polylines(image, fixed, True, np.clip(edge * WORN_EDGE_RATIO + 4, 0, 255).tolist(), 1, cv2.LINE_AA, 4)


def _draw_grain(image: Image, polygon: Floats, colour: Floats, rng: np.random.Generator) -> None:
    """Draw the grain of wood on a four-cornered face, along two of its sides; an end-grain face has none."""
    if len(polygon) != 4:
        return
    for share in rng.uniform(0.1, 0.9, GRAIN_LINES):
        ends = [polygon[0] + share * (polygon[1] - polygon[0]), polygon[3] + share * (polygon[2] - polygon[3])]
        shade = np.clip(colour * rng.normal(1, GRAIN_SHARE), 0, 255).tolist()
        start, end = _round_points(ends)
        cv2.line(image, start, end, shade, 1, cv2.LINE_AA, 4)


def _round_points(points: Sequence[Floats]) -> list[tuple[int, int]]:
    return [(round(float(x) * 16), round(float(y) * 16)) for x, y in points]
