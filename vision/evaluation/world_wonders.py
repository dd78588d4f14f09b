"""Counts for World Wonders beside spots and areas: squares by kind and piece, and the content of each map board.

A monument is right if it is read as a monument, and counted once more by its name: a reader without its enrolment can
only ask. Numbers of pieces are names; a piece is the set of squares with one number.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from scoring.confidence import CONFIDENCE_SURE
from scoring.spots.game import Area, Laid, Value
from scoring.world_wonders.kinds import NOTHING, UNNAMED, parse_piece_name
from vision.evaluation.spot_judge import Judged
from vision.flat_boards.reading import SpotReading

Pair = tuple[int, int]
SCORING = {"natural_resource": "natural resources", "district": "districts"}
"""The names of scoring areas, by their kind."""


@dataclass(frozen=True, slots=True)
class SquareRead:
    """A square of a map that was found: its true kind and the one that was read, and whether the piece is right.

    `named` is whether it was read under its right name; `confidence` is None if the square was not read.
    """

    spot: str
    true: str
    read: str
    piece_right: bool
    named: bool
    confidence: float | None

    @property
    def kind_right(self) -> bool:
        """Whether the kind is right."""
        return self.true == self.read

    @property
    def right(self) -> bool:
        """Whether the kind is right, and the extent of the piece."""
        return self.kind_right and self.piece_right


def compare_squares(player: str, true: Laid, read: Mapping[str, SpotReading]) -> list[SquareRead]:
    """Compare the squares of a player's map with the truth; [] if the map was not found."""
    mine = f"map.{player}."
    truth = {spot: value for spot, value in true.items() if spot.startswith(mine)}
    read_values = {spot: spot_reading.value for spot, spot_reading in read.items() if spot.startswith(mine)}
    pieces, read_pieces = _group_pieces(truth), _group_pieces(read_values)
    return [
        SquareRead(
            spot,
            classify_value(value),
            classify_value(read_values[spot]) if spot in read_values else "",
            spot in read_values and pieces[spot] == read_pieces[spot],
            spot in read_values and _get_kind(read_values[spot]) == _get_kind(value),
            read[spot].confidence if spot in read_values else None,
        )
        for spot, value in (truth.items() if read_values else ())
    ]


def classify_value(value: Value) -> str:
    """Return the kind of a square's content, with monuments unnamed."""
    piece = parse_piece_name(value)
    return NOTHING if piece is None else UNNAMED if piece.is_monument else piece.kind


def count_figures(judged: Judged) -> Mapping[str, Pair]:
    """Count the right ones (or those that fit the description) and the totals on one photo."""
    counts: Counter[str] = Counter()
    of: Counter[str] = Counter()
    for player in judged.truth.table.players:
        for name, so in _judge_board(judged, player):
            counts[name] += so
            of[name] += 1
    return {name: (counts[name], of[name]) for name in of}


def _judge_board(judged: Judged, player: str) -> Iterator[tuple[str, bool]]:
    squares = compare_squares(player, judged.truth.label.table.laid, judged.spots)
    yield "map boards found", bool(squares)
    for square in squares:
        yield from _judge_square(square, judged.doubtful)
    wrong = []
    for kind, label in SCORING.items():
        right = bool(squares) and _count_areas(judged.truth.scored.areas, player, kind) == _count_areas(
            judged.areas, player, kind
        )
        wrong += [] if right else [label]
        yield f"map boards, {label} exactly right", right
    yield f"map boards, {' and '.join(SCORING.values())} exactly right", not wrong
    if squares:
        sure = not any(square.spot in judged.doubtful for square in squares)
        yield "map boards found, wrong in these and no square doubtful", bool(wrong) and sure


def _judge_square(square: SquareRead, doubtful: frozenset[str]) -> Iterator[tuple[str, bool]]:
    yield "squares of boards found, given their kind", square.kind_right
    yield f"squares of boards found, given their kind: {square.true}", square.kind_right
    yield "squares of boards found, given their kind and the right piece", square.right
    if square.true == UNNAMED:
        yield "squares of monuments, given their name", square.named
    sure = square.confidence is not None and square.confidence >= CONFIDENCE_SURE
    yield "squares of boards found, sure", sure
    if sure:
        yield "sure squares, wrong in kind or piece", not square.right
    if square.spot not in doubtful:
        yield "squares not marked doubtful, wrong in kind", not square.kind_right


def _count_areas(areas: tuple[Area, ...], player: str, kind: str) -> Counter[tuple[object, ...]]:
    """Count the scoring areas of a kind on a player's map, by their spots."""
    return Counter(
        (frozenset(area.spots), area.id.partition("-")[0])
        for area in areas
        if area.kind == kind and area.complete and player in area.players
    )


def _get_kind(value: Value) -> str:
    piece = parse_piece_name(value)
    return NOTHING if piece is None else piece.kind


def _group_pieces(values: Laid) -> dict[str, frozenset[str]]:
    """Return each square's piece, as all its squares; an empty square has no piece."""
    spots_by_value: dict[Value, set[str]] = defaultdict(set)
    for spot, value in values.items():
        spots_by_value[value].add(spot)
    return {
        spot: frozenset() if value == NOTHING else frozenset(spots_by_value[value]) for spot, value in values.items()
    }
