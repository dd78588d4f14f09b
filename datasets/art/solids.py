"""Small solids viewed slightly from the south: houses, towers, trees, each made of a few shaded faces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from datasets.art.style import Colour
from vision.arrays import Floats

DOWN = np.array([0.0, 1.0])
VIEWER = np.array([0.0, 1.0, 1.0])
SUN = np.array([-0.6, 0.3, 0.74])
AMBIENT = 0.58
WINDOW_SPACING_TILES = 0.075
SNOW: Colour = (246, 249, 253)

BOX = ((0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7), (4, 5, 6, 7))
GABLED = ((0, 1, 5, 4), (2, 3, 7, 6), (1, 2, 6, 9, 5), (3, 0, 4, 8, 7), (4, 5, 9, 8), (6, 7, 8, 9))


@dataclass(frozen=True)
class Face:
    """A filled polygon (n, 2) on the picture plane, in tiles."""

    polygon: Floats
    colour: tuple[float, float, float]
    inked: bool = True


@dataclass(frozen=True)
class Solid:
    """Faces in painting order; a solid of greater `depth` (nearer to the viewer) is painted later.

    `base` is its footprint (n, 2), for its shadow; `outline` is the polygon drawn in ink around it.
    """

    depth: float
    faces: tuple[Face, ...]
    base: Floats
    outline: Floats | None = None


def project_to_picture(points: Floats) -> Floats:
    """Project 3D points (n, 3), x right, y towards the viewer, z up, onto the picture plane (n, 2)."""
    return np.column_stack([points[:, 0], points[:, 1] - points[:, 2]])


def build_convex(
    points: Floats, faces: Sequence[tuple[int, ...]], colours: Sequence[Colour], inked: bool = True
) -> Solid:
    """Build the visible faces of a convex solid, each shaded by its angle to the sun."""
    flat = project_to_picture(points)
    normals = _normals(points, faces)
    facing = normals @ VIEWER > 0
    lights = AMBIENT + (1 - AMBIENT) * 1.25 * np.clip(normals @ SUN, 0, None)
    visible = [
        Face(flat[list(face)], shade_colour(colour, float(light)), inked)
        for face, colour, light, visible_side in zip(faces, colours, lights, facing, strict=True)
        if visible_side
    ]
    silhouette = np.concatenate([face.polygon for face in visible]).astype(np.float32)
    hull = cv2.convexHull(silhouette)[:, 0].astype(np.float64)
    ground = points[points[:, 2] <= points[:, 2].min() + 1e-9][:, :2]
    return Solid(float(ground[:, 1].max()), tuple(visible), ground, hull)


def _normals(points: Floats, faces: Sequence[tuple[int, ...]]) -> Floats:
    """Return the unit normals (faces, 3) of a convex solid, pointing outwards."""
    one, two, three = (points[[face[corner] for face in faces]] for corner in range(3))
    (a, b, c), (d, e, f) = (two - one).T, (three - two).T
    normals = np.column_stack([b * f - c * e, c * d - a * f, a * e - b * d])
    inward = ((one - points.mean(axis=0)) * normals).sum(axis=1) < 0
    normals[inward] *= -1
    return np.asarray(normals / np.sqrt((normals * normals).sum(axis=1))[:, None])


def shade_colour(colour: Colour | tuple[float, float, float], light: float) -> tuple[float, float, float]:
    """Return a colour under more or less light."""
    red, green, blue = (min(255.0, channel * light) for channel in colour)
    return red, green, blue


def blend_colours(one: Colour, other: Colour, share: float) -> Colour:
    """Blend two colours; `share`, from 0 to 1, is that of the other."""
    red, green, blue = (int(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def build_footprint(centre: Floats, length: float, depth: float, angle: float) -> Floats:
    """Return the corners (4, 2) of a rectangle, `length` along `angle` (radians)."""
    along = np.array([np.cos(angle), np.sin(angle)]) * length / 2
    across = np.array([-np.sin(angle), np.cos(angle)]) * depth / 2
    return np.array(
        [centre - along - across, centre + along - across, centre + along + across, centre - along + across]
    )


def raise_points(base: Floats, height: float) -> Floats:
    """Lift ground points (n, 2) to a height (n, 3)."""
    return np.column_stack([base, np.full(len(base), height)])


def build_box(base: Floats, bottom: float, height: float, wall: Colour, top: Colour) -> Solid:
    """Build a block on four corners."""
    corners = np.vstack([raise_points(base, bottom), raise_points(base, bottom + height)])
    return build_convex(corners, BOX, (wall, wall, wall, wall, top))


def build_house(base: Floats, height: float, rise: float, wall: Colour, roof: Colour) -> Solid:
    """Build a house on four corners; its ridge runs along the first side."""
    ridge = np.array([base[[0, 3]].mean(axis=0), base[[1, 2]].mean(axis=0)])
    corners = np.vstack([raise_points(base, 0), raise_points(base, height), raise_points(ridge, height + rise)])
    return build_convex(corners, GABLED, (wall, wall, wall, wall, roof, roof))


def build_prism(centre: Floats, radius: float, height: float, colour: Colour, sides: int = 10) -> Solid:
    """Build a round tower without a roof."""
    ring = _ring(centre, radius, sides)
    corners = np.vstack([raise_points(ring, 0), raise_points(ring, height)])
    around = [(i, (i + 1) % sides, sides + (i + 1) % sides, sides + i) for i in range(sides)]
    return build_convex(corners, [*around, tuple(range(sides, 2 * sides))], [colour] * (sides + 1), inked=False)


def build_spire(ring: Floats, bottom: float, height: float, colour: Colour, inked: bool = False) -> Solid:
    """Build a pointed roof over a ring of points (n, 2)."""
    sides = len(ring)
    corners = np.vstack([raise_points(ring, bottom), raise_points(ring.mean(axis=0, keepdims=True), bottom + height)])
    return build_convex(corners, [(i, (i + 1) % sides, sides) for i in range(sides)], [colour] * sides, inked)


def build_tower(centre: Floats, radius: float, height: float, wall: Colour, roof: Colour | None) -> list[Solid]:
    """Build a round tower with a pointed roof or a flat top."""
    body = build_prism(centre, radius, height, wall)
    if roof is None:
        ring = project_to_picture(raise_points(_ring(centre, radius * 0.68, 10), height))
        floor = Face(ring, shade_colour(wall, 0.62), inked=False)
        return [Solid(body.depth, (*body.faces, floor), body.base, body.outline)]
    top = build_spire(_ring(centre, radius * 1.2, 12), height, height * 0.75, roof)
    return [body, Solid(body.depth + 1e-4, top.faces, body.base, top.outline)]


def build_round_tree(foot: Floats, size: float, colour: Colour, rng: np.random.Generator, snow: float = 0.0) -> Solid:
    """Build a broad-leaved tree or, if small, a bush: a dark crown with lighter leaves, whitened by `snow`."""
    faces = []
    for share, light, lift in ((1.0, 0.62, 0.75), (0.78, 0.88, 0.9), (0.42, 1.15, 1.1)):
        middle = foot + np.array([-0.16 * (1 - share), -lift]) * size * 0.5
        leaves = blend_colours(colour, SNOW, min(1.0, 2 * snow * (1 - share)))
        faces.append(Face(_blob(middle, size * 0.5 * share, rng), shade_colour(leaves, light), inked=False))
    return Solid(float(foot[1]), tuple(faces), _ring(foot, size * 0.32, 8), faces[0].polygon)


def build_fir(foot: Floats, size: float, colour: Colour, snow: float) -> Solid:
    """Build a fir of three tiers; `snow` whitens its tips."""
    faces = []
    for tier in range(3):
        half, low = size * (0.36 - 0.09 * tier), size * 0.36 * tier
        top = foot - [0, low + size * 0.62]
        left, right = foot + np.array([[-half, -low - size * 0.08], [half, -low - size * 0.08]])
        middle = foot - [half * 0.2, low]
        faces.append(
            Face(np.array([top, left, middle]), shade_colour(blend_colours(colour, (255, 255, 255), snow), 1.05), False)
        )
        faces.append(Face(np.array([top, middle, right]), shade_colour(colour, 0.72), False))
    crown = foot + size * np.array([[0, -1.34], [-0.36, -0.08], [0.36, -0.08]])
    return Solid(float(foot[1]), tuple(faces), _ring(foot, size * 0.2, 8), crown)


def build_animal(foot: Floats, size: float, coat: Colour, head: Colour, facing: int) -> Solid:
    """Build a grazing sheep or cow, a few pixels wide."""
    body = Face(_ring(foot - [0, size * 0.3], size * 0.5, 10) * [1, 1], shade_colour(coat, 1.0))
    flat = Face((body.polygon - foot) * [1, 0.62] + foot, body.colour)
    skull = Face(_ring(foot + np.array([facing * 0.5, -0.22]) * size, size * 0.19, 8), shade_colour(head, 1.0), False)
    return Solid(float(foot[1]), (flat, skull), _ring(foot, size * 0.4, 8), flat.polygon)


def resize_solid(solid: Solid, about: Floats, share: float) -> Solid:
    """Resize a solid about a point of the picture."""

    def near(points: Floats) -> Floats:
        return np.asarray(about + (points - about) * share)

    faces = tuple(Face(near(face.polygon), face.colour, face.inked) for face in solid.faces)
    outline = None if solid.outline is None else near(solid.outline)
    return Solid(float(about[1] + (solid.depth - about[1]) * share), faces, near(solid.base), outline)


def add_windows(solid: Solid, dark: tuple[float, float, float]) -> Solid:
    """Add dark windows to a solid's upright four-cornered faces and rows of tiles to its slopes."""
    faces: list[Face] = []
    for face in solid.faces:
        faces.append(face)
        if len(face.polygon) != 4:
            continue
        faces += _windows(face, dark) if _is_upright(face) else _courses(face)
    return Solid(solid.depth, tuple(faces), solid.base, solid.outline)


def add_snow(solid: Solid, snow: float, rng: np.random.Generator) -> Solid:
    """Add snow to a solid's four-cornered slopes, from the ridge down; part of the roof shows unless `snow` is near
    1."""
    if not snow:
        return solid
    brightest = max((sum(face.colour) for face in solid.faces if _is_slope(face)), default=1.0)
    faces = []
    for face in solid.faces:
        faces.append(face)
        if _is_slope(face):
            faces.append(_snow_on(face, snow, sum(face.colour) / brightest, rng))
    return Solid(solid.depth, tuple(faces), solid.base, solid.outline)


def _snow_on(face: Face, snow: float, light: float, rng: np.random.Generator) -> Face:
    """Return the snow on a slope, ragged along its lower edge."""
    one, two, three, four = face.polygon
    across = np.linspace(0, 1, 7)[:, None]
    lows = np.clip(1 - snow + rng.uniform(-0.3, 0.3, (7, 1)), 0, 0.95)
    brim = (one * (1 - across) + two * across) * (1 - lows) + (four * (1 - across) + three * across) * lows
    return Face(np.vstack([brim, three, four]), shade_colour(SNOW, 0.7 + 0.3 * light), inked=False)


def _is_slope(face: Face) -> bool:
    return len(face.polygon) == 4 and not _is_upright(face)


def _is_upright(face: Face) -> bool:
    return bool(abs(face.polygon[2][0] - face.polygon[1][0]) < 1e-9)


def _windows(face: Face, dark: tuple[float, float, float]) -> list[Face]:
    count = max(1, round(float(np.linalg.norm(face.polygon[1] - face.polygon[0])) / WINDOW_SPACING_TILES))
    middles = (np.arange(count) + 0.5) / count
    return [build_decal(face, u - 0.13 / count, u + 0.13 / count, 0.42, 0.82, dark) for u in middles]


def _courses(face: Face) -> list[Face]:
    one, two, three, four = face.polygon
    dark = shade_colour(face.colour, 0.84)
    shares = np.array([0.25, 0.5, 0.75])
    return [
        Face(
            np.array(
                [one + (four - one) * v, two + (three - two) * v, two + (three - two) * w, one + (four - one) * w]
            ),
            dark,
            False,
        )
        for v, w in zip(shares, shares + 0.05, strict=True)
    ]


def build_decal(
    face: Face, left: float, right: float, low: float, high: float, colour: tuple[float, float, float]
) -> Face:
    """Build a window or door on a four-cornered face, from fractions of its width and height."""
    one, two, three, four = face.polygon[:4]

    def at(u: float, v: float) -> Floats:
        return np.asarray((one * (1 - u) + two * u) * (1 - v) + (four * (1 - u) + three * u) * v)

    arch = [at(left, low), at(right, low), at(right, high * 0.8), at((left + right) / 2, high), at(left, high * 0.8)]
    return Face(np.array(arch), colour, inked=False)


def _ring(centre: Floats, radius: float, sides: int) -> Floats:
    angles = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    return np.asarray(centre + radius * np.column_stack([np.cos(angles), np.sin(angles)]))


def _blob(centre: Floats, radius: float, rng: np.random.Generator) -> Floats:
    angles = np.linspace(0, 2 * np.pi, 18, endpoint=False)
    lobes = 1 + 0.1 * np.abs(np.sin(angles * 2.5 + rng.uniform(0, np.pi))) + rng.uniform(-0.06, 0.06, 18)
    radii = radius * lobes
    return np.asarray(centre + radii[:, None] * np.column_stack([np.cos(angles), np.sin(angles)]))
