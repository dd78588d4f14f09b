"""The tile layouts: read from their drawings, everything topological derived from the geometry."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, Literal

import numpy as np
from shapely import LineString, Point, Polygon, polygonize, unary_union
from shapely.geometry.base import BaseGeometry

from scoring.carcassonne.geometry import HALF_EDGES, SIDE_LINES, SIDES, UNIT, turned, turned_edge
from scoring.carcassonne.paths import flatten
from scoring.errors import CatalogueError

Kind = Literal["city", "road", "monastery", "field"]
EdgeKind = Literal["field", "road", "city"]
Stretch = tuple[float, float]

ROAD_WIDTH = 0.08
"""Of a printed road, in tiles."""
GRID = 100
TOUCH = 1e-6
"""Geometries that share less than this length do not touch: they meet at a point."""


@dataclass(frozen=True, eq=False)
class Segment:
    """One part of a tile that belongs to one feature, in the unit square.

    `geometry` is a Polygon, or for a road its centre line (LineString). `edges` are sides (N E S W), for a field
    half-edges (NL ... WR), in clockwise order. `shields` counts coats of arms, `cities` are the indexes (in the
    layout's segments) of the cities that a field touches.
    """

    kind: Kind
    geometry: BaseGeometry
    edges: tuple[str, ...]
    shields: int = 0
    cities: tuple[int, ...] = ()

    @cached_property
    def area(self) -> BaseGeometry:
        """What the segment covers: a road has its printed width."""
        if self.kind != "road":
            return self.geometry
        return self.geometry.buffer(ROAD_WIDTH / 2).intersection(UNIT)


@dataclass(frozen=True, eq=False)
class TileLayout:
    """One layout of the catalogue in its canonical orientation.

    Segments stand in the order cities, roads, monastery, fields. `symmetry` is the number of turns that the rules
    can tell apart. Spots are (x, y) in the unit square: coats of arms, monastery, crossing, for those who draw.
    """

    id: str
    letter: str
    count: int
    aliases: tuple[str, ...]
    segments: tuple[Segment, ...]
    coat_spots: tuple[tuple[float, float], ...] = ()
    symmetry: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "symmetry", _symmetry(self.segments))

    def edge(self, side: str, turns: int = 0) -> EdgeKind:
        """What lies at a side of the tile after clockwise quarter turns."""
        return self._edges[turned_edge(side, -turns)]

    @property
    def monastery_spot(self) -> tuple[float, float] | None:
        """The middle of the monastery."""
        for segment in self.segments:
            if segment.kind == "monastery":
                return segment.geometry.centroid.x, segment.geometry.centroid.y
        return None

    @property
    def crossing_spot(self) -> tuple[float, float] | None:
        """Where three roads or more meet."""
        ends = Counter(s.geometry.coords[-1] for s in self.segments if s.kind == "road")
        return next(((x, y) for (x, y), roads in ends.items() if roads > 2), None)

    @cached_property
    def _edges(self) -> dict[str, EdgeKind]:
        kinds: dict[str, EdgeKind] = dict.fromkeys(SIDES, "field")
        for segment in self.segments:
            if segment.kind in ("road", "city"):
                kinds |= dict.fromkeys(segment.edges, segment.kind)
        return kinds


@dataclass(frozen=True)
class Catalogue:
    """All layouts of a game, by id, alias and letter; iterates in the order of its data file."""

    layouts: tuple[TileLayout, ...]

    def __iter__(self) -> Iterator[TileLayout]:
        return iter(self.layouts)

    def __len__(self) -> int:
        return len(self.layouts)

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __getitem__(self, name: str) -> TileLayout:
        """The layout of an id, an alias or a letter; raises CatalogueError."""
        try:
            return self._by_name[name]
        except KeyError:
            raise CatalogueError("unknown_tile", f"no tile is called {name!r}", tile=name) from None

    @cached_property
    def _by_name(self) -> Mapping[str, TileLayout]:
        return {name: layout for layout in self.layouts for name in (layout.id, layout.letter, *layout.aliases)}


@cache
def base_catalogue() -> Catalogue:
    """The 24 layouts (72 tiles) of the base game."""
    text = files("scoring.carcassonne").joinpath("data", "base.toml").read_text(encoding="utf-8")
    return Catalogue(tuple(_layout(entry) for entry in tomllib.loads(text)["tile"]))


def distinct_turns(layout: TileLayout) -> range:
    """The turns of a layout that the rules can tell apart: 0, 0 to 1, or 0 to 3."""
    return range(layout.symmetry)


def turned_layouts(catalogue: Catalogue) -> tuple[tuple[str, int], ...]:
    """Every (layout id, turns) that the rules can tell apart, by letter, then by turn."""
    layouts = sorted(catalogue, key=lambda layout: layout.letter)
    return tuple((layout.id, turns) for layout in layouts for turns in distinct_turns(layout))


@cache
def stretches(layout: TileLayout, turns: int, side: str) -> tuple[tuple[int, Stretch], ...]:
    """Which part of a side each segment meets: (segment index, (from, to)), along x or y upwards in the unit square."""
    line = SIDE_LINES[side]
    met = ((index, turned(segment.area, turns).intersection(line)) for index, segment in enumerate(layout.segments))
    axis = 0 if side in "NS" else 1
    return tuple((index, (part.bounds[axis], part.bounds[axis + 2])) for index, part in met if part.length > TOUCH)


def _layout(entry: Mapping[str, Any]) -> TileLayout:
    coats = tuple((x / GRID, y / GRID) for x, y in entry.get("coats_of_arms", ()))
    return TileLayout(
        id=entry["id"],
        letter=entry["letter"],
        count=entry["count"],
        aliases=tuple(entry.get("aliases", ())),
        segments=_segments(entry, coats),
        coat_spots=coats,
    )


def _segments(entry: Mapping[str, Any], coats: tuple[tuple[float, float], ...]) -> tuple[Segment, ...]:
    cities = [_polygon(path) for path in entry.get("cities", ())]
    buildings = [_polygon(entry["monastery"])] if "monastery" in entry else []
    drawn = [LineString(flatten(path) / GRID) for path in entry.get("roads", ())]
    roads = [_stopped(road, cities + buildings) for road in drawn]
    return (
        *(Segment("city", c, _sides(c), shields=sum(c.covers(Point(spot)) for spot in coats)) for c in cities),
        *(Segment("road", road, _sides(road)) for road in roads),
        *(Segment("monastery", building, ()) for building in buildings),
        *_fields(cities, drawn, buildings),
    )


def _polygon(path: str) -> Polygon:
    return Polygon(flatten(path) / GRID)


def _stopped(road: LineString, ends: list[Polygon]) -> BaseGeometry:
    """A road stops at the wall of the city, or of the monastery, that it runs into."""
    return road.difference(unary_union(ends))


def _sides(geometry: BaseGeometry) -> tuple[str, ...]:
    """The sides that a city runs along, or that a road ends at."""
    needed = 1 - TOUCH if geometry.area else 0.0
    return tuple(
        side
        for side, line in SIDE_LINES.items()
        if geometry.intersects(line) and geometry.intersection(line).length >= needed
    )


def _fields(cities: list[Polygon], roads: list[LineString], buildings: list[Polygon]) -> list[Segment]:
    """What is left of the square: the faces between roads and walls that lie in no city and under no monastery.

    The roads are those drawn, which cross the wall they end at: one cut off there may miss it by a rounding error.
    """
    lines = unary_union([UNIT.boundary, *(shape.boundary for shape in cities + buildings), *roads])
    faces = polygonize([*getattr(lines, "geoms", [lines])]).geoms
    built = cities + buildings
    fields = [face for face in faces if not any(b.contains(face.representative_point()) for b in built)]
    segments = [Segment("field", f, _half_edges(f), cities=_cities_touched(f, cities)) for f in fields]
    return sorted(segments, key=lambda segment: [HALF_EDGES.index(half) for half in segment.edges])


def _half_edges(face: Polygon) -> tuple[str, ...]:
    halves: dict[str, LineString] = {}
    for side, line in SIDE_LINES.items():
        corner, far = (np.array(end) for end in line.coords)
        middle = (corner + far) / 2
        halves |= {side + "L": LineString([corner, middle]), side + "R": LineString([middle, far])}
    return tuple(half for half in HALF_EDGES if face.intersection(halves[half]).length > TOUCH)


def _cities_touched(face: Polygon, cities: list[Polygon]) -> tuple[int, ...]:
    return tuple(i for i, city in enumerate(cities) if face.boundary.intersection(city.boundary).length > TOUCH)


def _symmetry(segments: tuple[Segment, ...]) -> int:
    topology = _topology(segments, 0)
    return next(turns for turns in (1, 2, 4) if _topology(segments, turns) == topology)


def _topology(segments: tuple[Segment, ...], turns: int) -> Counter[tuple[object, ...]]:
    """All that the rules see of a turned tile, as a multiset of segments."""

    def edges(segment: Segment) -> frozenset[str]:
        return frozenset(turned_edge(edge, turns) for edge in segment.edges)

    return Counter(
        (s.kind, edges(s), s.shields, frozenset(edges(segments[city]) for city in s.cities)) for s in segments
    )
