"""A copy's own layout: the features on the five squares of a wonder, as far as a photo shows them.

Its outer edges are read as those of any unknown tile, from both sides of the border. The layout in force is used if it
has just these edges. Otherwise a layout with these edges is made, in which each road and city covers the squares that
are stated, and the number of fields is as stated. A copy that differs from the layout in force at few edges is more
likely than any other, so a layout that contradicts a surely read neighbouring tile is doubtful.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, islice, product, zip_longest

import numpy as np

from scoring.calibration import load_weights
from scoring.carcassonne.board.board import PlacedWonder, Placement
from scoring.carcassonne.tiles.geometry import SIDES, Square
from scoring.carcassonne.wonders.files import read_wonder
from scoring.carcassonne.wonders.plans import TARGETS, End, PlannedCity, PlannedRoad, WonderPlan, write_plan
from scoring.carcassonne.wonders.tiles import COATS_UNSEEN, WonderLayout, list_outer_edges
from scoring.carcassonne.wonders.validation import STATED
from scoring.connected_squares import group_connected_squares
from scoring.errors import CatalogueError
from vision.arrays import Floats, Ints
from vision.board.legal.problem import EDGE_KINDS
from vision.board.wonders.edges import (
    CITY,
    FIELD,
    ROAD,
    Feature,
    bound_road_ends,
    count_edge_ways,
    list_features,
    list_kinds,
    weigh_edge_ways,
)
from vision.board.wonders.evidence import SquareEvidence
from vision.reading.values import WonderReading

MAX_COPIES, MIN_COPY_SHARE = 4, 0.02
"""Maximum number of possible edges of a copy, or of alternatives for an unread wonder, that are distinguished, and the
minimum probability of each copy. A guess."""
MAX_PLANS = 40
"""Maximum number of ways to draw a copy that are tried. Bounds time."""


@lru_cache(maxsize=256)
def list_edge_kinds(wonder: WonderLayout, turns: int) -> Ints:
    """Return (5, 4) indices into EDGE_KINDS of the edges N, E, S, W of each square as placed; -1 inside the tile."""
    named = [
        [Placement(wonder.id, turns, cell=cell, wonder=wonder).edge(side) for side in SIDES]
        for cell in range(len(wonder.cells))
    ]
    return np.array([[EDGE_KINDS.index(kind) if kind in EDGE_KINDS else -1 for kind in sides] for sides in named])


def weigh_layout(layout: WonderLayout, turns: int, edges: Floats, free: Floats) -> Floats:
    """Return (m,) the support of (m, 5, 4, 4) evidence at the sides of its squares for a wonder, whatever its copy.

    The layout in force, as turned, has the edges with its own share of probability; `free` (m,) is the evidence for any
    other edges.
    """
    share = _trust_layout(layout)
    return np.asarray(np.logaddexp(np.log(share) + _sum_layout(layout, turns, edges), np.log(1 - share) + free))


def read_copy(wonder: WonderReading, evidence: SquareEvidence, squares: Sequence[Square]) -> WonderReading:
    """Return the reading with the layout of the copy that the squares (row, col) of a board show.

    Other edges that it may have are alternatives. A tile whose outline is the same in several orientations is turned as
    its edges indicate. Edges with which no layout can be drawn are discarded: if there are no others, the layout stays.
    """
    number = {square: i for i, square in enumerate(squares)}
    copies = [copy for placed in _list_turned(wonder.placed) for copy in _read_turned(placed, evidence.edges, number)]
    copies.sort(key=lambda copy: -copy.nats)
    total = np.logaddexp.reduce([copy.nats for copy in copies])
    drawn: list[tuple[PlacedWonder, float]] = []
    undrawn = 0.0
    for copy in copies[: 2 * MAX_COPIES]:
        share = float(np.exp(copy.nats - total))
        if len(drawn) == MAX_COPIES or (drawn and share < MIN_COPY_SHARE):
            break
        if layout := copy.draw():
            drawn.append((replace(copy.placed, layout=layout), wonder.probability * share))
        else:
            undrawn += share
    believed = wonder.probability * (1 - undrawn)
    if not drawn:
        return replace(wonder, probability=believed)
    (best, _), *others = drawn
    probability = believed - sum(share for _, share in others)
    return replace(wonder, placed=best, probability=probability, alternatives=(*others, *wonder.alternatives))


@dataclass(frozen=True, slots=True, eq=False)
class _Copy:
    """A possible copy and its evidence: the layout in force, or another with some outer edges.

    `shown` are the indices of their `features`, None for the layout in force.
    """

    placed: PlacedWonder
    features: tuple[Feature, ...]
    shown: tuple[int | None, ...] | None
    nats: float

    def draw(self) -> WonderLayout | None:
        """Return its layout, or None if none can be drawn."""
        layout = self.placed.layout
        if self.shown is None:
            return layout
        return draw_copy(layout, tuple(list_outer_edges(layout.squares)), self.shown, self.features)


def _list_turned(placed: PlacedWonder) -> Iterator[PlacedWonder]:
    """Yield the orientations in which a wonder covers the same squares."""
    layout, covered = placed.layout, {*placed.squares}
    for turns in range(1 if layout.is_bare else 4):
        for square in covered:
            turned = PlacedWonder(layout, layout.anchor(square, 0, turns), turns)
            if {*turned.squares} == covered:
                yield turned


def _read_turned(placed: PlacedWonder, edges: Floats, number: Mapping[Square, int]) -> Iterator[_Copy]:
    """Yield the copies that the squares may show of a wonder in this orientation."""
    layout = placed.layout
    ends = list_outer_edges(layout.squares)
    at = [number[placed.squares[cell]] for cell, _ in ends]
    evidence = np.array(
        [edges[i, (SIDES.index(side) + placed.turns) % 4] for i, (_, side) in zip(at, ends, strict=True)]
    )
    features = _list_loose_features(layout) if layout.is_bare else list_features(layout)
    ways, total = weigh_edge_ways(evidence, ends, features)
    share = 0.0 if layout.is_bare else _trust_layout(layout)
    rest = np.log(1 - share) - np.log(count_edge_ways(ends, features))
    by_cell = list_edge_kinds(layout, 0)
    kinds = np.array([by_cell[cell, SIDES.index(side)] for cell, side in ends])
    if share:
        nats = np.logaddexp(np.log(share) + _weigh_slips(0, len(ends)), rest)
        yield _Copy(placed, features, None, float(nats + evidence[np.arange(len(ends)), kinds].sum()))
    for way in ways:
        slips = int((list_kinds(way, features) != kinds).sum())
        if not share or slips:
            prior = np.logaddexp(np.log(share) + _weigh_slips(slips, len(ends)), rest) if share else rest
            yield _Copy(placed, features, way.features, float(prior + total + np.log(way.probability)))


@lru_cache(maxsize=64)
def draw_copy(
    layout: WonderLayout, ends: tuple[End, ...], at: tuple[int | None, ...], features: tuple[Feature, ...]
) -> WonderLayout | None:
    """Return a layout on the squares of another whose outer edges show features by their indices; None without one.

    The layout with the stated number of fields is preferred.
    """
    drawn = None
    for plan in islice(_list_plans(layout, ends, at, features), MAX_PLANS):
        try:
            copy = read_wonder({**write_plan(plan), "inferred": ["what lies within it", COATS_UNSEEN]})
        except CatalogueError:
            continue
        drawn = drawn or copy
        if sum(part.kind == "field" for part in copy.parts) == STATED[layout.id].fields:
            return copy
    return drawn


def _weigh_slips(slips: int, ends: int) -> float:
    """Return the log-probability that a copy differs from a layout in these ways at `slips` of its edges."""
    slip = load_weights("carcassonne", "wonders")["layout"]["slip"]
    return slips * float(np.log(slip / 2)) + (ends - slips) * float(np.log(1 - slip))


def _trust_layout(layout: WonderLayout) -> float:
    """Return the probability that a copy has the edges of a layout."""
    return load_weights("carcassonne", "wonders")["layout"]["inferred" if layout.is_guessed else "known"]


def _sum_layout(layout: WonderLayout, turns: int, edges: Floats) -> Floats:
    """Return (m,) the support of (m, 5, 4, 4) evidence for the edges of a layout."""
    kinds = list_edge_kinds(layout, turns)
    cells, sides = np.nonzero(kinds >= 0)
    return np.asarray(edges[:, cells, sides, kinds[cells, sides]].sum(axis=1))


def _list_loose_features(layout: WonderLayout) -> tuple[Feature, ...]:
    """Return all roads as one feature and all cities as one, if the squares they cover are unknown."""
    everywhere = tuple(range(len(layout.squares)))
    return (
        Feature(ROAD, everywhere, *bound_road_ends(layout.id)),
        Feature(CITY, everywhere, len(STATED[layout.id].cities)),
    )


_Laid = tuple[tuple[Feature, tuple[End, ...]], ...]
"""Features, each with the outer edges that it meets."""


def _list_plans(
    layout: WonderLayout, ends: tuple[End, ...], at: tuple[int | None, ...], features: tuple[Feature, ...]
) -> Iterator[WonderPlan]:
    """Yield ways to lay features through the squares to their edges, the simplest first; covers take turns."""
    if not layout.is_bare:
        ground = tuple(sorted({square for part in layout.parts if part.kind == "wonder" for square in part.squares}))
        church = next((part.squares[0] for part in layout.parts if part.kind == "monastery"), None)
        laid = tuple(
            (feature, tuple(end for end, number in zip(ends, at, strict=True) if number == i))
            for i, feature in enumerate(features)
        )
        for narrowed in (ground, *((square,) for square in ground)):
            yield from _plan_cover(layout, laid, narrowed, church)
        return
    by_cover = [_plan_bare_cover(layout, laid) for laid in _list_covers(layout, ends, at, features)]
    yield from (plan for plans in zip_longest(*by_cover) for plan in plans if plan is not None)


def _plan_bare_cover(layout: WonderLayout, laid: _Laid) -> Iterator[WonderPlan]:
    """Yield plans with the wonder at the end of all roads, and the monastery on its own road beside it."""
    roads = [feature for feature, _ in laid if feature.kind == ROAD]
    for size in range(1, len(layout.squares) + 1):
        for ground in _list_regions(layout.squares, set(), size):
            if not all({*road.squares} & {*ground} for road in roads):
                continue
            by_church = next((road for road in roads if _leads_by_church(layout.id, road)), None)
            churches = [square for square in by_church.squares if square not in ground] if by_church else [None]
            for church in churches:
                yield from _plan_cover(layout, laid, ground, church)


def _plan_cover(layout: WonderLayout, laid: _Laid, ground: tuple[int, ...], church: int | None) -> Iterator[WonderPlan]:
    """Yield plans with any cities standing against the wonder, and a field within the monastery's road or none."""
    cities = [(feature, met) for feature, met in laid if feature.kind == CITY]
    roads = [(feature, met) for feature, met in laid if feature.kind == ROAD]
    near = [i for i, (feature, _) in enumerate(cities) if {*feature.squares} & {*ground}]
    for walled in ({*chosen} for n in range(len(near) + 1) for chosen in combinations(near, n)):
        for closed in (False, True) if church is not None else (False,):
            yield WonderPlan(
                layout.id,
                layout.squares,
                ground,
                tuple(PlannedCity(f.squares, met, 0, i in walled) for i, (f, met) in enumerate(cities)),
                tuple(_plan_road(layout.id, feature, met, closed) for feature, met in roads),
                church,
            )


def _plan_road(wonder: str, feature: Feature, met: tuple[End, ...], closed: bool) -> PlannedRoad:
    by_church = _leads_by_church(wonder, feature)
    return PlannedRoad(feature.squares, met, TARGETS[: 1 + by_church], closed and by_church)


def _leads_by_church(wonder: str, road: Feature) -> bool:
    """Return whether a road leads to the monastery as well as to the wonder: the long one does."""
    return bool(STATED[wonder].monasteries) and len(road.squares) > 1


def _list_covers(
    layout: WonderLayout, ends: tuple[End, ...], at: tuple[int | None, ...], features: tuple[Feature, ...]
) -> Iterator[_Laid]:
    """Yield ways to share the edges of either kind among the stated roads and cities, with their squares."""
    stated = STATED[layout.id]
    kinds = [FIELD if number is None else features[number].kind for number in at]
    road_ends = tuple(end for end, kind in zip(ends, kinds, strict=True) if kind == ROAD)
    city_ends = tuple(end for end, kind in zip(ends, kinds, strict=True) if kind == CITY)
    roads = [(ROAD, road.squares, road.open_ends if stated.ends_are_known else len(road_ends)) for road in stated.roads]
    for laid_roads in _share_roads(layout.squares, road_ends, roads):
        for laid_cities in _share_cities(layout.squares, city_ends, stated.cities):
            yield (*laid_cities, *laid_roads)


def _share_roads(
    squares: tuple[Square, ...], ends: tuple[End, ...], roads: Sequence[tuple[int, int, int]]
) -> Iterator[_Laid]:
    if not roads:
        if not ends:
            yield ()
        return
    (kind, size, count), *others = roads
    for met in combinations(ends, count):
        rest = tuple(end for end in ends if end not in met)
        for cover in _list_regions(squares, {cell for cell, _ in met}, size):
            for more in _share_roads(squares, rest, others):
                yield ((Feature(kind, cover, count, count), met), *more)


def _share_cities(squares: tuple[Square, ...], ends: tuple[End, ...], sizes: Sequence[int]) -> Iterator[_Laid]:
    for owners in product(range(len(sizes)), repeat=len(ends)):
        if {*owners} != {*range(len(sizes))}:
            continue
        met = [tuple(end for end, owner in zip(ends, owners, strict=True) if owner == n) for n in range(len(sizes))]
        covers = [
            [*_list_regions(squares, {cell for cell, _ in edges}, size)] for edges, size in zip(met, sizes, strict=True)
        ]
        for chosen in product(*covers):
            yield tuple((Feature(CITY, cover, 1), edges) for cover, edges in zip(chosen, met, strict=True))


def _list_regions(squares: tuple[Square, ...], within: set[int], size: int) -> Iterator[tuple[int, ...]]:
    """Yield the connected sets of `size` squares that contain those of `within`."""
    for region in combinations(range(len(squares)), size):
        if within <= {*region} and len(group_connected_squares([squares[i] for i in region])) == 1:
            yield region
