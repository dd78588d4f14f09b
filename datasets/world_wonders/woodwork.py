"""Wooden pieces, such as towers and markers, as they are manufactured: sawn out of a plank to an outline, turned on a
lathe, or cut block by block.

A part has two outlines with equally many corners, and a side between each pair of their edges. Paint varies slightly
between pieces and between faces, edges are worn by handling, grain shows through, and a face may be printed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import shapely

from datasets.scene.camera import Camera
from datasets.world_wonders.own_copy import SQUARE_MM, Cell
from datasets.world_wonders.style import MEDLEY_MOTIF, Colour, Style, convert_hsv, mix_colours
from vision.arrays import Floats, Image

STAIN_SHARE = 0.03
"""Standard deviation of the paint between two pieces, and twice that between a piece's faces."""
GRAIN_STEP_MM, GRAIN_SHARE = 2.2, 0.035
"""Mean distance between grain lines, and the standard deviation of their difference from the paint."""
WORN_EDGE_RATIO, WORN_EDGE_MM = 1.12, 0.5
"""Brightness of a sawn edge relative to its face, and its width."""
ROUNDING_MM = 0.8
"""Radius of an outline's outer corners, which sanding rounds off."""
MIN_SMOOTH_SIDES = 12
"""Minimum number of sides of a turned part, whose sides are shaded without edges."""
PRINT_MM = 0.9
"""Width of a printed line."""

Line = Sequence[tuple[float, float]]
MARKERS = ("cube", "cylinder", "disc", "prism", "house")
"""Shapes of markers; each track of a style has one of them."""
MARKER_MM = 8.0


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A part between two outlines, (n, 3) each in millimetres, x right, y down, z up.

    `prints` are lines, (m, 3) each, on either end face; `ink` is their colour.
    """

    first: Floats
    second: Floats
    colour: Colour
    prints: tuple[Floats, ...] = ()
    ink: Colour = (30, 30, 30)

    @property
    def points(self) -> Floats:
        """(2 n, 3) points of both outlines."""
        return np.vstack([self.first, self.second])

    @property
    def foot(self) -> float:
        """Height of its lowest point."""
        return float(self.points[:, 2].min())

    @property
    def is_turned(self) -> bool:
        """Whether its sides form one round surface."""
        return len(self.first) >= MIN_SMOOTH_SIDES and not self.prints and self._is_round()

    def placed(self, turn: float, at: tuple[float, float], z: float) -> Part:
        """Return the part rotated by `turn` radians about the origin, and moved."""
        c, s = np.cos(turn), np.sin(turn)
        matrix, by = np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]]), np.array([*at, z])
        first, second, *prints = (points @ matrix + by for points in (self.first, self.second, *self.prints))
        return replace(self, first=first, second=second, prints=tuple(prints))

    def moved(self, by: Sequence[float] | Floats) -> Part:
        """Return the same part moved by (2,) millimetres."""
        return self.placed(0.0, (float(by[0]), float(by[1])), 0.0)

    def _is_round(self) -> bool:
        around = np.linalg.norm(self.first - self.first.mean(axis=0), axis=1)
        return bool(around.max() < 4 * around.min())


def build_frustum(low: Floats, high: Floats, z: tuple[float, float], colour: Colour) -> Part:
    """Build the solid between two outlines, (n, 2) each, at two heights."""
    first, second = (np.column_stack([flat, np.full(len(flat), at)]) for flat, at in zip((low, high), z, strict=True))
    return Part(first, second, colour)


def build_slab(outline: Line | Floats, z: tuple[float, float], colour: Colour, rounding: float = ROUNDING_MM) -> Part:
    """Build a part sawn out of a horizontal plank: its outline, (n, 2) x and y, between two heights."""
    flat = round_corners(outline, rounding)
    return build_frustum(flat, flat, z, colour)


def saw_part(
    profile: Line,
    thickness: float,
    colour: Colour,
    prints: Sequence[Line] = (),
    y: float = 0.0,
    ink: Colour | None = None,
) -> Part:
    """Build a part sawn out of an upright plank: its profile, (n, 2) x and z, and the plank's thickness.

    `prints` are lines of x and z on both faces; `y` is the position of the plank's middle.
    """
    xz = round_corners(profile, ROUNDING_MM)
    front, back = (
        np.column_stack([xz[:, 0], np.full(len(xz), y + side * thickness / 2), xz[:, 1]]) for side in (1, -1)
    )
    lines = [np.asarray(line, float) for line in prints]
    on_faces = tuple(
        np.column_stack([line[:, 0], np.full(len(line), y + side * thickness / 2), line[:, 1]])
        for side in (1, -1)
        for line in lines
    )
    return Part(front, back, colour, on_faces, mix_colours(colour, (20, 20, 25), 0.65) if ink is None else ink)


def round_corners(outline: Line | Floats, radius: float) -> Floats:
    """Round the outer corners of a polygon (n, 2), which is returned clockwise with y down."""
    whole = shapely.Polygon(np.asarray(outline, float))
    rounded = whole.buffer(-radius, join_style="mitre").buffer(radius, quad_segs=2) if radius else whole
    if rounded.geom_type != "Polygon" or rounded.area < 0.8 * whole.area:
        rounded = whole
    return np.asarray(shapely.get_coordinates(shapely.geometry.polygon.orient(rounded).exterior)[:-1])


def draw_piece(
    image: Image, parts: Sequence[Part], camera: Camera, light: Floats, gloss: float, rng: np.random.Generator
) -> None:
    """Paint a piece's parts, lower ones first and far ones before near ones."""
    depths = [float(camera.depth(part.points.mean(0)[None])[0]) for part in parts]
    stain = float(rng.normal(1, STAIN_SHARE))
    for i in sorted(range(len(parts)), key=lambda i: (round(parts[i].foot), -depths[i])):
        _draw_part(image, parts[i], camera, _Paint(light, gloss, stain), rng)


def compute_shadow(part: Part, camera: Camera, light: Floats, ground: float) -> Floats:
    """Compute the (n, 2) hull in pixels of a part's shadow on the plane at height `ground`."""
    points = part.points
    flat = points[:, :2] - (points[:, 2:] - ground) * light[:2] / max(light[2], 0.3)
    pixels = camera.project(np.column_stack([flat, np.full(len(flat), ground)]))
    return np.asarray(cv2.convexHull(pixels.astype(np.float32))[:, 0], np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class _Paint:
    """The lamp's direction, a piece's gloss, and the deviation of its paint from others of its colour."""

    light: Floats
    gloss: float
    stain: float

    def shade(self, colour: Colour, normal: Floats, camera: Camera, at: Floats) -> Floats:
        view = camera.position - at
        half = self.light + view / np.linalg.norm(view)
        shine = max(0.0, float(normal @ half / np.linalg.norm(half))) ** 12
        lit = (0.55 + 0.5 * max(0.0, float(normal @ self.light))) * self.stain
        return np.asarray(np.clip(np.array(colour, float) * lit + 100 * self.gloss * shine, 0, 255))


def _draw_part(image: Image, part: Part, camera: Camera, paint: _Paint, rng: np.random.Generator) -> None:
    """Draw the visible sides, far ones first, then the visible end face, which covers them."""
    n, first, second = len(part.first), part.first, part.second
    axis = second.mean(0) - first.mean(0)
    way = np.sign(_compute_area_normal(first) @ axis) or 1.0
    sides = []
    for i in range(n):
        j = (i + 1) % n
        corners = np.stack([first[i], first[j], second[j], second[i]])
        normal = way * _compute_area_normal(corners)
        length = np.linalg.norm(normal)
        if length > 1e-9 and normal @ (camera.position - corners.mean(0)) > 0:
            sides.append((corners, normal / length))
    smooth = part.is_turned
    for corners, normal in sorted(sides, key=lambda side: -float(camera.depth(side[0].mean(0)[None])[0])):
        colour = paint.shade(part.colour, normal, camera, corners.mean(0))
        if smooth:
            _fill_face(image, camera.project(corners), colour)
        else:
            _draw_sawn_face(image, corners, camera, colour, rng)
    for corners, normal in ((first, -axis), (second, axis)):
        unit = normal / (np.linalg.norm(normal) + 1e-9)
        if unit @ (camera.position - corners.mean(0)) > 0:
            colour = paint.shade(part.colour, unit, camera, corners.mean(0))
            _draw_sawn_face(image, corners, camera, colour, rng)
            _draw_prints(image, part, corners, camera, colour / np.maximum(np.array(part.colour, float), 1))


def _compute_area_normal(corners: Floats) -> Floats:
    """Return the normal (3,) of a flat polygon (n, 3), with its area as length (Newell)."""
    return np.asarray(np.cross(corners, np.roll(corners, -1, axis=0)).sum(axis=0) / 2)


def _draw_sawn_face(image: Image, corners: Floats, camera: Camera, colour: Floats, rng: np.random.Generator) -> None:
    pixels = camera.project(corners)
    own_colour = np.clip(colour * rng.normal(1, STAIN_SHARE / 2), 0, 255)
    _fill_face(image, pixels, own_colour)
    for chord in _list_grain(corners, rng):
        start, end = camera.project(chord)
        shade = np.clip(own_colour * rng.normal(1, GRAIN_SHARE), 0, 255)
        _draw_line(image, np.stack([start, end]), shade, False, 1)
    px_mm = float(np.linalg.norm(pixels[0] - pixels[1]) / (np.linalg.norm(corners[0] - corners[1]) + 1e-9))
    edge = np.clip(own_colour * WORN_EDGE_RATIO + 4, 0, 255)
    _draw_line(image, pixels, edge, True, max(1, round(WORN_EDGE_MM * min(px_mm, 8))))


def _list_grain(corners: Floats, rng: np.random.Generator) -> list[Floats]:
    """Return chords (2, 3) of a flat polygon (n, 3) along the grain, which runs along the face's longest direction."""
    middle = corners.mean(0)
    _, spans, axes = np.linalg.svd(corners - middle, full_matrices=False)
    if spans[1] < 1e-6:
        return []
    flat = (corners - middle) @ axes[:2].T
    low, high = flat[:, 1].min(), flat[:, 1].max()
    count = int((high - low) / GRAIN_STEP_MM)
    chords = []
    for level in rng.uniform(low, high, count):
        for start, end in _list_crossings(flat, float(level)):
            chords.append(middle + np.array([(start, level), (end, level)]) @ axes[:2])
    return chords


def _list_crossings(flat: Floats, level: float) -> list[tuple[float, float]]:
    """Return the spans in x of a polygon (n, 2) at a level of y."""
    following = np.roll(flat, -1, axis=0)
    over = (flat[:, 1] > level) != (following[:, 1] > level)
    one, other = flat[over], following[over]
    at = np.sort(one[:, 0] + (level - one[:, 1]) / (other[:, 1] - one[:, 1]) * (other[:, 0] - one[:, 0]))
    return list(zip(at[::2].tolist(), at[1::2].tolist(), strict=False))


def _draw_prints(image: Image, part: Part, face: Floats, camera: Camera, lit: Floats) -> None:
    """Draw the lines printed on an end face, in its light."""
    for line in part.prints:
        if abs(float((line[0] - face.mean(0)) @ _unit(part.second.mean(0) - part.first.mean(0)))) < 0.1:
            pixels = camera.project(line)
            px_mm = float(np.linalg.norm(pixels[0] - pixels[1]) / (np.linalg.norm(line[0] - line[1]) + 1e-9))
            width = max(1, round(PRINT_MM * min(px_mm, 8)))
            _draw_line(image, pixels, np.clip(np.array(part.ink, float) * lit, 0, 255), False, width)


def _unit(vector: Floats) -> Floats:
    return np.asarray(vector / (np.linalg.norm(vector) + 1e-9))


def _fill_face(image: Image, polygon: Floats, colour: Floats) -> None:
    cv2.fillPoly(image, [np.round(polygon * 16).astype(np.int32)], colour.tolist(), cv2.LINE_AA, 4)


def _draw_line(image: Image, points: Floats, colour: Floats, closed: bool, width: int) -> None:
    cv2.polylines(image, [np.round(points * 16).astype(np.int32)], closed, colour.tolist(), width, cv2.LINE_AA, 4)


def build_marker(style: Style, track: int) -> list[Part]:
    """Build the marker of a track, about the centre of its foot."""
    colour = style.markers[track]
    match MARKERS[int(style.rng(600 + track).integers(len(MARKERS)))]:
        case "cube":
            return [build_slab(build_box(MARKER_MM, MARKER_MM), (0, MARKER_MM), colour, 0.4)]
        case "cylinder":
            ring = build_ring(MARKER_MM, 18)
            return [build_frustum(ring, ring, (0, MARKER_MM), colour)]
        case "disc":
            ring = build_ring(10, 20)
            return [build_frustum(ring, ring, (0, 4), colour)]
        case "prism":
            ring = build_ring(9, 8)
            return [build_frustum(ring, ring, (0, 10), colour)]
        case _:
            return [saw_part([(-4, 0), (4, 0), (4, 5), (0, 9), (-4, 5)], MARKER_MM, colour)]


def build_tower(style: Style) -> list[Part]:
    """Build a tower with battlements, about the centre of its foot: turned on a lathe, or sawn out of a plank."""
    paint = style.colours["tower"]
    if style.motif == MEDLEY_MOTIF:
        return _build_stack(style.rng(650), (0.0, 0.0), float(style.rng(651).uniform(12, 32)), (paint,))
    if not style.round_tower:
        profile = [(-6.5, 0), (6.5, 0), (6.5, 3), (5, 5), (5, 15), (7, 17), (7, 22), (4, 22), (4, 19.5), (1.5, 19.5)]
        profile += [(1.5, 22), (-1.5, 22), (-1.5, 19.5), (-4, 19.5), (-4, 22), (-7, 22), (-7, 17), (-5, 15), (-5, 5)]
        door = [(-1.5, 0.5), (-1.5, 5), (0, 6.5), (1.5, 5), (1.5, 0.5)]
        return [saw_part([*profile, (-6.5, 3)], 12, paint, (door,))]
    foot, shaft, neck, crown = (build_ring(width, 20) for width in (14, 11, 10, 14.5))
    body = [
        build_frustum(foot, foot, (0, 3), paint),
        build_frustum(shaft, neck, (3, 14), paint),
        build_frustum(neck, crown, (14, 17), paint),
        build_frustum(crown, crown, (17, 19), paint),
    ]
    pale = mix_colours(paint, (255, 255, 255), 0.1)
    for angle in np.arange(6) * np.pi / 3:
        at = np.array([np.cos(angle), np.sin(angle)]) * 5.4
        body.append(build_slab(build_box(3.4, 3.4) + at, (19, 22), pale, 0.3))
    return body


def build_heap(cells: Sequence[Cell], rng: np.random.Generator) -> list[Part]:
    """Build a standing piece of plain solids in two or three paints; the first square's corner is at (0, 0)."""
    paints = tuple(
        convert_hsv(rng.uniform(0, 180), rng.uniform(0, 220), rng.uniform(40, 250)) for _ in range(rng.integers(2, 4))
    )
    foot, height = float(rng.uniform(3, 14)), float(rng.uniform(4, 22))
    parts = []
    for row, col in cells:
        middle = ((col + 0.5) * SQUARE_MM, (row + 0.5) * SQUARE_MM)
        parts.append(build_slab(build_box(SQUARE_MM - 0.5, SQUARE_MM - 0.5, *middle), (0, foot), paints[0], 0.3))
        if rng.random() < 0.7:
            parts += [part.placed(0, (0, 0), foot) for part in _build_stack(rng, middle, height, paints[1:])]
    return parts


def _build_stack(
    rng: np.random.Generator, at: tuple[float, float], height: float, paints: Sequence[Colour]
) -> list[Part]:
    """Build one to three solids on top of each other: prisms, cones or drums of any width."""
    levels = np.sort(np.append(rng.uniform(0.1, 0.9, int(rng.integers(3))), (0, 1))) * height
    sides, widths = int(rng.choice([4, 4, 6, 8, 20, 20])), rng.uniform(5, 15.5, len(levels))
    widths = np.maximum(widths, 9) if rng.random() < 0.8 else widths
    widths[1:] = widths[0] if rng.random() < 0.4 else widths[1:]
    rings = [build_ring(float(width), sides) + np.array(at) for width in widths]
    return [
        build_frustum(rings[i], rings[i + 1], (float(levels[i]), float(levels[i + 1])), paints[i % len(paints)])
        for i in range(len(levels) - 1)
    ]


def build_box(w: float, h: float, x: float = 0.0, y: float = 0.0) -> Floats:
    """Build the (4, 2) corners of a rectangle about a place."""
    return np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * np.array([w, h]) / 2 + np.array([x, y])


def build_ring(width: float, sides: int, height: float | None = None) -> Floats:
    """Build a regular polygon (n, 2) of the given width, a square for four sides; with a `height` it is an oval."""
    angles = np.arange(sides) * 2 * np.pi / sides + np.pi / sides
    reach = width / 2 / np.cos(np.pi / sides) if sides == 4 else width / 2
    return np.stack([np.cos(angles), np.sin(angles)], 1) * (reach, reach if height is None else height / 2)


def measure_frame(cells: tuple[tuple[int, int], ...]) -> tuple[float, float]:
    """Measure width and height in mm of the bounding rectangle of squares."""
    high, wide = (1 + max(cell[axis] for cell in cells) for axis in (0, 1))
    return wide * SQUARE_MM, high * SQUARE_MM
