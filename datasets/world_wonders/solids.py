"""The wooden towers and markers of a style, and the primitives for each monument's shape."""

from __future__ import annotations

import numpy as np

from datasets.world_wonders.own_copy import SQUARE_MM
from datasets.world_wonders.style import Style, mix_colours
from datasets.world_wonders.woodwork import Part, build_frustum, build_slab, saw_part
from vision.arrays import Floats

MARKERS = ("cube", "cylinder", "disc", "prism", "house")
"""Shapes of markers; each track of a style has one of them."""
MARKER_MM = 8.0


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
