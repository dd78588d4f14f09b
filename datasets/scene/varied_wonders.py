"""Wonders whose edges and features differ from the inferred ones: varied at random within the rule texts.

No printed copy was available. A reader that treats guesses as facts does well only on tables drawn from those same
guesses. The roads and cities of these copies therefore meet other edges, the wonder stands on other squares of its
tile, and with `reshaped` the five squares form another shape.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from zlib import crc32

import numpy as np

from datasets.art.tileset import TileSet
from datasets.art.wonders import draw_wonder
from scoring.carcassonne.tiles.geometry import SIDES, Square, get_neighbour
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.carcassonne.wonders.files import read_wonder
from scoring.carcassonne.wonders.plans import TARGETS, End, PlannedCity, PlannedRoad, WonderPlan, write_plan
from scoring.carcassonne.wonders.tiles import WONDERS, WonderLayout, find_inner_sides
from scoring.carcassonne.wonders.validation import STATED
from scoring.errors import CatalogueError
from vision.arrays import Image

MAX_TRIES = 2000
"""Maximum number of plans tried until one can be drawn and has the stated number of fields."""
WALLED_SHARE, CLOSED_SHARE, COAT_SHARE = 0.5, 0.7, 0.2
"""Probability that a city beside its wonder stands against it, that a road joining wonder and monastery encloses a
field, and that a city has a coat of arms. Estimates: no source states them."""
MORE_EDGES_SHARE = 0.4
"""Probability that a city meets one edge more than half the number of its squares, and again for each further edge."""
OTHER_SHAPES: Mapping[str, Sequence[tuple[Square, ...]]] = {
    "WH/terracotta-army": (((0, 0), (0, 1), (0, 2), (1, 1), (2, 1)), ((0, 0), (0, 1), (0, 2), (0, 3), (1, 1))),
    "WH/tikal": (((0, 0), (0, 1), (1, 1), (1, 2), (2, 2)),),
    "WH/alhambra": (((0, 0), (1, 0), (2, 0), (1, 1), (2, 1)), ((0, 0), (1, 0), (2, 0), (1, 1), (1, 2))),
    "WH/abu-simbel": (((0, 0), (0, 1), (0, 2), (0, 3), (1, 3)), ((0, 0), (0, 1), (0, 2), (0, 3), (1, 1))),
    "WH/circus-maximus": (((0, 0), (1, 0), (2, 0), (1, 1), (2, 1)),),
}
"""Alternative shapes of five squares that a wonder's captions may mean."""


@dataclass(frozen=True, slots=True)
class Copies:
    """Random copies of wonders by seed, `of_each` of each, `reshaped` or not; each is made and drawn on demand."""

    seed: int
    reshaped: bool = False
    of_each: int = 12
    made: dict[tuple[str, int], WonderLayout] = field(default_factory=dict)
    pictures: dict[tuple[str, str, int], tuple[Image, ...]] = field(default_factory=dict)

    def sample(self, count: int, rng: np.random.Generator) -> tuple[WonderLayout, ...]:
        """Return copies of `count` different wonders."""
        ids = [str(id) for id in rng.permutation(list(WONDERS))[:count]]
        return tuple(self.make(id, int(rng.integers(self.of_each))) for id in ids)

    def make(self, id: str, number: int) -> WonderLayout:
        """Return copy `number` of a wonder, made once and kept."""
        if (id, number) not in self.made:
            rng = np.random.default_rng([self.seed, number, crc32(id.encode())])
            self.made[id, number] = vary_wonder(id, rng, self.reshaped)
        return self.made[id, number]

    def draw(self, tiles: TileSet, wonders: Sequence[WonderLayout], size: int) -> TileSet:
        """Return an art set with pictures of exactly these copies, in its own style, a tile `size` px wide."""
        if tiles.hand is None:
            return tiles
        for wonder in wonders:
            key = (tiles.name, wonder.id, self._find(wonder))
            if key not in self.pictures:
                self.pictures[key] = (draw_wonder(wonder, tiles.hand, self.seed + key[2], size),)
        pictures = {w.id: self.pictures[tiles.name, w.id, self._find(w)] for w in wonders}
        return replace(tiles, wonders={**tiles.wonders, **pictures})

    def _find(self, wonder: WonderLayout) -> int:
        return next(number for (_, number), copy in self.made.items() if copy is wonder)


def vary_wonder(id: str, rng: np.random.Generator, reshaped: bool = False) -> WonderLayout:
    """Return a copy of a wonder that the rule texts allow, its features on the inferred squares but at other edges.

    With `reshaped`, its squares also form another shape that the texts allow, if there is one. Raises CatalogueError if
    no copy could be drawn.
    """
    inferred = load_wonder_catalogue()[id]
    shapes = OTHER_SHAPES.get(id, ()) if reshaped else ()
    for _ in range(MAX_TRIES):
        squares = shapes[int(rng.integers(len(shapes)))] if shapes else inferred.squares
        try:
            layout = read_wonder(write_plan(_sample_plan(inferred, squares, rng)))
        except CatalogueError:
            continue
        if sum(part.kind == "field" for part in layout.parts) == STATED[id].fields:
            return layout
    raise CatalogueError("cannot_be_drawn", f"{id}: no copy of it could be drawn", id=id)


def _sample_plan(inferred: WonderLayout, squares: tuple[Square, ...], rng: np.random.Generator) -> WonderPlan:
    free = [(i, side) for i, square in enumerate(squares) for side in SIDES]
    free = [(i, side) for i, side in free if side not in find_inner_sides(squares, squares[i])]
    rng.shuffle(free)
    same = squares == inferred.squares
    ground = next(part.squares for part in inferred.parts if part.kind == "wonder")
    wonder = _sample_ground(ground, squares, rng) if same else _sample_region(len(set(ground)), squares, rng)
    cities, roads, monastery = list[PlannedCity](), list[PlannedRoad](), None
    for part in inferred.parts:
        covered = tuple(sorted(set(part.squares))) if same else _sample_region(len(set(part.squares)), squares, rng)
        if part.kind == "city":
            ends = _take_ends(free, covered, -(-len(covered) // 2) + int(rng.geometric(1 - MORE_EDGES_SHARE)) - 1)
            walled = bool(set(covered) & set(wonder)) and rng.random() < WALLED_SHARE
            cities.append(PlannedCity(covered, ends, int(rng.random() < COAT_SHARE), walled))
        elif part.kind == "road":
            ends = _take_ends(free, covered, part.open_ends)
            by_church = inferred.id == "WH/notre-dame" and len(covered) == 2
            closed = by_church and rng.random() < CLOSED_SHARE
            roads.append(PlannedRoad(covered, ends, TARGETS[: 1 + by_church], closed))
        elif part.kind == "monastery":
            monastery = covered[0]
    return WonderPlan(inferred.id, squares, wonder, tuple(cities), tuple(roads), monastery)


def _sample_ground(ground: Sequence[int], squares: Sequence[Square], rng: np.random.Generator) -> tuple[int, ...]:
    """Return at least one of the squares on which the wonder is inferred to stand, in random order."""
    order = [int(i) for i in rng.permutation(sorted(set(ground)))]
    return tuple(order[: int(rng.integers(1, len(order) + 1))])


def _sample_region(count: int, squares: Sequence[Square], rng: np.random.Generator) -> tuple[int, ...]:
    """Return `count` connected squares."""
    region = [int(rng.integers(len(squares)))]
    while len(region) < count:
        beside = sorted(set(_list_neighbours(region, squares)) - set(region))
        region.append(beside[int(rng.integers(len(beside)))])
    return tuple(region)


def _list_neighbours(region: Sequence[int], squares: Sequence[Square]) -> Iterator[int]:
    for i in region:
        near = {get_neighbour(squares[i], side) for side in SIDES}
        yield from (j for j, square in enumerate(squares) if square in near)


def _take_ends(free: list[End], covered: Sequence[int], count: int) -> tuple[End, ...]:
    """Take up to `count` free edges of the covered squares."""
    ends = [end for end in free if end[0] in covered][:count]
    for end in ends:
        free.remove(end)
    return tuple(ends)
