"""Random games on a map: pieces laid one after another, each wherever the rules allow it at that moment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from datasets.world_wonders.own_copy import (
    BESIDE_WATER,
    BUILDINGS,
    COLS,
    GROUND,
    MIN_WATER,
    MONUMENTS,
    MORE_SHAPES,
    PIECES,
    POPULATION_AT,
    ROADS,
    ROWS,
    SHAPES,
    TRACKS,
    WATER,
    Cell,
    Land,
    turn_cells,
)

TRIES = 60
TOWERS = 3


@dataclass(frozen=True, slots=True)
class Laid:
    """A piece on a map: its kind (a monument's is its name), shape, squares, and quarter turns."""

    kind: str
    shape: str
    cells: tuple[Cell, ...]
    turns: int
    at: Cell
    """The north-west square of its bounding rectangle."""


@dataclass(slots=True)
class City:
    """A player's pieces, and the space of each track's marker."""

    colour: str
    land: Land
    pieces: list[Laid] = field(default_factory=list)
    tracks: dict[str, int] = field(default_factory=dict)

    @property
    def owner(self) -> dict[Cell, Laid]:
        return {cell: piece for piece in self.pieces for cell in piece.cells}


def deal_city(
    colour: str,
    land: Land,
    turns: int,
    rng: np.random.Generator,
    rare: float = 1.0,
    shapes: Sequence[str] = tuple(SHAPES),
) -> City:
    """Deal a city after `turns` purchases, with markers about as far as these would bring them.

    Towers and monuments are `rare` times as likely as in a game; buildings have one of the `shapes`.
    """
    city = City(colour, land)
    _lay(city, "road", "4", rng)
    kinds = ["road", "tower", "monument", *BUILDINGS]
    weights = np.array([0.22, 0.05 * rare, 0.09 * rare, *(float(w) for w in rng.dirichlet(np.full(5, 3.0)) * 0.64)])
    left = set(MONUMENTS)
    for _ in range(turns):
        kind = str(rng.choice(kinds, p=weights / weights.sum()))
        if kind == "road":
            for length in (4,) if rng.random() < 0.6 else ROADS[1:] + ROADS[1:2]:
                _lay(city, "road", str(length), rng)
        elif kind == "tower" and sum(piece.kind == "tower" for piece in city.pieces) < TOWERS:
            _lay(city, "tower", "1", rng)
        elif kind == "monument" and left:
            name = str(rng.choice(sorted(left)))
            if _lay_monument(city, name, rng):
                left.remove(name)
        elif kind in BUILDINGS:
            _lay(city, kind, str(rng.choice(list(shapes))), rng)
    _produce(city, rng)
    return city


def list_values(city: City) -> Iterator[tuple[Cell, str]]:
    """Yield each square with its value: the pieces of a kind are numbered in row-major order of their first squares.

    All pieces of a monument count as one.
    """
    owner, counts, names = city.owner, Counter[str](), dict[Laid, str]()
    for cell in ((row, col) for row in range(ROWS) for col in range(COLS)):
        piece = owner.get(cell)
        if piece is not None and piece not in names:
            counts[piece.kind] = 1 if piece.kind in MONUMENTS else counts[piece.kind] + 1
            names[piece] = f"{piece.kind}#{counts[piece.kind]}"
        yield cell, "-" if piece is None else names[piece]


def _lay_monument(city: City, name: str, rng: np.random.Generator) -> bool:
    """Lay all pieces of a monument, each next to the last or one square apart; lay none if one of them finds no
    place."""
    before = len(city.pieces)
    if not _lay(city, name, name, rng):
        return False
    near: set[Cell] = set()
    for _ in range(1, PIECES.get(name, 1)):
        near |= {next_but_one for cell in _around(city.pieces[-1].cells) for next_but_one in (cell, *_around((cell,)))}
        if not _lay(city, name, name, rng, near):
            del city.pieces[before:]
            return False
    return True


def _lay(city: City, kind: str, shape: str, rng: np.random.Generator, among: Collection[Cell] = ()) -> bool:
    """Lay a piece at random where it is allowed; if `among` is given, anywhere on those squares except water."""
    owner = city.owner
    for _ in range(TRIES):
        turns = int(rng.integers(4))
        cells = turn_cells(_cells(kind, shape), turns)
        high, wide = (1 + max(cell[axis] for cell in cells) for axis in (0, 1))
        if high > ROWS or wide > COLS:
            continue
        at = (int(rng.integers(ROWS - high + 1)), int(rng.integers(COLS - wide + 1)))
        placed = tuple((at[0] + r, at[1] + c) for r, c in cells)
        if any(cell in owner for cell in placed):
            continue
        if among:
            if not all(cell in among and city.land.at(cell) != WATER for cell in placed):
                continue
            city.pieces.append(Laid(kind, shape, placed, turns, at))
            return True
        final_kind = _kind_there(city, kind, shape, placed, owner)
        if final_kind is not None:
            city.pieces.append(Laid(final_kind, shape, placed, turns, at))
            return True
    return False


def _cells(kind: str, shape: str) -> Sequence[Cell]:
    if kind in BUILDINGS:
        return MORE_SHAPES[shape]
    if kind in MONUMENTS:
        return MONUMENTS[kind]
    return [(0, c) for c in range(int(shape))]


def _kind_there(city: City, kind: str, shape: str, cells: tuple[Cell, ...], owner: dict[Cell, Laid]) -> str | None:
    """Return the piece's kind if it is allowed there (a long road over water is a bridge), else None."""
    wet = [city.land.at(cell) == WATER for cell in cells]
    beside = {owner[cell].kind for cell in _around(cells) if cell in owner}
    if kind == "road":
        joined = beside & {"road", "bridge", "tower"} or any(row == ROWS - 1 for row, _ in cells)
        if not joined or (not city.pieces and not any(row == ROWS - 1 for row, _ in cells)):
            return None
        if not any(wet):
            return "road"
        return "bridge" if shape == "4" and not (wet[0] or wet[-1]) else None
    if kind in MONUMENTS:
        return kind if _suits_ground(city, kind, cells, wet) and beside & {"road", "bridge"} else None
    if any(wet):
        return None
    if kind == "tower":
        return kind if beside else None
    if kind in BUILDINGS:
        return kind if beside & {"road", "bridge", kind} else None
    raise ValueError(kind)


def _suits_ground(city: City, name: str, cells: tuple[Cell, ...], wet: list[bool]) -> bool:
    """Return whether a monument's squares meet its card's conditions on land, water and adjacent water."""
    letters = GROUND.get(name, "#" * len(cells))
    fits = all(letter == "?" or (letter == "~") == water for letter, water in zip(letters, wet, strict=True))
    near_water = any(_is_water(city, cell) for cell in _around(cells))
    return fits and sum(wet) >= MIN_WATER.get(name, 0) and (name not in BESIDE_WATER or near_water)


def _is_water(city: City, cell: Cell) -> bool:
    return 0 <= cell[0] < ROWS and 0 <= cell[1] < COLS and city.land.at(cell) == WATER


def _around(cells: tuple[Cell, ...]) -> set[Cell]:
    steps = ((-1, 0), (1, 0), (0, -1), (0, 1))
    return {(r + dr, c + dc) for r, c in cells for dr, dc in steps} - set(cells)


def _produce(city: City, rng: np.random.Generator) -> None:
    bought = sum(piece.kind in BUILDINGS or piece.kind in MONUMENTS for piece in city.pieces)
    for name in POPULATION_AT:
        mean = 1 + 0.5 * bought
        city.tracks[name] = int(np.clip(round(rng.normal(mean, 2)), 0, TRACKS[name] - 1))
    passed = sum(space <= city.tracks[name] for name, spaces in POPULATION_AT.items() for space in spaces)
    city.tracks["population"] = min(passed, TRACKS["population"] - 1)
    city.tracks["gold"] = int(rng.choice([0, 7, int(rng.integers(8))]))
