"""Objects in the fields: hamlets at crossings, monasteries, trees, farms, gardens, animals."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from shapely import LineString, MultiLineString, Point, Polygon, unary_union
from shapely.geometry.base import BaseGeometry

from datasets.art.canvas import Canvas, to_rgb
from datasets.art.plan import Plan, scatter
from datasets.art.solids import (
    DOWN,
    Face,
    Solid,
    add_snow,
    add_windows,
    build_animal,
    build_box,
    build_fir,
    build_footprint,
    build_house,
    build_round_tree,
    build_spire,
    project_to_picture,
    raise_points,
    resize_solid,
    shade_colour,
)
from datasets.art.style import Colour, Style
from datasets.art.waters import LAKE_RADIUS_TILES, RIVER_WIDTH_TILES
from vision.arrays import Floats

MIN_SNOW_LEVEL = 215
"""Grass level above which grass is snow."""
CHURCH_BY_RIVER_SCALE = 0.66
"""Scale of the church if a river leaves it less room than the middle of the tile."""
CHURCH_SNOW_SHARE = 0.45
"""Amount of snow on a church relative to elsewhere: a steep roof keeps less."""
SHEEP: tuple[Colour, Colour] = ((246, 244, 236), (60, 54, 50))
COW: tuple[Colour, Colour] = ((150, 98, 62), (110, 70, 46))


def build_country(plan: Plan, style: Style, hamlet: bool, rng: np.random.Generator) -> Iterator[Solid]:
    """Build everything upright outside the cities; a crossing gets a hamlet or a grove."""
    if plan.monastery is not None:
        if plan.rivers:
            foot = np.array(plan.monastery.centroid.coords[0])
            yield from (
                resize_solid(solid, foot, CHURCH_BY_RIVER_SCALE) for solid in build_church(plan.monastery, style, rng)
            )
        else:
            yield from build_church(plan.monastery, style, rng)
            yield from _churchyard_trees(style, rng)
    free = find_open_country(plan, style)
    if plan.crossing is not None:
        yield from build_crossing(plan.crossing, plan.roads, style, hamlet, rng)
        free = free.difference(Point(plan.crossing).buffer(0.24))
    yield from _woods(free, style, rng)
    if rng.random() < style.animals:
        yield from _herd(free, rng)
    if rng.random() < 0.14:
        yield from _farm(free, style, rng)


def find_open_country(plan: Plan, style: Style) -> BaseGeometry:
    """Find the area of the fields where an object hides no road, wall or edge."""
    clear: list[BaseGeometry] = [Point(0.5, 0.5).buffer(0.36)] if plan.monastery is not None else []
    clear += [LineString(road).buffer(style.road_width / 2 + 0.055) for road in plan.roads]
    clear += [_shadowed(LineString(wall.path)) for wall in plan.walls]
    clear += [LineString(river).buffer(RIVER_WIDTH_TILES / 2 + 0.06) for river in plan.rivers]
    clear += [Point(lake).buffer(LAKE_RADIUS_TILES + 0.1) for lake in (*plan.lakes, *plan.springs)]
    clear += [Point(spot).buffer(0.19) for spot in (*(inn.pond for inn in plan.inns), *plan.pigs)]
    return unary_union(plan.fields).buffer(-0.05).difference(unary_union(clear))


def build_church(ground: Polygon, style: Style, rng: np.random.Generator) -> Iterator[Solid]:
    """Build a church over the monastery's ground with its tower at one end."""
    centre = np.array(ground.centroid.coords[0]) + DOWN * 0.09
    slope, mirror = rng.uniform(0.18, 0.5), rng.choice([-1, 1])
    angle, dark = slope * mirror, shade_colour(style.ink, 1.3)
    along = np.array([np.cos(angle), np.sin(angle)])
    across = np.array([-np.sin(angle), np.cos(angle)])
    nave = build_house(build_footprint(centre, 0.4, 0.17, angle), 0.13, 0.11, style.church, style.church_roof)
    yield add_windows(add_snow(nave, CHURCH_SNOW_SHARE * style.snow, rng), dark)
    porch = centre + across * 0.12 + along * 0.05 * mirror
    wing = build_footprint(porch, 0.15, 0.12, angle + np.pi / 2)
    aisle = build_house(wing, 0.1, 0.075, style.church, style.church_roof)
    yield add_windows(add_snow(aisle, CHURCH_SNOW_SHARE * style.snow, rng), dark)
    base = build_footprint(centre - along * mirror * 0.2, 0.14, 0.14, angle)
    belfry = add_windows(build_box(base, 0, 0.285, style.church, style.church), dark)
    yield Solid(belfry.depth + 0.01, belfry.faces, belfry.base, belfry.outline)
    middle = base.mean(axis=0)
    roof = build_spire(middle + (base - middle) * 1.12, 0.285, 0.15, style.church_roof, inked=True)
    cross = _cross(project_to_picture(raise_points(middle[None], 0.43))[0], shade_colour(style.ink, 1.0))
    yield Solid(belfry.depth + 0.011, (*roof.faces, *cross), belfry.base, roof.outline)


def _churchyard_trees(style: Style, rng: np.random.Generator) -> Iterator[Solid]:
    for turn in rng.permutation(np.linspace(0, 2 * np.pi, 12, endpoint=False))[:7]:
        foot = np.array([0.5, 0.53]) + np.array([np.cos(turn) * 0.35, np.sin(turn) * 0.31])
        if abs(foot[0] - 0.5) > 0.13 or foot[1] < 0.5:
            yield _tree(foot + rng.uniform(-0.02, 0.02, 2), rng.uniform(0.07, 0.12), style, rng)


def paint_monastery_garden(canvas: Canvas, ground: Polygon) -> None:
    """Paint the yard around the church: paler grass with a path."""
    x, y = ground.centroid.coords[0]
    middle = np.array([[x - 0.08, y + 0.06], [x + 0.08, y + 0.06]])
    away = canvas.distance([middle]) + 0.06 * canvas.fine(canvas.noise(8))
    earth = (to_rgb(canvas.style.grass_light) * 2 + to_rgb(canvas.style.city_ground)) / 3
    canvas.lay(earth, 0.75 * np.clip((0.27 - away) / 0.1, 0, 1))


def build_crossing(
    crossing: Floats, roads: tuple[Floats, ...], style: Style, hamlet: bool, rng: np.random.Generator
) -> Iterator[Solid]:
    """Build houses or trees at a crossing, which show that the roads end there."""
    clear = MultiLineString([LineString(road) for road in roads]).buffer(
        style.road_width / 2 + (0.035 if hamlet else 0.015)
    )
    ring = Point(crossing).buffer(0.185).difference(clear)
    for spot in scatter(ring, 0.105 if hamlet else 0.06, rng, most=7 if hamlet else 14):
        if hamlet:
            yield from _cottage(spot + DOWN * 0.012, rng.uniform(0.085, 0.1), style, rng)
        else:
            yield _tree(spot + DOWN * 0.02, rng.uniform(0.06, 0.095), style, rng)
    if not hamlet:
        for spot in crossing + rng.uniform(-0.03, 0.03, (3, 2)):
            yield _tree(spot + DOWN * 0.03, 0.085, style, rng)


def paint_crossing(canvas: Canvas, crossing: Floats) -> None:
    """Paint the trodden ground between the houses of a crossing."""
    away = canvas.distance([np.array([crossing, crossing + 0.002])]) + 0.03 * canvas.fine(canvas.noise(9))
    canvas.lay(to_rgb(canvas.style.city_ground) * 0.96, np.clip((0.1 - away) / 0.012, 0, 1))


def paint_garden(canvas: Canvas, area: BaseGeometry) -> None:
    """Paint a fenced flower bed in a free corner of the fields."""
    rng = canvas.rng
    for spot in scatter(area.buffer(-0.1), 1.0, rng, most=1):
        bed = build_footprint(spot, 0.24, 0.15, rng.uniform(-0.4, 0.4))
        canvas.polygon(bed, shade_colour(canvas.style.city_ground, 0.72))
        for u in np.linspace(0.07, 0.93, 11):
            for v in np.linspace(0.1, 0.9, 6):
                at = (bed[0] * (1 - u) + bed[1] * u) * (1 - v) + (bed[3] * (1 - u) + bed[2] * u) * v
                hues = ((226, 196, 70), (202, 92, 140), (110, 150, 60), (150, 190, 200))
                petal = build_footprint(at, 0.014, 0.014, 0.7)
                canvas.polygon(petal, shade_colour(hues[rng.integers(4)], 1.0))
        canvas.outline(bed, shade_colour(canvas.style.city_ground, 0.45), canvas.line)


def _cross(foot: Floats, colour: tuple[float, float, float]) -> Iterator[Face]:
    """Build a cross on top of a spire."""
    for middle, length, angle in ((foot - DOWN * 0.012, 0.036, np.pi / 2), (foot - DOWN * 0.018, 0.022, 0.0)):
        yield Face(build_footprint(middle, length, 0.006, angle), colour, inked=False)


def _woods(free: BaseGeometry, style: Style, rng: np.random.Generator) -> Iterator[Solid]:
    """Build a few clumps of trees and bushes."""
    for spot in scatter(free, 0.16, rng, most=int(rng.integers(1, 4 + round(4 * style.crowding)))):
        for _ in range(rng.integers(1, 4)):
            foot = spot + rng.uniform(-0.035, 0.035, 2)
            yield _tree(foot, rng.uniform(0.035, 0.095), style, rng)


def _tree(foot: Floats, size: float, style: Style, rng: np.random.Generator) -> Solid:
    colour = style.foliage[rng.integers(len(style.foliage))]
    snow = style.snow or (0.55 if min(style.grass) > MIN_SNOW_LEVEL else 0.0)
    if size > 0.05 and rng.random() < (0.75 if snow else 0.25):
        return build_fir(foot, size * 0.9, colour, snow)
    return build_round_tree(foot, size, colour, rng, style.snow)


def _herd(free: BaseGeometry, rng: np.random.Generator) -> Iterator[Solid]:
    coat, head = SHEEP if rng.random() < 0.6 else COW
    for spot in scatter(free.buffer(-0.04), 0.2, rng, most=1):
        for offset in rng.uniform(-0.06, 0.06, (rng.integers(2, 5), 2)):
            yield build_animal(spot + offset, rng.uniform(0.032, 0.044), coat, head, int(rng.choice([-1, 1])))


def _farm(free: BaseGeometry, style: Style, rng: np.random.Generator) -> Iterator[Solid]:
    """Build a lonely barn and a tree."""
    for spot in scatter(free.buffer(-0.1), 1.0, rng, most=1):
        yield from _cottage(spot, 0.105, style, rng)
        yield _tree(spot + np.array([0.075, 0.01]), 0.07, style, rng)


def _cottage(spot: Floats, size: float, style: Style, rng: np.random.Generator) -> Iterator[Solid]:
    base = build_footprint(spot, size, size * 0.68, rng.choice([0.0, 0.9, -0.5]) + rng.uniform(-0.3, 0.3))
    roof = style.roofs[rng.integers(len(style.roofs))]
    body = add_snow(build_house(base, size * 0.42, size * 0.42, style.house, roof), style.snow, rng)
    yield add_windows(body, shade_colour(style.ink, 1.3))


def _shadowed(line: LineString) -> BaseGeometry:
    """Return a wall's footprint with the area it hides behind it and its foot in front."""
    return line.buffer(0.075)
