"""The wonder tiles in the project's own art: each drawn as one picture of five squares, without internal seams."""

from __future__ import annotations

from collections.abc import Iterator
from zlib import crc32

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString, Polygon, get_parts, line_merge, segmentize, transform, unary_union
from shapely.affinity import translate
from shapely.geometry.base import BaseGeometry

from datasets.art.canvas import Canvas, to_rgb
from datasets.art.country import CHURCH_BY_RIVER_SCALE, build_church, build_country
from datasets.art.ground import paint_ground
from datasets.art.plan import STEP_TILES, STILL_TILES, STUB_TILES, Plan, compute_sway, find_walls
from datasets.art.sights import build_wonder
from datasets.art.solids import Solid, resize_solid, shade_colour
from datasets.art.style import Style
from datasets.art.town import build_cities, paint_coat_of_arms
from scoring.carcassonne.tiles.geometry import Square
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.carcassonne.wonders.tiles import WonderLayout
from vision.arrays import Floats, Image

GROVES = 3
"""Number of passes that plant the fields, each as dense as on a single square."""


def draw_wonder_set(style: Style, seed: int, size: int = 160) -> dict[str, tuple[Image, ...]]:
    """Draw the eight wonders in one style, one picture of each, a tile `size` px wide."""
    return {wonder.id: (draw_wonder(wonder, style, seed, size),) for wonder in load_wonder_catalogue().values()}


def draw_wonder(wonder: WonderLayout, style: Style, seed: int, size: int = 160, variant: int = 0) -> Image:
    """Draw a picture (n * size, n * size, 3), BGR, of a wonder's frame of n tiles; only its five squares are printed.

    Variant 0 is viewed from the south; the others from a random side.
    """
    rng = np.random.default_rng([seed, variant, crc32(wonder.id.encode())])
    view = int(rng.integers(4)) if variant else 0
    scene = _Scene(wonder, view, rng)
    canvas = Canvas(size, style, rng, scene.squares)
    plan = scene.plan()
    paint_ground(canvas, plan)
    ground = np.array(scene.ground.exterior.coords)
    canvas.lay(to_rgb(style.city_ground) * 0.55 + to_rgb(style.grass_light) * 0.4, canvas.mask([ground]))
    canvas.outline(ground, shade_colour(style.city_ground, 0.6), canvas.line)
    canvas.stand([*build_cities(plan, style, rng), *_country(plan, scene.monastery, style, rng)])
    canvas.stand(build_wonder(wonder.id, scene.ground, style))
    for spot in plan.coats:
        paint_coat_of_arms(canvas, spot)
    return np.ascontiguousarray(np.rot90(canvas.finished(), view))


def _country(plan: Plan, monastery: Polygon | None, style: Style, rng: np.random.Generator) -> Iterator[Solid]:
    for _ in range(GROVES):
        yield from build_country(plan, style, False, rng)
    if monastery is not None:
        foot = np.array(monastery.centroid.coords[0])
        yield from (resize_solid(solid, foot, CHURCH_BY_RIVER_SCALE) for solid in build_church(monastery, style, rng))


def _list_polygons(shape: BaseGeometry) -> list[Polygon]:
    return [part for part in get_parts(shape) if isinstance(part, Polygon)]


class _Scene:
    """A wonder's shapes in its frame, turned by `view` clockwise quarter turns and slightly bent at random."""

    def __init__(self, wonder: WonderLayout, view: int, rng: np.random.Generator) -> None:
        self._wonder, self._view = wonder, view
        self._waves: NDArray[np.float64] = rng.normal(size=(2, 3)) * [1, 1, np.pi]
        self.extent = wonder.extent
        self.squares: tuple[Square, ...] = tuple(self._turned_square(square) for square in wonder.squares)
        self.outline = transform(wonder.outline, self._turned)
        self.ground = max(self._areas("wonder"), key=lambda area: area.area)
        self.monastery = next(iter(self._areas("monastery")), None)

    def plan(self) -> Plan:
        """Return everything to draw except the wonder itself and the monastery."""
        cities, roads = self._areas("city"), [np.array(road.coords) for road in self._lines()]
        inner = [end for road in roads for end in road[[0, -1]] if not self._on_edge(end)]
        return Plan(
            cities=tuple(cities),
            fields=tuple(self._areas("field")),
            roads=tuple(self._stubbed(road) for road in roads),
            walls=tuple(wall for city in cities for wall in find_walls(city, self.outline, self.ground)),
            gates=tuple(e for e in inner if any(c.exterior.distance(shapely.Point(e)) < 0.01 for c in cities)),
            monastery=None,
            crossing=None,
            coats=tuple(self._coats()),
            extent=self.extent,
        )

    def _coats(self) -> Iterator[Floats]:
        for (row, col), cell in zip(self._wonder.squares, self._wonder.cells, strict=True):
            for x, y in cell.coat_spots:
                yield np.array(self._seen(shapely.Point(col + x, row + y)).coords[0])

    def _areas(self, kind: str) -> list[Polygon]:
        """Return the wonder's areas of a kind, each merged from its squares."""
        whole = [unary_union([*self._pieces(i)]) for i, part in enumerate(self._wonder.parts) if part.kind == kind]
        parts = [part for area in whole for part in get_parts(self._seen(area)) if part.area > STEP_TILES**2]
        outlines = [Polygon(part.exterior) for part in parts]
        return [o if o.is_valid else max(_list_polygons(o.buffer(0)), key=lambda p: p.area) for o in outlines]

    def _lines(self) -> Iterator[LineString]:
        for index, part in enumerate(self._wonder.parts):
            if part.kind == "road":
                merged = line_merge(unary_union([*self._pieces(index)]))
                yield from (LineString(self._seen(line).coords) for line in get_parts(merged))

    def _pieces(self, part: int) -> Iterator[BaseGeometry]:
        for cell, segment in self._wonder.members(part):
            row, col = self._wonder.squares[cell]
            yield translate(self._wonder.cells[cell].segments[segment].geometry, col, row)

    def _seen(self, shape: BaseGeometry) -> BaseGeometry:
        return transform(transform(segmentize(shape, STEP_TILES), self._turned), self._bent)

    def _turned(self, at: Floats) -> Floats:
        for _ in range(self._view):
            at = np.column_stack([self.extent - at[:, 1], at[:, 0]])
        return at

    def _turned_square(self, square: Square) -> Square:
        row, col = square
        for _ in range(self._view):
            row, col = col, self.extent - 1 - row
        return row, col

    def _bent(self, at: Floats) -> Floats:
        away = np.clip(shapely.distance(shapely.points(at), self.outline.exterior) / STILL_TILES, 0, 1)
        return np.asarray(at + compute_sway(at, self._waves) * (away * away * (3 - 2 * away))[:, None])

    def _on_edge(self, end: Floats) -> bool:
        return bool(self.outline.exterior.distance(shapely.Point(end)) < 1e-6)

    def _stubbed(self, road: Floats) -> Floats:
        return np.vstack([self._beyond(road[0], road[1]), road, self._beyond(road[-1], road[-2])])

    def _beyond(self, end: Floats, before: Floats) -> Floats:
        ahead = (end - before) / np.linalg.norm(end - before)
        return np.asarray(end + ahead * (STUB_TILES if self._on_edge(end) else STUB_TILES / 2))
