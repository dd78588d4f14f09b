"""Tables of Tower of Babel for the tests, and a copy's scoring table and bonuses, made up for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from hypothesis import strategies as st

from scoring.spots.game import Laid, Scored, Value
from scoring.tower_of_babel.board import COLOURS, TWO_COLOURED, YES
from scoring.tower_of_babel.components import Components
from scoring.tower_of_babel.game import GAME

COPY = """
[scoring_table]
light = { most = 9, second = 5 }
[scoring_table.rows]
2 = { most = 10, second = 5 }
3 = { most = 11, second = 6 }
4 = { most = 12, second = 6 }
5 = { most = 13, second = 7 }
6 = { most = 14, second = 7 }
7 = { most = 15, second = 8 }
[disc_bonus]
3 = 11
5 = 31
6 = 43
7 = 57
8 = 73
9 = 91
"""
"""No board's numbers: the components file of an owner."""

COMPONENTS: Components = GAME.components(COPY)


def empty(players: Sequence[str]) -> dict[str, Value]:
    """Return a table with everything known, and nothing anywhere."""
    return {spot.id: spot.choices[0] for spot in GAME.spots(COMPONENTS, players, {})}


def scored(players: Sequence[str], more: Mapping[str, Value], components: Components = COMPONENTS) -> Scored:
    """Return the score of a table where everything else is known to be nothing."""
    return GAME.score(components, players, empty(players) | say_two_coloured(more) | dict(more))


def say_two_coloured(laid: Laid) -> dict[str, Value]:
    """State that discs of two colours were in the game, if a player has one."""
    pairs = (name.split(".")[2] for name, value in laid.items() if name.startswith("held.") and value)
    return {TWO_COLOURED: YES} if any("-" in pair for pair in pairs) else {}


def of_wonder(scores: Scored, wonder: str) -> dict[str, int]:
    """Return each player's points for a wonder, of those who have any."""
    return {entry.player: entry.points for entry in scores.entries if entry.feature == f"wonder.{wonder}"}


def players() -> st.SearchStrategy[tuple[str, ...]]:
    """Draw two to five of the colours, in any order."""
    return st.permutations(COLOURS).flatmap(lambda colours: st.integers(2, 5).map(lambda n: tuple(colours[:n])))


def tables() -> st.SearchStrategy[tuple[tuple[str, ...], Laid]]:
    """Draw players and contents of any spots, some of them unknown; few spots have anything, as on real tables."""
    return st.tuples(players(), st.integers(0, 10**6)).map(lambda draw: (draw[0], _strewn(*draw)))


def _strewn(who: Sequence[str], seed: int) -> Laid:
    random = Random(seed)
    known_share = random.choice((0.5, 0.9, 1))
    values: dict[str, Value] = {}
    for spot in GAME.spots(COMPONENTS, who, {}):
        if random.random() < known_share:
            values[spot.id] = spot.choices[min(random.choice((0, 0, 0, 1, 2, 5)), len(spot.choices) - 1)]
    return values | (say_two_coloured(values) if TWO_COLOURED in values else {})
