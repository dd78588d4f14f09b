"""The totals of boards that differ little from one: only what differs is scored anew.

What a square or a piece can change are the features on it and on the squares beside it, monasteries near by, and the
fields about cities that it may complete. Their squares are scored by themselves, as they are and as they may be: what
else lies on these squares is cut off there in both, and so makes no difference.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.features import Feature, FeatureMap, Member, build_feature_map
from scoring.carcassonne.final.rulesets import TODAY, Ruleset
from scoring.carcassonne.final.scoring import compute_final_scoring
from scoring.carcassonne.final.table import Table
from scoring.carcassonne.tiles.geometry import SIDES, Square, get_neighbour, get_opposite_side
from scoring.carcassonne.tiles.layout import Segment, TileLayout, find_side_stretches


class LocalScorer:
    """A board whose totals are known, and those of boards that differ from it; `scored_squares` counts its work.

    Boards with wonders are scored wholly: these count rows, columns and whole fields of the board.
    """

    def __init__(self, board: Board, rules: Ruleset = TODAY, table: Table | None = None) -> None:
        self.board, self.features = board, build_feature_map(board)
        self._rules, self._table = rules, table or Table()
        self.totals = compute_final_scoring(board, self.features, rules, self._table).totals
        self.scored_squares = len(board.tiles)
        self._has_wonders = bool(board.wonders)
        self._known_parts: dict[frozenset[Square], Mapping[str, int]] = {}
        self._by_square, self._fields_by_city, self._cities_by_field = _index_features(self.features)

    def compute_totals(self, other: Board) -> dict[str, int]:
        """Compute what each player scores for another board, as `compute_final_scoring` does."""
        changed = _find_changed_squares(self.board, other)
        if self._has_wonders or any((tile := other.tiles.get(s)) and tile.wonder is not None for s in changed):
            self.scored_squares += len(other.tiles)
            return dict(compute_final_scoring(other, rules=self._rules, table=self._table).totals)
        part = self._find_part(changed, other)
        before = self._known_parts.get(part)
        if before is None:
            before = self._known_parts[part] = self._score_part(self.board, part)
        after = self._score_part(other, part)
        totals = dict.fromkeys(sorted({*self._table.list_players(other), *after}), 0)
        for player in totals:
            totals[player] = self.totals.get(player, 0) + after.get(player, 0) - before.get(player, 0)
        return totals

    def _score_part(self, board: Board, part: frozenset[Square]) -> Mapping[str, int]:
        tiles = {square: tile for square, tile in board.tiles.items() if square in part}
        meeples = tuple(meeple for meeple in board.meeples if meeple.square in part)
        self.scored_squares += len(tiles)
        return compute_final_scoring(
            replace(board, tiles=tiles, meeples=meeples), rules=self._rules, table=self._table
        ).totals

    def _find_part(self, changed: Sequence[Square], other: Board) -> frozenset[Square]:
        """The squares of all features whose points may differ, and those that decide about them."""
        pieces = _list_changed_pieces(self.board, other)
        squares = {*changed, *(square for square, _ in pieces)}
        touched = self._find_features([(square, segment) for square, segment in pieces if segment is not None])
        for square in changed:
            one, new = self.board.tiles.get(square), other.tiles.get(square)
            if (
                one
                and new
                and (parts := _find_differing_parts(one.layout, one.turns, new.layout, new.turns)) is not None
            ):
                touched |= self._find_features([(square, part) for part in parts])
                continue
            touched.update(self._by_square.get(square, ()))
            squares.update(get_neighbour(square, side) for side in SIDES)
            touched |= self._find_features(self._list_facing_parts(square))
        for near in {near for square in changed for near in _list_around(square)}:
            touched.update(f for f in self._by_square.get(near, ()) if f.kind in ("monastery", "garden"))
        if _may_hold_monastery(other, changed):
            squares.update(near for square in changed for near in _list_around(square))
        fields = {feature for feature in touched if feature.kind == "field"}
        if not (any(field.pieces for field in fields) or _has_farmer(other, {*changed, *(at for at, _ in pieces)})):
            touched -= fields  # they may join, but nobody scores them
            fields.clear()
        touched.update(city for field in fields for city in self._cities_by_field[field])
        about = {field for city in touched if city.kind == "city" for field in self._fields_by_city[city]}
        touched.update(field for field in about if field.pieces)
        squares.update(square for feature in touched for square in feature.squares)
        return frozenset(squares)

    def _find_features(self, members: Iterable[Member]) -> set[Feature]:
        """The features that parts of tiles belong to, those apart that are not there."""
        return {self.features.at(*member) for member in members if self._holds(member)}

    def _holds(self, member: Member) -> bool:
        tile = self.board.tiles.get(member[0])
        return tile is not None and member[1] < len(tile.layout.segments)

    def _list_facing_parts(self, square: Square) -> Iterator[Member]:
        """The parts of the tiles beside a square that meet it."""
        for side in SIDES:
            beside = get_neighbour(square, side)
            if (tile := self.board.tiles.get(beside)) is not None:
                for index, _ in find_side_stretches(tile.layout, tile.turns, get_opposite_side(side)):
                    yield beside, index


def _index_features(
    features: FeatureMap,
) -> tuple[Mapping[Square, list[Feature]], Mapping[Feature, set[Feature]], Mapping[Feature, set[Feature]]]:
    """The features by each square that they have a part on, the fields about each city, and the cities about each
    field."""
    by_square: dict[Square, list[Feature]] = defaultdict(list)
    fields: dict[Feature, set[Feature]] = defaultdict(set)
    cities: dict[Feature, set[Feature]] = defaultdict(set)
    for feature in features:
        for square in dict.fromkeys(square for square, _ in feature.members):
            by_square[square].append(feature)
        if feature.kind == "field":
            for (square, _), segment in zip(feature.members, feature.segments, strict=True):
                cities[feature].update(features.at(square, city) for city in segment.cities)
            for city in cities[feature]:
                fields[city].add(feature)
    return by_square, fields, cities


@cache
def _find_differing_parts(one: TileLayout, turns: int, other: TileLayout, other_turns: int) -> frozenset[int] | None:
    """The parts that differ in what is printed on them, of two tiles that join their neighbours alike; None for tiles
    that do not."""
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
    """What counts of a part beside its size."""
    return part.shields, part.inn, part.cathedral, part.goods, part.pig_herd


def _find_changed_squares(board: Board, other: Board) -> list[Square]:
    """The squares that hold something else."""
    return [
        square
        for square in dict.fromkeys((*board.tiles, *other.tiles))
        if (square in board.tiles) != (square in other.tiles) or board.tiles[square] != other.tiles[square]
    ]


def _list_changed_pieces(board: Board, other: Board) -> list[tuple[Square, int | None]]:
    """Where pieces stand that are on one of two boards alone."""
    before, after = Counter(board.meeples), Counter(other.meeples)
    return [(meeple.square, meeple.segment) for meeple in ((before - after) + (after - before))]


def _has_farmer(board: Board, squares: Collection[Square]) -> bool:
    """Whether a piece stands on a field's part on some squares."""
    return any(meeple.square in squares and board.find_kind_below(meeple) == "field" for meeple in board.meeples)


def _may_hold_monastery(board: Board, squares: Collection[Square]) -> bool:
    """Whether a monastery or a garden lies on some squares, or may."""
    tiles = (board.tiles.get(square) for square in squares)
    return any(s.kind in ("monastery", "garden") for tile in tiles if tile for s in tile.layout.segments)


def _list_around(square: Square) -> list[Square]:
    """The nine squares about a square, itself among them."""
    row, col = square
    return [(row + down, col + right) for down in (-1, 0, 1) for right in (-1, 0, 1)]
