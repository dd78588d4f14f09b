"""Cities built piece by piece under the rules, by plain sets of squares: an independent check of legality."""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st

from scoring.spots.game import Value
from scoring.world_wonders.terrain import Terrain

Place = tuple[int, int]
STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))
BENT = ((0, 0), (0, 1), (1, 0))
FORMS = {"library": BENT, "farm": ((0, 0),), "temple": ((0, 0), (0, 1))}


def beside(places: list[Place]) -> set[Place]:
    return {(row + down, col + right) for row, col in places for down, right in STEPS} - {*places}


@st.composite
def lawful_cities(draw: st.DrawFn) -> tuple[Terrain, dict[str, Value]]:
    """Draw a map, and a player's pieces on it; buildings are of FORMS, turned."""
    line = st.lists(st.sampled_from("......~*"), min_size=6, max_size=6).map("".join)
    terrain = Terrain((*(draw(line) for _ in range(4)), "......"))
    there: dict[Place, str] = {}
    for number in range(1, draw(st.integers(1, 9)) + 1):
        kind = (
            draw(st.sampled_from(["road", "road", "bridge", "library", "farm", "temple", "tower"])) if there else "road"
        )
        options = [
            places
            for places in _everywhere(kind, terrain.rows, terrain.columns)
            if _allowed(kind, places, terrain, there)
        ]
        if options:
            there |= dict.fromkeys(draw(st.sampled_from(options)), f"{kind}#{number}")
    return terrain, {f"map.red.{row}.{col}": there.get((row, col), "-") for row, col in terrain.squares}


@cache
def _everywhere(kind: str, rows: int, columns: int) -> list[list[Place]]:
    if kind in ("road", "bridge"):
        lengths = (4,) if kind == "bridge" else (1, 2, 4)
        forms = [tuple((0, n) for n in range(length)) for length in lengths]
    else:
        forms = [FORMS.get(kind, ((0, 0),))]
    turned = {frozenset(_turn(form, turns)) for form in forms for turns in range(4)}
    placed = [
        [(row + r, col + c) for r, c in form]
        for form in sorted(map(sorted, turned))
        for row in range(-3, rows + 3)
        for col in range(-3, columns + 3)
    ]
    return [places for places in placed if all(0 <= row < rows and 0 <= col < columns for row, col in places)]


def _turn(form: tuple[Place, ...], turns: int) -> tuple[Place, ...]:
    return form if turns == 0 else _turn(tuple((col, -row) for row, col in form), turns - 1)


def _allowed(kind: str, places: list[Place], terrain: Terrain, there: dict[Place, str]) -> bool:
    if any(place in there for place in places):
        return False
    water = [terrain.lines[row][col] == "~" for row, col in sorted(places)]
    if kind == "bridge":
        if water[0] or water[-1] or not any(water):
            return False
    elif any(water):
        return False
    near = {there[place].split("#")[0] for place in beside(places) if place in there}
    at_sidewalk = any(row == terrain.rows - 1 for row, _ in places)
    if kind in ("road", "bridge"):
        return at_sidewalk or bool(near & {"road", "bridge", "tower"})
    if kind == "tower":
        return bool(near)
    return bool(near & {"road", "bridge", kind})
