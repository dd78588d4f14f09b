"""Totals of boards that differ little from a known one, by rescoring only the difference.

A square or a piece can change the features on it and beside it, nearby monasteries, and the fields around cities that
it may complete. The squares of these features are scored alone, before and after the change. Both scorings cut off the
same outside parts, so these cancel. Points for wonders are sums over the whole board; the share of these squares is
exchanged in the same way.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from scoring.carcassonne.board.board import Board, Placement
from scoring.carcassonne.board.features import Feature, FeatureMap, Member, build_feature_map
from scoring.carcassonne.doubt.wonder_counts import WonderCounts
from scoring.carcassonne.final.rulesets import TODAY, Ruleset
from scoring.carcassonne.final.scoring import compute_final_scoring, score_features
from scoring.carcassonne.final.table import Table
from scoring.carcassonne.tiles.geometry import SIDES, Square, get_neighbour, get_opposite_side, list_block
from scoring.carcassonne.tiles.kinds import counts_surroundings
from scoring.carcassonne.tiles.layout import Segment, TileLayout, find_side_stretches


@dataclass(frozen=True, slots=True)
class _PartScores:
    """Points of each player for the pieces on some squares, wonders excluded, and these squares' share of the wonder
    counts.
    """

    points: Counter[str]
    wonders: WonderCounts


class LocalScorer:
    """A board with known totals, which scores variants of it; `scored_squares` counts its work."""

    def __init__(self, board: Board, rules: Ruleset = TODAY, table: Table | None = None) -> None:
        self.board, self.features = board, build_feature_map(board)
        self._rules, self._table = rules, table or Table()
        self.totals = compute_final_scoring(board, self.features, rules, self._table).totals
        self.scored_squares = len(board.tiles)
        self._wonders = WonderCounts.of_features(self.features)
        self._ordinary_totals = Counter(self.totals)
        self._ordinary_totals.subtract(self._score_wonders(self._wonders, board))
        self._known_parts: dict[frozenset[Square], _PartScores] = {}
        self._by_square, self._fields_by_city, self._cities_by_field = _index_features(self.features)

    def compute_totals(self, other: Board) -> dict[str, int]:
        """Return each player's total for another board, as `compute_final_scoring` does."""
        part = self._find_part(_find_changed_squares(self.board, other), other)
        before = self._known_parts.get(part)
        if before is None:
            before = self._known_parts[part] = self._score_part(self.board, part)
        after = self._score_part(other, part)
        points = self._score_wonders(self._wonders.exchange(before.wonders, after.wonders), other)
        players = sorted({*self._table.list_players(other), *after.points, *points})
        points.update(self._ordinary_totals)
        points.update(after.points)
        points.subtract(before.points)
        return {player: points[player] for player in players}

    def _score_part(self, board: Board, part: frozenset[Square]) -> _PartScores:
        tiles = {square: tile for square, tile in board.tiles.items() if square in part}
        meeples = tuple(meeple for meeple in board.meeples if meeple.square in part)
        self.scored_squares += len(tiles)
        features = build_feature_map(replace(board, tiles=tiles, meeples=meeples))
        points = Counter[str]()
        for entry in score_features(features, self._rules):
            points[entry.player] += entry.points
        return _PartScores(points, WonderCounts.of_features(features))

    def _score_wonders(self, counts: WonderCounts, board: Board) -> Counter[str]:
        """Return the points of each player for wonders on the board and for what lies in front of them."""
        points = Counter[str]()
        for player, worth in counts.score(board, self._rules, self._table):
            points[player] += worth
        return points

    def _find_part(self, changed: Sequence[Square], other: Board) -> frozenset[Square]:
        """Return the squares of all features whose points may differ, and those that decide these points."""
        pieces = _list_changed_pieces(self.board, other)
        squares = {*changed, *(square for square, _ in pieces)}
        touched = self._find_features([(square, segment) for square, segment in pieces if segment is not None])
        for square in changed:
            one, new = self.board.tiles.get(square), other.tiles.get(square)
            if one and new and (parts := self._find_other_prints(one, new, square, other)) is not None:
                touched |= self._find_features([(square, part) for part in parts])
                continue
            wonders = [wonder for tile in (one, new) if tile and (wonder := tile.find_wonder(square))]
            for at in (square, *(at for wonder in wonders for at in wonder.squares)):
                squares.add(at)
                touched.update(self._by_square.get(at, ()))
            squares.update(get_neighbour(square, side) for side in SIDES)
            touched |= self._find_features(self._list_facing_parts(square))
        around = {near for square in changed for near in list_block(square)}
        for near in around:
            touched.update(f for f in self._by_square.get(near, ()) if counts_surroundings(f.kind))
        tiles = (other.tiles.get(square) for square in changed)
        if any(counts_surroundings(segment.kind) for tile in tiles if tile for segment in tile.layout.segments):
            squares |= around
        fields = {feature for feature in touched if feature.kind == "field"}
        if not (any(field.pieces for field in fields) or _has_farmer(other, {*changed, *(at for at, _ in pieces)})):
            touched -= fields  # they may merge, but no player scores them
            fields.clear()
        opened = {feature for feature in touched if feature.kind == "city"}
        touched.update(city for field in fields for city in self._cities_by_field[field])
        if self._rules.farms != "by_farm":  # the score of a farm depends on other farms at its cities
            opened = {feature for feature in touched if feature.kind == "city"}
        about = {field for city in opened for field in self._fields_by_city[city]}
        touched.update(field for field in about if field.pieces)
        squares.update(square for feature in touched for square in feature.squares)
        return frozenset(squares)

    def _find_other_prints(self, one: Placement, new: Placement, square: Square, other: Board) -> frozenset[int] | None:
        """Return the parts of a square whose print differs if nothing else does; None otherwise.

        All squares of a wonder on the board decide which of its parts are joined.
        """
        placed, newly_placed = one.find_wonder(square), new.find_wonder(square)
        if placed != newly_placed and not (
            placed
            and newly_placed
            and one.layout.parts == new.layout.parts
            and self.board.find_cells(placed) == other.find_cells(newly_placed)
        ):
            return None
        return _find_differing_parts(one.layout, one.turns, new.layout, new.turns)

    def _find_features(self, members: Iterable[Member]) -> set[Feature]:
        """Return the features of these parts of tiles, leaving out parts that do not exist."""
        return {self.features.at(*member) for member in members if self._holds(member)}

    def _holds(self, member: Member) -> bool:
        tile = self.board.tiles.get(member[0])
        return tile is not None and member[1] < len(tile.layout.segments)

    def _list_facing_parts(self, square: Square) -> Iterator[Member]:
        """Yield the parts of the neighbouring tiles that meet a square."""
        for side in SIDES:
            beside = get_neighbour(square, side)
            if (tile := self.board.tiles.get(beside)) is not None:
                for index, _ in find_side_stretches(tile.layout, tile.turns, get_opposite_side(side)):
                    yield beside, index


def _index_features(
    features: FeatureMap,
) -> tuple[Mapping[Square, list[Feature]], Mapping[Feature, set[Feature]], Mapping[Feature, set[Feature]]]:
    """Return the features on each square, the fields at each city, and the cities at each field."""
    by_square: dict[Square, list[Feature]] = defaultdict(list)
    fields: dict[Feature, set[Feature]] = defaultdict(set)
    cities: dict[Feature, set[Feature]] = defaultdict(set)
    for feature in features:
        for square in dict.fromkeys(square for square, _ in feature.members):
            by_square[square].append(feature)
        if feature.kind == "field":
            cities[feature].update(features.at(*member) for member in feature.touched_cities)
            for city in cities[feature]:
                fields[city].add(feature)
    return by_square, fields, cities


@lru_cache(maxsize=32768)
def _find_differing_parts(one: TileLayout, turns: int, other: TileLayout, other_turns: int) -> frozenset[int] | None:
    """Return the parts whose print differs between 2 tiles that join their neighbours in the same way; None if they do
    not.
    """
    joins, other_joins = (
        [find_side_stretches(*tile, side) for side in SIDES] for tile in ((one, turns), (other, other_turns))
    )
    if joins != other_joins or [(s.kind, s.cities) for s in one.segments] != [
        (s.kind, s.cities) for s in other.segments
    ]:
        return None
    pairs = enumerate(zip(one.segments, other.segments, strict=True))
    return frozenset(i for i, (part, new) in pairs if _list_prints(part) != _list_prints(new))


def _list_prints(part: Segment) -> tuple[int, bool, bool, str, bool]:
    """Return what scores on a part apart from its size."""
    return part.shields, part.inn, part.cathedral, part.goods, part.pig_herd


def _find_changed_squares(board: Board, other: Board) -> list[Square]:
    """Return the squares whose tiles differ."""
    return [
        square
        for square in dict.fromkeys((*board.tiles, *other.tiles))
        if (square in board.tiles) != (square in other.tiles) or board.tiles[square] != other.tiles[square]
    ]


def _list_changed_pieces(board: Board, other: Board) -> list[tuple[Square, int | None]]:
    """Return the places of pieces that stand on only one of the 2 boards."""
    before, after = Counter(board.meeples), Counter(other.meeples)
    return [(meeple.square, meeple.segment) for meeple in ((before - after) + (after - before))]


def _has_farmer(board: Board, squares: Collection[Square]) -> bool:
    """Return whether a piece stands on a field part on any of the squares."""
    return any(meeple.square in squares and board.find_kind_below(meeple) == "field" for meeple in board.meeples)
