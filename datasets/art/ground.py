"""The flat parts of a tile: grass, the ground of cities, roads; rivers and lakes, and the bridges over them."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
from shapely import LineString, Polygon, get_parts

from datasets.art.canvas import Canvas, Layer, to_rgb
from datasets.art.plan import RIVER_WIDTH_TILES, Bridge, Plan
from datasets.art.solids import shade_colour
from vision.arrays import Floats

ROUGHNESS_TILES = 0.006
"""Amplitude of the roughness of a road's edge, in tiles."""
SPRING_WIDTH_TILES = 0.05
"""Width of a river, and its width where it springs from the rocks, in tiles."""
LAKE_RADIUS_TILES = 0.23
POND_RADIUS_TILES = 0.085
"""Radius of the lake at a river's end, and of the pond beside an inn, in tiles."""


def paint_ground(canvas: Canvas, plan: Plan) -> None:
    """Paint grass everywhere, then water and roads, then the cities' ground, which ends every road at the wall."""
    paint_grass(canvas)
    paint_waters(canvas, plan)
    if plan.roads:
        paint_roads(canvas, plan.roads)
    if plan.cities:
        paint_city_ground(canvas, [np.array(city.exterior.coords) for city in plan.cities])


def paint_grass(canvas: Canvas) -> None:
    """Paint grass: two blended greens, grain and tufts."""
    style = canvas.style
    patches = (canvas.noise(4) * 0.6 + canvas.noise(9) * 0.5) * canvas.edge_window(0.16)
    share = np.clip(0.5 + patches * (0.25 + 0.55 * style.texture), 0, 1)[..., None]
    dark, light = to_rgb(style.grass), to_rgb(style.grass_light)
    grain = canvas.noise(46) * 0.6 + canvas.noise(110) * 0.6
    canvas.lay(
        (dark * (1 - share) + light * share) * (1 + 0.075 * style.texture * grain[..., None]), _everywhere(canvas)
    )
    if style.snow:
        _drifts(canvas)
    _tufts(canvas, round(170 * style.texture) * canvas.extent**2)


def paint_roads(canvas: Canvas, roads: tuple[Floats, ...]) -> None:
    """Paint roads as light ribbons with dark borders over a soft shade."""
    style = canvas.style
    window = canvas.edge_window(0.1)
    away = canvas.distance(roads)
    away += canvas.fine(ROUGHNESS_TILES * canvas.noise(16) * window * (0.4 + style.texture))
    half, brim = style.road_width / 2, 0.008 + 0.008 * style.outline
    if style.snow:
        away += canvas.fine(0.012 * style.snow * canvas.noise(22) * window)
    canvas.darken(0.28 * (1 - 0.8 * style.snow) * np.clip(1 - (away - half) / 0.05, 0, 1) ** 2)
    canvas.lay(to_rgb(style.road_border), _within(canvas, away, half + brim) * (0.55 + 0.45 * style.outline))
    ruts = 0.96 + 0.05 * style.texture * (canvas.noise(30) + canvas.noise(90))
    canvas.lay(to_rgb(style.road) * ruts[..., None], _within(canvas, away, half))
    if style.snow:
        blown = np.clip(canvas.noise(9) * 0.6 + canvas.noise(34) * 0.8 - 0.2, 0, 0.55) * canvas.edge_window(0.06)
        canvas.lay(to_rgb(style.grass_light), canvas.fine(style.snow * blown) * _within(canvas, away, half + brim))


def paint_city_ground(canvas: Canvas, cities: list[Floats]) -> None:
    """Paint the cities' trodden earth, darker in places, with pebbles."""
    style = canvas.style
    patches = canvas.noise(5) * canvas.edge_window(0.16) * 0.6 + canvas.noise(14) * 0.4
    grain = canvas.noise(60) * 0.6 + canvas.noise(120) * 0.6
    light = 1 + (0.05 + 0.09 * style.texture) * patches + 0.07 * style.texture * grain
    canvas.lay(to_rgb(style.city_ground) * light[..., None], canvas.mask(cities))


def _drifts(canvas: Canvas) -> None:
    """Paint wind-blown snow: white, with bluish shade on the sides facing away from the light."""
    style, window = canvas.style, canvas.edge_window(0.14)
    heights = canvas.noise(3) + 0.45 * canvas.noise(7) + 0.12 * canvas.noise(19)
    down, right = np.gradient(heights, 1 / canvas.size)
    away_from_light = (down + 0.6 * right) / 9
    canvas.lay(to_rgb(style.grass_light), canvas.fine(style.snow * window))
    canvas.lay(to_rgb(style.grass), canvas.fine(np.clip(away_from_light - 0.25, 0, 1) * window))


def _within(canvas: Canvas, away: Layer, reach: float) -> Layer:
    """Return 1 where the distance is below the reach, with an antialiased edge about 1.5 pixels wide."""
    return np.clip((reach - away) * canvas.unit / 1.5 + 0.5, 0, 1)


def _everywhere(canvas: Canvas) -> Layer:
    return np.ones((canvas.side, canvas.side), np.float32)


def _tufts(canvas: Canvas, count: int) -> None:
    rng, style = canvas.rng, canvas.style
    light = rng.random(count) < 0.4
    feet = rng.random((count, 2)) * canvas.extent
    for foot, pale, lean in zip(feet, light, rng.uniform(-0.5, 0.5, count), strict=True):
        tip = foot + np.array([lean, -1]) * rng.uniform(0.006, 0.014)
        red, green, blue = (int(c * (1.14 if pale else 0.76)) for c in style.grass)
        canvas.stroke(foot, tip, (min(red, 255), min(green, 255), min(blue, 255)))


def paint_waters(canvas: Canvas, plan: Plan) -> None:
    """Paint rivers with their lakes, and ponds beside inns, clear of roads."""
    if plan.rivers:
        _paint_water(canvas, _depth_of_river(canvas, plan))
    if plan.inns:
        depth = np.max([_depth_of_disc(canvas, inn.pond, POND_RADIUS_TILES, 0.045) for inn in plan.inns], axis=0)
        clear = canvas.style.road_width / 2 + 0.035
        _paint_water(canvas, np.minimum(depth, canvas.distance(plan.roads) - clear) if plan.roads else depth)


def paint_bridge(canvas: Canvas, bridge: Bridge) -> None:
    """Paint a flat arch viewed from above: its deck between two parapets."""
    style = canvas.style
    half = 0.085 if bridge.of_city else style.road_width / 2 + 0.012
    deck = LineString(bridge.path)
    canvas.darken(0.4 * canvas.fine(_softened(canvas, deck.buffer(half + 0.03, cap_style="flat"))))
    colour = shade_colour(style.wall, 0.8)
    canvas.polygon(np.array(deck.buffer(half + 0.018, cap_style="flat").exterior.coords), colour)
    canvas.polygon(
        np.array(deck.buffer(half - 0.01, cap_style="flat").exterior.coords),
        shade_colour(_deck_colour(canvas, bridge), 0.97),
    )
    for side in (-half - 0.005, half + 0.005):
        # Beside a sharp bend a rail may come in several parts.
        for rail in get_parts(deck.offset_curve(side)):
            for one, other in pairwise(np.array(rail.coords)):
                canvas.stroke(one, other, _darker(style.wall))


def _deck_colour(canvas: Canvas, bridge: Bridge) -> tuple[float, float, float]:
    red, green, blue = canvas.style.city_ground if bridge.of_city else canvas.style.road
    return red, green, blue


def _darker(colour: tuple[int, int, int]) -> tuple[int, int, int]:
    red, green, blue = (int(channel * 0.5) for channel in colour)
    return red, green, blue


def _softened(canvas: Canvas, area: Polygon) -> Layer:
    """Return an area's blurred coverage (size, size) for a shadow."""
    mask = canvas.mask([np.array(area.exterior.coords)])
    return np.asarray(cv2.resize(cv2.blur(mask, (canvas.side // 40,) * 2), (canvas.size, canvas.size)), np.float32)


def _depth_of_river(canvas: Canvas, plan: Plan) -> Layer:
    """Return each pixel's distance inside the bank of a river and its lake (side, side), in tiles; negative on land."""
    window = canvas.edge_window(0.14)
    away = canvas.distance(plan.rivers) + canvas.fine(0.03 * (canvas.noise(6) + 0.5 * canvas.noise(15)) * window)
    half: Layer | float = RIVER_WIDTH_TILES / 2
    for spring in plan.springs:
        near = np.clip(_from(canvas, spring) / 0.4, 0, 1)
        half = SPRING_WIDTH_TILES / 2 + (RIVER_WIDTH_TILES - SPRING_WIDTH_TILES) / 2 * near
    depths = [half - away, *(_depth_of_disc(canvas, lake, LAKE_RADIUS_TILES, 0.09) for lake in plan.lakes)]
    return np.asarray(np.max(depths, axis=0), np.float32)


def _depth_of_disc(canvas: Canvas, middle: Floats, radius: float, bays: float) -> Layer:
    """Return each pixel's distance inside the bank of a lake with bays (side, side), in tiles; negative on land."""
    banks = bays * canvas.fine((canvas.noise(5) + 0.5 * canvas.noise(11)) * canvas.edge_window(0.14))
    return np.asarray(radius - _from(canvas, middle) + banks, np.float32)


def _from(canvas: Canvas, middle: Floats) -> Layer:
    """Return each pixel's distance from a point (side, side), in tiles."""
    share = (np.arange(canvas.side, dtype=np.float32) + 0.5) / canvas.side
    return np.asarray(np.hypot(share[None, :] - middle[0], share[:, None] - middle[1]), np.float32)


def _paint_water(canvas: Canvas, depth: Layer) -> None:
    """Paint a dark bank, then water that is lighter in the shallows, with ripples."""
    style = canvas.style
    window = canvas.edge_window(0.1)
    canvas.lay(to_rgb(style.grass) * 0.62, _within_water(canvas, depth + 0.012 + 0.01 * style.outline) * 0.75)
    deep = canvas.fine(0.5 + 0.5 * canvas.noise(7) * window)
    light = np.clip(1.18 - 2.2 * depth + 0.1 * deep, 0.85, 1.3)
    ripples = 1 + 0.06 * style.texture * canvas.fine(canvas.noise(26) + canvas.noise(70))
    small = cv2.resize(light * ripples, (canvas.size, canvas.size), interpolation=cv2.INTER_AREA)
    canvas.lay(to_rgb(style.water) * small[..., None], _within_water(canvas, depth))


def _within_water(canvas: Canvas, depth: Layer) -> Layer:
    return np.asarray(np.clip(depth * canvas.side / 1.5 + 0.5, 0, 1), np.float32)
