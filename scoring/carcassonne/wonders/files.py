"""A wonder's layout in a file, for the shipped ones and a person's own alike.

    id = "WH/alhambra"                      # id of one of the 8 wonders
    squares = [[0, 0], [1, 0], [2, 0], [2, 1], [2, 2]]      # row, column; rows grow downward
    wonder = "M 92 232 L 120 218 ... Z"     # outline of the wonder itself, with the bare ground around it
    marker = [156, 248]                     # place of the marker meeple, on the wonder
    cities = ["M 0 0 L 100 0 ... Z"]        # outlines
    roads = ["M 150 200 C ..."]             # centre lines; one that forks moves (M) more than once
    monastery = "M ... Z"                   # outline, if there is one
    coats_of_arms = [[12, 13]]              # spots in cities, if there are any
    inferred = ["..."]                      # the guessed parts of this, in words

Paths are as in the tiles' data files: 100 units per square, x right, y down, from the corner of square (0, 0). A city
runs along the whole of each outer edge it meets, and a road meets an outer edge in its middle. Roads may run into a
city, the monastery or the wonder and stop there. The rest is field. No line may run along the border between 2 squares,
because it would be ambiguous which of them it belongs to.

A file whose `wonder` lists squares has no drawing: it states which edges each road and city meets
(`scoring.carcassonne.wonders.plans`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, TypeVar

from shapely import Point, Polygon, get_parts, maximum_inscribed_circle

from scoring.carcassonne.tiles.geometry import Square
from scoring.carcassonne.tiles.layout import TileLayout
from scoring.carcassonne.tiles.topology import GRID_UNITS, Area, parse_line, parse_polygon
from scoring.carcassonne.wonders.drawing import WonderDrawing, add_coats, build_cell_layouts, remove_coats
from scoring.carcassonne.wonders.plans import WonderPlan, read_plan
from scoring.carcassonne.wonders.sketch import place_coats, sketch_wonder
from scoring.carcassonne.wonders.tiles import COATS_UNSEEN, WONDERS, WonderLayout, unite_squares
from scoring.carcassonne.wonders.validation import refuse_contradictions, refuse_impossible_drawing
from scoring.documents import MAX_TOML_CHARACTERS, DocumentError, parse_toml
from scoring.errors import CatalogueError

T = TypeVar("T")
_NEEDED = {"id": str, "squares": list, "wonder": str, "marker": list}
_OPTIONAL = {"cities": list, "roads": list, "monastery": str, "coats_of_arms": list, "inferred": list}
_PLANNED = {"id": str, "inferred": list} | dict.fromkeys(("squares", "wonder", "cities", "roads", "monastery"), list)
_WORDS: Mapping[type, str] = {str: "string", list: "list"}
_SQUARES = 5
"""By the rules: number of squares of a wonder tile."""
MAX_PATH_CHARACTERS, MAX_PATHS = 2000, 20
"""Maximum length of a path, and maximum number of roads or cities; shipped files have 300 and 3. Bounds memory."""
MAX_FRAME = 10
"""Maximum number of rows and columns of a wonder's own frame. Bounds memory."""


def parse_wonder(text: str) -> WonderLayout:
    """Return the layout in a file's text.

    Raises CatalogueError: bad_toml, wonder_file_too_large, missing_key, unknown_key, bad_value, unknown_wonder,
    bad_squares, bad_path, beyond_the_squares, overlap, on_the_border, bad_edge, no_way_out, bad_monastery, bad_marker,
    cannot_be_drawn, contradicts_the_rules.
    """
    return read_wonder(parse_entry(text))


def parse_entry(text: str) -> dict[str, Any]:
    """Return the entries in a file's text; raise CatalogueError `bad_toml` or `wonder_file_too_large`."""
    if len(text) > MAX_TOML_CHARACTERS:
        raise CatalogueError("wonder_file_too_large", f"a wonder's file has {MAX_TOML_CHARACTERS} characters at most")
    try:
        return parse_toml(text)
    except DocumentError as error:
        raise CatalogueError("bad_toml", f"the file is no TOML: {error}", **_find_place(str(error))) from error


def _find_place(text: str) -> dict[str, int]:
    """Return the line and column named in an error of the TOML parser, if any."""
    match = re.search(r"at line (\d+), column (\d+)", text)
    return {"line": int(match[1]), "column": int(match[2])} if match else {}


def read_wonder(entry: Mapping[str, Any]) -> WonderLayout:
    """Return the layout in a file's entries; raise CatalogueError as `parse_wonder` does, except bad_toml."""
    layout = build_wonder(entry)
    refuse_contradictions(layout)
    return layout


def build_wonder(entry: Mapping[str, Any]) -> WonderLayout:
    """Return the layout in a file's entries, whatever the rule texts state about that wonder.

    Raises CatalogueError as `read_wonder` does, except contradicts_the_rules.
    """
    _refuse_wrong_keys(entry)
    drawing, cells = _build_planned(entry) if isinstance(entry["wonder"], list) else _build_drawn(entry)
    return _build_layout(drawing, cells, tuple(entry.get("inferred", ())), dict(entry))


def _build_layout(
    drawing: WonderDrawing, cells: tuple[TileLayout, ...], inferred: tuple[str, ...], entry: dict[str, Any]
) -> WonderLayout:
    marker = drawing.marker.x, drawing.marker.y
    return WonderLayout(drawing.id, WONDERS[drawing.id], drawing.squares, cells, marker, inferred, entry)


def parse_plan(entry: Mapping[str, Any]) -> WonderPlan:
    """Return the plan in the entries of a file without a drawing, whether or not it can be drawn.

    Raises CatalogueError: missing_key, unknown_key, bad_value, unknown_wonder, bad_squares, bad_edge, no_way_out.
    """
    _refuse_wrong_keys(entry)
    _read_id(entry)
    return read_plan(entry, _read_squares(entry["squares"]))


@lru_cache(maxsize=1024)
def build_bare_wonder(id: str, squares: tuple[Square, ...]) -> WonderLayout:
    """Return the layout of a wonder of which only the 5 squares are known: the wonder, surrounded by field."""
    drawing = sketch_wonder(WonderPlan(id, squares, tuple(range(len(squares)))))
    entry = {"id": id, "squares": [list(square) for square in squares]}
    return _build_layout(drawing, build_cell_layouts(drawing), ("all but the squares",), entry)


def restore_wonder(entry: Mapping[str, Any]) -> WonderLayout:
    """Return the layout with this `entry`, which may be a bare one; raise CatalogueError as `read_wonder` does."""
    if entry.keys() != {"id", "squares"}:
        return read_wonder(entry)
    _refuse_wrong_values(entry, {"id": str, "squares": list})
    return build_bare_wonder(_read_id(entry), _read_squares(entry["squares"]))


def list_unsettled_cities(layout: WonderLayout) -> tuple[int, ...]:
    """Return the numbers, among the parts, of the cities whose coats of arms are unknown."""
    if COATS_UNSEEN not in layout.inferred or layout.is_bare:
        return ()
    return tuple(number for number, part in enumerate(layout.parts) if part.kind == "city")


def change_coats(layout: WonderLayout, city: int, count: int) -> WonderLayout:
    """Return the layout with this number of coats of arms in one of its cities, each on a different square.

    Raises CatalogueError `bad_value` for more coats than squares.
    """
    pieces = [(cell, layout.cells[cell].segments[index].geometry) for cell, index in layout.members(city)]
    entry = dict(layout.entry)
    if isinstance(entry["wonder"], list):
        cities = [*entry["cities"]]
        cities[city] = {**cities[city], "coats": count}
        return read_wonder({**entry, "cities": cities})
    frames = [(layout.squares[cell], piece) for cell, piece in pieces]
    if count > len(frames):
        raise CatalogueError("bad_value", f"a city on {len(frames)} squares has no {count} coats of arms")
    spots = [
        spot
        for spot in entry.get("coats_of_arms", ())
        if not any(piece.covers(_place_spot(spot, square)) for square, piece in frames)
    ]
    widest = [(square, max(get_parts(piece), key=lambda part: float(part.area))) for square, piece in frames]
    rooms = [(square, maximum_inscribed_circle(piece)) for square, piece in widest]
    for (row, col), radius in sorted(rooms, key=lambda room: -room[1].length)[:count]:
        x, y = radius.coords[0]
        spots.append([round((col + x) * GRID_UNITS, 2), round((row + y) * GRID_UNITS, 2)])
    coats = [Point(x / GRID_UNITS, y / GRID_UNITS) for x, y in spots]
    cells = add_coats(tuple(remove_coats(cell) for cell in layout.cells), layout.squares, coats)
    return replace(layout, cells=cells, entry={**entry, "coats_of_arms": spots})


def _place_spot(spot: list[float], square: Square) -> Point:
    """Return a spot of a file in the coordinates of one of the squares."""
    return Point(spot[0] / GRID_UNITS - square[1], spot[1] / GRID_UNITS - square[0])


def vouch_for(layout: WonderLayout) -> WonderLayout:
    """Return a layout confirmed by a person: no part of it is a guess, except coats of arms that no photo shows."""
    unseen = [guess for guess in layout.inferred if guess == COATS_UNSEEN]
    return read_wonder({**layout.entry, "inferred": unseen})


def settle_coats(layout: WonderLayout) -> dict[str, Any]:
    """Return the entry of a layout's file with its coats of arms settled."""
    return {**layout.entry, "inferred": [guess for guess in layout.inferred if guess != COATS_UNSEEN]}


def settle_layout(layout: WonderLayout) -> WonderLayout:
    """Return the layout with its coats of arms settled."""
    entry = settle_coats(layout)
    return replace(layout, inferred=tuple(entry["inferred"]), entry=entry)


def _refuse_wrong_keys(entry: Mapping[str, Any]) -> None:
    planned = isinstance(entry.get("wonder"), list)
    for key in _NEEDED.keys() - entry.keys() - ({"marker"} if planned else set()):
        raise CatalogueError("missing_key", f"a wonder's file needs {key!r}", key=key)
    keys = _PLANNED if planned else _NEEDED | _OPTIONAL
    _refuse_wrong_values(entry, keys)


def _refuse_wrong_values(entry: Mapping[str, Any], keys: Mapping[str, Any]) -> None:
    for key, value in entry.items():
        expected: type | None = keys.get(key)
        if expected is None:
            raise CatalogueError("unknown_key", f"a wonder's file has no {key!r}", key=key)
        if not isinstance(value, expected):
            raise CatalogueError("bad_value", f"{key!r} must be a {_WORDS[expected]}", key=key)
        if isinstance(value, list) and len(value) > MAX_PATHS:
            raise CatalogueError("bad_value", f"{key!r} has more than {MAX_PATHS} entries", key=key)
        if key == "inferred" and isinstance(value, list) and not all(isinstance(guess, str) for guess in value):
            raise CatalogueError("bad_value", "'inferred' holds words", key=key)


_Built = tuple[WonderDrawing, tuple[TileLayout, ...]]
"""A drawing of a possible tile, and the layouts of its squares."""


def _build_planned(entry: Mapping[str, Any]) -> _Built:
    """Build the drawing of a file's plan; plans that differ only in coats of arms share one drawing."""
    plan = parse_plan(entry)
    drawing, cells = draw_plan(replace(plan, cities=tuple(replace(city, coats=0) for city in plan.cities)))
    return drawing, add_coats(cells, drawing.squares, place_coats(plan, drawing))


@lru_cache(maxsize=64)
def draw_plan(plan: WonderPlan) -> _Built:
    """Return the drawing of a plan without coats of arms; raise CatalogueError if it cannot be drawn."""
    drawing = sketch_wonder(plan)
    refuse_impossible_drawing(drawing)
    return drawing, build_cell_layouts(drawing)


def _build_drawn(entry: Mapping[str, Any]) -> _Built:
    """Build the drawing in a file."""
    _read_id(entry)
    drawing = WonderDrawing(
        id=entry["id"],
        squares=_read_squares(entry["squares"]),
        cities=[_read_area("cities", path) for path in entry.get("cities", ())],
        roads=[_parse_path("roads", path, parse_line, "line") for path in entry.get("roads", ())],
        monasteries=[_read_area("monastery", entry["monastery"])] if "monastery" in entry else [],
        wonder=_read_area("wonder", entry["wonder"]),
        marker=_read_spot("marker", entry["marker"]),
        coats=[_read_spot("coats_of_arms", spot) for spot in entry.get("coats_of_arms", ())],
    )
    refuse_impossible_drawing(drawing)
    return drawing, build_cell_layouts(drawing)


def _read_id(entry: Mapping[str, Any]) -> str:
    id = str(entry["id"])
    if id not in WONDERS:
        raise CatalogueError("unknown_wonder", f"{id!r} is none of {', '.join(WONDERS)}", id=id, key="id", given=id)
    return id


def _read_squares(values: list[Any]) -> tuple[Square, ...]:
    pairs = [s for s in values if isinstance(s, list) and len(s) == 2 and all(isinstance(n, int) for n in s)]
    squares = tuple((row, col) for row, col in pairs)
    if len(set(squares)) != _SQUARES or len(values) != _SQUARES:
        text = "a wonder tile has five different squares, each [row, column]"
        raise CatalogueError("bad_squares", text, key="squares")
    if not all(0 <= number < MAX_FRAME for square in squares for number in square):
        text = f"rows and columns of a wonder tile are numbers below {MAX_FRAME}"
        raise CatalogueError("bad_squares", text, key="squares")
    if not isinstance(unite_squares(squares), Polygon):
        raise CatalogueError("bad_squares", "the five squares must hang together by their sides", key="squares")
    return squares


def _read_area(key: str, path: object) -> Area:
    area = _parse_path(key, path, parse_polygon, "outline")
    if not area.is_valid or not area.area:
        text = f"{key}: {path!r} crosses itself or encloses nothing"
        raise CatalogueError("bad_path", text, key=key, given=str(path))
    return area


def _parse_path(key: str, path: object, parse: Callable[[str], T], what: str) -> T:
    if isinstance(path, str) and len(path) > MAX_PATH_CHARACTERS:
        raise CatalogueError("bad_path", f"{key}: a path has more than {MAX_PATH_CHARACTERS} characters", key=key)
    try:
        return parse(str(path))
    except (ValueError, IndexError) as error:
        text = f"{key}: {path!r} is no {what}: {error}"
        raise CatalogueError("bad_path", text, key=key, given=str(path)) from error


def _read_spot(key: str, spot: object) -> Point:
    if not isinstance(spot, list) or len(spot) != 2 or not all(map(_is_near, spot)):
        raise CatalogueError("bad_value", f"{key!r} takes spots [x, y], not {spot!r}", key=key, given=str(spot))
    return Point(spot[0] / GRID_UNITS, spot[1] / GRID_UNITS)


def _is_near(number: object) -> bool:
    return isinstance(number, int | float) and abs(number) <= MAX_FRAME * GRID_UNITS
