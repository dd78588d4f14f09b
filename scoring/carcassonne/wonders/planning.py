"""The plan of a layout: the features on each square and outer edge, also for a layout drawn in its file."""

from __future__ import annotations

from collections.abc import Mapping

from shapely import get_parts, union_all
from shapely.affinity import translate
from shapely.geometry.base import BaseGeometry

from scoring.carcassonne.tiles.layout import MIN_TOUCH_TILES
from scoring.carcassonne.wonders.plan_files import read_plan
from scoring.carcassonne.wonders.plans import TARGETS, End, PlannedCity, PlannedRoad, Target, WonderPlan
from scoring.carcassonne.wonders.tiles import WonderLayout


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
