"""The tile layouts: read from their drawings, with their topology derived from the geometry."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

from shapely import Point

from scoring.carcassonne.tiles.geometry import HALF_EDGES, UNIT
from scoring.carcassonne.tiles.kinds import HOUSES
from scoring.carcassonne.tiles.layout import (
    MIN_TOUCH_TILES,
    ROAD_WIDTH_TILES,
    EdgeKind,
    Kind,
    Segment,
    Stretch,
    TileLayout,
    find_side_stretches,
    list_distinct_turns,
)
from scoring.carcassonne.tiles.topology import (
    GRID_UNITS,
    Area,
    find_free_faces,
    find_half_edges,
    find_sides,
    find_touching_areas,
    parse_line,
    parse_polygon,
    trim_road,
)
from scoring.errors import CatalogueError

__all__ = [
    "BOXES",
    "GARDEN_RADIUS_TILES",
    "GRID_UNITS",
    "LATER_PRINTINGS",
    "MIN_TOUCH_TILES",
    "ROAD_WIDTH_TILES",
    "Catalogue",
    "EdgeKind",
    "Kind",
    "Segment",
    "Stretch",
    "TileLayout",
    "count_box_tiles",
    "find_side_stretches",
    "find_tile_box",
    "list_distinct_turns",
    "list_layout_turns",
    "list_tile_boxes",
    "load_base_catalogue",
    "load_catalogue",
    "load_full_catalogue",
]

START_TILES = ("BA/RCr", "RI/s")
"""Tiles that lie on the table when a game begins: that of the base game, and a river's spring. By the rules."""
BOXES = ("base", "river1", "river2", "inns", "traders")
"""The boxes with drawn tiles: the base game, River I, River II, Inns & Cathedrals, Traders & Builders."""
LATER_PRINTINGS = ("C3RI/", "C31IC/", "C31TB/")
"""Prefixes of the ids of tiles that only a later printing of their box holds."""
GARDEN_RADIUS_TILES = 0.09
"""Radius of a garden. A guess."""

_Spot = tuple[float, float]


@dataclass(frozen=True)
class Catalogue:
    """All layouts of a game, by id, alias and letter; iteration is in the order of its data files.

    `gardens` states whether the name of a tile with a garden denotes that tile, or its plain twin.
    """

    layouts: tuple[TileLayout, ...]
    gardens: bool = False

    def __iter__(self) -> Iterator[TileLayout]:
        return iter(self.layouts)

    def __len__(self) -> int:
        return len(self.layouts)

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __getitem__(self, name: str) -> TileLayout:
        """Return the plain layout of an id, an alias or a letter; raise CatalogueError for any other name."""
        try:
            return self._by_name[name]
        except KeyError:
            raise CatalogueError("unknown_tile", f"no tile is called {name!r}", tile=name) from None

    @cached_property
    def _by_name(self) -> Mapping[str, TileLayout]:
        names = ((name, layout) for layout in self.layouts for name in (layout.id, layout.letter, *layout.aliases))
        return {name: layout for name, layout in names if name}


@cache
def load_base_catalogue() -> Catalogue:
    """Return the 24 layouts (72 tiles) of the base game."""
    return Catalogue(_load_box("base"))


@cache
def load_catalogue(*names: str) -> Catalogue:
    """Return the layouts of some boxes together, with gardens; raise CatalogueError for a name not in BOXES.

    A layout that several of them hold comes once, with the tiles of all.
    """
    layouts: dict[str, TileLayout] = {}
    for layout in (layout for name in names for layout in _load_box(name)):
        before = layouts.get(layout.id)
        layouts[layout.id] = replace(before, count=before.count + layout.count) if before else layout
    return Catalogue(tuple(layouts.values()), gardens=True)


def load_full_catalogue() -> Catalogue:
    """Return the layouts of every drawn box, with gardens."""
    return load_catalogue(*BOXES)


def find_tile_box(tile: str) -> str | None:
    """Return the first box in BOXES that contains a tile, by its id or another of its names; None if there is none."""
    return next(iter(count_copies_by_box(tile)), None)


def list_tile_boxes(tiles: Iterable[str]) -> tuple[str, ...]:
    """Return the fewest boxes in BOXES that contain some tiles: a tile of several boxes, the spring, adds none to one
    of these.
    """
    holders = {tuple(counts) for tile in tiles if (counts := count_copies_by_box(tile))}
    there: set[str] = set()
    for boxes in sorted(holders, key=len):
        if there.isdisjoint(boxes):
            there.add(boxes[0])
    return tuple(box for box in BOXES if box in there)


@cache
def count_box_tiles(box: str) -> int:
    """Return the number of tiles in a box of BOXES; each of its printings holds as many."""
    return sum(layout.count for layout in _load_box(box) if not layout.id.startswith(LATER_PRINTINGS))


def count_copies_by_box(tile: str) -> Mapping[str, int]:
    """Return the number of copies of a tile, by its id or another of its names, in each box in BOXES that holds it."""
    return _index_boxes().get(tile, {})


@cache
def _index_boxes() -> Mapping[str, Mapping[str, int]]:
    boxes: dict[str, dict[str, int]] = {}
    for box in BOXES:
        for layout in _load_box(box):
            for name in (layout.id, *layout.aliases):
                boxes.setdefault(name, {})[box] = layout.count
    return boxes


@cache
def list_layout_turns(catalogue: Catalogue) -> tuple[tuple[str, int], ...]:
    """Return every (layout id, turns) that the rules distinguish, by letter, then by turn.

    Layouts without a letter come last.
    """
    layouts = sorted(catalogue, key=lambda layout: (not layout.letter, layout.letter))
    return tuple((layout.id, turns) for layout in layouts for turns in list_distinct_turns(layout))


@cache
def _load_box(name: str) -> tuple[TileLayout, ...]:
    if name not in BOXES:
        raise CatalogueError("unknown_box", f"{name!r} is none of {', '.join(BOXES)}", box=name)
    text = files("scoring.carcassonne").joinpath("data", f"{name}.toml").read_text(encoding="utf-8")
    return tuple(build_layout(entry) for entry in tomllib.loads(text)["tile"])


def build_layout(entry: Mapping[str, Any]) -> TileLayout:
    """Return the layout of a data file's entry."""
    coats = _scale_spots(entry.get("coats_of_arms", ()))
    segments = _build_segments(entry, coats)
    rivers = tuple(parse_line(path) for path in entry.get("rivers", ()))
    names = {"letter": entry.get("letter", ""), "count": entry.get("count", 0), "rivers": rivers, **_read_spots(entry)}
    garden = None
    if "garden" in entry:
        grown = add_garden(segments, _scale_spot(entry["garden"]))
        garden = TileLayout(id=entry["aliases"][0], aliases=(), segments=grown, **names)
    aliases, fits_any = tuple(entry.get("aliases", ())), entry.get("fits_any", False)
    return TileLayout(id=entry["id"], aliases=aliases, segments=segments, garden=garden, fits_any=fits_any, **names)


def _read_spots(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return the spots, for drawing, of the marks that segments only count."""
    goods = tuple((name, *_scale_spots([at])) for name, at in entry.get("goods", {}).items())
    return {
        "coat_spots": _scale_spots(entry.get("coats_of_arms", ())),
        "inn_spots": _list_coordinates(entry, "inns"),
        "cathedral_spots": _list_coordinates(entry, "cathedral"),
        "pig_spots": _list_coordinates(entry, "pig_herd"),
        "goods_spots": goods,
    }


def _build_segments(entry: Mapping[str, Any], coats: tuple[_Spot, ...]) -> tuple[Segment, ...]:
    cities = [parse_polygon(path) for path in entry.get("cities", ())]
    houses: dict[Kind, Area] = {kind: parse_polygon(entry[kind]) for kind in HOUSES if kind in entry}
    built = [*cities, *houses.values()]
    blocks = [parse_polygon(path) for path in entry.get("blocks", ())]
    road_lines = [parse_line(path) for path in entry.get("roads", ())]
    rivers = [parse_line(path) for path in entry.get("rivers", ())]
    roads = [trim_road(road, built) for road in road_lines]
    inns = {min(range(len(roads)), key=lambda road: roads[road].distance(spot)) for spot in _list_points(entry, "inns")}
    herds = _list_points(entry, "pig_herd")
    fields = [
        Segment(
            "field", face, find_half_edges(face), 0, find_touching_areas(face, cities), pig_herd=_holds(face, herds)
        )
        for face in find_free_faces(UNIT, [*built, *blocks], road_lines + rivers)
    ]
    return (
        *(_build_city(city, entry, coats) for city in cities),
        *(Segment("road", road, find_sides(road), inn=index in inns) for index, road in enumerate(roads)),
        *(Segment(kind, house, ()) for kind, house in houses.items()),
        *sorted(fields, key=lambda field: [HALF_EDGES.index(half) for half in field.edges]),
    )


def _build_city(city: Area, entry: Mapping[str, Any], coats: tuple[_Spot, ...]) -> Segment:
    return Segment(
        "city",
        city,
        find_sides(city),
        shields=sum(city.covers(Point(spot)) for spot in coats),
        cathedral=_holds(city, _list_points(entry, "cathedral")),
        goods=next((goods for goods, at in entry.get("goods", {}).items() if city.covers(_scale_spot(at))), ""),
    )


def _holds(area: Area, spots: list[Point]) -> bool:
    return any(area.covers(spot) for spot in spots)


def add_garden(segments: tuple[Segment, ...], at: Point) -> tuple[Segment, ...]:
    """Return the segments of a tile with a garden, around a point in the unit square, cut out of its field."""
    garden = at.buffer(GARDEN_RADIUS_TILES)
    around = [
        replace(part, geometry=part.geometry.difference(garden)) if part.kind == "field" else part for part in segments
    ]
    return (*around, Segment("garden", garden, ()))


def _list_points(entry: Mapping[str, Any], key: str) -> list[Point]:
    """Return the spots of a key with none, one or several."""
    spots = entry.get(key, [])
    return [_scale_spot(at) for at in (spots if not spots or isinstance(spots[0], list) else [spots])]


def _list_coordinates(entry: Mapping[str, Any], key: str) -> tuple[_Spot, ...]:
    return tuple((spot.x, spot.y) for spot in _list_points(entry, key))


def _scale_spot(at: list[float]) -> Point:
    return Point(at[0] / GRID_UNITS, at[1] / GRID_UNITS)


def _scale_spots(spots: list[list[float]]) -> tuple[_Spot, ...]:
    return tuple((x / GRID_UNITS, y / GRID_UNITS) for x, y in spots)
