"""Objects in the fields: hamlets at crossings, monasteries, trees, farms, gardens, animals, and the landmarks that the
expansions print: inns, cathedrals, goods, rocks at springs, volcanoes, herds of pigs.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from shapely import LineString, MultiLineString, Point, Polygon, unary_union
from shapely.geometry.base import BaseGeometry

from datasets.art.canvas import Canvas, to_rgb
from datasets.art.ground import LAKE_RADIUS_TILES
from datasets.art.plan import RIVER_WIDTH_TILES, Plan, scatter
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
    build_prism,
    build_round_tree,
    build_spire,
    project_to_picture,
    raise_points,
    resize_solid,
    shade_colour,
)
from datasets.art.style import Colour, Style
from vision.arrays import Floats

MIN_SNOW_LEVEL = 215
"""Grass level above which grass is snow."""
CHURCH_BY_RIVER_SCALE = 0.66
"""Scale of the church if a river leaves it less room than the middle of the tile."""
CHURCH_SNOW_SHARE = 0.45
"""Amount of snow on a church relative to elsewhere: a steep roof keeps less."""
SHEEP: tuple[Colour, Colour] = ((246, 244, 236), (60, 54, 50))
COW: tuple[Colour, Colour] = ((150, 98, 62), (110, 70, 46))
PIG: tuple[Colour, Colour] = ((232, 168, 152), (206, 134, 120))
ROCK: Colour = (150, 144, 138)
LAVA: Colour = (232, 96, 36)
PALE: Colour = (250, 248, 240)
WOOD: Colour = (128, 78, 42)
STRAW: Colour = (206, 164, 64)
CLOTH: Colour = (196, 40, 44)
FOWL: Colour = (240, 236, 226)
BED_TILES = 0.1
"""Room around the middle of a flower bed, in tiles. Geometry of the drawing."""
GOODS_HALF_WIDTH_TILES = 0.095
"""Half the width of the plaque that shows goods, in tiles."""


def build_country(plan: Plan, style: Style, hamlet: bool, rng: np.random.Generator) -> Iterator[Solid]:
    """Build everything upright outside the cities; where roads end there is a hamlet or a grove."""
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
    for place in plan.road_ends:
        yield from build_crossing(place, plan.roads, style, hamlet, rng)
        free = free.difference(Point(place).buffer(0.24))
    for wood in plan.woods:
        for spot in scatter(wood, 0.06, rng):
            yield _tree(spot + DOWN * 0.02, rng.uniform(0.06, 0.095), style, rng)
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
    clear += [garden.buffer(0.05) for garden in plan.gardens]
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
    """Build houses or trees at a crossing or at a road's end, which show that the roads end there."""
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
    """Paint a fenced flower bed somewhere in an area."""
    rng = canvas.rng
    for spot in scatter(area, 1.0, rng, most=1):
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


def build_landmarks(plan: Plan, style: Style, rng: np.random.Generator) -> Iterator[Solid]:
    """Build every upright object that only an expansion prints."""
    for inn in plan.inns:
        yield from _inn(inn.house, style, rng)
    for cathedral in plan.cathedrals:
        yield from build_cathedral(cathedral, style)
    for spring in plan.springs:
        yield from _rocks(spring, rng)
    for volcano in plan.volcanoes:
        yield from _volcano(volcano, rng)
    for herd in plan.pigs:
        yield from _pigs(herd, style, rng)


def paint_goods(canvas: Canvas, goods: str, spot: Floats) -> None:
    """Paint a pale plaque in the shape of a house, flat and upright on the tile, with a picture of the goods on it."""
    size = GOODS_HALF_WIDTH_TILES
    gable = np.array([[-1, -0.35], [0, -1.05], [1, -0.35], [1, 0.9], [-1, 0.9]]) * size
    rim = shade_colour(canvas.style.ink, 1.2)
    canvas.polygon(spot + gable * 1.14, rim)
    canvas.polygon(spot + gable, shade_colour(PALE, 1.0))
    _PICTURES[goods](canvas, spot + DOWN * size * 0.12, size * 0.72)


def _barrel(canvas: Canvas, at: Floats, size: float) -> None:
    levels = np.linspace(-1, 1, 9)
    bulge = 0.62 + 0.22 * (1 - levels**2)
    body = np.vstack([np.column_stack([bulge, levels]), np.column_stack([-bulge, levels])[::-1]]) * size * 0.85
    canvas.polygon(at + body, shade_colour(WOOD, 1.0))
    for level in (-0.55, 0.0, 0.55):
        hoop = np.array([[-0.8, level - 0.07], [0.8, level - 0.07], [0.8, level + 0.07], [-0.8, level + 0.07]])
        canvas.polygon(at + hoop * size * 0.85, shade_colour(WOOD, 0.45))


def _sheaf(canvas: Canvas, at: Floats, size: float) -> None:
    root = at + DOWN * size * 0.9
    for lean in (-0.75, 0.0, 0.75):
        tip = at + np.array([lean, -0.75 - 0.2 * (lean == 0)]) * size
        along = (tip - root) / np.linalg.norm(tip - root)
        across = np.array([-along[1], along[0]])
        canvas.polygon(np.array([root - across * 0.004, root + across * 0.004, tip]), shade_colour(STRAW, 0.7))
        ear = [tip + along * u * size * 0.85 + across * v * size * 0.26 for u, v in _EAR]
        canvas.polygon(np.array(ear), shade_colour(STRAW, 0.95))
        canvas.outline(np.array(ear), shade_colour(STRAW, 0.55), max(1, canvas.line // 2))


def _bale(canvas: Canvas, at: Floats, size: float) -> None:
    ribbon = np.array(
        [[-1, -0.2], [-0.35, -0.7], [0.25, -0.1], [0.95, -0.5], [0.95, 0.3], [0.3, 0.75], [-0.35, 0.2], [-1, 0.65]]
    )
    canvas.polygon(at + ribbon * size, shade_colour(CLOTH, 1.0))
    fold = np.array([[-0.35, -0.7], [0.25, -0.1], [0.3, 0.75], [-0.35, 0.2]])
    canvas.polygon(at + fold * size, shade_colour(CLOTH, 0.72))


def _chicken(canvas: Canvas, at: Floats, size: float) -> None:
    body = np.array(
        [[-0.95, -0.5], [-0.4, -0.1], [0.3, -0.15], [0.5, -0.8], [0.85, -0.6], [0.75, 0.35], [0.1, 0.75], [-0.6, 0.5]]
    )
    canvas.polygon(at + body * size, shade_colour(FOWL, 0.93))
    canvas.outline(at + body * size, shade_colour(canvas.style.ink, 1.2), canvas.line)
    canvas.polygon(at + np.array([[0.45, -0.78], [0.62, -1.05], [0.85, -0.62]]) * size, shade_colour(CLOTH, 1.0))
    canvas.polygon(at + np.array([[0.82, -0.6], [1.05, -0.48], [0.82, -0.4]]) * size, shade_colour(STRAW, 1.0))


_EAR = ((-0.45, -0.6), (0.1, -0.9), (0.75, 0.0), (0.1, 0.9), (-0.45, 0.6))
_PICTURES = {"wine": _barrel, "grain": _sheaf, "cloth": _bale, "chicken": _chicken}


def _inn(foot: Floats, style: Style, rng: np.random.Generator) -> Iterator[Solid]:
    """Build a house by its pond, and a tree."""
    angle = rng.choice([0.0, 0.5, -0.5]) + rng.uniform(-0.2, 0.2)
    roof = style.roofs[rng.integers(len(style.roofs))]
    body = add_snow(
        build_house(build_footprint(foot, 0.13, 0.085, angle), 0.05, 0.055, style.house, roof), style.snow, rng
    )
    yield add_windows(body, shade_colour(style.ink, 1.3))
    yield build_round_tree(foot + np.array([0.09, -0.01]), 0.07, style.foliage[0], rng)


def build_cathedral(spot: Floats, style: Style) -> Iterator[Solid]:
    """Build a nave, a transept and two towers with spires."""
    dark = shade_colour(style.ink, 1.3)
    middle = spot + DOWN * 0.1
    yield add_windows(
        build_house(build_footprint(middle, 0.56, 0.2, 0.0), 0.15, 0.12, style.church, style.church_roof), dark
    )
    transept = build_footprint(middle + np.array([0.08, 0.03]), 0.34, 0.18, np.pi / 2)
    yield add_windows(build_house(transept, 0.14, 0.11, style.church, style.church_roof), dark)
    for back in (-0.09, 0.09):
        base = build_footprint(middle + np.array([-0.29, back]), 0.12, 0.12, 0.0)
        belfry = add_windows(build_box(base, 0, 0.3, style.church, style.church), dark)
        yield Solid(belfry.depth + 0.02, belfry.faces, belfry.base, belfry.outline)
        centre = base.mean(axis=0)
        roof = build_spire(centre + (base - centre) * 1.1, 0.3, 0.16, style.church_roof, inked=True)
        yield Solid(belfry.depth + 0.021, roof.faces, belfry.base, roof.outline)


def _rocks(spot: Floats, rng: np.random.Generator) -> Iterator[Solid]:
    """Build boulders and firs around a spring."""
    for turn in rng.uniform(0, 2 * np.pi, 11):
        foot = spot + np.array([np.cos(turn), np.sin(turn)]) * rng.uniform(0.05, 0.15)
        ring = foot + rng.uniform(0.7, 1.3, (7, 1)) * _circle(rng.uniform(0.025, 0.055), 7)
        yield build_spire(ring, 0, rng.uniform(0.05, 0.14), ROCK, inked=True)
    for foot in spot + rng.uniform(-0.2, 0.2, (3, 2)):
        if np.linalg.norm(foot - spot) > 0.13:
            yield build_fir(foot, 0.09, (70, 104, 60), 0.0)


def _volcano(lake: Floats, rng: np.random.Generator) -> Iterator[Solid]:
    """Build a mountain beside the lake, red at its top."""
    foot = lake + np.array([rng.uniform(0.12, 0.2), -0.06])
    slopes = foot + rng.uniform(0.9, 1.1, (12, 1)) * _circle(0.18, 12)
    cone = build_spire(slopes, 0, 0.27, (112, 92, 84), inked=True)
    yield cone
    crater = foot - DOWN * 0.235
    for drop in rng.uniform(-1, 1, (5, 2)):
        glow = build_prism(crater + drop * [0.03, 0.02], 0.016, 0.02, LAVA)
        yield Solid(cone.depth + 0.01, glow.faces, cone.base, glow.outline)


def _pigs(spot: Floats, style: Style, rng: np.random.Generator) -> Iterator[Solid]:
    """Build a herd beside its sty."""
    roof = style.roofs[rng.integers(len(style.roofs))]
    sty = build_footprint(spot - [0.07, 0.05], 0.11, 0.075, rng.uniform(-0.4, 0.4))
    yield add_windows(
        add_snow(build_house(sty, 0.045, 0.045, style.house, roof), style.snow, rng), shade_colour(style.ink, 1.3)
    )
    for offset in ((0.04, 0.0), (0.1, 0.05), (0.02, 0.07), (0.1, -0.03), (-0.05, 0.06)):
        yield build_animal(spot + offset + rng.uniform(-0.015, 0.015, 2), 0.05, *PIG, int(rng.choice([-1, 1])))


def _circle(radius: float, sides: int) -> Floats:
    angles = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    return radius * np.column_stack([np.cos(angles), np.sin(angles)])
