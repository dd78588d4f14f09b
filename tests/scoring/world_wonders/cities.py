"""Cities to test with, written down as text: words for squares, `/` between rows; `.` is nothing, `?` unknown."""

from __future__ import annotations

import re

from hypothesis import strategies as st

from scoring.spots.game import Scored, Value
from scoring.world_wonders.board import Board, build_board
from scoring.world_wonders.components import Components, load_components
from scoring.world_wonders.game import GAME
from scoring.world_wonders.kinds import BUILDINGS, NOTHING
from scoring.world_wonders.terrain import Terrain

KINDS = {"r": "road", "b": "bridge", "t": "tower", "x": "monument"} | {name[0].upper(): name for name in BUILDINGS}
TRACKS = """
[resources]
side = "A"
[resources.A.population]
last = 12
rings = [2, 4, 4, 7, 12]
[resources.A.food]
last = 15
population = [2, 5]
[resources.A.ceramics]
last = 15
population = [3, 6]
[resources.A.gears]
last = 15
population = [4]
"""


def printed(*rows: str, more: str = "") -> Components:
    """Return components with one map for all, and tracks as above."""
    naturals = sum(row.count("*") for row in rows)
    grid = "\n".join(rows)
    map_side = f'[map]\nside = "A"\nnatural_resources = {naturals}\nA = """\n{grid}\n"""'
    return load_components(f"{map_side}\n{TRACKS}\n{more}")


def convert_to_spots(board: Board) -> dict[str, Value]:
    """Return the contents of a map as spots: the inverse of `build_board`."""
    return {
        board.spot(square): board.at[square].name.value if square in board.at else NOTHING
        for square in board.terrain.squares
        if square not in board.unknown
    }


def city(player: str, text: str) -> dict[str, Value]:
    """Return the squares of a player's map."""
    values: dict[str, Value] = {}
    for row, line in enumerate(text.split("/")):
        for col, word in enumerate(line.split()):
            if word != "?":
                values[f"map.{player}.{row}.{col}"] = _value(word)
    return values


def beside(player: str, population: int, resources: tuple[int, int, int], loan: bool = False) -> dict[str, Value]:
    """Return a player's markers and loan."""
    food, ceramics, gears = resources
    tracks = {"population": population, "food": food, "ceramics": ceramics, "gears": gears}
    values: dict[str, Value] = {f"resource.{player}.{track}": value for track, value in tracks.items()}
    return values | {f"loan.{player}": "yes" if loan else "no"}


def no_cards() -> dict[str, Value]:
    """Return a game without Advanced Play."""
    return {f"objective.{number}": "-" for number in (1, 2, 3)}


def board(text: str, *rows: str) -> Board:
    """Return a map alone: the given rows of terrain, or land everywhere."""
    lines = rows or tuple("." * len(line.split()) for line in text.split("/"))
    return build_board("red", Terrain(lines), city("red", text))


def points(scored: Scored, player: str, rule: str) -> int:
    """Return a player's points by a rule."""
    return sum(entry.points for entry in scored.entries if entry.player == player and entry.rule.startswith(rule))


def score(components: Components, *parts: dict[str, Value]) -> Scored:
    """Return the score of the players that have maps in these parts of a table."""
    values = {spot: value for part in parts for spot, value in part.items()}
    players = tuple(dict.fromkeys(spot.split(".")[1] for spot in values if spot.startswith("map.")))
    return GAME.score(components, players, values)


@st.composite
def cities(draw: st.DrawFn, unknown: bool = True) -> tuple[Terrain, dict[str, Value]]:
    """Draw any map of a few squares with anything on it, legal or not."""
    rows, columns = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    line = st.lists(st.sampled_from("....~*"), min_size=columns, max_size=columns).map("".join)
    terrain = Terrain(tuple(draw(line) for _ in range(rows)))
    words = [".", ".", ".", "r1", "r2", "b1", "t1", "L1", "L2", "F1", "F2", "giza1", "x1"] + ["?"] * unknown
    line = st.lists(st.sampled_from(words), min_size=columns, max_size=columns).map(" ".join)
    return terrain, city("red", "/".join(draw(line) for _ in range(rows)))


def on(terrain: Terrain, values: dict[str, Value]) -> Board:
    """Return the map of `cities`."""
    return build_board("red", terrain, values)


def _value(word: str) -> str:
    if word == ".":
        return "-"
    match = re.fullmatch(r"([A-Za-z-]+)([0-9]+)", word)
    assert match is not None, word
    return f"{KINDS.get(match[1], match[1])}#{match[2]}"
