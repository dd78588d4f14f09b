"""Random games: legal boards with the meeples still standing on them at the end."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from random import Random

from shapely import Point, box, prepare
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from scoring.carcassonne.board.board import MEEPLES_A_PLAYER, Board, PlacedMeeple, Placement
from scoring.carcassonne.board.features import Member
from scoring.carcassonne.play.placement import find_wonder_places, get_layout_edges
from scoring.carcassonne.play.running_features import Laying, Tracker
from scoring.carcassonne.tiles.catalogue import (
    BOXES,
    LATER_PRINTINGS,
    ROAD_WIDTH_TILES,
    Catalogue,
    TileLayout,
    list_distinct_turns,
    load_base_catalogue,
    load_catalogue,
)
from scoring.carcassonne.tiles.geometry import SIDES, Square, get_neighbour, get_opposite_side, place_geometry
from scoring.carcassonne.tiles.kinds import HOUSES
from scoring.carcassonne.tiles.layout import Segment
from scoring.carcassonne.tiles.other_boxes import load_other_catalogue
from scoring.carcassonne.wonders.tiles import WonderLayout

COLOURS = ("red", "blue", "green", "yellow", "black")
START = "D"
SPRING = "RI/s"
EXPANSIONS = BOXES[1:]
"""The boxes beside the base game."""
MAX_SQUARES_TRIED = 14
"""Number of squares at which a wonder's fit is tried. A guess."""
MARGINS_TILES = (0.16, 0.12, 0.09, 0.06, 0.04, 0.02)
"""Distances of a meeple's foot from the border of its segment, in tiles: the first that leaves room is used. A guess.
"""
WELL_INSIDE = box(MARGINS_TILES[-1], MARGINS_TILES[-1], 1 - MARGINS_TILES[-1], 1 - MARGINS_TILES[-1])
"""Area of the unit square in which a foot stands clearly on this tile and not on the next one."""

ROOM_TILES = {"standing": 0.18, "upside_down": 0.18, "lying": 0.19, "disc": 0.2}
"""Radius of the room that a piece takes around its foot, in tiles, for any orientation: half its width. Pieces are
solid.
"""
MAX_TRIES = 40
"""Maximum number of tries to set a piece clear of all others. A guess."""

_EAGERNESS = {"city": 0.75, **dict.fromkeys(HOUSES, 0.9), "road": 0.55, "field": 0.12}
"""Probability that a player claims a free feature of each kind on the tile just placed. A guess."""


class _Game:
    """A game under way: the tracker of its tiles and features, and the meeples in hand.

    `constraints` are the lands that an empty square's neighbours show to it, by its sides.
    """

    def __init__(self, rng: Random, colours: tuple[str, ...], meeples: int) -> None:
        self.tracker = Tracker()
        self.hands = Counter(dict.fromkeys(colours, meeples))
        self._rng = rng
        self._constraints: dict[Square, dict[str, str]] = {}
        self._compact, self._central = rng.uniform(0.0, 3.0), rng.uniform(0.0, 0.5)

    def play(self, layout: TileLayout, colour: str) -> bool:
        """Place a tile where it fits, and perhaps a meeple on it; return False if it fits nowhere.

        A river tile continues the river and leaves room for the next one.
        """
        places = self._places(layout)
        if layout.rivers and self.tracker.tiles:
            places = [place for place in places if self._carries_on(layout, *place)]
        if not places:
            return False
        weights = [self._weight(square) for square, _ in places]
        square, turns = self._rng.choices(places, weights)[0]
        laying = self._lay({square: Placement(layout.id, turns)})
        if self.hands[colour]:
            members = [(square, index) for index in range(len(laying.tiles[square].layout.segments))]
            self._claim(laying, members, colour, 1.0)
        self._commit(laying)
        return True

    def lay(self, wonder: WonderLayout, colour: str) -> bool:
        """Lay a wonder where it fits, marked, perhaps with 2 meeples on it; return False if it fits nowhere."""
        near = self._rng.sample(list(self._constraints), min(MAX_SQUARES_TRIED, len(self._constraints)))
        places = list(find_wonder_places(wonder, self.tracker.tiles, near))
        if not places:
            return False
        place = self._rng.choice(places)
        laying = self._lay(place.placements)
        members = [
            (square, index)
            for square, placement in laying.tiles.items()
            for index, segment in enumerate(placement.layout.segments)
            if segment.kind in _EAGERNESS and _has_room(segment)
        ]
        for _ in range(2):
            self._claim(laying, list(members), colour, 0.5)
        cell, segment = wonder.marked
        laying.stand(PlacedMeeple(colour, place.squares[cell], segment, "upside_down"))
        self._commit(laying)
        return True

    def board(self) -> Board:
        """Return the board on the table, shifted so that rows and columns begin at 0."""
        meeples = [meeple for holding in self.tracker.holdings() for meeple in holding.pieces]
        return build_board_at_origin(self.tracker.tiles, meeples)

    def _places(self, layout: TileLayout) -> list[tuple[Square, int]]:
        if not self.tracker.tiles:
            return [((0, 0), turns) for turns in range(layout.symmetry)]
        sides = [(turns, get_layout_edges(layout, turns)) for turns in list_distinct_turns(layout)]
        return [
            (square, turns)
            for square, wanted in self._constraints.items()
            for turns, edges in sides
            if all(edges[side] == kind for side, kind in wanted.items())
        ]

    def _carries_on(self, layout: TileLayout, square: Square, turns: int) -> bool:
        wanted = self._constraints[square]
        mouths = [
            side for side, kind in get_layout_edges(layout, turns).items() if kind == "river" and side not in wanted
        ]
        return "river" in wanted.values() and not any(
            get_neighbour(square, side) in self._constraints for side in mouths
        )

    def _weight(self, square: Square) -> float:
        touching = len(self._constraints.get(square, ()))
        return float((1 + touching) ** (2 * self._compact) / (1 + self._central * (abs(square[0]) + abs(square[1]))))

    def _lay(self, placements: Mapping[Square, Placement]) -> Laying:
        laying = Laying(self.tracker)
        laying.lay(placements)
        for square, placement in placements.items():
            self._constraints.pop(square, None)
            for side in SIDES:
                across = get_neighbour(square, side)
                if across not in self.tracker.tiles and across not in placements:
                    self._constraints.setdefault(across, {})[get_opposite_side(side)] = placement.edge(side)
        return laying

    def _claim(self, laying: Laying, members: list[Member], colour: str, eagerness: float) -> None:
        """Perhaps set one meeple on a free feature among those of the members."""
        self._rng.shuffle(members)
        for square, index in members:
            kind, holding = (
                laying.tiles[square].layout.segments[index].kind,
                laying.holding(laying.root((square, index))),
            )
            if self.hands[colour] and not holding.pieces and self._rng.random() < _EAGERNESS.get(kind, 0) * eagerness:
                laying.stand(PlacedMeeple(colour, square, index, "lying" if kind == "field" else "standing"))
                self.hands[colour] -= 1
                return

    def _commit(self, laying: Laying) -> None:
        """Return the meeples of every feature that the tile just placed completes to their players."""
        for root in laying.completed():
            self.hands.update(meeple.colour for meeple in laying.clear(root))
        self.tracker.commit(laying)


def deal_random_board(
    rng: Random,
    tiles: int = 72,
    players: int | None = None,
    meeples: int = MEEPLES_A_PLAYER,
    catalogue: Catalogue | None = None,
    wonders: Sequence[WonderLayout] = (),
) -> Board:
    """Return a board as `tiles` turns of a game leave it, with `meeples` for each player.

    The number of players is drawn from 2 to 5 if not given. The tiles are those of `catalogue`, or of the base game by
    default.

    The start tile, or the river from its spring, comes first. The other tiles follow in random order, each at a random
    place where it fits; a tile that fits nowhere goes to the bottom of the pile. Some boards grow in blocks, some in
    long arms. Squares begin at (0, 0).

    Each of the `wonders` covers 5 further squares and is laid at a random turn; one that never fits is left out.
    """
    colours = tuple(rng.sample(COLOURS, players or rng.randint(2, 5)))
    game = _Game(rng, colours, meeples)
    river, pile = split_river(build_shuffled_pile(rng, catalogue or load_base_catalogue()))
    turn = misfits = 0
    for layout in river[:tiles]:
        turn += game.play(layout, colours[turn % len(colours)])
    waiting, owner = list(wonders), 0
    while len(game.tracker.tiles) < tiles and misfits < len(pile):
        if waiting and game.tracker.tiles and rng.random() < 2 * len(wonders) / tiles:
            is_placed = game.lay(waiting[0], colours[owner % len(colours)])
            tiles, owner = tiles + 5 * is_placed, owner + is_placed
            waiting = waiting[1:] + waiting[:1] * (not is_placed)
        layout = pile.pop()
        if game.play(layout, colours[turn % len(colours)]):
            turn, misfits = turn + 1, 0
        else:
            pile.insert(0, layout)
            misfits += 1
    for wonder in waiting:
        owner += game.lay(wonder, colours[owner % len(colours)])
    return game.board()


def build_shuffled_pile(rng: Random, catalogue: Catalogue) -> list[TileLayout]:
    """Return the shuffled tiles of the boxes, with the start tile on top (at the end)."""
    box = [layout for layout in catalogue for _ in range(layout.count)]
    box.remove(catalogue[START])
    rng.shuffle(box)
    return [*box, catalogue[START]]


def split_river(pile: list[TileLayout]) -> tuple[list[TileLayout], list[TileLayout]]:
    """Return the river in laying order (spring, tiles it flows through, ends) and the rest of the pile."""
    springs = [layout for layout in pile if layout.id == SPRING]
    if not springs:
        return [], pile
    wet = [layout for layout in pile if layout.rivers and layout not in springs]
    flowing = [layout for layout in wet if _count_mouths(layout) > 1]
    ends = [layout for layout in wet if _count_mouths(layout) == 1]
    return [springs[0], *flowing, *ends], [layout for layout in pile if not layout.rivers]


def build_board_at_origin(tiles: Mapping[Square, Placement], meeples: Iterable[PlacedMeeple]) -> Board:
    """Return the board of the given tiles and meeples, shifted so that rows and columns begin at 0."""
    top, left = min(row for row, _ in tiles), min(col for _, col in tiles)
    return Board(
        {(row - top, col - left): placement for (row, col), placement in tiles.items()},
        tuple(replace(meeple, square=(meeple.square[0] - top, meeple.square[1] - left)) for meeple in meeples),
    )


def mix_expansions(chosen: Sequence[str], later: bool = False, level: bool = False) -> Catalogue:
    """Return the base game with some of EXPANSIONS, in their first printings or with the tiles that a `later` one adds.

    Other boxes are named by the prefix of their tiles' ids (`AM`). If `level`, each layout has one tile, so that all
    are equally frequent.
    """
    boxes = (layout for box in chosen for layout in _list_box_layouts(box))
    added = (layout for layout in boxes if later or not layout.id.startswith(LATER_PRINTINGS))
    layouts = (*load_base_catalogue(), *added)
    return Catalogue(tuple(replace(layout, count=1) for layout in layouts) if level else layouts)


def _list_box_layouts(box: str) -> list[TileLayout]:
    if box in BOXES:
        return list(load_catalogue(box))
    return [layout for layout in load_other_catalogue() if layout.box == box]


def sample_foot_point(
    layout: TileLayout,
    turns: int,
    segment: int,
    rng: Random,
    square: Square = (0, 0),
    wonder: WonderLayout | None = None,
) -> tuple[float, float]:
    """Return a random point (x, y), in lattice units, well inside a segment of a placed tile, for a meeple's foot.

    On a `wonder` itself, return the place of the marker meeple.
    """
    if wonder is not None and layout.segments[segment].kind == "wonder":
        point = Point(wonder.marker[0] % 1, wonder.marker[1] % 1)
    else:
        room = _build_room(layout, segment)
        west, north, east, south = room.bounds
        point = Point(rng.uniform(west, east), rng.uniform(north, south))
        while not room.contains(point):
            point = Point(rng.uniform(west, east), rng.uniform(north, south))
    foot = place_geometry(point, turns, square)
    return foot.x, foot.y


def sample_foot_points(board: Board, rng: Random) -> tuple[tuple[float, float], ...]:
    """Return a foot point (x, y), in lattice units, for each meeple of a board that stands on a known feature.

    Pieces are solid: none overlaps another if there is room for both.
    """
    standing = [
        (meeple, placement)
        for meeple in board.meeples
        if meeple.segment is not None and (placement := board.tiles[meeple.square]) is not None
    ]
    feet = [_sample_foot(meeple, placement, rng) for meeple, placement in standing]
    rooms = [ROOM_TILES[meeple.pose] for meeple, _ in standing]
    for i, (meeple, placement) in enumerate(standing):
        others = [(foot, rooms[i] + room) for j, (foot, room) in enumerate(zip(feet, rooms, strict=True)) if j != i]
        again = Random(repr(feet[i]))  # a second generator, so that moving one foot leaves the others where they are
        tries = [feet[i]]
        while _measure_gap(tries[-1], others) < 0 and len(tries) < MAX_TRIES:
            tries.append(_sample_foot(meeple, placement, again))
        feet[i] = max(tries, key=partial(_measure_gap, others=others))
    return tuple(feet)


def _sample_foot(meeple: PlacedMeeple, placement: Placement, rng: Random) -> tuple[float, float]:
    assert meeple.segment is not None
    return sample_foot_point(placement.layout, placement.turns, meeple.segment, rng, meeple.square, placement.wonder)


def _measure_gap(foot: tuple[float, float], others: Sequence[tuple[tuple[float, float], float]]) -> float:
    """Return the gap, in tiles, to the nearest other piece beyond the room that both take; negative if they overlap."""
    return min((math.dist(foot, other) - room for other, room in others), default=0.0)


def _count_mouths(layout: TileLayout) -> int:
    return sum(kind == "river" for kind in get_layout_edges(layout, 0).values())


def _has_room(segment: Segment) -> bool:
    """Return whether a meeple has room on a part of a wonder's square, which may be a mere corner."""
    if segment.kind == "road":
        return segment.geometry.length > 0.25
    return segment.geometry.buffer(-MARGINS_TILES[2]).area > 0.01


@lru_cache(maxsize=4096)
def _build_room(layout: TileLayout, segment: int) -> BaseGeometry:
    """Return the area for a foot in the unit square: the segment without roads, well away from its border."""
    part = layout.segments[segment]
    if part.kind == "road":
        room = _build_road_middle(part.geometry)
    else:
        roads = unary_union([other.area for other in layout.segments if other.kind == "road"])
        free = part.area.difference(roads)
        room = next(inner for margin in MARGINS_TILES if (inner := free.buffer(-margin)).area > 0.004)
    prepare(room)
    return room


def _build_road_middle(road: BaseGeometry) -> BaseGeometry:
    """Return a narrow band along the middle half of a road; a quarter of a fork's arms may end at the border."""
    quarter = [road.interpolate(part, normalized=True) for part in (0.25, 0.375, 0.5, 0.625, 0.75)]
    return unary_union([point.buffer(ROAD_WIDTH_TILES / 2) for point in quarter]).intersection(WELL_INSIDE)
