"""The features on a wonder's squares without their shapes: roads, cities, and the outer edges they meet.

A wonder's file may state this plan instead of drawing it:

    id = "WH/alhambra"
    squares = [[0, 0], [1, 0], [2, 0], [2, 1], [2, 2]]      # row, column; rows grow downward
    wonder = [[2, 1], [2, 0], [2, 2]]       # squares of the wonder itself, the marker meeple on the first
    cities = [{ edges = ["0,0 N", "1,0 W", "2,0 S"], walled = true }]
    roads = [{ edges = ["2,1 N"] }, { edges = ["2,2 E"] }]

An edge is a square and one of its sides, in one string. Edges in no list are field. A feature covers the squares of its
edges; `squares` adds others it passes through. A city may also have `coats`, its number of coats of arms, and `walled`,
if it stands against the wonder. A road may have `into`, what it runs into ("wonder" by default, or "monastery"), and
`closed`, if it also joins these with each other. `monastery = [0, 1]` is the square of the monastery.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from shapely import get_parts, union_all
from shapely.affinity import translate
from shapely.geometry.base import BaseGeometry

from scoring.carcassonne.tiles.geometry import SIDES, Square
from scoring.carcassonne.tiles.layout import MIN_TOUCH_TILES
from scoring.carcassonne.wonders.tiles import WonderLayout, find_inner_sides
from scoring.errors import CatalogueError

End = tuple[int, str]
"""An outer edge: the index of its square, and its side."""
Target = Literal["wonder", "monastery"]
TARGETS: tuple[Target, ...] = ("wonder", "monastery")
"""Features that a road may run into."""
_CITY = {"edges": list, "squares": list, "coats": int, "walled": bool}
_ROAD = {"edges": list, "squares": list, "into": list, "closed": bool}


@dataclass(frozen=True, slots=True)
class PlannedCity:
    """A city: the indexes of its squares, the outer edges it runs along, and its number of coats of arms.

    If `walled`, it stands against the wonder, which separates the fields on either side.
    """

    squares: tuple[int, ...]
    ends: tuple[End, ...]
    coats: int = 0
    walled: bool = False


@dataclass(frozen=True, slots=True)
class PlannedRoad:
    """A road: the indexes of its squares, the outer edges it meets, and what it runs into.

    If `closed`, it joins its targets a second time and so encloses a field.
    """

    squares: tuple[int, ...]
    ends: tuple[End, ...]
    targets: tuple[Target, ...] = ("wonder",)
    closed: bool = False


@dataclass(frozen=True, slots=True)
class WonderPlan:
    """The features on the 5 squares of a wonder.

    `wonder` are the indexes of the squares the wonder stands on, `monastery` that of the square with the monastery. The
    marker meeple stands in the middle of the wonder's first square.
    """

    id: str
    squares: tuple[Square, ...]
    wonder: tuple[int, ...]
    cities: tuple[PlannedCity, ...] = ()
    roads: tuple[PlannedRoad, ...] = ()
    monastery: int | None = None


def read_plan(entry: Mapping[str, Any], squares: tuple[Square, ...]) -> WonderPlan:
    """Return the plan in a file's entries whose squares have been read; raise CatalogueError.

    Its codes: bad_value, unknown_key, bad_squares, bad_edge.
    """
    wonder = _read_indexes("wonder", entry["wonder"], squares)
    if not wonder:
        raise CatalogueError("bad_value", "'wonder' needs the squares that the wonder stands on", key="wonder")
    monastery = _read_indexes("monastery", [entry["monastery"]], squares)[0] if "monastery" in entry else None
    plan = WonderPlan(
        id=entry["id"],
        squares=squares,
        wonder=wonder,
        cities=tuple(_read_city(city, squares) for city in entry.get("cities", ())),
        roads=tuple(_read_road(road, squares) for road in entry.get("roads", ())),
        monastery=monastery,
    )
    features: tuple[PlannedCity | PlannedRoad, ...] = (*plan.cities, *plan.roads)
    ends = [end for feature in features for end in feature.ends]
    if doubled := next((end for end in ends if ends.count(end) > 1), None):
        edge = _write_end(doubled, squares)
        raise CatalogueError("bad_edge", f"several roads or cities meet {edge!r}", edge=edge)
    return plan


def write_plan(plan: WonderPlan) -> dict[str, Any]:
    """Return the entries of a plan's file; `read_plan` is the inverse."""
    entry: dict[str, Any] = {
        "id": plan.id,
        "squares": [list(square) for square in plan.squares],
        "wonder": [list(plan.squares[i]) for i in plan.wonder],
        "cities": [_write_city(city, plan.squares) for city in plan.cities],
        "roads": [_write_road(road, plan.squares) for road in plan.roads],
    }
    return entry if plan.monastery is None else {**entry, "monastery": list(plan.squares[plan.monastery])}


def _read_city(value: object, squares: tuple[Square, ...]) -> PlannedCity:
    entry = _read_table("cities", value, _CITY)
    ends = _read_ends("cities", entry, squares)
    coats = entry.get("coats", 0)
    covered = _cover("cities", entry, ends, squares)
    if not 0 <= coats <= len(covered):
        raise CatalogueError("bad_value", "a city has at most one coat of arms on each of its squares", key="cities")
    return PlannedCity(covered, ends, coats, entry.get("walled", False))


def _read_road(value: object, squares: tuple[Square, ...]) -> PlannedRoad:
    entry = _read_table("roads", value, _ROAD)
    ends = _read_ends("roads", entry, squares)
    into = tuple(target for target in TARGETS if target in entry.get("into", ["wonder"]))
    if any(target not in TARGETS for target in entry.get("into", [])):
        raise CatalogueError("bad_value", f"a road runs into {' or '.join(TARGETS)}", key="roads")
    return PlannedRoad(_cover("roads", entry, ends, squares), ends, into, entry.get("closed", False))


def _read_table(key: str, value: object, expected: Mapping[str, type]) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise CatalogueError(
            "bad_value", f"{key!r} must hold tables with 'edges' where 'wonder' lists squares", key=key
        )
    for name, item in value.items():
        if name not in expected:
            raise CatalogueError("unknown_key", f"{key!r} has no {name!r}", key=name)
        if not isinstance(item, expected[name]) or (expected[name] is int and isinstance(item, bool)):
            raise CatalogueError("bad_value", f"{name!r} in {key!r} has a value of the wrong kind", key=name)
    return value


def _read_ends(key: str, entry: Mapping[str, Any], squares: tuple[Square, ...]) -> tuple[End, ...]:
    ends = tuple(_read_end(text, squares) for text in entry.get("edges", ()))
    if not ends:
        raise CatalogueError("no_way_out", f"each of {key!r} needs 'edges' that it meets", key=key)
    return ends


def _read_end(text: object, squares: tuple[Square, ...]) -> End:
    place, _, side = str(text).partition(" ")
    index = next((i for i, square in enumerate(squares) if place == f"{square[0]},{square[1]}"), None)
    if index is None or side not in SIDES:
        raise CatalogueError("bad_edge", f"{text!r} is no edge of the five squares, as in '2,1 N'", edge=str(text))
    if side in find_inner_sides(squares, squares[index]):
        raise CatalogueError("bad_edge", f"{text!r} lies inside the tile: only outer edges are named", edge=text)
    return index, side


def _cover(key: str, entry: Mapping[str, Any], ends: Iterable[End], squares: tuple[Square, ...]) -> tuple[int, ...]:
    further = _read_indexes(key, entry.get("squares", []), squares)
    return tuple(sorted({*(i for i, _ in ends), *further}))


def _read_indexes(key: str, values: object, squares: tuple[Square, ...]) -> tuple[int, ...]:
    named = [tuple(value) if isinstance(value, list) else value for value in values] if isinstance(values, list) else []
    indexes = [squares.index(value) if value in squares else None for value in named]
    if None in indexes or len({*indexes}) != len(indexes):
        raise CatalogueError("bad_squares", f"{key!r} names squares, each [row, column] of the five", key=key)
    return tuple(index for index in indexes if index is not None)


def _write_city(city: PlannedCity, squares: Sequence[Square]) -> dict[str, Any]:
    entry = _write_feature(city, squares)
    return {**entry, **({"coats": city.coats} if city.coats else {}), **({"walled": True} if city.walled else {})}


def _write_road(road: PlannedRoad, squares: Sequence[Square]) -> dict[str, Any]:
    into = {"into": list(road.targets)} if road.targets != ("wonder",) else {}
    return {**_write_feature(road, squares), **into, **({"closed": True} if road.closed else {})}


def _write_feature(feature: PlannedCity | PlannedRoad, squares: Sequence[Square]) -> dict[str, Any]:
    further = [list(squares[i]) for i in feature.squares if i not in {index for index, _ in feature.ends}]
    edges = [_write_end(end, squares) for end in feature.ends]
    return {"edges": edges, **({"squares": further} if further else {})}


def _write_end(end: End, squares: Sequence[Square]) -> str:
    row, col = squares[end[0]]
    return f"{row},{col} {end[1]}"


def plan_layout(layout: WonderLayout) -> WonderPlan:
    """Return the plan that a layout was made from, or one equivalent to its drawing."""
    if isinstance(layout.entry.get("wonder"), list):
        return read_plan(layout.entry, layout.squares)
    if layout.is_bare:
        return WonderPlan(layout.id, layout.squares, tuple(range(len(layout.squares))))
    parts = list(enumerate(layout.parts))
    shapes = {kind: _place_parts(layout, kind) for kind in ("city", "road", *TARGETS)}
    grounds = {target: union_all([*shapes[target].values()]) for target in TARGETS}
    marked, _ = layout.marked
    ground = {square for _, part in parts if part.kind == "wonder" for square in part.squares}
    return WonderPlan(
        id=layout.id,
        squares=layout.squares,
        wonder=(marked, *sorted(ground - {marked})),
        cities=tuple(
            PlannedCity(
                _list_squares(layout, part),
                _list_ends(layout, part),
                layout.count_coats(part),
                bool(shape.intersection(grounds["wonder"]).length > MIN_TOUCH_TILES),
            )
            for part, shape in shapes["city"].items()
        ),
        roads=tuple(_plan_road(layout, part, shape, grounds) for part, shape in shapes["road"].items()),
        monastery=next((part.squares[0] for _, part in parts if part.kind == "monastery"), None),
    )


def place_part(layout: WonderLayout, part: int) -> BaseGeometry:
    """Return the area of a part in the wonder's own frame; lines for a road."""
    return union_all(
        [
            translate(layout.cells[cell].segments[index].geometry, layout.squares[cell][1], layout.squares[cell][0])
            for cell, index in layout.members(part)
        ]
    )


def _place_parts(layout: WonderLayout, kind: str) -> dict[int, BaseGeometry]:
    return {number: place_part(layout, number) for number, part in enumerate(layout.parts) if part.kind == kind}


def _plan_road(
    layout: WonderLayout, part: int, lines: BaseGeometry, grounds: Mapping[Target, BaseGeometry]
) -> PlannedRoad:
    targets = tuple(
        target
        for target in TARGETS
        if not grounds[target].is_empty and lines.distance(grounds[target]) <= MIN_TOUCH_TILES
    )
    there = [lines.buffer(MIN_TOUCH_TILES * 2), *(grounds[target] for target in targets)]
    closed = any(len(area.interiors) for area in get_parts(union_all(there)))
    return PlannedRoad(_list_squares(layout, part), _list_ends(layout, part), targets, closed)


def _list_squares(layout: WonderLayout, part: int) -> tuple[int, ...]:
    return tuple(sorted({cell for cell, _ in layout.members(part)}))


def _list_ends(layout: WonderLayout, part: int) -> tuple[End, ...]:
    members = layout.members(part)
    return tuple((cell, side) for cell, index in members for side in layout.cells[cell].segments[index].edges)
