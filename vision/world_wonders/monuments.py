"""Which monument stands on a map: held against those that a person showed, with "none of these" among the answers.

What two looks have in common tells how much likelier it is that they are of one monument than of two; what a card says
of its footprint rules a monument out. A monument that nobody showed is one of the others that have such a footprint.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from scoring.connected_squares import group_connected_squares
from scoring.spots.game import Value
from scoring.world_wonders.components import Monument
from scoring.world_wonders.kinds import UNNAMED, Numbered, parse_piece_name
from scoring.world_wonders.shapes import list_orientations, shift_to_origin
from vision.arrays import Image
from vision.printed.reading import SpotReading
from vision.world_wonders.monument_features import Look, compute_look_difference, extract_look

Square = tuple[int, int]

SAME: tuple[float, ...] = (6.72, -13.36, -12.58, -0.14)
"""Offset and weights of `looks.unlike`: fitted on drawn monuments in arts neither trained on nor measured.

With one art left out each time, what was said to be likely was so rather more often than said.
"""
NATS_MOST = 7.0
"""Looks say no more than this, either way."""
STRANGE = 0.1
"""How many monuments have the footprint that nobody told of: pieces of another box, a reader's slip."""
NAMED_LEAST = 0.5
"""A name that is less likely is not given."""
LIKELY_LEAST = 0.002
NAMES_MOST = 6
"""Names offered for one monument."""


@dataclass(frozen=True, slots=True)
class Naming:
    """How likely a monument is each of those shown, likeliest first, and how likely none of them."""

    names: tuple[tuple[str, float], ...]
    none: float

    @property
    def name(self) -> str:
        """The name to give; "" where none is likely enough."""
        return self.names[0][0] if self.names and self.names[0][1] > NAMED_LEAST else ""


class Monuments:
    """The monuments that were shown: `looks` by name, (h, w, 4) each; `cards` are all of the game's."""

    def __init__(self, looks: Mapping[str, Sequence[Image]], cards: Mapping[str, Monument]) -> None:
        self.cards = cards
        self._shown = {name: [Look(own) for own in looks[name]] for name in cards if looks.get(name)}

    def __bool__(self) -> bool:
        return bool(self._shown)

    def named(self, readings: Sequence[SpotReading], seen: Image, empty: Image) -> list[SpotReading]:
        """The squares of one map with names for its monuments, as far as these were shown.

        `seen` and `empty` are the map's squares from above (`looks.map_seen`).
        """
        squares: dict[Value, list[Square]] = defaultdict(list)
        for own in readings:
            if _is_unnamed(own.value):
                squares[own.value].append(parse_spot_square(own.id))
        told = {value: self._naming(Look(extract_look(seen, empty, own)), own) for value, own in squares.items()}
        return _renamed(readings, self._shared_out(told))

    def _naming(self, look: Look, squares: Collection[Square]) -> Naming:
        """How likely what stands on some squares is each of those shown."""
        fitting = [name for name, card in self.cards.items() if may_be_monument(card, squares)]
        says = {name: self._nats(look, name) for name in fitting if name in self._shown}
        unknown = math.log(len(fitting) - len(says) + STRANGE)
        whole = np.logaddexp.reduce([unknown, *says.values()])
        likely = sorted(((name, math.exp(own - whole)) for name, own in says.items()), key=lambda own: -own[1])
        return Naming(tuple(likely), math.exp(unknown - whole))

    def _nats(self, look: Look, name: str) -> float:
        """How much likelier it looks if it is that monument than if it is another."""
        return max(weigh_look_difference(compute_look_difference(look, shown)) for shown in self._shown[name])

    def _shared_out(self, told: Mapping[Value, Naming]) -> dict[Value, Naming]:
        """There is one of each monument: of several that look like it, the likeliest is."""
        left = dict(told)
        for name in self._shown:
            parts = self.cards[name].parts
            claims = sorted((value for value in left if left[value].name == name), key=lambda v: -left[v].names[0][1])
            for value in claims[1 if parts is None else len(parts) :]:
                left[value] = _without(left[value], name)
        return left


def weigh_look_difference(differ: tuple[float, ...] | None) -> float:
    """Nats for two looks being of one monument, by how they differ."""
    if differ is None:
        return -NATS_MOST
    nats = SAME[0] + sum(weight * own for weight, own in zip(SAME[1:], differ, strict=True))
    return min(max(nats, -NATS_MOST), NATS_MOST)


def may_be_monument(card: Monument, squares: Collection[Square]) -> bool:
    """Whether squares may be a monument, or one of its pieces; one whose footprint is not known may be anything."""
    own = shift_to_origin(squares)
    return card.parts is None or any(own in _turns(part) for part in card.parts)


def list_monument_pieces(
    spots: Sequence[SpotReading], cards: Mapping[str, Monument]
) -> Iterator[tuple[str, list[Square]]]:
    """The named monuments among a map's squares, and the squares of each of their pieces."""
    squares: dict[str, list[Square]] = defaultdict(list)
    for own in spots:
        piece = parse_piece_name(own.value)
        if piece is not None and piece.kind in cards:
            squares[piece.kind].append(parse_spot_square(own.id))
    for name, own_squares in squares.items():
        for piece_squares in group_connected_squares(own_squares):
            yield name, sorted(piece_squares)


def parse_spot_square(spot: str) -> Square:
    """Row and column of a map's spot."""
    _, _, row, col = spot.split(".")
    return int(row), int(col)


def _renamed(readings: Sequence[SpotReading], told: Mapping[Value, Naming]) -> list[SpotReading]:
    """Readings with the names given; monuments left without one are counted anew, as values are numbered."""
    calls: dict[Value, Value] = {}
    left = 0
    for value in sorted(told, key=_number):
        left += not told[value].name
        calls[value] = Numbered(told[value].name, 1).value if told[value].name else Numbered(UNNAMED, left).value
    another = Numbered(UNNAMED, left + 1).value

    def called(value: Value) -> Value:
        return calls.get(value, another) if _is_unnamed(value) else value

    return [_with_name(own, called(own.value), told.get(own.value), called, another) for own in readings]


def _with_name(
    reading: SpotReading, value: Value, naming: Naming | None, called: Callable[[Value], Value], another: Value
) -> SpotReading:
    """A reading whose values are called otherwise; a monument's has the other names it may have among its own."""
    others: dict[Value, float] = defaultdict(float)
    for other, likely in reading.alternatives:
        others[called(other)] += likely
    sure = reading.confidence
    if naming is not None:
        for name, likely in naming.names[:NAMES_MOST]:
            others[Numbered(name, 1).value] += likely * reading.confidence
        if naming.name:
            others[another] += naming.none * reading.confidence
            sure *= naming.names[0][1]
    others.pop(value, None)
    ranked = sorted(others.items(), key=lambda own: -own[1])
    likely_enough = tuple((other, likely) for other, likely in ranked if likely > LIKELY_LEAST)
    return replace(reading, value=value, confidence=sure, alternatives=likely_enough)


def _without(naming: Naming, name: str) -> Naming:
    """A naming where that name is another monument's."""
    rest = [(own, likely) for own, likely in naming.names if own != name]
    whole = naming.none + sum(likely for _, likely in rest)
    return Naming(tuple((own, likely / whole) for own, likely in rest), naming.none / whole)


def _turns(part: Mapping[Square, str]) -> Iterator[frozenset[Square]]:
    for turned in list_orientations(part):
        yield shift_to_origin(turned)


def _is_unnamed(value: Value) -> bool:
    piece = parse_piece_name(value)
    return piece is not None and piece.kind == UNNAMED


def _number(value: Value) -> int:
    piece = parse_piece_name(value)
    return 0 if piece is None else piece.number
