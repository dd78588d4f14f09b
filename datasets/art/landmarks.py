"""Landmarks that the expansions print: inns, cathedrals, goods, rocks at springs, volcanoes, herds of pigs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from datasets.art.canvas import Canvas
from datasets.art.plan import Plan
from datasets.art.solids import (
    DOWN,
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
    shade_colour,
)
from datasets.art.style import Colour, Style
from vision.arrays import Floats

PIG: tuple[Colour, Colour] = ((232, 168, 152), (206, 134, 120))
ROCK: Colour = (150, 144, 138)
LAVA: Colour = (232, 96, 36)
PALE: Colour = (250, 248, 240)
WOOD: Colour = (128, 78, 42)
STRAW: Colour = (206, 164, 64)
CLOTH: Colour = (196, 40, 44)
FOWL: Colour = (240, 236, 226)
GOODS_HALF_WIDTH_TILES = 0.095
"""Half the width of the plaque that shows goods, in tiles."""


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
