"""The eight wonders as buildings in the middle of their tiles, each with a recognisable shape."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from shapely import Polygon

from datasets.art.landmarks import build_cathedral
from datasets.art.solids import (
    Solid,
    add_windows,
    build_box,
    build_footprint,
    build_house,
    build_prism,
    build_spire,
    shade_colour,
)
from datasets.art.style import Colour, Style
from vision.arrays import Floats

GREY: Colour = (150, 146, 140)
SAND: Colour = (222, 186, 128)
RED_CLAY: Colour = (190, 112, 84)
JUNGLE_STONE: Colour = (176, 172, 148)
CLAY: Colour = (168, 122, 96)
PIT: Colour = (134, 92, 66)


def build_wonder(wonder: str, ground: Polygon, style: Style) -> list[Solid]:
    """Build the wonder with the given id on its bare ground."""
    middle = np.array(ground.centroid.coords[0])
    left, top, right, bottom = ground.bounds
    reach = np.array([right - left, bottom - top]) / 2
    return list(_SIGHTS[wonder](middle, reach, style))


def _stonehenge(middle: Floats, reach: Floats, style: Style) -> Iterator[Solid]:
    """Build a ring of stones, with a lintel on every other pair."""
    at, angles = _ellipse(middle, reach * 0.68, 12)
    for spot, angle in zip(at, angles, strict=True):
        yield build_box(build_footprint(spot, 0.075, 0.045, angle + np.pi / 2), 0, 0.13, GREY, GREY)
    for one, other in zip(at[::2], at[1::2], strict=True):
        along = other - one
        base = build_footprint(
            (one + other) / 2, float(np.linalg.norm(along)) + 0.05, 0.05, float(np.arctan2(*along[::-1]))
        )
        lintel = build_box(base, 0.13, 0.035, GREY, GREY)
        yield Solid(lintel.depth + 0.03, lintel.faces, lintel.base, lintel.outline)


def _notre_dame(middle: Floats, reach: Floats, style: Style) -> Iterator[Solid]:
    yield from build_cathedral(middle - [0, 0.05], style)


def _circus_maximus(middle: Floats, reach: Floats, style: Style) -> Iterator[Solid]:
    """Build rows of arches around a long track, with a wall along its middle."""
    at, angles = _ellipse(middle, reach * [0.42, 0.5], 18)
    for spot, angle in zip(at, angles, strict=True):
        block = build_box(build_footprint(spot, 0.12, 0.06, angle + np.pi / 2), 0, 0.11, style.wall, style.wall)
        yield add_windows(block, shade_colour(style.ink, 1.4))
    yield build_box(build_footprint(middle, reach[0] * 0.7, 0.03, 0.0), 0, 0.03, RED_CLAY, RED_CLAY)
    yield build_spire(build_footprint(middle, 0.03, 0.03, 0.0), 0.03, 0.14, SAND)


def _alhambra(middle: Floats, reach: Floats, style: Style) -> Iterator[Solid]:
    """Build red palaces around a court, between square towers."""
    dark = shade_colour(style.ink, 1.3)
    for back, length in ((-0.1, 0.62), (0.1, 0.5)):
        base = build_footprint(_from(middle, 0, back), length, 0.12, 0.0)
        yield add_windows(build_house(base, 0.1, 0.05, RED_CLAY, style.church_roof), dark)
    for right, back, height in ((-0.34, 0.0, 0.26), (0.02, -0.06, 0.2), (0.33, 0.04, 0.23)):
        base = build_footprint(_from(middle, right, back), 0.11, 0.11, 0.0)
        yield add_windows(build_box(base, 0, height, RED_CLAY, _toned(RED_CLAY, 0.8)), dark)


def _abu_simbel(middle: Floats, reach: Floats, style: Style) -> Iterator[Solid]:
    """Build four seated figures in front of a cliff."""
    cliff = build_footprint(middle - [0, 0.07], 0.66, 0.2, 0.0)
    yield build_box(cliff, 0, 0.24, SAND, _toned(SAND, 0.9))
    for right in (-0.24, -0.09, 0.09, 0.24):
        foot = _from(middle, right, 0.08)
        yield build_box(build_footprint(foot, 0.09, 0.07, 0.0), 0, 0.07, SAND, SAND)
        body = build_prism(foot - [0, 0.02], 0.035, 0.17, SAND)
        yield Solid(body.depth + 0.04, body.faces, body.base, body.outline)


def _tikal(middle: Floats, reach: Floats, style: Style) -> Iterator[Solid]:
    """Build a steep stepped pyramid with a temple on top."""
    for step in range(6):
        width = 0.46 - 0.06 * step
        level = build_box(build_footprint(middle, width, width, 0.0), 0.055 * step, 0.055, JUNGLE_STONE, JUNGLE_STONE)
        yield Solid(middle[1] + 0.24 + 0.01 * step, level.faces, level.base, level.outline)
    temple = build_house(build_footprint(middle, 0.12, 0.1, 0.0), 0.42, 0.06, JUNGLE_STONE, RED_CLAY)
    yield Solid(middle[1] + 0.235, temple.faces, temple.base, temple.outline)


def _angkor_wat(middle: Floats, reach: Floats, style: Style) -> Iterator[Solid]:
    """Build five bud-shaped towers on a terrace."""
    terrace = build_footprint(middle, 0.62, 0.36, 0.0)
    yield add_windows(build_box(terrace, 0, 0.07, GREY, JUNGLE_STONE), shade_colour(style.ink, 1.4))
    towers = ((-0.22, -0.09, 0.9), (0.22, -0.09, 0.9), (0.0, 0.0, 1.35), (-0.22, 0.1, 1.0), (0.22, 0.1, 1.0))
    for right, back, size in towers:
        foot = _from(middle, right, back - 0.05)
        trunk = build_prism(foot, 0.055 * size, 0.12 * size, JUNGLE_STONE)
        yield Solid(terrace[:, 1].max() + back + 0.2, trunk.faces, trunk.base, trunk.outline)
        bud = build_spire(_ellipse(foot, np.array([0.062, 0.062]) * size, 9)[0], 0.12 * size, 0.17 * size, JUNGLE_STONE)
        yield Solid(terrace[:, 1].max() + back + 0.201, bud.faces, trunk.base, bud.outline)


def _terracotta_army(middle: Floats, reach: Floats, style: Style) -> Iterator[Solid]:
    """Build ranks of clay soldiers in a pit."""
    floor = build_box(build_footprint(middle, reach[0] * 1.5, reach[1] * 1.5, 0.0), 0, 0.004, PIT, PIT)
    yield Solid(0.0, floor.faces, floor.base, floor.outline)
    for row in np.arange(-reach[1] * 0.62, reach[1] * 0.66, 0.075):
        for right in np.arange(-reach[0] * 0.66, reach[0] * 0.7, 0.07):
            foot = _from(middle, right, row)
            yield build_prism(foot, 0.019, 0.06, CLAY, 6)
            head = build_prism(foot - [0, 0.06], 0.012, 0.02, SAND, 6)
            yield Solid(float(foot[1]) + 0.02, head.faces, head.base, head.outline)


def _toned(colour: Colour, light: float) -> Colour:
    """Return a colour under more or less light, as integers."""
    red, green, blue = (int(channel) for channel in shade_colour(colour, light))
    return red, green, blue


def _from(middle: Floats, right: float, back: float) -> Floats:
    return np.asarray(middle + np.array([right, back]))


def _ellipse(middle: Floats, reach: Floats, count: int) -> tuple[Floats, Floats]:
    """Return points (count, 2) of an ellipse and their angles."""
    angles = np.linspace(0, 2 * np.pi, count, endpoint=False)
    return middle + reach * np.column_stack([np.cos(angles), np.sin(angles)]), angles


_SIGHTS: dict[str, Callable[[Floats, Floats, Style], Iterator[Solid]]] = {
    "WH/stonehenge": _stonehenge,
    "WH/notre-dame": _notre_dame,
    "WH/circus-maximus": _circus_maximus,
    "WH/alhambra": _alhambra,
    "WH/abu-simbel": _abu_simbel,
    "WH/tikal": _tikal,
    "WH/angkor-wat": _angkor_wat,
    "WH/terracotta-army": _terracotta_army,
}
"""Builders by wonder id; each takes the middle of the ground, half its width and height, and the style."""
