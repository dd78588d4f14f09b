"""The ground plan of one drawing: a layout's vectors, slightly bent and turned to the viewing direction."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import (
    LineString,
    MultiLineString,
    Point,
    Polygon,
    contains_xy,
    get_coordinates,
    get_parts,
    line_merge,
    segmentize,
    shortest_line,
    transform,
    unary_union,
)
from shapely.geometry.base import BaseGeometry

from scoring.carcassonne.tiles.catalogue import TileLayout
from scoring.carcassonne.tiles.geometry import UNIT, turn_geometry
from vision.arrays import Floats

Bend = Callable[[Floats], Floats]

STEP_TILES = 0.03
MAX_BEND_TILES = 0.028  # of the side: maximum deviation of a drawing from the catalogue's line
STILL_TILES = 0.3  # distance from an edge over which the bend fades in, so that edges meet
STUB_TILES = 0.05
RIVER_WIDTH_TILES = 0.17
WOOD_AREAS = 0.01, 0.15
"""Range of the area of a wood; a town that the catalogue does not know is larger. A guess."""
OPENING_TILES = 0.02
APART_TILES = 0.2
"""Roads that end less far apart end at one place. A guess."""
POND_OFFSET_TILES = np.array([0.045, 0.045])
"""Offset of an inn's pond from the inn's spot."""
SPRINGS = ("RI/s", "C3RI/spring")
VOLCANOES = ("RI.2/I.v",)
"""Tiles whose river begins in rocks, and those whose river ends in a lake below a volcano; all others end in a lake."""
TRIES = 9


@dataclass(frozen=True)
class Wall:
    """A city wall from edge to edge: its path (n, 2) and the outward normal towards the field at each point (n, 2).

    `from_edge` (n,) is each point's distance from the tile's edge.
    """

    path: Floats
    outward: Floats
    from_edge: Floats


@dataclass(frozen=True)
class Bridge:
    """A bridge: its centre line (n, 2), and whether a city's houses stand at its ends."""

    path: Floats
    of_city: bool = False


@dataclass(frozen=True)
class Inn:
    """The positions of an inn's house and of the middle of its pond."""

    house: Floats
    pond: Floats


@dataclass(frozen=True)
class Plan:
    """Everything to be drawn, in the unit square as it is viewed (x right, y down towards the viewer).

    A tile of several squares lies in a larger square, `extent` tiles wide. `road_ends` are the places in open country
    at which roads end, each once however many roads end there; `woods` are land that divides fields.
    """

    cities: tuple[Polygon, ...]
    fields: tuple[Polygon, ...]
    roads: tuple[Floats, ...]
    walls: tuple[Wall, ...]
    gates: tuple[Floats, ...]
    monastery: Polygon | None
    road_ends: tuple[Floats, ...]
    coats: tuple[Floats, ...]
    rivers: tuple[Floats, ...] = ()
    springs: tuple[Floats, ...] = ()
    lakes: tuple[Floats, ...] = ()
    volcanoes: tuple[Floats, ...] = ()
    bridges: tuple[Bridge, ...] = ()
    inns: tuple[Inn, ...] = ()
    cathedrals: tuple[Floats, ...] = ()
    goods: tuple[tuple[str, Floats], ...] = ()
    pigs: tuple[Floats, ...] = ()
    woods: tuple[Polygon, ...] = ()
    gardens: tuple[Polygon, ...] = ()
    extent: int = 1


def plan_layout(layout: TileLayout, view: int, rng: np.random.Generator) -> Plan:
    """Turn a layout by `view` clockwise quarter turns, and bend its lines at random inside the square."""
    bend = sample_bend(rng)

    def seen(kind: str) -> list[Any]:
        shapes = [segment.geometry for segment in layout.segments if segment.kind == kind]
        return [part for shape in shapes for part in drawn(shape)]

    def drawn(shape: BaseGeometry) -> Iterator[Any]:
        bent = turn_geometry(bend_shape(shape, bend), view)
        yield from getattr(bent, "geoms", [bent])

    def flat(spots: tuple[tuple[float, float], ...]) -> tuple[Floats, ...]:
        return tuple(np.array(turn_geometry(Point(xy), view).coords[0]) for xy in spots)

    cities = tuple(Polygon(city) for city in seen("city"))
    roads = [np.array(road.coords) for road in seen("road")]
    monastery = next((Polygon(ground) for ground in seen("monastery")), None)
    rivers = [np.array(part.coords) for river in layout.rivers for part in drawn(river)]
    inner = [end for road in roads for end in road[[0, -1]] if not _on_edge(end)]
    lines = [line for road in layout.segments if road.kind == "road" and len(line := [*drawn(road.geometry)]) == 1]
    mouths = tuple(end for river in rivers for end in river[[0, -1]] if not _on_edge(end)) if len(rivers) == 1 else ()
    road_ends = _find_road_ends(lines, [*cities, *filter(None, [monastery])])
    return Plan(
        cities=cities,
        fields=tuple(Polygon(face) for face in seen("field")),
        roads=tuple(_stubbed(road) for road in roads),
        walls=tuple(wall for city in cities for wall in find_walls(city)),
        gates=tuple(end for end in inner if any(city.distance(Point(end)) < 0.01 for city in cities)),
        monastery=monastery,
        road_ends=road_ends,
        coats=flat(layout.coat_spots),
        rivers=tuple(_stubbed(river) for river in rivers),
        springs=mouths if layout.id in SPRINGS else (),
        lakes=tuple(_before(rivers[0], mouth, cities) for mouth in mouths if layout.id not in SPRINGS),
        volcanoes=mouths if layout.id in VOLCANOES else (),
        bridges=(*_road_bridges(roads, rivers), *_city_bridges(layout, cities)),
        inns=tuple(_inn(spot, roads, cities) for spot in flat(layout.inn_spots)),
        cathedrals=flat(layout.cathedral_spots),
        goods=tuple((goods, flat((xy,))[0]) for goods, xy in layout.goods_spots),
        pigs=flat(layout.pig_spots),
        woods=tuple(wood for part in _find_woods(layout) for wood in drawn(part) if _lies_apart(wood, road_ends)),
        gardens=tuple(Polygon(garden) for garden in seen("garden")),
    )


def sample_bend(rng: np.random.Generator) -> Bend:
    """Sample how one drawing bends a layout's lines: a function on points (n, 2) of the unturned unit square."""
    return partial(_bent, waves=rng.normal(size=(2, 3)) * [1, 1, np.pi])


def bend_shape(shape: BaseGeometry, bend: Bend) -> BaseGeometry:
    """Return a shape of the unturned unit square as bent by a drawing."""
    return transform(segmentize(shape, STEP_TILES), bend)


def _bent(points: Floats, waves: Floats) -> Floats:
    """Displace points by a few random waves that fade out towards the square's edges."""
    distance = np.clip(np.minimum(points, 1 - points) / STILL_TILES, 0, 1)
    window = np.prod(distance * distance * (3 - 2 * distance), axis=1)
    return points + compute_sway(points, waves) * window[:, None]


def compute_sway(points: Floats, waves: Floats) -> Floats:
    """Return the displacement (n, 2) of points (n, 2) under a few random waves (2, 3)."""
    return np.asarray(MAX_BEND_TILES * np.sin(1.2 * np.pi * (points @ waves[:, :2].T) + waves[:, 2]))


def _inn(spot: Floats, roads: list[Floats], cities: tuple[Polygon, ...]) -> Inn:
    """Place the pond where there is most room and the house on the other side of the spot."""
    built = unary_union([LineString(road) for road in roads] + [*cities, UNIT.exterior])
    asides = POND_OFFSET_TILES * np.array([(1, 1), (1, -1), (-1, 1), (-1, -1)])
    aside = max(asides, key=lambda aside: built.distance(Point(spot + aside)))
    return Inn(spot - aside * 0.9, spot + aside)


def _before(river: Floats, mouth: Floats, cities: tuple[Polygon, ...]) -> Floats:
    """Return the middle of the lake at a river's end, moved back from a city's wall that the river runs up to."""
    if not any(city.distance(Point(mouth)) < 0.03 for city in cities):
        return mouth
    towards_start = bool(np.allclose(mouth, river[0]))
    back = LineString(river).interpolate(0.28 if towards_start else -0.28)
    return np.array(back.coords[0])


def _road_bridges(roads: list[Floats], rivers: list[Floats]) -> Iterator[Bridge]:
    """Yield bridges where a road crosses a river, or an earlier road without meeting it."""
    for index, road in enumerate(roads):
        for below in (*rivers, *roads[:index]):
            met = LineString(road).intersection(LineString(below))
            for x, y in get_coordinates(met):
                if min(np.linalg.norm(end - (x, y)) for line in (road, below) for end in line[[0, -1]]) > 0.05:
                    near = road[np.linalg.norm(road - (x, y), axis=1) < 0.14]
                    yield Bridge(near)


def _city_bridges(layout: TileLayout, cities: tuple[Polygon, ...]) -> Iterator[Bridge]:
    """Yield a bridge between the two parts of a city, over a river or another city; `cities` are all parts in order."""
    remaining = iter(cities)
    for segment in layout.segments:
        if segment.kind == "city":
            parts = [next(remaining) for _ in get_parts(segment.geometry)]
            if len(parts) == 2:
                yield Bridge(np.array(shortest_line(*parts).coords), of_city=True)


def _find_road_ends(lines: Sequence[Sequence[LineString]], buildings: Sequence[Polygon]) -> tuple[Floats, ...]:
    """Find the places away from buildings at which roads of one line each end."""
    ends = [Point(line.coords[at]) for (line,) in lines for at in (0, -1)]
    built = unary_union(buildings)
    free = [end for end in ends if not _on_edge(np.array(end.coords[0])) and not built.dwithin(end, APART_TILES / 2)]
    places = get_parts(unary_union([end.buffer(APART_TILES / 2) for end in free]))
    near = ([end.coords[0] for end in free if place.contains(end)] for place in places)
    return tuple(np.mean(coordinates, axis=0) for coordinates in near)


def _find_woods(layout: TileLayout) -> Iterator[Polygon]:
    """Yield the land of an unturned tile that belongs to none of its features."""
    used = [segment.area.buffer(MAX_BEND_TILES) for segment in layout.segments]
    land = UNIT.difference(unary_union([*used, *(river.buffer(RIVER_WIDTH_TILES) for river in layout.rivers)]))
    yield from (part for part in get_parts(land) if WOOD_AREAS[0] < part.area < WOOD_AREAS[1])


def _lies_apart(area: BaseGeometry, places: Sequence[Floats]) -> bool:
    return all(area.distance(Point(place)) > 0 for place in places)


def _on_edge(point: Floats) -> bool:
    return bool(min(*point, *(1 - point)) < 1e-6)


def _stubbed(road: Floats) -> Floats:
    """Extend the road beyond both ends: straight out of the tile, or into the building where it ends."""
    return np.vstack([_beyond(road[0], road[1]), road, _beyond(road[-1], road[-2])])


def _beyond(end: Floats, before: Floats) -> Floats:
    if not _on_edge(end):
        return np.asarray(end + (end - before) / np.linalg.norm(end - before) * STUB_TILES / 2)
    return np.asarray(end + STUB_TILES * (np.isclose(end, 1, atol=1e-6).astype(float) - np.isclose(end, 0, atol=1e-6)))


def find_walls(city: Polygon, outline: Polygon = UNIT, open_to: BaseGeometry | None = None) -> list[Wall]:
    """Find the parts of a city's outline inside the tile, except along the areas to which it is open."""
    inside = city.exterior.intersection(outline.buffer(-1e-4))
    if open_to is not None:
        inside = inside.difference(open_to.buffer(OPENING_TILES))
    merged = line_merge(inside) if isinstance(inside, MultiLineString) else inside
    lines = getattr(merged, "geoms", [merged])
    return [_wall(line, city, outline) for line in lines if line.length > STEP_TILES]


def _wall(line: LineString, city: Polygon, outline: Polygon) -> Wall:
    count = max(4, round(line.length / STEP_TILES))
    path = np.array([line.interpolate(share, normalized=True).coords[0] for share in np.linspace(0, 1, count + 1)])
    along = np.gradient(path, axis=0)
    outward = np.column_stack([along[:, 1], -along[:, 0]]) / np.linalg.norm(along, axis=1)[:, None]
    probe = path[count // 2] + outward[count // 2] * 0.01
    from_edge = np.asarray(shapely.distance(outline.exterior, shapely.points(path)))
    return Wall(path, -outward if contains_xy(city, *probe) else outward, from_edge)


def scatter(
    area: BaseGeometry, spacing: float, rng: np.random.Generator, most: int | None = None
) -> NDArray[np.float64]:
    """Scatter points (n, 2) inside the area at least `spacing` apart, at most `most` or about as many as fit."""
    if area.is_empty:
        return np.empty((0, 2))
    left, top, right, bottom = area.bounds
    tries = round(TRIES * (right - left) * (bottom - top) / spacing**2) + TRIES
    spots = rng.uniform((left, top), (right, bottom), (tries, 2))
    chosen = np.empty((0, 2))
    for spot in spots[contains_xy(area, spots)]:
        if most is not None and len(chosen) >= most:
            break
        if not len(chosen) or ((chosen - spot) ** 2).sum(axis=1).min() >= spacing**2:
            chosen = np.vstack([chosen, spot])
    return chosen
