"""What settles a dispute: how long a road is and where it runs, what a farm touches, where each point comes from.

Every account is a value and says itself in words, a line for each thing that counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scoring.carcassonne.board.board import Board, PlacedWonder
from scoring.carcassonne.board.features import (
    Feature,
    FeatureMap,
    Line,
    Member,
    find_segment_sides,
    list_lines,
    number_line,
    number_run,
    pair_segments,
)
from scoring.carcassonne.board.square_names import ORIGIN, name_square, name_squares
from scoring.carcassonne.final.rulesets import TODAY, Ruleset
from scoring.carcassonne.final.scoring import compute_feature_worth
from scoring.carcassonne.final.sheet import ScoreSheet, get_rule_section
from scoring.carcassonne.final.table import Table
from scoring.carcassonne.final.wonder_account import explain_wonder
from scoring.carcassonne.final.wonders import compute_wonder_worth
from scoring.carcassonne.tiles.geometry import SIDES, Square, get_neighbour, get_opposite_side
from scoring.counts import format_count
from scoring.score_entry import ScoreEntry

_NAMES = {"N": "north", "E": "east", "S": "south", "W": "west"}


@dataclass(frozen=True, slots=True)
class OpenEnd:
    """Where a road or city is not closed: the side of a square, and why in words."""

    square: Square
    side: str
    why: str


@dataclass(frozen=True)
class Account:
    """All that counts for one feature.

    `squares` of a road are in the order in which one walks it, from an open end or an end of it. `marks` are the coats
    of arms, inns, cathedrals, goods and pig herds with their squares. `cities` are those that a farm touches, complete
    or not. `points` and `sum` are what it is worth to whoever has the majority, and of a wonder to its owner; None for
    a farm, whose points depend on who it is, and for a wonder that brings nobody anything at the end. `sentences` tell
    of a wonder what it scores, for whom and why. `origin` is that of the board: squares are named from there.
    """

    feature: Feature
    squares: tuple[Square, ...]
    open_ends: tuple[OpenEnd, ...] = ()
    marks: tuple[tuple[str, Square], ...] = ()
    cities: tuple[Feature, ...] = ()
    points: int | None = None
    sum: str = ""
    origin: Square = ORIGIN
    sentences: tuple[str, ...] = ()

    @property
    def text(self) -> tuple[str, ...]:
        """The account, line by line."""
        return (
            *self.facts,
            *(f"{colour}: {format_count(number, 'piece')}" for colour, number in self.feature.meeples.items()),
            *(self.sentences or self._list_worth()),
        )

    @property
    def facts(self) -> tuple[str, ...]:
        """What lies there, line by line: not who stands on it, nor what it is worth."""
        kind = self.feature.kind
        name = f" ({self.feature.name})" if kind == "wonder" else ""
        size = format_count(len(self.squares), "tile")
        return (
            f"{kind} {self.feature.label}{name}: {size}: {name_squares(self.squares, self.origin)}",
            *(f"{what} at {name_square(square, self.origin)}" for what, square in self.marks),
            *(
                f"open to the {_NAMES[end.side]} of {name_square(end.square, self.origin)}: {end.why}"
                for end in self.open_ends
            ),
            *(f"touches city {c.name} ({'complete' if c.complete else 'not complete'})" for c in self.cities),
        )

    def _list_worth(self) -> Iterator[str]:
        if self.points is not None:
            yield f"worth {self.points}: {self.sum}"


@dataclass(frozen=True)
class PlayerAccount:
    """One player's entries and their sum."""

    player: str
    entries: tuple[ScoreEntry, ...]
    total: int

    @property
    def text(self) -> tuple[str, ...]:
        """A line for each entry, with the section of the rule text, then the total."""
        rows = (f"{e.points} {e.feature or 'goods'}: {e.text} [{get_rule_section(e)}]" for e in self.entries)
        return (*rows, f"{self.total} {self.player}")


def explain_feature(
    board: Board, features: FeatureMap, feature: str, rules: Ruleset = TODAY, table: Table | None = None
) -> Account:
    """Return the account of a feature by its id, at a table; raises KeyError for an unknown one."""
    subject, origin = features[feature], board.origin
    if subject.kind == "field":
        cities = _find_touching_cities(subject, features)
        return Account(subject, subject.squares, marks=_list_marks(subject), cities=cities, origin=origin)
    if subject.kind == "wonder":
        sentences = tuple(explain_wonder(subject, board, features, rules, table or Table()))
        worth = subject.owner and compute_wonder_worth(subject, subject.owner, board, features, rules, table or Table())
        points, words = (worth.points, worth.text) if worth else (None, "")
        return Account(subject, subject.squares, points=points, sum=words, origin=origin, sentences=sentences)
    points, _, words, _ = compute_feature_worth(subject, rules)
    if subject.kind not in ("road", "city"):
        return Account(subject, subject.squares, points=points, sum=words, origin=origin)
    squares = _order_squares(board, subject) if subject.kind == "road" else subject.squares
    open_ends = tuple(_find_open_ends(board, subject))
    return Account(subject, squares, open_ends, _list_marks(subject), points=points, sum=words, origin=origin)


def explain_lines(board: Board) -> tuple[str, ...]:
    """Return every row and column with its runs, in words."""
    return tuple(_format_line(line, board.origin) for line in list_lines(board))


def explain_player(sheet: ScoreSheet, player: str) -> PlayerAccount:
    """Return where a player's points come from; raises KeyError for one who is not on the sheet."""
    return PlayerAccount(
        player, tuple(entry for entry in sheet.entries if entry.player == player), sheet.totals[player]
    )


def _format_line(line: Line, origin: Square) -> str:
    ends = ((number_run(line, run, origin), format_count(run.length, "tile")) for run in line.runs)
    runs = (f"{first} to {last} ({tiles})" for (first, last), tiles in ends)
    return f"{line.axis} {number_line(line, origin)}: {', '.join(runs)}"


def _list_marks(feature: Feature) -> tuple[tuple[str, Square], ...]:
    marks = []
    for (square, _), segment in zip(feature.members, feature.segments, strict=True):
        names = ["coat of arms"] * segment.shields + ["inn"] * segment.inn + ["cathedral"] * segment.cathedral
        names += [segment.goods] * bool(segment.goods) + ["pig herd"] * segment.pig_herd
        marks += [(name, square) for name in names]
    return tuple(marks)


def _find_touching_cities(farm: Feature, features: FeatureMap) -> tuple[Feature, ...]:
    members = zip(farm.members, farm.segments, strict=True)
    touched = {features.at(square, city).id for (square, _), segment in members for city in segment.cities}
    return tuple(feature for feature in features if feature.id in touched)


def _find_open_ends(board: Board, feature: Feature) -> Iterator[OpenEnd]:
    for (square, index), placement in zip(feature.members, feature.placements, strict=True):
        for side in find_segment_sides(placement.layout, placement.turns, index):
            across = get_neighbour(square, side)
            other = board.tiles.get(across)
            if across in board.unseen:
                yield OpenEnd(square, side, "beyond the picture")
            elif across not in board.tiles:
                yield OpenEnd(square, side, "no tile lies there")
            elif other is None:
                yield OpenEnd(square, side, "the tile there is not known")
            elif not _find_links(board, (square, index), side):
                yield OpenEnd(square, side, f"a {other.edge(get_opposite_side(side))} lies there")


def _find_links(board: Board, member: Member, side: str) -> list[Member]:
    """The segments that a segment goes on in across a side."""
    (square, index), across = member, get_neighbour(member[0], side)
    placement, neighbour = board.tiles[square], board.tiles.get(across)
    if placement is None or neighbour is None:
        return []
    pairs = pair_segments(placement.layout, placement.turns, side, neighbour.layout, neighbour.turns)
    return [(across, facing) for mine, facing in pairs if mine == index]


def _order_squares(board: Board, road: Feature) -> tuple[Square, ...]:
    """The squares of a road from one of its ends on; of a closed round from its first square.

    What a broken wonder tile leaves unconnected comes last.
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
    """The segments that one may step to from a segment, across the sides of its square."""
    for side in SIDES:
        yield from _find_links(board, member, side)
    for wonder in wonders:
        if board.tiles[member[0]] == wonder.placements.get(member[0]):
            yield from _find_neighbouring_pieces(wonder, member)


def _find_neighbouring_pieces(wonder: PlacedWonder, member: Member) -> Iterator[Member]:
    """The pieces of the same part of a wonder tile on the squares next to a segment's."""
    square, index = member
    squares = wonder.squares
    part = wonder.layout.cells[squares.index(square)].parts[index]
    beside = {get_neighbour(square, side) for side in SIDES}
    yield from ((squares[cell], piece) for cell, piece in wonder.layout.members(part) if squares[cell] in beside)
