"""The flat parts of a tile: grass, the ground of cities, roads."""

from __future__ import annotations

import numpy as np

from datasets.art.canvas import Canvas, Layer, to_rgb
from datasets.art.plan import Plan
from datasets.art.waters import paint_waters
from vision.arrays import Floats

ROUGHNESS_TILES = 0.006
"""Amplitude of the roughness of a road's edge, in tiles."""


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
