"""What is counted of World Wonders beside spots and areas: squares by kind and piece, and what each map board shows.

A monument is right as a monument, and counted once more by its name: a reader that was not shown it only asks. Numbers
of pieces are names; a piece is the squares that bear one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from scoring.confidence import CONFIDENCE_SURE
from scoring.spots.game import Area, Laid, Value
from scoring.world_wonders.kinds import NOTHING, UNNAMED, parse_piece_name
from vision.evaluation.spot_judge import Judged
from vision.printed.reading import SpotReading

Pair = tuple[int, int]
SCORING = {"natural_resource": "natural resources", "district": "districts"}
"""What the bars name, by the kind of its areas."""


@dataclass(frozen=True, slots=True)
class SquareRead:
    """A square of a map that was found: what lies there and what was read, by kind, and whether the piece is right.

    `named` is whether what was read is called what it is; `confidence` is None where the photo does not show it.
    """

    spot: str
    true: str
    read: str
    piece_right: bool
    named: bool
    confidence: float | None

    @property
    def kind_right(self) -> bool:
        """Whether it is of the kind that was read."""
        return self.true == self.read

    @property
    def right(self) -> bool:
        """Of its kind, and a part of just the piece that was read."""
        return self.kind_right and self.piece_right


def compare_squares(player: str, true: Laid, read: Mapping[str, SpotReading]) -> list[SquareRead]:
    """The squares of a player's map; [] where that was not found."""
    mine = f"map.{player}."
    truth = {spot: value for spot, value in true.items() if spot.startswith(mine)}
    seen = {spot: own.value for spot, own in read.items() if spot.startswith(mine)}
    pieces, found = _pieces(truth), _pieces(seen)
    return [
        SquareRead(
            spot,
            classify_value(value),
            classify_value(seen[spot]) if spot in seen else "",
            spot in seen and pieces[spot] == found[spot],
            spot in seen and _name(seen[spot]) == _name(value),
            read[spot].confidence if spot in seen else None,
        )
        for spot, value in (truth.items() if seen else ())
    ]


def classify_value(value: Value) -> str:
    """What kind of thing lies on a square: a monument has no name here."""
    piece = parse_piece_name(value)
    return NOTHING if piece is None else UNNAMED if piece.is_monument else piece.kind


def count_figures(own: Judged) -> Mapping[str, Pair]:
    """How many are right (or as they are called), of how many, on one photo."""
    counts: Counter[str] = Counter()
    of: Counter[str] = Counter()
    for player in own.truth.table.players:
        for name, so in _of_board(own, player):
            counts[name] += so
            of[name] += 1
    return {name: (counts[name], of[name]) for name in of}


def _of_board(own: Judged, player: str) -> Iterator[tuple[str, bool]]:
    squares = compare_squares(player, own.truth.label.table.laid, own.spots)
    yield "map boards found", bool(squares)
    for square in squares:
        yield from _of_square(square, own.doubtful)
    wrong = []
    for kind, said in SCORING.items():
        right = bool(squares) and _areas(own.truth.scored.areas, player, kind) == _areas(own.areas, player, kind)
        wrong += [] if right else [said]
        yield f"map boards, {said} exactly right", right
    yield f"map boards, {' and '.join(SCORING.values())} exactly right", not wrong
    if squares:
        sure = not any(square.spot in own.doubtful for square in squares)
        yield "map boards found, wrong in these and no square doubtful", bool(wrong) and sure


def _of_square(square: SquareRead, doubtful: frozenset[str]) -> Iterator[tuple[str, bool]]:
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


def _areas(areas: tuple[Area, ...], player: str, kind: str) -> Counter[tuple[object, ...]]:
    """What scores of a kind on a player's map, by what it lies on."""
    return Counter(
        (frozenset(own.spots), own.id.partition("-")[0])
        for own in areas
        if own.kind == kind and own.complete and player in own.players
    )


def _name(value: Value) -> str:
    piece = parse_piece_name(value)
    return NOTHING if piece is None else piece.kind


def _pieces(laid: Laid) -> dict[str, frozenset[str]]:
    """Each square's piece, as all its squares; nothing is no piece."""
    held: dict[Value, set[str]] = defaultdict(set)
    for spot, value in laid.items():
        held[value].add(spot)
    return {spot: frozenset() if value == NOTHING else frozenset(held[value]) for spot, value in laid.items()}
