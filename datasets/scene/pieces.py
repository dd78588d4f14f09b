"""Pieces on the table as prisms of their shapes, with their shading and shadows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from datasets.scene.camera import Camera
from vision.arrays import Floats, Image

Points = Sequence[tuple[float, float]]

TILE_MM = 45
MEEPLE_WIDTH_TILES = 16 / TILE_MM
"""Width of a meeple relative to a tile's."""
MEEPLE_THICKNESS_TILES = 10 / TILE_MM
BIG_MM = (18.5, 19.3, 9.9)
BUILDER_MM = (14.3, 20.5, 9.8)
PIG_MM = (22.1, 11.2, 8.0)
ABBOT_MM = (13.0, 19.5, 10.0)
"""Width, height and thickness; the abbot's are inferred."""
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


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """A standing piece: `outline` (n, 2), x right and y up from its foot, counter-clockwise, in `unit` tiles.

    `middle` is the height of its middle in the same units; `thickness` is that of the wood in tiles.
    """

    outline: Floats
    unit: float
    thickness: float
    middle: float


def build_circle(n: int) -> Floats:
    """Return an (n, 2) circle of diameter 1 about the origin, counter-clockwise."""
    a = np.arange(n) * 2 * np.pi / n
    return np.stack([np.cos(a), np.sin(a)], 1) / 2


def _meeple_outline() -> Floats:
    """Return a meeple's outline, 1 unit wide and high."""
    half = [
        (0.10, 0.0),
        (0.44, 0.0),
        (0.47, 0.05),
        (0.27, 0.40),
        (0.47, 0.44),
        (0.50, 0.53),
        (0.45, 0.62),
        (0.22, 0.70),
    ]
    angles = np.linspace(-0.62, np.pi / 2, 6)
    head = [(0.19 * np.cos(a), 0.81 + 0.19 * np.sin(a)) for a in angles]
    right = half + head
    left = [(-x, y) for x, y in reversed(right[:-1])]
    return np.array([*right, *left, (-0.02, 0.24), (0.02, 0.24)])


def _cut(points: Points, size_mm: tuple[float, float, float]) -> Shape:
    """Return a shape from an outline stretched to a width and height in millimetres."""
    outline = np.array(points, np.float64)
    width, height, thickness = size_mm
    outline *= np.array([width, height]) / np.ptp(outline, axis=0)
    return Shape(outline, 1 / TILE_MM, thickness / TILE_MM, height / 2)


def _both_sides(right: Points) -> Points:
    """Return the symmetric outline whose right half, from the foot up to the top, is given."""
    return [*right, *((-x, y) for x, y in reversed(right) if x)]


# fmt: off
_BUILDER_WITH_HAMMER = [
    (0.5, 0), (4.4, 0), (4.7, 0.8), (3.3, 5.6), (3.3, 8.0), (4.6, 7.2), (6.0, 8.0), (6.9, 12.2), (8.0, 12.2),
    (8.0, 14.6), (4.4, 14.6), (4.4, 12.2), (5.5, 12.2), (5.0, 10.0), (2.4, 10.9), (2.2, 12.2), (3.4, 12.6),
    (3.4, 13.4), (2.1, 13.6), (1.8, 16.0), (-1.8, 16.0), (-2.1, 13.6), (-3.4, 13.4), (-3.4, 12.6), (-2.2, 12.2),
    (-2.4, 10.9), (-5.0, 10.0), (-7.6, 6.6), (-6.4, 5.4), (-4.6, 7.4), (-3.3, 7.8), (-3.3, 5.6), (-4.7, 0.8),
    (-4.4, 0), (-0.5, 0), (-0.4, 3.6), (0.4, 3.6),
]
_BUILDER_IN_HAT = [
    (0.5, 3.0), (1.0, 0), (4.6, 0), (5.0, 0.8), (3.2, 5.0), (6.0, 6.2), (6.4, 7.6), (3.4, 10.4), (2.3, 11.0),
    (2.5, 12.0), (4.6, 12.6), (4.6, 13.5), (2.4, 13.7), (2.0, 15.4), (1.0, 16.0),
]
_PIG = [
    (-7.2, 0), (-4.4, 0), (-4.0, 2.8), (2.2, 2.8), (2.6, 0), (5.4, 0), (5.5, 3.4), (9.0, 4.4), (9.0, 6.9), (7.5, 7.6),
    (6.6, 11.2), (4.9, 9.8), (2.0, 10.6), (-2.0, 10.8), (-5.6, 10.2), (-7.6, 8.4), (-8.6, 9.4), (-9.0, 8.6),
    (-8.2, 6.4), (-7.9, 3.6),
]
_ROUND_PIG = [
    (-5.5, 0), (-3.4, 0), (-3.0, 2.0), (2.6, 2.0), (3.0, 0), (5.1, 0), (5.4, 2.4), (7.5, 3.6), (7.5, 6.0), (6.2, 7.0),
    (5.6, 9.2), (4.2, 8.6), (1.5, 9.8), (-2.5, 10.0), (-5.4, 8.6), (-7.0, 6.6), (-7.5, 4.0), (-6.4, 2.2),
]
_ABBOT = [
    (6.2, 0), (6.4, 0.7), (4.6, 7.0), (3.6, 10.6), (2.3, 11.8), (2.8, 13.2), (2.5, 14.4), (3.0, 15.2), (2.4, 17.4),
    (0, 19.5),
]
_ABBOT_IN_COPE = [
    (5.4, 0), (5.8, 1.0), (5.2, 6.0), (4.2, 10.0), (2.0, 11.4), (2.6, 12.8), (2.0, 14.0), (2.4, 15.2), (1.6, 17.2),
    (0, 18.2),
]
# fmt: on

SHAPES = {
    "meeple": (Shape(_meeple_outline(), MEEPLE_WIDTH_TILES, MEEPLE_THICKNESS_TILES, 0.45),),
    "big": (_cut(_meeple_outline().tolist(), BIG_MM),),
    "builder": (_cut(_BUILDER_WITH_HAMMER, BUILDER_MM), _cut(_both_sides(_BUILDER_IN_HAT), BUILDER_MM)),
    "pig": (_cut(_PIG, PIG_MM), _cut(_ROUND_PIG, PIG_MM)),
    "abbot": (_cut(_both_sides(_ABBOT), ABBOT_MM), _cut(_both_sides(_ABBOT_IN_COPE), ABBOT_MM)),
}
"""Every kind of piece that is drawn, in one or two makes."""

DISC = Shape(build_circle(20), MEEPLE_WIDTH_TILES, 0.10, 0.0)
CUBE = Shape(np.array([(-4.5, -4.5), (4.5, -4.5), (4.5, 4.5), (-4.5, 4.5)]), 1 / TILE_MM, 9 / TILE_MM, 0.0)
"""A substitute for a lost meeple, seen from above."""

# fmt: off
_DRAGON = [
    (-9, 0), (-4, 0), (-4, 4), (3, 4), (4, 0), (9, 0), (9, 6), (14, 8), (22, 4), (20, 9), (14, 13), (11, 16), (12, 20),
    (17, 22), (18, 26), (12, 30), (8, 28), (6, 22), (2, 18), (-2, 27), (-6, 28), (-9, 18), (-14, 14), (-20, 15),
    (-22, 12), (-15, 8), (-10, 7),
]
_FAIRY = [
    (5, 0), (5, 2), (3, 12), (3, 18), (8, 22), (8, 28), (3, 26), (2.5, 29), (3, 33), (0, 36),
]
_BRIDGE = [
    (-23, 0), (-18, 0), (-16, 5), (-8, 8.5), (0, 9.5), (8, 8.5), (16, 5), (18, 0), (23, 0), (21, 8), (11, 13), (0, 14),
    (-11, 13), (-21, 8),
]
_PENTAGON = [(8, -7), (8, 4), (0, 9), (-8, 4), (-8, -7)]
# fmt: on

THINGS = {
    "coin": (Shape(build_circle(28), 20 / TILE_MM, 1.8 / TILE_MM, 0.0),),
    "round counter": (Shape(build_circle(24), 17 / TILE_MM, 2 / TILE_MM, 0.0),),
    "pentagon": (Shape(np.array(_PENTAGON, float), 1 / TILE_MM, 2 / TILE_MM, 0.0),),
    "die": (Shape(np.array([(-7, -7), (7, -7), (7, 7), (-7, 7)], float), 1 / TILE_MM, 14 / TILE_MM, 0.0),),
    "dragon": (_cut(_DRAGON, (44, 30, 9)),),
    "fairy": (_cut(_both_sides(_FAIRY), (15, 36, 9)),),
    "bridge": (_cut(_BRIDGE, (46, 14, 9)),),
    "block": (Shape(build_circle(6), 17 / TILE_MM, 12 / TILE_MM, 0.0),),
}
"""Objects on tiles that are no player's pieces, in approximate true sizes."""


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
