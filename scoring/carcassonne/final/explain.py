"""Accounts that settle disputes: the length and course of a road, the cities a farm touches, the source of each point.

Every account is a value; `api.carcassonne.explain` puts it into words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from scoring.carcassonne.board.board import Board, PlacedMeeple, PlacedWonder
from scoring.carcassonne.board.features import (
    Feature,
    FeatureMap,
    Line,
    Member,
    find_segment_sides,
    list_lines,
    pair_segments,
)
from scoring.carcassonne.final.majority import DURING_THE_GAME
from scoring.carcassonne.final.rulesets import TODAY, Ruleset
from scoring.carcassonne.final.scoring import compute_feature_worth
from scoring.carcassonne.final.sheet import Worth
from scoring.carcassonne.final.table import Table
from scoring.carcassonne.final.wonders import compute_wonder_worth, find_counted_pieces, is_long_road
from scoring.carcassonne.tiles.geometry import SIDES, Square, get_neighbour, get_opposite_side

Lack = Literal["in_play", "disputed", "said", "unmarked"]
"""Reasons why a wonder scores for no player at the end: it scores only during the game, pieces of several players are
on it, a person said it has no owner, or no marker is on it.
"""


@dataclass(frozen=True)
class WonderAccount:
    """The points of a wonder for its owner, and the reason.

    `worth` is what the owner scores, None if there is no owner; then `lack` gives the reason and `would` what each
    player would score as its owner. `counted` are the pieces it pays for, `roads` the roads, and `lines` all rows and
    columns if it pays for long ones. `players` and `tiles` are those of the game, on which Circus Maximus and the
    Alhambra depend.
    """

    wonder: str
    owner: str | None
    players: int
    tiles: int
    worth: Worth | None = None
    lack: Lack | None = None
    would: Mapping[str, int] | None = None
    counted: tuple[PlacedMeeple, ...] = ()
    roads: tuple[Feature, ...] = ()
    lines: tuple[Line, ...] = ()


def explain_wonder(wonder: Feature, board: Board, features: FeatureMap, rules: Ruleset, table: Table) -> WonderAccount:
    """Return what a wonder pays its owner and why, or what each player would get as its owner."""
    owner, name = wonder.owner, wonder.placements[0].tile
    players, tiles = table.count_players(board), table.count_tiles(board)
    if name in DURING_THE_GAME:
        return WonderAccount(name, owner, players, tiles, lack="in_play")
    roads = tuple(filter(is_long_road, features)) if name == "WH/angkor-wat" else ()
    lines = list_lines(board) if name == "WH/terracotta-army" else ()
    if owner is not None:
        worth = compute_wonder_worth(wonder, owner, board, features, rules, table)
        counted = tuple(find_counted_pieces(name, owner, features))
        return WonderAccount(name, owner, players, tiles, worth, counted=counted, roads=roads, lines=lines)
    would = {
        player: worth.points
        for player in table.list_players(board)
        if (worth := compute_wonder_worth(wonder, player, board, features, rules, table)) is not None
    }
    lack: Lack = "disputed" if wonder.meeples else "said" if name in board.unowned else "unmarked"
    return WonderAccount(name, owner, players, tiles, lack=lack, would=would, roads=roads, lines=lines)


@dataclass(frozen=True, slots=True)
class OpenEnd:
    """An open side of a road or city: the square, the side and what is across it.

    `across` is the kind of edge (such as `field`), `empty`, `unknown` (an unknown tile) or `unseen` (beyond the
    picture).
    """

    square: Square
    side: str
    across: str


@dataclass(frozen=True)
class Account:
    """Everything that counts for one feature.

    `squares` of a road are in walking order, starting at an open end or an end. `marks` are the coats of arms, inns,
    cathedrals, goods and pig herds with their squares. `cities` are those that a farm touches, complete or not.
    `points` and `sum` are the worth to each player with the majority, or to a wonder's owner; `points` is None for a
    farm, whose points depend on the player, and for a wonder that pays nothing at the end. `wonder` states what a
    wonder scores, for whom and why.
    """

    feature: Feature
    squares: tuple[Square, ...]
    open_ends: tuple[OpenEnd, ...] = ()
    marks: tuple[tuple[str, Square], ...] = ()
    cities: tuple[Feature, ...] = ()
    points: int | None = None
    sum: str = ""
    wonder: WonderAccount | None = None


def explain_feature(
    board: Board, features: FeatureMap, feature: str, rules: Ruleset = TODAY, table: Table | None = None
) -> Account:
    """Return the account of a feature by its id; raise KeyError for an unknown id."""
    subject = features[feature]
    if subject.kind == "field":
        touched = {features.at(*member).id for member in subject.touched_cities}
        cities = tuple(city for city in features if city.id in touched)
        return Account(subject, subject.squares, marks=_list_marks(subject), cities=cities)
    if subject.kind == "wonder":
        account = explain_wonder(subject, board, features, rules, table or Table())
        points, words = (account.worth.points, account.worth.text) if account.worth else (None, "")
        return Account(subject, subject.squares, points=points, sum=words, wonder=account)
    points, _, words, _ = compute_feature_worth(subject, rules)
    if subject.kind not in ("road", "city"):
        return Account(subject, subject.squares, points=points, sum=words)
    squares = _order_squares(board, subject) if subject.kind == "road" else subject.squares
    open_ends = tuple(_find_open_ends(board, subject))
    return Account(subject, squares, open_ends, _list_marks(subject), points=points, sum=words)


def _list_marks(feature: Feature) -> tuple[tuple[str, Square], ...]:
    marks = []
    for (square, _), segment in zip(feature.members, feature.segments, strict=True):
        names = ["coat of arms"] * segment.shields + ["inn"] * segment.inn + ["cathedral"] * segment.cathedral
        names += [segment.goods] * bool(segment.goods) + ["pig herd"] * segment.pig_herd
        marks += [(name, square) for name in names]
    return tuple(marks)


def _find_open_ends(board: Board, feature: Feature) -> Iterator[OpenEnd]:
    for (square, index), placement in zip(feature.members, feature.placements, strict=True):
        for side in find_segment_sides(placement.layout, placement.turns, index):
            across = get_neighbour(square, side)
            other = board.tiles.get(across)
            if across in board.unseen:
                yield OpenEnd(square, side, "unseen")
            elif across not in board.tiles:
                yield OpenEnd(square, side, "empty")
            elif other is None:
                yield OpenEnd(square, side, "unknown")
            elif not other.layout.fits_any and not _find_links(board, (square, index), side):
                yield OpenEnd(square, side, other.edge(get_opposite_side(side)))


def _find_links(board: Board, member: Member, side: str) -> list[Member]:
    """Return the segments that continue a segment across a side."""
    (square, index), across = member, get_neighbour(member[0], side)
    placement, neighbour = board.tiles[square], board.tiles.get(across)
    if placement is None or neighbour is None:
        return []
    pairs = pair_segments(placement.layout, placement.turns, side, neighbour.layout, neighbour.turns)
    return [(across, facing) for mine, facing in pairs if mine == index]


def _order_squares(board: Board, road: Feature) -> tuple[Square, ...]:
    """Return the squares of a road starting at one of its ends, or at the first square of a closed loop.

    Parts left unconnected by a broken wonder tile come last.
    """
    members, wonders = set(road.members), board.wonders
    around = {
        member: [m for m in _find_next_members(board, wonders, member) if m in members] for member in road.members
    }
    start = min(road.members, key=lambda member: (len(around[member]) > 1, member))
    walked, left = dict[Member, None](), [*reversed(road.members), start]
    while left:
        member = left.pop()
        walked.setdefault(member)
        left += [other for other in reversed(around[member]) if other not in walked]
    return tuple(dict.fromkeys(square for square, _ in walked))


def _find_next_members(board: Board, wonders: tuple[PlacedWonder, ...], member: Member) -> Iterator[Member]:
    """Yield the segments connected to a segment across the sides of its square."""
    for side in SIDES:
        yield from _find_links(board, member, side)
    for wonder in wonders:
        if board.tiles[member[0]] == wonder.placements.get(member[0]):
            yield from _find_neighbouring_pieces(wonder, member)


def _find_neighbouring_pieces(wonder: PlacedWonder, member: Member) -> Iterator[Member]:
    """Yield the pieces of the same wonder part on the squares next to a segment's."""
    square, index = member
    squares = wonder.squares
    part = wonder.layout.cells[squares.index(square)].parts[index]
    beside = {get_neighbour(square, side) for side in SIDES}
    yield from ((squares[cell], piece) for cell, piece in wonder.layout.members(part) if squares[cell] in beside)
