"""Objects in and around cities: walls with towers, gates, houses, the coat of arms."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from shapely import Point, Polygon
from shapely.geometry.base import BaseGeometry

from datasets.art.canvas import Canvas
from datasets.art.plan import Plan, Wall, scatter
from datasets.art.solids import (
    DOWN,
    SNOW,
    Face,
    Solid,
    add_snow,
    add_windows,
    blend_colours,
    build_box,
    build_footprint,
    build_house,
    build_round_tree,
    build_tower,
    shade_colour,
)
from datasets.art.style import Blazon, Style
from vision.arrays import Floats

WALL_THICKNESS_TILES = 0.03


def build_cities(plan: Plan, style: Style, rng: np.random.Generator) -> Iterator[Solid]:
    """Build everything upright in the cities of a tile."""
    for wall in plan.walls:
        yield from build_wall(wall, style, rng)
    for gate in plan.gates:
        yield from build_gate(gate, plan.walls, style)
    for city in plan.cities:
        yield from build_city_houses(city, plan, style, rng)


def build_wall(wall: Wall, style: Style, rng: np.random.Generator) -> Iterator[Solid]:
    """Build a wall piece by piece with its towers; it becomes lower towards the tile's edges, to meet the
    neighbour's."""
    heights = style.wall_height * (0.35 + 0.65 * np.clip(wall.from_edge / 0.09, 0, 1))
    lift = np.column_stack([np.zeros_like(heights), heights / 2])
    path = wall.path + lift
    for i in range(len(path) - 1):
        yield _piece(path[i : i + 2], wall.outward[i : i + 2], heights[i : i + 2], style, i, rng.uniform(0.93, 1.05))
    length = float(np.linalg.norm(np.diff(wall.path, axis=0), axis=1).sum())
    count = max(1, round(length / rng.uniform(0.2, 0.3)))
    for share in (np.arange(count) + 0.5 + rng.uniform(-0.15, 0.15, count)) / count:
        i = round(share * (len(path) - 1))
        roof = style.tower_roof if rng.random() < style.roofed_towers else None
        yield from build_tower(
            path[i], rng.uniform(0.024, 0.032), heights[i] * rng.uniform(1.35, 1.6), style.wall, roof
        )


def build_gate(gate: Floats, walls: tuple[Wall, ...], style: Style) -> Iterator[Solid]:
    """Build two towers on either side of a road's end, and an arch between them."""
    wall = min(walls, key=lambda one: float(np.linalg.norm(one.path - gate, axis=1).min()))
    nearest = int(np.linalg.norm(wall.path - gate, axis=1).argmin())
    outward = wall.outward[nearest]
    along = np.array([-outward[1], outward[0]])
    height = style.wall_height * 1.25
    foot = gate + DOWN * style.wall_height / 2
    block = build_box(
        build_footprint(foot, 0.11, 0.045, float(np.arctan2(along[1], along[0]))), 0, height, style.wall, style.wall
    )
    yield Solid(block.depth + 0.02, (*block.faces, *_arch(foot, along, outward, style)), block.base, block.outline)
    for side in (-1, 1):
        for solid in build_tower(
            foot + along * side * 0.07 + outward * 0.006, 0.032, height * 1.35, style.wall, style.tower_roof
        ):
            yield Solid(solid.depth + 0.02, solid.faces, solid.base, solid.outline)


def build_city_houses(city: Polygon, plan: Plan, style: Style, rng: np.random.Generator) -> Iterator[Solid]:
    """Build houses clear of a city's wall, gates and coat of arms; less crowded styles cluster them more."""
    room: BaseGeometry = city.buffer(-0.05) if plan.walls else city.buffer(-0.045)
    for wall in plan.walls:
        room = room.difference(_hull(wall))
    for coat in plan.coats:
        room = room.difference(Point(coat).buffer(0.13))
    for _, goods in plan.goods:
        room = room.difference(Point(goods).buffer(0.15))
    for cathedral in plan.cathedrals:
        room = room.difference(Point(cathedral).buffer(0.4))
    spacing = 0.165 - 0.07 * style.crowding
    quarter = rng.uniform(-0.5, 0.5)
    hearts = rng.uniform(0.1, plan.extent - 0.1, (3 * plan.extent**2, 2))
    for spot in scatter(room, spacing, rng):
        if np.linalg.norm(hearts - spot, axis=1).min() > 0.16 + 0.6 * style.crowding:
            continue
        yield from _dwelling(spot, spacing, quarter, style, rng)


def paint_coat_of_arms(canvas: Canvas, spot: Floats) -> None:
    """Paint a shield of two colours with a pale rim, flat and upright on the tile."""
    width = canvas.style.shield_size
    height = width * 13 / 11
    top, low = spot - DOWN * height, spot + DOWN * height * 1.12
    left, right = np.array([-width, 0.0]), np.array([width, 0.0])
    curve = np.linspace(0, 1, 8)[:, None]
    bulge = np.column_stack([np.ones(8), np.zeros(8)]) * width
    side = (1 - curve**2.2) * bulge + spot * (1 - curve) + low * curve
    mirrored = side * [-1, 1] + [2 * spot[0], 0]
    shape = np.vstack([[top + left, top + right], side, mirrored[::-1]])
    field, metal = canvas.style.shield
    canvas.polygon((shape - spot) * 1.2 + spot, shade_colour((248, 244, 234), 1.0))
    canvas.outline((shape - spot) * 1.2 + spot, shade_colour(canvas.style.ink, 1.2), canvas.line)
    canvas.polygon(shape, metal)
    for part in _blazoned(canvas.style.blazon, spot, (top, low, left), side, mirrored):
        canvas.polygon(part, field)
    canvas.outline(shape, shade_colour(field, 0.5), max(1, canvas.line // 2))


def _blazoned(
    blazon: Blazon, spot: Floats, corners: tuple[Floats, Floats, Floats], side: Floats, mirrored: Floats
) -> Iterator[Floats]:
    """Yield the parts of a shield in its darker colour; `corners` are its top centre, its foot, and the offset to its
    left."""
    top, low, left = corners
    if blazon == "plain":
        yield np.vstack([[top + left, top - left], side, mirrored[::-1]])
    elif blazon == "bend":
        yield np.vstack([[top + left, top - left], side])
    elif blazon == "pale":
        yield np.vstack([[top + left, top, low], mirrored[::-1]])
    else:
        yield np.array([top + left, top, spot, spot + left])
        yield np.vstack([[spot], side, [low]])


def _dwelling(spot: Floats, room: float, quarter: float, style: Style, rng: np.random.Generator) -> Iterator[Solid]:
    """Build a house, or occasionally a round tower or a tree in its place."""
    chance = rng.random()
    if chance < 0.06:
        yield build_round_tree(spot, room * 0.5, style.foliage[0], rng)
        return
    if chance < 0.09:
        yield from build_tower(spot, room * 0.26, room * 0.9, style.house, style.tower_roof)
        return
    angle = quarter + rng.choice([0.0, 0.0, 1.2, -0.6]) + rng.uniform(-0.2, 0.2)
    length = room * rng.uniform(0.62, 0.82)
    base = build_footprint(spot, length, room * rng.uniform(0.46, 0.56), angle)
    roof = style.roofs[rng.integers(len(style.roofs))]
    light = rng.uniform(0.9, 1.08)
    red, green, blue = (int(channel) for channel in shade_colour(roof, light))
    body = build_house(base, room * rng.uniform(0.26, 0.4), room * 0.32, style.house, (red, green, blue))
    yield add_windows(add_snow(body, style.snow, rng), shade_colour(style.ink, 1.4))


def _piece(ends: Floats, outward: Floats, heights: Floats, style: Style, index: int, light: float) -> Solid:
    """Build a short piece of wall: the walk on top, the side facing the viewer, and a merlon on every other piece."""
    half = WALL_THICKNESS_TILES / 2 * (1.25 if style.wall_style == "rampart" else 1.0)
    out, inn = ends + outward * half, ends - outward * half
    front = out if outward[:, 1].mean() > 0 else inn
    rise = np.column_stack([np.zeros(2), heights])
    shade = (0.8 if front is out else 0.66) * light
    side = Face(np.vstack([front, (front - rise)[::-1]]), shade_colour(style.wall, shade), inked=index % 2 == 0)
    trodden = blend_colours(style.wall, SNOW, style.snow)
    walk = Face(np.vstack([out - rise, (inn - rise)[::-1]]), shade_colour(trodden, 1.04 * light), inked=False)
    merlon = _merlon(out - rise, heights, style, index, light)
    depth = float(ends[:, 1].max())
    base = np.vstack([out, inn[::-1]])
    brim = np.vstack([np.maximum(out, 0), (inn - rise)[::-1]])
    faces = (side, walk, *merlon) if front is out else (walk, *merlon, side)
    return Solid(depth, faces, base, brim if style.outline > 0.8 and index % 3 == 0 else None)


def _merlon(top: Floats, heights: Floats, style: Style, index: int, light: float) -> tuple[Face, ...]:
    """Build the crown on the outer edge of a piece of wall."""
    tall = np.column_stack([np.zeros(2), heights * (0.3 if style.wall_style == "battlements" else 0.42)])
    if style.wall_style == "palisade":
        tip = top.mean(axis=0, keepdims=True) - tall.mean(axis=0)
        return (Face(np.vstack([top, tip]), shade_colour(style.wall, 0.86 * light)),)
    if index % 2:
        return ()
    return (Face(np.vstack([top, (top - tall)[::-1]]), shade_colour(style.wall, 0.9 * light)),)


def _arch(foot: Floats, along: Floats, outward: Floats, style: Style) -> Iterator[Face]:
    """Build a dark doorway on the visible side of a gate."""
    facing = outward if outward[1] >= 0 else -outward
    if facing[1] < 0.35:
        return
    middle = foot + facing * 0.023
    half, tall = along * style.road_width * 0.42, style.wall_height * 0.8
    angles = np.linspace(0, np.pi, 7)[:, None]
    curve = middle + np.cos(angles) * half - np.sin(angles) * np.array([0, tall * 0.45]) - [0, tall * 0.55]
    yield Face(np.vstack([middle + half, curve, middle - half]), shade_colour(style.ink, 1.25), inked=False)


def _hull(wall: Wall) -> Polygon:
    """Return the area that a wall hides or stands on."""
    path = wall.path
    return Polygon(np.vstack([path + DOWN * 0.06, path[::-1] - DOWN * 0.05])).buffer(0.03)
