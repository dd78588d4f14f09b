"""The tiles of further boxes: each has the drawing of another tile, turned, and marks of its own.

Most have exactly the topology of a tile of the drawn boxes; `other_drawings.toml` has a drawing for every other
topology. `python -m datasets.other_boxes` writes the list of tiles from a table of facts.

A plain tile stands for one of which only the land is known: the first with the same topology that bears nothing else
which may pay. A box whose tiles of a topology all do has one without, of which it holds no copy: `HS/RRr.0` for
`HS/RRr.v`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any, cast

from shapely import Point, Polygon, maximum_inscribed_circle

from scoring.carcassonne.tiles.catalogue import (
    Catalogue,
    add_garden,
    build_layout,
    load_base_catalogue,
    load_full_catalogue,
)
from scoring.carcassonne.tiles.expansions import is_scored_in_part
from scoring.carcassonne.tiles.geometry import HALF_EDGES, turn_edge, turn_geometry, turn_point
from scoring.carcassonne.tiles.layout import Segment, TileLayout, list_distinct_turns, summarise_topology

PAYING_MARKS = frozenset({"hill", "vineyard", "besieged", "special"})
"""By the rules: marks that decide points at the end; all others have their effect during the game, or none here."""


@cache
def list_other_drawings() -> tuple[TileLayout, ...]:
    """Return one layout for each topology that no tile of the drawn boxes has, under the name of a tile that has it."""
    return tuple(build_layout(row) for row in _read("other_drawings")["tile"])


def list_drawings() -> tuple[TileLayout, ...]:
    """Return the layouts of which other boxes' tiles are turned copies: those of the drawn boxes come first."""
    return (*load_full_catalogue(), *list_other_drawings())


@cache
def load_other_catalogue() -> Catalogue:
    """Return the layouts of all boxes that `load_full_catalogue` lacks."""
    drawings = {layout.id: layout for layout in list_drawings()}
    return Catalogue(tuple(_copy_drawing(drawings[row["like"]], row) for row in _list_rows()))


def list_other_boxes() -> tuple[str, ...]:
    """List the boxes of `load_other_catalogue` by the prefixes of their tiles' ids."""
    return tuple(dict.fromkeys(layout.box for layout in load_other_catalogue()))


def is_plain(layout: TileLayout) -> bool:
    """Return whether nothing but its land can bring points at the end: no paying mark, goods, pig herd or garden."""
    return PAYING_MARKS.isdisjoint(layout.marks) and not any(
        segment.goods or segment.pig_herd or segment.kind == "garden" for segment in layout.segments
    )


@cache
def find_plain_tile(tile: str, turns: int) -> tuple[str, int]:
    """Return the plain tile that stands for the topology of a turned tile, and its turns."""
    return _index_plain_tiles()[_summarise_land(get_layout(tile), turns)]


def count_alike(layout: TileLayout) -> int:
    """Count the tiles of a further box that have the land of one of its layouts, whatever else they bear."""
    like = {tile: drawing for tile, (drawing, _) in _index_drawings().items() if tile.startswith(f"{layout.box}/")}
    return sum(load_whole_catalogue()[tile].count for tile in like if like[tile] == like.get(layout.id))


@cache
def _index_plain_tiles() -> Mapping[Hashable, tuple[str, int]]:
    """Index the plain tiles by their turned topologies: those of the drawn boxes first, then those of boxes that are
    scored in full, with the fewest marks.
    """
    others = sorted(load_other_catalogue(), key=lambda other: (is_scored_in_part(other.id), len(other.marks)))
    index: dict[Hashable, tuple[str, int]] = {}
    for layout in (*filter(is_plain, (*load_full_catalogue(), *others)), *_list_twins(), *load_full_catalogue()):
        for turns in list_distinct_turns(layout):
            index.setdefault(_summarise_land(layout, turns), (layout.id, turns))
    return index


def _summarise_land(layout: TileLayout, turns: int) -> Hashable:
    land = (replace(segment, goods="", pig_herd=False) for segment in layout.segments if segment.kind != "garden")
    return frozenset(summarise_topology(replace(layout, segments=tuple(land)), turns).items())


def find_plain_twin(tile: str) -> str:
    """Return the plain tile of a further box with the land of one of its tiles in the same turn: itself, if plain."""
    layout = get_layout(tile)
    like = find_drawing(tile)
    alike = (other.id for other in load_other_catalogue() if other.box == layout.box and find_drawing(other.id) == like)
    return next((other for other in alike if is_plain(get_layout(other))), _name_twin(tile))


def _name_twin(tile: str) -> str:
    return f"{tile.partition('.')[0]}.0"


@cache
def _list_twins() -> tuple[TileLayout, ...]:
    """List the land of tiles whose drawing no drawn box has, without whatever else may pay."""
    drawings = {drawing.id: drawing for drawing in list_other_drawings()}
    bare = {"count": 0, "marks": (), "garden": False, "pig_herd": False}
    return tuple(
        _copy_drawing(drawings[row["like"]], {**row, **bare, "id": _name_twin(row["id"])}) for row in _list_paying()
    )


def _list_paying() -> Iterator[Mapping[str, Any]]:
    """Yield the rows of tiles that are not plain, with a drawing that no drawn box has; one for each twin's name."""
    drawn = {drawing.id for drawing in list_other_drawings()}
    rows = (row for row in _list_rows() if row["like"] in drawn and not is_plain(load_other_catalogue()[row["id"]]))
    yield from {_name_twin(row["id"]): row for row in rows}.values()


def find_drawing(tile: str) -> tuple[str, int] | None:
    """Return the drawing of a tile of another box, and its clockwise quarter turns; None for a tile without one."""
    return _index_drawings().get(tile)


@cache
def _index_drawings() -> Mapping[str, tuple[str, int]]:
    twins = ({**row, "id": _name_twin(row["id"])} for row in _list_paying())
    return {row["id"]: (row["like"], row.get("turns", 0)) for row in (*_list_rows(), *twins)}


@cache
def _list_rows() -> tuple[Mapping[str, Any], ...]:
    return tuple(_read("other_tiles")["tile"])


@cache
def load_whole_catalogue() -> Catalogue:
    """Return the layouts of all boxes, and the plain ones that are in none."""
    return Catalogue((*load_full_catalogue(), *load_other_catalogue(), *_list_twins()), gardens=True)


def get_layout(tile: str) -> TileLayout:
    """Return the plain layout of a tile of any box, by id, alias or letter; raise CatalogueError for another name.

    Most tiles are of the base game, and few programs meet another box: each is loaded when one of its tiles is.
    """
    for load in (load_base_catalogue, load_full_catalogue):
        if tile in load():
            return load()[tile]
    return (load_other_catalogue() if tile in load_other_catalogue() else load_whole_catalogue())[tile]


def _read(name: str) -> Mapping[str, Any]:
    text = files("scoring.carcassonne").joinpath("data", f"{name}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _copy_drawing(drawing: TileLayout, row: Mapping[str, Any]) -> TileLayout:
    """Return a tile with the topology of a drawing after the row's quarter turns, and with the row's own marks."""
    turns = row.get("turns", 0)
    turned = [_turn_segment(segment, turns) for segment in drawing.segments]
    others = [segment for segment in turned if segment.kind != "field"]
    fields = sorted(
        (segment for segment in turned if segment.kind == "field"),
        key=lambda field: [HALF_EDGES.index(half) for half in field.edges],
    )
    if row.get("pig_herd"):
        fields[0] = replace(fields[0], pig_herd=True)
    segments = (*others, *fields)
    if row.get("garden"):
        largest = cast("Polygon", max((field.geometry for field in fields), key=lambda area: area.area))
        segments = add_garden(segments, Point(maximum_inscribed_circle(largest).coords[0]))
    return replace(
        drawing,
        id=row["id"],
        letter="",
        aliases=(),
        garden=None,
        count=row.get("count", 1),
        segments=segments,
        rivers=tuple(turn_geometry(river, turns) for river in drawing.rivers),
        coat_spots=tuple(turn_point(spot, turns) for spot in drawing.coat_spots),
        inn_spots=tuple(turn_point(spot, turns) for spot in drawing.inn_spots),
        cathedral_spots=tuple(turn_point(spot, turns) for spot in drawing.cathedral_spots),
        goods_spots=(),
        pig_spots=(),
        marks=tuple(row.get("marks", ())),
        box=row["id"].partition("/")[0],
    )


def _turn_segment(segment: Segment, turns: int) -> Segment:
    edges = sorted(
        (turn_edge(edge, turns) for edge in segment.edges),
        key=lambda edge: HALF_EDGES.index(edge) if edge in HALF_EDGES else "NESW".index(edge),
    )
    geometry = turn_geometry(segment.geometry, turns)
    return replace(segment, geometry=geometry, edges=tuple(edges), goods="", pig_herd=False)
