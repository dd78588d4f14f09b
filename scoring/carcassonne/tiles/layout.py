"""Tile layouts: their segments in the unit square, and the land at their sides."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Literal

from shapely.geometry.base import BaseGeometry

from scoring.carcassonne.tiles.geometry import SIDE_LINES, SIDES, UNIT, turn_edge, turn_geometry
from scoring.carcassonne.tiles.kinds import Kind as Kind

EdgeKind = Literal["field", "road", "city", "river", "inside", "any"]
Stretch = tuple[float, float]

ROAD_WIDTH_TILES = 0.08
"""Width of a printed road. Geometry of the print."""
MIN_TOUCH_TILES = 1e-6
"""Minimum shared length of touching geometries; with less they only meet at a point. A guess."""


@dataclass(frozen=True, eq=False)
class Segment:
    """One part of a tile that belongs to one feature, in the unit square.

    `geometry` is an area, or for a road its centre lines. `edges` are sides (N E S W), for a field half-edges (NL ...
    WR), in clockwise order. `shields` counts coats of arms, `cities` are the indexes (in the layout's segments) of the
    cities that a field touches. `inn` applies to a road; `cathedral` and `goods` (wine, grain, cloth, chicken, or
    empty) to a city; `pig_herd` to a field.
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
        """Return whether a mark is printed there that the rules of another box score."""
        return self.inn or self.cathedral or bool(self.goods) or self.pig_herd

    @cached_property
    def area(self) -> BaseGeometry:
        """Return the area of the segment; a road has its printed width."""
        if self.kind != "road":
            return self.geometry
        return self.geometry.buffer(ROAD_WIDTH_TILES / 2).intersection(UNIT)


@dataclass(frozen=True, eq=False)
class TileLayout:
    """One layout of the catalogue in its canonical orientation, or one square of a wonder tile.

    Segments are in the order cities, roads, monastery, fields, garden, wonder. `symmetry` is the number of turns that
    the rules distinguish. Spots are (x, y) in the unit square, for drawing: coats of arms, monastery, inns
    and so on. `rivers` separate fields and belong to no feature. `garden` is the layout of the same tile with a garden,
    whose other segments have the same indexes. For a square of a wonder, `inside` are the sides within the wonder tile,
    and `parts` the index of each segment in the wonder's own segments. `fits_any` holds for the abbey: its sides fit
    any land, and it completes every road, city and field beside it. `marks` name what else is printed on the tile
    (`dragon`, `shrine`, `vineyard`), with a word for each; `box` is the name of its box, if it is one of those in
    `scoring.carcassonne.tiles.other_boxes`.
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
    fits_any: bool = False
    marks: tuple[str, ...] = ()
    box: str = ""
    symmetry: int = field(init=False)

    def __post_init__(self) -> None:
        topology = summarise_topology(self, 0)
        symmetry = next(turns for turns in (1, 2, 4) if summarise_topology(self, turns) == topology)
        object.__setattr__(self, "symmetry", symmetry)

    def edge(self, side: str, turns: int = 0) -> EdgeKind:
        """Return the kind of land at a side of the tile after clockwise quarter turns; `any` for the abbey's sides."""
        return self._edges[turn_edge(side, -turns)]

    @property
    def monastery_spot(self) -> tuple[float, float] | None:
        """Return the centre of the monastery, if any."""
        for segment in self.segments:
            if segment.kind == "monastery":
                return segment.geometry.centroid.x, segment.geometry.centroid.y
        return None

    @cached_property
    def _edges(self) -> dict[str, EdgeKind]:
        kinds: dict[str, EdgeKind] = dict.fromkeys(SIDES, "any" if self.fits_any else "field")
        for river in self.rivers:
            kinds |= {side: "river" for side in SIDES if _reaches(river, side)}
        for segment in self.segments:
            if segment.kind in ("road", "city"):
                kinds |= dict.fromkeys(segment.edges, segment.kind)
        return kinds | dict.fromkeys(self.inside, "inside")


def may_adjoin(edge: str, facing: str) -> bool:
    """Return whether two kinds of land may meet at a border: they are equal, or one fits `any`."""
    return edge == facing or "any" in (edge, facing)


def list_distinct_turns(layout: TileLayout) -> range:
    """Return the turns of a layout that the rules distinguish: 0, 0 to 1, or 0 to 3."""
    return range(layout.symmetry)


@lru_cache(maxsize=8192)
def find_side_stretches(layout: TileLayout, turns: int, side: str) -> tuple[tuple[int, Stretch], ...]:
    """Return the part of a side that each segment meets: (segment index, (from, to)).

    It is measured along x or y in increasing order in the unit square. No segment meets a side within a wonder tile:
    its joins are known from the wonder.
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


def summarise_topology(layout: TileLayout, turns: int) -> Counter[tuple[object, ...]]:
    """Return everything that the rules see of a turned tile, as a multiset of segments."""
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
