"""Features: segments joined wherever 2 of a kind share a stretch of a common edge."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import groupby

from shapely import make_valid, union_all
from shapely.geometry.base import BaseGeometry

from scoring.carcassonne.board.board import Board, PlacedMeeple, Placement
from scoring.carcassonne.board.box_rules import RULED_BOXES, UNSAID, BoxRules, find_rules_of_tile
from scoring.carcassonne.board.pieces import PIECES, get_piece_strength
from scoring.carcassonne.board.places import name_feature
from scoring.carcassonne.tiles.catalogue import (
    MIN_TOUCH_TILES,
    Kind,
    Segment,
    TileLayout,
    find_side_stretches,
)
from scoring.carcassonne.tiles.geometry import (
    SIDES,
    Square,
    get_neighbour,
    get_opposite_side,
    place_geometry,
    turn_geometry,
)
from scoring.carcassonne.tiles.kinds import ENDLESS, KINDS, counts_surroundings
from scoring.disjoint_sets import DisjointSets

Member = tuple[Square, int]
"""A segment on the board: its square and its index in the tile's layout."""


@dataclass(frozen=True, eq=False)
class Feature:
    """A road, city, field, monastery, garden or wonder of a board.

    `squares` are those that count for its size: for a monastery or a garden its tile and those around it, for a wonder
    its whole tile. A field or a wonder is never `complete`. `cities` are the ids of the complete cities that a field
    touches, `besieged` those of them that are besieged. `placements` are in the order of `members`. `pieces` are all
    pieces on it, `meeples` the players' number by colour. For a monastery, `vineyards` are the tiles around it with a
    vineyard, and `cross` is the number of tiles in its row and column up to the first gaps.

    `id` is a running number on this board only. `origin` is the board's, from which people count; None during play,
    before the board is shown. Tiles and pieces of boxes whose rules were not played (`box_rules`) count as plain ones.
    """

    id: str
    kind: Kind
    squares: tuple[Square, ...]
    complete: bool
    members: tuple[Member, ...]
    placements: tuple[Placement, ...]
    pieces: tuple[PlacedMeeple, ...]
    cities: tuple[str, ...] = ()
    origin: Square | None = None
    box_rules: BoxRules = UNSAID
    besieged: tuple[str, ...] = ()
    vineyards: int = 0
    cross: int = 0

    @cached_property
    def label(self) -> str:
        """Return the name for people (`feature_names`), which does not depend on the rest of the board."""
        if self.origin is None:
            return self.id
        (first, _), placement = min(zip(self.members, self.placements, strict=True), key=lambda part: part[0][0])
        if self.kind == "wonder":  # its single part may be on any of its squares
            first = min(self.squares)
        own_parts = [index for square, index in self.members if square == first]
        return name_feature(self.kind, first, placement, own_parts, self.origin)

    @cached_property
    def meeples(self) -> Mapping[str, int]:
        """Return the number of each player's pieces on it, in alphabetical order of colours."""
        return dict(sorted(Counter(piece.colour for piece in self.pieces if not piece.is_neutral).items()))

    @cached_property
    def strengths(self) -> Mapping[str, int]:
        """Return the strength of each colour's followers in the majority (2 for a big meeple), by colour.

        Without The Abbot's rules a garden does not exist, so no piece counts on it. An abbot of a special monastery is
        scored by himself.
        """
        counted: Counter[str] = Counter()
        if self.kind == "garden" and self.box_rules.ignores("abbot"):
            return {}
        for piece in self.pieces:
            if piece not in self.abbots:
                counted[piece.colour] += get_piece_strength(piece.kind, self.box_rules, self.shields)
        return {colour: counted[colour] for colour in sorted(counted) if counted[colour]}

    @cached_property
    def leaders(self) -> tuple[str, ...]:
        """Return the players with the highest strength: each scores the feature in full.

        A follower on a hill settles a tie (Hills & Sheep, "Hills").
        """
        leaders = find_leaders(self.strengths)
        if len(leaders) < 2 or self.box_rules.ignores("hills"):
            return leaders
        hills = {at for (at, _), tile in zip(self.members, self.placements, strict=True) if "hill" in tile.layout.marks}
        followers = (piece for piece in self.pieces if get_piece_strength(piece.kind, self.box_rules, self.shields))
        raised = {piece.colour for piece in followers if piece.square in hills}
        return tuple(player for player in leaders if player in raised) or leaders

    @cached_property
    def abbots(self) -> tuple[PlacedMeeple, ...]:
        """Return the followers that lie on a special monastery (Monasteries in Germany, "As an abbot")."""
        special = self.kind == "monastery" and "special" in self.placements[0].layout.marks
        if not special or self.box_rules.ignores("monasteries"):
            return ()
        return tuple(piece for piece in self.pieces if piece.pose == "lying" and get_piece_strength(piece.kind))

    @property
    def is_besieged(self) -> bool:
        """Return whether a city has a tile with besiegers that count."""
        tiles = (tile for tile in self.placements if "besieged" in tile.layout.marks)
        return self.kind == "city" and any(tiles) and not self.box_rules.ignores("siege")

    @property
    def owner(self) -> str | None:
        """Return the player with the only marker on a wonder, if any."""
        return next(iter(self.meeples)) if self.kind == "wonder" and len(self.meeples) == 1 else None

    @property
    def name(self) -> str:
        """Return the name for people; a wonder has its own."""
        wonder = self.placements[0].wonder if self.kind == "wonder" else None
        return wonder.name if wonder else self.label

    @property
    def size(self) -> int:
        """Return the number of squares that count for its size."""
        return len(self.squares)

    @property
    def segments(self) -> Iterator[Segment]:
        """Return the catalogue's segments, in the order of the members."""
        return (p.layout.segments[index] for p, (_, index) in zip(self.placements, self.members, strict=True))

    @property
    def touched_cities(self) -> Iterator[Member]:
        """Return the city parts, on the tiles of a field, that the field touches."""
        parts = zip(self.members, self.segments, strict=True)
        return ((square, city) for (square, _), segment in parts for city in segment.cities)

    @property
    def ruled_segments(self) -> Iterator[Segment]:
        """Return the segments whose inns, cathedrals, goods and pig herds count: those of boxes whose rules apply."""
        segments = zip(self.placements, self.segments, strict=True)
        return (segment for placement, segment in segments if not self.box_rules.ignores_tile(placement.tile))

    def list_ignored_boxes(self) -> list[str]:
        """Return the boxes whose rules were not played and would have an effect on this feature."""
        there = {PIECES[piece.kind].box for piece in self.pieces if piece.kind in PIECES}
        there |= {"abbot"} if self.kind == "garden" else set()
        marked = zip(self.placements, self.segments, strict=True)
        there |= {
            find_rules_of_tile(placement.tile) or ""
            for placement, segment in marked
            if segment.is_marked or placement.layout.marks
        }
        return [box for box in RULED_BOXES if box in there and self.box_rules.ignores(box)]

    @property
    def shields(self) -> int:
        """Return the number of coats of arms."""
        return sum(segment.shields for segment in self.segments)

    @property
    def has_inn(self) -> bool:
        """Return whether a road has an inn that counts."""
        return any(segment.inn for segment in self.ruled_segments)

    @property
    def has_cathedral(self) -> bool:
        """Return whether a city has a cathedral that counts."""
        return any(segment.cathedral for segment in self.ruled_segments)

    @property
    def pig_herds(self) -> int:
        """Return the number of printed pig herds of a field that count."""
        return sum(segment.pig_herd for segment in self.ruled_segments)

    @cached_property
    def geometry(self) -> BaseGeometry:
        """Return the area covered, in lattice units (x = col, y = row); a road has its printed width."""
        areas = [
            place_segment_area(placement.layout, placement.turns, index, square)
            for placement, (square, index) in zip(self.placements, self.members, strict=True)
        ]
        return union_all([make_valid(area) for area in areas])


def find_leaders(strengths: Mapping[str, int]) -> tuple[str, ...]:
    """Return the players with the highest strength; all of them if tied."""
    most = max(strengths.values(), default=0)
    return tuple(player for player, strength in strengths.items() if strength == most)


@dataclass(frozen=True, eq=False)
class FeatureMap:
    """All features of a board, by id and by segment; iteration is in the order of ids: R1, R2, ... C1 ... F1 ... W1."""

    features: tuple[Feature, ...]

    def __iter__(self) -> Iterator[Feature]:
        return iter(self.features)

    def __len__(self) -> int:
        return len(self.features)

    def __getitem__(self, feature: str) -> Feature:
        return self._by_id[feature]

    def find(self, name: str) -> Feature | None:
        """Return a feature by its label or its id, in any case; None if there is none."""
        return self._by_name.get(name.strip().casefold())

    def at(self, square: Square, segment: int) -> Feature:
        """Return the feature that a segment belongs to; raise KeyError if there is no such segment."""
        return self._by_member[square, segment]

    def under(self, meeple: PlacedMeeple) -> Feature | None:
        """Return the feature that a meeple stands on."""
        return None if meeple.segment is None else self.at(meeple.square, meeple.segment)

    def is_complete_under(self, meeple: PlacedMeeple) -> bool:
        """Return whether a meeple stands on a complete feature."""
        feature = self.under(meeple)
        return feature is not None and feature.complete

    def on(self, square: Square) -> tuple[Feature, ...]:
        """Return the features with a part on a square."""
        return tuple(f for f in self.features if any(member[0] == square for member in f.members))

    def change_box_rules(self, rules: BoxRules) -> FeatureMap:
        """Return the same features with other choices of boxes' rules."""
        return FeatureMap(tuple(replace(feature, box_rules=rules) for feature in self.features))

    @cached_property
    def _by_id(self) -> dict[str, Feature]:
        return {feature.id: feature for feature in self.features}

    @cached_property
    def _by_name(self) -> dict[str, Feature]:
        return {name.casefold(): feature for feature in self.features for name in (feature.id, feature.label)}

    @cached_property
    def _by_member(self) -> dict[Member, Feature]:
        return {member: feature for feature in self.features for member in feature.members}


@dataclass(frozen=True)
class Run:
    """Adjacent tiles in a line: the first and last column of a row, or row of a column."""

    first: int
    last: int

    @property
    def length(self) -> int:
        """Return the number of tiles."""
        return self.last - self.first + 1


LINE_AXES = ("row", "column")


@dataclass(frozen=True)
class Line:
    """A row or column (`axis`) of the board with its gapless runs."""

    axis: str
    index: int
    runs: tuple[Run, ...]


def number_line(line: Line, origin: Square) -> int:
    """Return the number of a row or column as people count them, for a board with that origin."""
    return line.index - origin[LINE_AXES.index(line.axis)] + 1


def number_run(line: Line, run: Run, origin: Square) -> tuple[int, int]:
    """Return the ends of a run as people count them: columns along a row, rows along a column."""
    first = origin[1 - LINE_AXES.index(line.axis)]
    return run.first - first + 1, run.last - first + 1


def build_feature_map(board: Board) -> FeatureMap:
    """Return the features of a board.

    Segments of different kinds do not join across an edge, and nothing joins an unknown tile. A road or city whose edge
    the neighbour does not continue is open there, on both sides, except at an abbey.
    """
    (joins, closed), origin = _join_segments(board), board.origin
    placements, groups = dict(board.known), defaultdict[Member, list[Member]](list)
    for square, placement in placements.items():
        for index in range(len(placement.layout.segments)):
            groups[joins.root((square, index))].append((square, index))
    by_kind: dict[Kind, list[list[Member]]] = {kind: [] for kind in KINDS}
    for members in groups.values():
        square, index = members[0]
        by_kind[placements[square].layout.segments[index].kind].append(members)
    ids = {
        members[0]: f"{KINDS[kind].letter}{number}"
        for kind in by_kind
        for number, members in enumerate(by_kind[kind], 1)
    }
    sieges = {ids[members[0]] for members in by_kind["city"] if _holds_mark(placements, members, "besieged")}
    complete = {
        m: ids[members[0]] for members in by_kind["city"] if _is_closed(placements, members, closed) for m in members
    }
    pieces: dict[Member, list[PlacedMeeple]] = defaultdict(list)
    for meeple in board.meeples:
        if meeple.segment is not None:
            pieces[joins.root((meeple.square, meeple.segment))].append(meeple)

    def build(kind: Kind, members: list[Member]) -> Feature:
        squares, cities = {square for square, _ in members}, set[str]()
        vineyards = cross = 0
        its_placements = tuple(placements[square] for square, _ in members)
        is_complete = kind not in ENDLESS and _is_closed(placements, members, closed)
        if counts_surroundings(kind):
            around = board.neighbours(members[0][0])
            squares |= set(around)
            is_complete = len(squares) == 9
            tiles = (placements[square] for square in around if square in placements)
            vineyards = sum("vineyard" in tile.layout.marks for tile in tiles)
            cross = _count_cross(board, members[0][0])
        elif kind == "field":
            parts = zip(members, its_placements, strict=True)
            touched = ((at, city) for (at, index), tile in parts for city in tile.layout.segments[index].cities)
            cities = {complete[city] for city in touched if city in complete}
        elif kind == "wonder" and (wonder := its_placements[0].find_wonder(members[0][0])):
            squares = {*wonder.squares}
        return Feature(
            id=ids[members[0]],
            kind=kind,
            squares=tuple(sorted(squares)),
            complete=is_complete,
            members=tuple(members),
            placements=its_placements,
            pieces=tuple(pieces[joins.root(members[0])]),
            cities=tuple(sorted(cities, key=lambda city: int(city[1:]))),
            origin=origin,
            box_rules=board.box_rules,
            besieged=tuple(sorted(cities & sieges)),
            vineyards=vineyards,
            cross=cross,
        )

    return FeatureMap(tuple(build(kind, members) for kind, alike in by_kind.items() for members in alike))


def find_cut_features(board: Board, features: FeatureMap) -> Mapping[Square, tuple[Feature, ...]]:
    """Return, by the square of each unknown tile, the roads, cities and fields that may continue there."""
    cut: dict[Square, tuple[Feature, ...]] = {}
    for square in (square for square, placement in board.tiles.items() if placement is None):
        met: dict[str, Feature] = {}
        for side in SIDES:
            beside, facing = get_neighbour(square, side), get_opposite_side(side)
            placement = board.tiles.get(beside)
            for index, _ in find_side_stretches(placement.layout, placement.turns, facing) if placement else ():
                feature = features.at(beside, index)
                met[feature.id] = feature
        cut[square] = tuple(met.values())
    return cut


def list_lines(board: Board) -> tuple[Line, ...]:
    """Return every row, then every column, with a tile, and its runs."""
    lines = []
    for coordinate, axis in enumerate(LINE_AXES):
        by_line: dict[int, list[int]] = defaultdict(list)
        for square in sorted(board.occupied):
            by_line[square[coordinate]].append(square[1 - coordinate])
        lines += [Line(axis, index, tuple(_find_runs(sorted(places)))) for index, places in sorted(by_line.items())]
    return tuple(lines)


@lru_cache(maxsize=32768)
def pair_segments(
    one: TileLayout, turns: int, side: str, other: TileLayout, other_turns: int
) -> tuple[tuple[int, int], ...]:
    """Return the pairs of segments that join into one feature, for 2 tiles that touch at a side of the first."""
    return tuple(
        (index, facing)
        for index, (low, high) in find_side_stretches(one, turns, side)
        for facing, (other_low, other_high) in find_side_stretches(other, other_turns, get_opposite_side(side))
        if one.segments[index].kind == other.segments[facing].kind
        and min(high, other_high) - max(low, other_low) > MIN_TOUCH_TILES
    )


def place_segment_area(layout: TileLayout, turns: int, index: int, square: Square = (0, 0)) -> BaseGeometry:
    """Return the area of a segment of a placed tile, in lattice units."""
    return place_geometry(_turn_area(layout, turns, index), 0, square)


@lru_cache(maxsize=8192)
def find_segment_sides(layout: TileLayout, turns: int, index: int) -> tuple[str, ...]:
    """Return the sides, as placed, that a segment meets."""
    return tuple(side for side in SIDES if any(met == index for met, _ in find_side_stretches(layout, turns, side)))


@lru_cache(maxsize=8192)
def _turn_area(layout: TileLayout, turns: int, index: int) -> BaseGeometry:
    return turn_geometry(layout.segments[index].area, turns)


def _join_segments(board: Board) -> tuple[DisjointSets[Member], set[tuple[Member, str]]]:
    """Return the joins of a board, and the (member, side) pairs at which a segment is joined."""
    joins, closed = DisjointSets[Member](), set()
    for square, placement in board.known:
        for side in ("E", "S"):
            across = get_neighbour(square, side)
            other = board.tiles.get(across)
            if other is None:
                continue
            closed |= {((square, index), side) for index in list_ends_at_abbey(placement, side, other)}
            back = get_opposite_side(side)
            closed |= {((across, index), back) for index in list_ends_at_abbey(other, back, placement)}
            for index, facing in pair_segments(placement.layout, placement.turns, side, other.layout, other.turns):
                joins.join((square, index), (across, facing))
                closed.add(((square, index), side))
                closed.add(((across, facing), back))
    for wonder in board.wonders:
        squares = board.find_cells(wonder)
        for part in range(len(wonder.layout.parts)):
            pieces = [(squares[cell], index) for cell, index in wonder.layout.members(part) if cell in squares]
            for piece in pieces[1:]:
                joins.join(pieces[0], piece)
    return joins, closed


def list_ends_at_abbey(tile: Placement, side: str, beside: Placement) -> list[int]:
    """List the segments of a tile that end at a side because an abbey lies there.

    Abbey & Mayor, "The abbey": it completes the features at its sides.
    """
    if not beside.layout.fits_any:
        return []
    return [index for index, _ in find_side_stretches(tile.layout, tile.turns, side)]


def _is_closed(
    placements: Mapping[Square, Placement], members: Iterable[Member], closed: set[tuple[Member, str]]
) -> bool:
    return all(
        (member, side) in closed
        for member in members
        for tile in [placements[member[0]]]
        for side in find_segment_sides(tile.layout, tile.turns, member[1])
    )


def _holds_mark(placements: Mapping[Square, Placement], members: Iterable[Member], mark: str) -> bool:
    return any(mark in placements[square].layout.marks for square, _ in members)


def _count_cross(board: Board, square: Square) -> int:
    """Return the number of tiles in the row and the column of a square up to the first gaps, its own excluded."""
    number = 0
    for side in SIDES:
        at = get_neighbour(square, side)
        while at in board.tiles:
            number, at = number + 1, get_neighbour(at, side)
    return number


def _find_runs(places: list[int]) -> Iterator[Run]:
    for _, group in groupby(enumerate(places), key=lambda pair: pair[1] - pair[0]):
        run = [place for _, place in group]
        yield Run(run[0], run[-1])
