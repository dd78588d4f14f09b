"""Upright wooden solids on the board, in millimetres: how a camera sees them, and their shadows."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from datasets.scene.camera import Camera
from datasets.scene.piece_outlines import build_circle
from datasets.scene.pieces import Finish
from vision.arrays import Floats, Image

WORN_EDGE_RATIO = 1.12
"""How much paler a wooden piece's edges are, which hands rub bare."""
STAIN_SHARE = 0.035
"""How much the paint of two pieces of a colour differs, and that of a piece's faces."""


@dataclass(frozen=True, slots=True, eq=False)
class Solid:
    """A prism that stands upright: `outline` (n, 2) clockwise (x right, y down), and its height."""

    outline: Floats
    high: float
    bgr: tuple[int, int, int]

    @property
    def middle(self) -> Floats:
        """(2,) where it stands."""
        return np.asarray(self.outline.mean(axis=0))


def build_block(at: Floats, yaw: float, size: tuple[float, float, float], bgr: tuple[int, int, int]) -> Solid:
    """Build a block with two sides and a height, turned by `yaw` radians."""
    c, s = np.cos(yaw), np.sin(yaw)
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * np.array(size[:2]) / 2
    return Solid(np.asarray(corners @ np.array([(c, s), (-s, c)]) + at), size[2], bgr)


def build_cylinder(at: Floats, radius: float, high: float, bgr: tuple[int, int, int]) -> Solid:
    """Build a round solid."""
    return Solid(np.asarray(build_circle(28) * 2 * radius + at), high, bgr)


def sort_far_to_near(solids: list[Solid], camera: Camera) -> list[Solid]:
    """Put those first that others may hide: of two, that on the far side of a line that parts them."""
    left = sorted(solids, key=lambda solid: -float(np.linalg.norm(solid.middle - camera.position[:2])))
    ordered: list[Solid] = []
    while left:
        free = (
            solid for solid in left if not any(_hides(solid, other, camera) for other in left if other is not solid)
        )
        ordered.append(chosen := next(free, left[0]))
        left.remove(chosen)
    return ordered


def _hides(one: Solid, other: Solid, camera: Camera) -> bool:
    """Whether `one` lies before `other`: a side of either parts them, and the camera stands on the side of `one`."""
    if np.linalg.norm(one.middle - other.middle) > 60:
        return False
    for near, far, sign in ((one, other, 1.0), (other, one, -1.0)):
        following = np.roll(near.outline, -1, axis=0)
        along = following - near.outline
        out = np.stack([along[:, 1], -along[:, 0]], axis=1)
        beyond = ((far.outline[None] - near.outline[:, None]) * out[:, None]).sum(axis=2).min(axis=1) >= -1e-6
        toward = ((camera.position[:2] - near.outline) * out).sum(axis=1) * sign
        if beyond.any():
            return bool((toward[beyond] < 0).any())
    return False


def compute_shadow(solid: Solid, light: Floats) -> Floats:
    """Compute (n, 2) millimetres of a solid's shadow on the board, `light` pointing to the lamp (x, y, z up)."""
    cast = solid.outline - solid.high * light[:2] / max(light[2], 0.25)
    return np.asarray(cv2.convexHull(np.vstack([solid.outline, cast]).astype(np.float32))[:, 0], np.float64)


def draw_solid(
    image: Image, solid: Solid, camera: Camera, light: Floats, finish: Finish, rng: np.random.Generator
) -> None:
    """Paint the sides of a solid that the camera sees, and its top, into the photo (h, w, 3) BGR."""
    low, high = (np.column_stack([solid.outline, np.full(len(solid.outline), z)]) for z in (0.0, solid.high))
    p_low, p_high = camera.project(low), camera.project(high)
    following = np.roll(np.arange(len(low)), -1)
    along = solid.outline[following] - solid.outline
    out = np.stack([along[:, 1], -along[:, 0], np.zeros(len(along))], axis=1)
    out /= np.linalg.norm(out, axis=1, keepdims=True)
    toward = camera.position - (low + high[following]) / 2
    visible = np.flatnonzero((out * toward).sum(axis=1) > 0)
    view = camera.position - (*solid.middle, solid.high / 2)
    stain = rng.normal(1, STAIN_SHARE)
    shades = _shades(solid.bgr, np.vstack([out, (0, 0, 1)]), light, view, finish) * stain
    round_one = len(low) > 8
    for i in visible[np.argsort(-(toward[visible] ** 2).sum(axis=1))]:
        face = np.array([p_low[i], p_low[following[i]], p_high[following[i]], p_high[i]])
        _fill(
            image,
            face,
            shades[i] * (1.0 if round_one else rng.normal(1, STAIN_SHARE / 2)),
            None if round_one else shades[i],
        )
    _fill(image, p_high, shades[-1], shades[-1])


def _shades(bgr: tuple[int, int, int], normals: Floats, light: Floats, view: Floats, finish: Finish) -> Floats:
    """(n, 3) BGR of faces with (n, 3) unit normals: matt light, and a highlight."""
    diffuse = np.maximum(0, normals @ light)[:, None]
    half = light + view / np.linalg.norm(view)
    shine = np.maximum(0, normals @ half / np.linalg.norm(half))[:, None] ** 12
    lit = 0.55 * np.array(finish.shade) + 0.5 * diffuse * np.array(finish.lamp)
    return np.asarray(np.clip(np.array(bgr, float) * lit + 120 * finish.gloss * shine, 0, 255))


def _fill(image: Image, polygon: Floats, colour: Floats, edge: Floats | None) -> None:
    fixed = [np.round(polygon * 16).astype(np.int32)]
    cv2.fillPoly(image, fixed, np.clip(colour, 0, 255).tolist(), cv2.LINE_AA, 4)
    if edge is not None:
        cv2.polylines(image, fixed, True, np.clip(edge * WORN_EDGE_RATIO + 4, 0, 255).tolist(), 1, cv2.LINE_AA, 4)
