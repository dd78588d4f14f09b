"""Pieces on the table as prisms of their shapes, with their shading and shadows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from datasets.scene.camera import Camera
from datasets.scene.piece_outlines import CUBE, DISC, SHAPES, THINGS, Shape
from vision.arrays import Floats, Image

Makes = Mapping[str, tuple[tuple[int, int, int], ...]]

COLOURS: Makes = {
    "red": ((40, 30, 200), (30, 25, 165), (60, 50, 225), (25, 20, 130)),
    "blue": ((190, 80, 20), (160, 60, 15), (215, 120, 40), (120, 45, 20)),
    "green": ((50, 130, 20), (40, 100, 15), (70, 160, 40), (35, 75, 20)),
    "yellow": ((20, 200, 240), (10, 180, 225), (40, 215, 250), (15, 150, 200)),
    "black": ((30, 30, 30), (20, 20, 22), (45, 42, 42), (12, 12, 12)),
    "pink": ((170, 110, 225), (150, 60, 150), (190, 140, 240), (130, 50, 120)),
    "white": ((235, 238, 240), (200, 205, 208), (150, 152, 155), (215, 225, 230)),
}
"""Usual colours of meeples in BGR, several makes each; two makes of pink are rather purple, one of white is rather
grey."""
FURTHER_COLOURS: Makes = {
    "grey": ((128, 126, 122), (112, 110, 106), (146, 142, 136), (118, 124, 130)),
    "purple": ((118, 44, 96), (140, 58, 112), (92, 34, 88), (80, 34, 104)),
    "orange": ((28, 112, 232), (22, 92, 215), (45, 132, 240), (35, 105, 205)),
    "wood": ((118, 165, 205), (100, 148, 190), (142, 186, 220), (84, 132, 178)),
}
"""Further colours that players may have, in BGR, several makes each. Wood is plain beech."""
HELD_OUT_MAKES: Makes = {
    "purple": ((132, 48, 104), (150, 66, 120), (104, 34, 70), (72, 28, 96)),
    "orange": ((36, 100, 226), (30, 120, 245), (20, 88, 200), (60, 140, 236)),
    "wood": ((128, 172, 212), (96, 152, 196), (104, 142, 184), (150, 196, 228)),
}
"""Other makes of these colours, in BGR, held out from all training and fitting: they show how unseen makes are read."""

CLEAR_SIDES, CLEAR_CAP = 0.6, 1.5
"""Share of the background visible through the sides of a clear plastic piece, seen at a slant, and through its flat
cap."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece on the table: `at` is (col, row) of its foot, `yaw` its turn about the vertical in radians.

    `make` selects among the shapes of its kind; a disc may be a cube. `tilt` is its lean towards its own back and side,
    in radians.
    """

    colour: str
    kind: str
    pose: str
    at: tuple[float, float]
    yaw: float
    bgr: tuple[int, int, int]
    size: float = 1.0
    make: int = 0
    tilt: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Finish:
    """How pieces reflect light: `gloss` of the paint, and the tints (BGR factors) of the lamp and the shade.

    `deep` is how much the hue of paint deepens in the shade, where it is lit by its own reflections; `clear` is the
    share of the background visible through pieces of clear plastic.
    """

    gloss: float
    lamp: tuple[float, float, float] = (1.0, 1.0, 1.0)
    shade: tuple[float, float, float] = (1.0, 1.0, 1.0)
    deep: float = 0.0
    clear: float = 0.0


def sample_shade(makes: Sequence[tuple[int, int, int]], rng: np.random.Generator) -> tuple[int, int, int]:
    """Sample the BGR of one player's pieces, close to one of a colour's makes."""
    base = np.array(makes[int(rng.integers(len(makes)))], float)
    b, g, r = np.clip(base * rng.uniform(0.85, 1.15) + rng.normal(0, 6, 3), 3, 250).astype(int).tolist()
    return b, g, r


def build_prism(piece: Piece) -> tuple[Floats, Floats]:
    """Build the two caps (n, 3) of a piece's prism in lattice units, with the table (tile tops) at z = 0."""
    shape = _shape_of(piece)
    high = shape.thickness * piece.size
    if piece.pose == "lying" or shape in (DISC, CUBE):
        flat = (shape.outline - (0, shape.middle)) * shape.unit * piece.size
        caps = [np.column_stack([flat, np.full(len(flat), z)]) for z in (0.0, high)]
    else:
        up = shape.outline * shape.unit * piece.size
        if piece.pose == "upside_down":
            up = (0, up[:, 1].max()) - up
        caps = [np.column_stack([up[:, 0], np.full(len(up), y), up[:, 1]]) for y in (high / 2, -high / 2)]
    if any(piece.tilt):
        caps = _tilted(caps, *piece.tilt)
    c, s = np.cos(piece.yaw), np.sin(piece.yaw)
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    placed = [cap @ turn.T + (*piece.at, 0.0) for cap in caps]
    return placed[0], placed[1]


def _shape_of(piece: Piece) -> Shape:
    if piece.pose == "disc":
        return (DISC, CUBE)[piece.make % 2]
    makes = SHAPES.get(piece.kind) or THINGS[piece.kind]
    return makes[piece.make % len(makes)]


def _tilted(caps: list[Floats], forward: float, aside: float) -> list[Floats]:
    """Rotate the caps about the foot and raise or lower them until they touch the table."""
    (c, s), (d, t) = (np.cos(forward), np.sin(forward)), (np.cos(aside), np.sin(aside))
    turn = np.array([[d, 0, -t], [0, 1, 0], [t, 0, d]]) @ np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    turned = [cap @ turn.T for cap in caps]
    lowest = min(cap[:, 2].min() for cap in turned)
    return [cap - (0, 0, lowest) for cap in turned]


def compute_shadow(piece: Piece, camera: Camera, light: Floats) -> Floats:
    """Compute the (n, 2) hull in pixels of the shadow on the tile tops; `light` points to the lamp (x, y, z up)."""
    points = np.vstack(build_prism(piece))
    ground = points[:, :2] - points[:, 2:] * light[:2] / max(light[2], 0.25)
    pixels = camera.project(np.column_stack([ground, np.zeros(len(ground))]))
    if not np.isfinite(pixels).all():
        return pixels
    return np.asarray(cv2.convexHull(pixels.astype(np.float32))[:, 0], dtype=np.float64)


def draw_piece(image: Image, piece: Piece, camera: Camera, light: Floats, finish: Finish) -> None:
    """Paint the piece's prism into `image`: the visible sides from far to near, then the near cap."""
    low, high = build_prism(piece)
    axis = high[0] - low[0]
    axis /= np.linalg.norm(axis)
    middle = (low.mean(0) + high.mean(0)) / 2
    view = camera.position - middle
    if axis @ view < 0:
        low, high, axis = high, low, -axis
    p_low, p_high = camera.project(low), camera.project(high)
    if not (np.isfinite(p_low).all() and np.isfinite(p_high).all()):
        return
    w, h = camera.size
    if (p_high.max(0) < -50).any() or (p_high.min(0) > (w + 50, h + 50)).any():
        return
    following = np.roll(np.arange(len(low)), -1)
    along = high[following] - high
    normals = np.cross(along, axis)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True) + 1e-9
    normals *= np.sign(_signed_area(high, axis))
    centres = (high + low + high[following] + low[following]) / 4
    toward = camera.position - centres
    visible = np.flatnonzero((normals * toward).sum(1) > 0)
    shades = _shades(piece.bgr, np.vstack([normals, axis]), light, view, finish)
    quads = np.stack([p_low, p_low[following], p_high[following], p_high], axis=1)
    bare = image.copy() if finish.clear else image
    for i in visible[np.argsort(-(toward[visible] ** 2).sum(1))]:
        _fill(image, quads[i], shades[i])
    if finish.clear:
        _show_through(image, bare, np.vstack([p_low, p_high]), piece.bgr, CLEAR_SIDES * finish.clear)
    cut = image.copy() if finish.clear else image
    _fill(image, p_high, shades[-1])
    if finish.clear:
        _show_through(image, cut, p_high, piece.bgr, CLEAR_CAP * finish.clear)


def _show_through(image: Image, behind: Image, outline: Floats, bgr: tuple[int, int, int], share: float) -> None:
    """Blend `share` of the background into a piece within `outline` (n, 2), tinted in the piece's colour."""
    h, w = image.shape[:2]
    (x0, y0), (x1, y1) = (np.clip(edge, 0, (w, h)).astype(int) for edge in (outline.min(0) - 1, outline.max(0) + 2))
    before, painted = behind[y0:y1, x0:x1], image[y0:y1, x0:x1]
    changed = (painted != before).any(axis=2)
    through = before[changed] * (0.25 + 0.75 * np.array(bgr) / 255)
    painted[changed] = np.clip((1 - share) * painted[changed] + share * through, 0, 255).astype(np.uint8)


def compute_top_light(light: Floats, finish: Finish) -> Floats:
    """Compute the (3,) BGR factors of light on upward-facing surfaces."""
    return np.asarray(0.55 * np.array(finish.shade) + 0.5 * max(0.0, float(light[2])) * np.array(finish.lamp))


def _signed_area(cap: Floats, axis: Floats) -> float:
    following = np.roll(cap, -1, axis=0)
    return float((np.cross(cap, following) @ axis).sum())


def _shades(bgr: tuple[int, int, int], normals: Floats, light: Floats, view: Floats, finish: Finish) -> Floats:
    """Return (n, 3) BGR of faces with (n, 3) unit normals: matt light, a highlight, and deeper hues in the shade."""
    diffuse = np.maximum(0, normals @ light)[:, None]
    half = light + view / np.linalg.norm(view)
    shine = np.maximum(0, normals @ half / np.linalg.norm(half))[:, None] ** 12
    lit = 0.55 * np.array(finish.shade) + 0.5 * diffuse * np.array(finish.lamp)
    paint = 255 * (np.array(bgr, float) / 255) ** (1 + finish.deep * np.clip(1.05 - lit, 0, 1))
    # Clear plastic glints from within on any of its faces.
    glints = finish.clear * np.maximum(0, np.sin(normals @ (11.0, 7.0, 5.0)))[:, None] ** 3
    return np.asarray(np.clip(paint * (lit + glints) + 120 * finish.gloss * shine + 150 * glints**2, 0, 255))


def _fill(image: Image, polygon: Floats, colour: Floats) -> None:
    cv2.fillPoly(image, [np.round(polygon * 16).astype(np.int32)], colour.tolist(), cv2.LINE_AA, 4)
