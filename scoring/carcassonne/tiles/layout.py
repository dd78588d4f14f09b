"""What a tile layout is: its segments in the unit square, and what lies at its sides."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Literal

from shapely.geometry.base import BaseGeometry

from scoring.carcassonne.tiles.geometry import SIDE_LINES, SIDES, UNIT, turn_edge, turn_geometry

Kind = Literal["city", "road", "monastery", "field", "garden", "wonder"]
EdgeKind = Literal["field", "road", "city", "river", "inside"]
Stretch = tuple[float, float]

ROAD_WIDTH_TILES = 0.08
"""How wide a printed road is."""
MIN_TOUCH_TILES = 1e-6
"""Geometries that share less than this length do not touch: they meet at a point."""


@dataclass(frozen=True, eq=False)
class Segment:
    """One part of a tile that belongs to one feature, in the unit square.

    `geometry` is an area, or for a road its centre lines. `edges` are sides (N E S W), for a field half-edges
    (NL ... WR), in clockwise order. `shields` counts coats of arms, `cities` are the indexes (in the layout's
    segments) of the cities that a field touches. `inn`: of a road; `cathedral` and `goods` (wine, grain, cloth,
    chicken, or nothing): of a city; `pig_herd`: of a field.
    """

    kind: Kind
    geometry: BaseGeometry
    edges: tuple[str, ...]
    shields: int = 0
    cities: tuple[int, ...] = ()
    inn: bool = False
    cathedral: bool = False
    goods: str = ""
    pig_herd: bool = False

    @property
    def is_marked(self) -> bool:
        """Whether anything is printed there that the rules of another box count."""
        return self.inn or self.cathedral or bool(self.goods) or self.pig_herd

    @cached_property
    def area(self) -> BaseGeometry:
        """What the segment covers: a road has its printed width."""
        if self.kind != "road":
            return self.geometry
        return self.geometry.buffer(ROAD_WIDTH_TILES / 2).intersection(UNIT)


@dataclass(frozen=True, eq=False)
class TileLayout:
    """One layout of the catalogue in its canonical orientation, or one square of a wonder tile.

    Segments stand in the order cities, roads, monastery, fields, garden, wonder. `symmetry` is the number of turns that
    the rules can tell apart. Spots are (x, y) in the unit square: coats of arms, monastery, crossing, inns and the
    like, for those who draw. `rivers` part fields and belong to nobody. `garden` is the layout of the same tile with a
    garden, whose other segments have the same indexes. Of a square of a wonder, `inside` are the sides that lie within
    the wonder tile, and `parts` the index of each segment in the wonder's own segments.
    """

    id: str
    letter: str
    count: int
    aliases: tuple[str, ...]
    segments: tuple[Segment, ...]
    coat_spots: tuple[tuple[float, float], ...] = ()
    rivers: tuple[BaseGeometry, ...] = ()
    inn_spots: tuple[tuple[float, float], ...] = ()
    cathedral_spots: tuple[tuple[float, float], ...] = ()
    pig_spots: tuple[tuple[float, float], ...] = ()
    goods_spots: tuple[tuple[str, tuple[float, float]], ...] = ()
    garden: TileLayout | None = None
    inside: tuple[str, ...] = ()
    parts: tuple[int, ...] = ()
    symmetry: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "symmetry", _count_distinct_turns(self))

    def edge(self, side: str, turns: int = 0) -> EdgeKind:
        """Return what lies at a side of the tile after clockwise quarter turns."""
        return self._edges[turn_edge(side, -turns)]

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
        lines = (s.geometry for s in self.segments if s.kind == "road" and s.geometry.geom_type == "LineString")
        ends = Counter(line.coords[-1] for line in lines)
        return next(((x, y) for (x, y), roads in ends.items() if roads > 2), None)

    @cached_property
    def _edges(self) -> dict[str, EdgeKind]:
        kinds: dict[str, EdgeKind] = dict.fromkeys(SIDES, "field")
        for river in self.rivers:
            kinds |= {side: "river" for side in SIDES if _reaches(river, side)}
        for segment in self.segments:
            if segment.kind in ("road", "city"):
                kinds |= dict.fromkeys(segment.edges, segment.kind)
        return kinds | dict.fromkeys(self.inside, "inside")


def list_distinct_turns(layout: TileLayout) -> range:
    """Return the turns of a layout that the rules can tell apart: 0, 0 to 1, or 0 to 3."""
    return range(layout.symmetry)


@lru_cache(maxsize=8192)
def find_side_stretches(layout: TileLayout, turns: int, side: str) -> tuple[tuple[int, Stretch], ...]:
    """Return which part of a side each segment meets: (segment index, (from, to)).

    It runs along x or y upwards in the unit square. Nothing meets a side that lies within a wonder tile: what belongs
    together there is known.
    """
    if turn_edge(side, -turns) in layout.inside:
        return ()
    line = SIDE_LINES[side]
    met = (
        (index, turn_geometry(segment.area, turns).intersection(line)) for index, segment in enumerate(layout.segments)
    )
    axis = 0 if side in "NS" else 1
    return tuple(
        (index, (part.bounds[axis], part.bounds[axis + 2])) for index, part in met if part.length > MIN_TOUCH_TILES
    )


def _reaches(river: BaseGeometry, side: str) -> bool:
    return bool(river.intersects(SIDE_LINES[side]))


def _count_distinct_turns(layout: TileLayout) -> int:
    topology = _summarise_topology(layout, 0)
    return next(turns for turns in (1, 2, 4) if _summarise_topology(layout, turns) == topology)


def _summarise_topology(layout: TileLayout, turns: int) -> Counter[tuple[object, ...]]:
    """All that the rules see of a turned tile, as a multiset of segments."""
    segments = layout.segments

    def edges(segment: Segment) -> frozenset[str]:
        return frozenset(turn_edge(edge, turns) for edge in segment.edges)

    def extras(segment: Segment) -> tuple[object, ...]:
        return segment.shields, segment.inn, segment.cathedral, segment.goods, segment.pig_herd

    inside = Counter(("inside", turn_edge(side, turns)) for side in layout.inside)
    rivers = Counter(
        ("river", turn_edge(side, turns)) for river in layout.rivers for side in SIDES if _reaches(river, side)
    )
    return (
        inside
        + rivers
        + Counter(
            (s.kind, edges(s), *extras(s), frozenset(edges(segments[city]) for city in s.cities)) for s in segments
        )
    )
