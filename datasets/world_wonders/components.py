"""The components file of the project's copy: the values printed on the boards, and their positions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from datasets.world_wonders.own_copy import (
    BESIDE_WATER,
    COLOURS,
    FIRST_MM,
    GROUND,
    MAP_MM,
    MARGIN_MM,
    MIN_WATER,
    MONUMENTS,
    PIECES,
    POPULATION_AT,
    RESOURCES_MM,
    RINGS_AT,
    SHAPES,
    SQUARE_MM,
    STEP_MM,
    TRACK_STEP_MM,
    TRACKS,
    Cell,
    build_land,
)

RINGS = {"lighthouse": 1, "moai": 1, "ziggurat": 3, "colosseum": 4}
"""Rings of the monuments listed; all others have 2."""


def format_components(side: str, corners: Mapping[str, Sequence[Sequence[float]]] | None = None) -> str:
    """Format the TOML of a side; `corners` are the boards' corners NW, NE, SE, SW in pixels of their photos."""
    lines = ["[map]", f'side = "{side}"']
    if side == "A":
        lines += ['A = """', *build_land("A", COLOURS[0]).rows, '"""']
    else:
        lines += ["", "[map.B]"]
        for colour in COLOURS:
            lines += [f'{colour} = """', *build_land("B", colour).rows, '"""']
    lines += ["", "[resources]", 'side = "A"', "", "[resources.A.population]"]
    lines += [f"last = {TRACKS['population'] - 1}", f"rings = {list(RINGS_AT)}"]
    for name, spaces in POPULATION_AT.items():
        lines += ["", f"[resources.A.{name}]", f"last = {TRACKS[name] - 1}", f"population = {list(spaces)}"]
    for shape in SHAPES.values():
        lines += ["", "[[buildings.shapes]]", f'shape = "{_drawn(shape)}"']
    lines += ["", "[towers]", "squares = 1"]
    for name in MONUMENTS:
        lines += _format_monument(name)
    for name in list_pictures(side):
        lines += ["", f"[pictures.{name}]", f"size_mm = {list(RESOURCES_MM if 'resources' in name else MAP_MM)}"]
        if corners is not None:
            lines += [f"corners_px = {[[round(float(v), 1) for v in corner] for corner in corners[name]]}"]
    lines += ["", "[layout.map]", f"first = [{MARGIN_MM}, {MARGIN_MM}]", f"square = {SQUARE_MM}"]
    for number, name in enumerate(TRACKS):
        y = FIRST_MM[1] + number * TRACK_STEP_MM
        lines += ["", f"[layout.resources.{name}]", f"first = [{FIRST_MM[0]}, {y}]", f"step = [{STEP_MM}, 0.0]"]
        lines += [f"spaces = {TRACKS[name]}"]
    return "\n".join(lines) + "\n"


def list_pictures(side: str) -> list[str]:
    """Return the names of the pictures to enrol."""
    maps = ["map"] if side == "A" else [f"map-{colour}" for colour in COLOURS]
    return [*maps, *(f"resources-{colour}" for colour in COLOURS)]


def _format_monument(name: str) -> list[str]:
    cells, pieces = MONUMENTS[name], PIECES.get(name, 1)
    part = f'"{_drawn(cells, GROUND.get(name, "#" * len(cells)))}"'
    lines = ["", f"[monuments.{name}]", f"rings = {RINGS.get(name, 2)}", f"footprint = [{', '.join([part] * pieces)}]"]
    lines += ["apart = true"] if pieces > 1 else []
    lines += [f"water = {MIN_WATER[name]}"] if name in MIN_WATER else []
    return [*lines, f"adjacent = {['road', 'water'] if name in BESIDE_WATER else ['road']}".replace("'", '"')]


def _drawn(cells: Sequence[Cell], letters: str | None = None) -> str:
    high, wide = (1 + max(cell[axis] for cell in cells) for axis in (0, 1))
    by_cell = dict(zip(cells, letters or "#" * len(cells), strict=True))
    return "/".join("".join(by_cell.get((r, c), ".") for c in range(wide)) for r in range(high))
