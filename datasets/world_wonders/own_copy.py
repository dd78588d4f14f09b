"""The project's own copy of World Wonders, and its components file: its grid, terrain, shapes and tracks are our own
choice.

Nothing here is taken from the printed game; a user's own copy has a separate components file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

Cell = tuple[int, int]
"""A square of the map: row (0 at the mountains, the last at the sidewalk) and column."""

COLOURS = ("yellow", "green", "white", "red", "blue")
ROWS, COLS = 9, 11
SQUARE_MM = 18.0
MARGIN_MM = 14.0
"""Width of the mountains to the left, right and top, and of the sidewalk at the bottom."""
MAP_MM = (COLS * SQUARE_MM + 2 * MARGIN_MM, ROWS * SQUARE_MM + 2 * MARGIN_MM)

RESOURCES_MM = (162.0, 100.0)
TRACKS = {"gold": 10, "population": 13, "food": 12, "ceramics": 12, "gears": 12}
"""Number of spaces of each track, including 0, from top to bottom."""
FIRST_MM = (30.0, 22.0)
STEP_MM = 10.2
TRACK_STEP_MM = 16.0
POPULATION_AT = {"food": (2, 5, 8, 10), "ceramics": (2, 4, 7, 10), "gears": (3, 5, 8, 11)}
RINGS_AT = (3, 5, 7, 8, 9, 10, 11, 12)
"""Spaces of the population track with a ring."""

BUILDINGS = {"library": "B", "farm": "F", "habitation": "H", "market": "M", "temple": "T"}
SHAPES: dict[str, tuple[Cell, ...]] = {
    "domino": ((0, 0), (0, 1)),
    "bar": ((0, 0), (0, 1), (0, 2)),
    "corner": ((0, 0), (0, 1), (1, 0)),
    "block": ((0, 0), (0, 1), (1, 0), (1, 1)),
    "hook": ((0, 0), (0, 1), (0, 2), (1, 0)),
    "tee": ((0, 0), (0, 1), (0, 2), (1, 1)),
    "step": ((0, 0), (0, 1), (1, 1), (1, 2)),
    "house": ((0, 0), (0, 1), (1, 0), (1, 1), (2, 0)),
}
MORE_SHAPES: dict[str, tuple[Cell, ...]] = {**SHAPES, "beam": ((0, 0), (0, 1), (0, 2), (0, 3))}
"""The shapes of buildings in training, with one of other copies."""
ROADS = (4, 2, 1)
_ONE: tuple[Cell, ...] = ((0, 0),)
_TWO = (*_ONE, (0, 1))
_THREE = (*_TWO, (0, 2))
_BLOCK = (*_TWO, (1, 0), (1, 1))
_SIX = (*_THREE, (1, 0), (1, 1), (1, 2))
MONUMENTS: dict[str, tuple[Cell, ...]] = {
    "lighthouse": _ONE,
    "obelisks": _ONE,
    "moai": _ONE,
    "thien-mu": _ONE,
    "trojan-horse": _TWO,
    "ishtar-gate": _TWO,
    "petra": _TWO,
    "shitenno-ji": _TWO,
    "great-wall": _THREE,
    "roman-bridge": _THREE,
    "aqueduct": _THREE,
    "hippodrome": (*_THREE, (0, 3)),
    "theater": ((0, 0), (0, 1), (1, 0)),
    "machu-picchu": (*_THREE, (1, 0)),
    "giza": _BLOCK,
    "ziggurat": _BLOCK,
    "chichen-itza": _BLOCK,
    "carthage": _BLOCK,
    "parthenon": _SIX,
    "angkor-wat": _SIX,
    "colosseum": _SIX,
}
"""The squares of a piece of each of the game's monuments; all pieces of one are alike."""
PIECES = {"obelisks": 2, "moai": 3}
"""Monuments of several pieces, which may be one square apart."""
GROUND = {"roman-bridge": "#~?", "carthage": "????"}
"""Footprint letters (`docs/games.md`) of the monuments that may stand on water, square by square."""
MIN_WATER = {"carthage": 1}
BESIDE_WATER = ("aqueduct",)

GREEN, WATER, RESOURCE = ".", "~", "*"
_LAKE = ((3, 4), (3, 5), (3, 6), (4, 4), (4, 5), (4, 6), (4, 7), (5, 5), (5, 6), (5, 7))
RESOURCE_SQUARES = 10
RINGS = {"lighthouse": 1, "moai": 1, "ziggurat": 3, "colosseum": 4}
"""Rings of the monuments listed; all others have 2."""


@dataclass(frozen=True, slots=True)
class Land:
    """The terrain of one map: a text for each row, `.` green, `~` water, `*` a natural resource."""

    rows: tuple[str, ...]

    def at(self, cell: Cell) -> str:
        return self.rows[cell[0]][cell[1]]

    def cells(self, terrain: str) -> list[Cell]:
        return [(r, c) for r in range(ROWS) for c in range(COLS) if self.rows[r][c] == terrain]


@lru_cache(maxsize=16)
def build_land(side: str, colour: str) -> Land:
    """Build the map of a side; on side B each colour has another river."""
    seed = [1, 0] if side == "A" else [2, COLOURS.index(colour)]
    rng = np.random.default_rng(seed)
    water = set(_LAKE) if side == "A" else set(_river(rng))
    free = [(r, c) for r in range(ROWS) for c in range(COLS) if (r, c) not in water]
    ores: list[Cell] = []
    for i in rng.permutation(len(free)).tolist():
        apart = all(abs(free[i][0] - r) + abs(free[i][1] - c) > 1 for r, c in ores)
        if apart and len(ores) < RESOURCE_SQUARES:
            ores.append(free[i])
    grid = [
        [WATER if (r, c) in water else RESOURCE if (r, c) in ores else GREEN for c in range(COLS)] for r in range(ROWS)
    ]
    return Land(tuple("".join(row) for row in grid))


def _river(rng: np.random.Generator) -> list[Cell]:
    """Return the squares of a river, one square wide, from the top to a side."""
    row, col = 0, int(rng.integers(2, COLS - 2))
    aside = int(rng.choice([-1, 1]))
    cells = [(row, col)]
    while 0 <= col < COLS and row < ROWS - 2:
        if rng.random() < 0.55:
            row += 1
        else:
            col += aside
        if 0 <= col < COLS:
            cells.append((row, col))
    return cells


def turn_cells(cells: Sequence[Cell], turns: int) -> tuple[Cell, ...]:
    """Turn squares clockwise by quarters, and shift them so that the least row and column are 0."""
    now = list(cells)
    for _ in range(turns % 4):
        now = [(c, -r) for r, c in now]
    top, left = min(r for r, _ in now), min(c for _, c in now)
    return tuple((r - top, c - left) for r, c in now)


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
