"""The outlines of 5 squares, by letter, and the outline of each wonder.

The rule texts print no outline. The description of a wonder's squares in their captions fits one outline best, and
sometimes others as well; the remaining probability is shared by all outlines of 5 squares.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache

from scoring.carcassonne.tiles.geometry import Square
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.carcassonne.wonders.tiles import WonderLayout, turn_square

_PENTOMINOES = {
    "F": ".##/##./.#.",
    "I": "#####",
    "L": "####/#...",
    "N": "##../.###",
    "P": "##/##/#.",
    "T": "###/.#./.#.",
    "U": "#.#/###",
    "V": "#../#../###",
    "W": "#../##./.##",
    "X": ".#./###/.#.",
    "Y": "####/.#..",
    "Z": "##./.#./.##",
}
OTHER_OUTLINES: Mapping[str, Mapping[str, float]] = {
    "WH/circus-maximus": {"P": 0.1},
    "WH/alhambra": {"P": 0.07, "T": 0.07},
    "WH/abu-simbel": {"L": 0.05, "Y": 0.05, "N": 0.05},
    "WH/tikal": {"W": 0.2, "N": 0.1},
    "WH/terracotta-army": {"T": 0.38, "Y": 0.1},
}
"""Probability of outlines other than the inferred one, for wonders whose captions fit others as well. A guess."""
INFERRED_OUTLINE = {
    "WH/stonehenge": 0.9,
    "WH/notre-dame": 0.9,
    "WH/circus-maximus": 0.8,
    "WH/alhambra": 0.8,
    "WH/abu-simbel": 0.8,
    "WH/tikal": 0.6,
    "WH/angkor-wat": 0.95,
    "WH/terracotta-army": 0.47,
}
"""Probability of the inferred outline of each wonder. A guess."""
HARDLY_SHARE, LIKELY_SHARE = 0.05, 0.4
"""Maximum probability of an unlikely outline of a wonder, and minimum probability of a likely one. A guess."""
OWN_OUTLINE = 0.99
"""Probability that a wonder has the outline given by a person. A guess."""


def move_squares(squares: Sequence[Square], turns: int = 0) -> tuple[Square, ...]:
    """Return squares (row, col) turned clockwise and shifted so that rows and columns start at 0."""
    turned = [turn_square(square, turns) for square in squares]
    row, col = min(r for r, _ in turned), min(c for _, c in turned)
    return tuple((r - row, c - col) for r, c in turned)


@cache
def list_turned_outlines(squares: tuple[Square, ...]) -> tuple[tuple[Square, ...], ...]:
    """Return the outline of 5 squares (row, col) in each of the 4 turns, shifted to start at 0, 0 and sorted."""
    return tuple(tuple(sorted(move_squares(squares, turns))) for turns in range(4))


@cache
def list_outlines() -> Mapping[tuple[Square, ...], str]:
    """Return the letter of each of the 63 arrangements of 5 connected squares, turned and mirrored."""
    return {outline: letter for letter, text in _PENTOMINOES.items() for outline in _list_ways(text)}


@cache
def _group_outlines() -> Mapping[str, list[tuple[Square, ...]]]:
    """Return the outlines of each letter."""
    groups: dict[str, list[tuple[Square, ...]]] = {}
    for outline, letter in list_outlines().items():
        groups.setdefault(letter, []).append(outline)
    return groups


@lru_cache(maxsize=4096)
def weigh_outline(layout: WonderLayout, outline: tuple[Square, ...]) -> float:
    """Return the probability that a wonder with this layout has an outline, in any turn; a mirrored outline is a
    different one.

    A layout whose outline and edges are not guessed is a person's own, and its outline is almost certain.
    """
    turned_outlines = list_turned_outlines(layout.squares)
    inferred = INFERRED_OUTLINE[layout.id] if layout.is_guessed else OWN_OUTLINE
    if outline in turned_outlines:
        return inferred
    letters, others = list_outlines(), OTHER_OUTLINES.get(layout.id, {}) if layout.is_guessed else {}
    letter = letters[outline]
    mirrored = sum(squares not in turned_outlines for squares in _group_outlines()[letter]) / 4
    rest = 1 - inferred - sum(others.values())
    return others.get(letter, rest / len(_PENTOMINOES)) / max(1.0, mirrored)


def find_likelier_wonder(layout: WonderLayout) -> str | None:
    """Return the id of another wonder that likely has the outline of a layout, if its own wonder is unlikely to have
    it.

    Otherwise return None. The shipped layouts decide, whatever was enrolled.
    """
    outline = tuple(sorted(move_squares(layout.squares)))
    shares = {id: weigh_outline(shipped, outline) for id, shipped in load_wonder_catalogue().items()}
    likeliest = max(shares, key=lambda id: shares[id])
    return likeliest if shares[layout.id] < HARDLY_SHARE and shares[likeliest] > LIKELY_SHARE else None


def _list_ways(text: str) -> Iterator[tuple[Square, ...]]:
    squares = [(row, col) for row, line in enumerate(text.split("/")) for col, mark in enumerate(line) if mark == "#"]
    for turns in range(4):
        yield tuple(sorted(move_squares(squares, turns)))
        yield tuple(sorted(move_squares([(row, -col) for row, col in squares], turns)))
