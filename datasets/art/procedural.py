"""The project's own tile art: every layout of the catalogue, drawn from its vectors in any style."""

from __future__ import annotations

from zlib import crc32

import numpy as np

from datasets.art.canvas import Canvas
from datasets.art.country import (
    BED_TILES,
    build_country,
    build_landmarks,
    find_open_country,
    paint_crossing,
    paint_garden,
    paint_goods,
    paint_monastery_garden,
)
from datasets.art.ground import paint_bridge, paint_ground
from datasets.art.plan import bend_shape, plan_layout, sample_bend
from datasets.art.printed_ground import PrintedGround, draw_ground
from datasets.art.style import Style
from datasets.art.tileset import TileSet
from datasets.art.town import build_cities, paint_coat_of_arms
from scoring.carcassonne.tiles.catalogue import Catalogue, TileLayout, load_base_catalogue
from vision.arrays import Image


def draw_tile_set(
    style: Style, seed: int, size: int = 160, variants: int = 2, catalogue: Catalogue | None = None
) -> TileSet:
    """Draw every layout of a catalogue (by default the base game's) in a style, `variants` times each."""
    layouts = load_base_catalogue() if catalogue is None else catalogue
    pictures = {
        layout.id: tuple(draw_tile(layout, style, seed, size, variant) for variant in range(variants))
        for layout in layouts
    }
    return TileSet(f"procedural-{style.name}-{seed}", pictures)


def draw_grounds(
    seed: int, variants: int = 2, catalogue: Catalogue | None = None
) -> dict[str, tuple[PrintedGround, ...]]:
    """Return the ground of each picture that `draw_tile_set` draws with the same seed, in any style."""
    layouts = load_base_catalogue() if catalogue is None else catalogue
    return {layout.id: tuple(_build_ground(layout, seed, variant) for variant in range(variants)) for layout in layouts}


def _build_ground(layout: TileLayout, seed: int, variant: int) -> PrintedGround:
    rng = _seed_drawing(layout, seed, variant)
    _sample_view(variant, rng)
    bend = sample_bend(rng)
    return draw_ground(layout, [bend_shape(segment.geometry, bend) for segment in layout.segments])


def _seed_drawing(layout: TileLayout, seed: int, variant: int) -> np.random.Generator:
    return np.random.default_rng([seed, variant, crc32(layout.id.encode())])


def _sample_view(variant: int, rng: np.random.Generator) -> int:
    return int(rng.integers(4)) if variant else 0


def draw_tile(layout: TileLayout, style: Style, seed: int, size: int = 160, variant: int = 0) -> Image:
    """Draw a picture (size, size, 3), BGR, of a layout in its canonical orientation.

    Variant 0 is viewed from the south; the others from a random side, as an artist may have drawn them.
    """
    rng = _seed_drawing(layout, seed, variant)
    view = _sample_view(variant, rng)
    plan = plan_layout(layout, view, rng)
    canvas = Canvas(size, style, rng)
    paint_ground(canvas, plan)
    if plan.monastery is not None:
        paint_monastery_garden(canvas, plan.monastery)
    hamlet = bool(rng.random() < style.villages)
    for place in plan.road_ends if hamlet else ():
        paint_crossing(canvas, place)
    is_decorated = rng.random() < style.gardens
    for garden in plan.gardens or ([find_open_country(plan, style).buffer(-BED_TILES)] if is_decorated else []):
        paint_garden(canvas, garden)
    for bridge in plan.bridges:
        paint_bridge(canvas, bridge)
    solids = [*build_cities(plan, style, rng), *build_country(plan, style, hamlet, rng)]
    canvas.stand([*solids, *build_landmarks(plan, style, rng)])
    for spot in plan.coats:
        paint_coat_of_arms(canvas, spot)
    for goods, at in plan.goods:
        paint_goods(canvas, goods, at)
    return np.ascontiguousarray(np.rot90(canvas.finished(), view))
