"""Which monument stands on a map: held against those that a person showed, with "none of these" among the answers.

What two looks have in common tells how much likelier it is that they are of one monument than of two; what a card says
of its footprint rules a monument out. A monument that nobody showed is one of the others that have such a footprint.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from scoring.calibration import load_weights
from scoring.connected_squares import group_connected_squares
from scoring.spots.game import Value
from scoring.world_wonders.components import ANY_SQUARE, LAND_SQUARE, Monument
from scoring.world_wonders.kinds import TOWER, UNNAMED, Numbered, parse_piece_name
from scoring.world_wonders.shapes import list_orientations, shift_to_origin, split_among_parts
from vision.arrays import Image
from vision.printed.reading import SpotReading
from vision.world_wonders.monument_features import Look, compute_look_difference, extract_look

Square = tuple[int, int]

MAX_NATS = 7.0
"""Looks say no more than this, either way."""
UNKNOWN_MONUMENTS = 0.1
"""How many further monuments have the footprint: pieces of another box, a reader's slip."""
MIN_TOWER_MONUMENT = 0.05
"""A tower is a monument at least as likely as this before it is looked at: both are narrow and stand on one square."""
MIN_NAME_PROBABILITY = 0.5
"""A name that is less likely is not given."""
MIN_ALTERNATIVE_PROBABILITY = 0.002
"""Values that are less probable than this are not offered as alternatives."""
MAX_NAMES = 6
"""At most this many names are offered for one monument."""


@dataclass(frozen=True, slots=True)
class Naming:
    """How likely a monument is each of those shown, likeliest first, and how likely none of them."""

    names: tuple[tuple[str, float], ...]
    none: float

    @property
    def name(self) -> str:
        """The name to give; "" where none is likely enough."""
        return self.names[0][0] if self.names and self.names[0][1] > MIN_NAME_PROBABILITY else ""


class Monuments:
    """The monuments that were shown: `looks` by name, (h, w, 4) each; `cards` are all of the game's."""

    def __init__(self, looks: Mapping[str, Sequence[Image]], cards: Mapping[str, Monument]) -> None:
        self.cards, self.weights = cards, load_look_weights()
        self._looks = {name: [Look(look) for look in looks[name]] for name in cards if looks.get(name)}

    def __bool__(self) -> bool:
        return bool(self._looks)

    def look_at(self, view: Image, empty: Image) -> MapMonuments:
        """Return what these monuments tell of one map, whose squares from above `cut_map_views` returns."""
        return MapMonuments(self, view, empty)

    def list_looks(self, name: str) -> Sequence[Look]:
        """Return the looks of a monument that were shown; () where none was."""
        return self._looks.get(name, ())

    def resolve_claims(self, namings: Mapping[Value, Naming]) -> dict[Value, Naming]:
        """There is one of each monument: of several that look like it, the likeliest is."""
        remaining = dict(namings)
        for name in self._looks:
            parts = self.cards[name].parts
            claims = sorted(
                (value for value in remaining if remaining[value].name == name), key=lambda v: -remaining[v].names[0][1]
            )
            for value in claims[1 if parts is None else len(parts) :]:
                remaining[value] = _exclude_name(remaining[value], name)
        return remaining


class MapMonuments:
    """One map's places, tuples of squares, held against the monuments that were shown: each is looked at once."""

    def __init__(self, monuments: Monuments, view: Image, empty: Image) -> None:
        self._monuments, self._view, self._empty = monuments, view, empty
        self._nats: dict[tuple[Square, ...], tuple[dict[str, float], int]] = {}

    def weigh_place(self, squares: Collection[Square]) -> float:
        """Return the nats that speak for one monument on just these squares, by what stands there.

        It is one of those that were shown and have such a footprint, each equally likely, or any that was not.
        """
        says, others = self._weigh_names(squares)
        unknown = others + UNKNOWN_MONUMENTS
        return float(np.logaddexp.reduce([math.log(unknown), *says.values()])) - math.log(len(says) + unknown)

    def name_place(self, squares: Collection[Square], tower: float | None = None) -> Naming:
        """Return how likely what stands on some squares is each of those shown, or a `tower`, by nats that speak for
        one."""
        says, others = self._weigh_names(squares)
        unknown = math.log(others + UNKNOWN_MONUMENTS)
        if tower is not None:
            unknown = float(np.logaddexp(unknown, math.log(len(says) + others + UNKNOWN_MONUMENTS) + tower))
        whole = np.logaddexp.reduce([unknown, *says.values()])
        likely = sorted(((name, math.exp(nats - whole)) for name, nats in says.items()), key=lambda nats: -nats[1])
        return Naming(tuple(likely), math.exp(unknown - whole))

    def split_names(self, squares: Collection[Square], another: Value) -> dict[Value, float]:
        """Return how likely a monument on some squares is each of those shown, by its value; `another` is one that is
        none of them."""
        naming = self.name_place(squares)
        shares: dict[Value, float] = {Numbered(name, 1).value: likely for name, likely in naming.names[:MAX_NAMES]}
        return shares | {another: naming.none}

    def name_readings(self, readings: Sequence[SpotReading]) -> list[SpotReading]:
        """Return the squares of the map with names for its monuments, as far as these were enrolled.

        A tower that looks like a monument that was shown is one, or may be.
        """
        parts: dict[Value, list[SpotReading]] = defaultdict(list)
        for reading in readings:
            if _is_unnamed(reading.value) or _is_tower(reading.value):
                parts[reading.value].append(reading)
        squares = {
            value: [parse_spot_square(reading.id) for reading in value_readings]
            for value, value_readings in parts.items()
        }
        towers = {value: self._extract_look(where) for value, where in squares.items() if _is_tower(value)}
        namings = {}
        for value, where in squares.items():
            tower = self._estimate_tower_nats(parts[value], value, where, towers) if value in towers else None
            namings[value] = self.name_place(where, tower)
        return _rename_readings(readings, self._monuments.resolve_claims(namings))

    def _estimate_tower_nats(
        self, readings: Sequence[SpotReading], value: Value, squares: Collection[Square], towers: Mapping[Value, Look]
    ) -> float:
        """How many nats speak for a tower rather than a monument, by all but the monuments that were shown.

        Towers are alike, of each monument there is one: what looks like another tower of its map is one, of two that
        are unlike either may be none.
        """
        monument = max(
            (sum(likely for other, likely in reading.alternatives if _is_monument(other)) for reading in readings),
            default=0.0,
        )
        odds = monument / max(1 - monument, MIN_TOWER_MONUMENT) / math.exp(self.weigh_place(squares))
        odds = max(odds, MIN_TOWER_MONUMENT / (1 - MIN_TOWER_MONUMENT))
        alike = [
            weigh_look_difference(compute_look_difference(towers[value], look), self._monuments.weights)
            for other, look in towers.items()
            if other != value
        ]
        return -math.log(odds) + max(alike, default=0.0)

    def _weigh_names(self, squares: Collection[Square]) -> tuple[dict[str, float], int]:
        """By name, the nats by which what stands on squares looks more like that monument than like another, of those
        that were shown and have such a footprint; and how many others have it."""
        key = tuple(sorted(squares))
        if key not in self._nats:
            fitting = [name for name, card in self._monuments.cards.items() if may_be_monument(card, key)]
            known = [name for name in fitting if self._monuments.list_looks(name)]
            look = self._extract_look(key) if known else None
            says = {name: self._compute_nats(look, name) for name in known if look is not None}
            self._nats[key] = says, len(fitting) - len(known)
        return self._nats[key]

    def _compute_nats(self, look: Look, name: str) -> float:
        """How much likelier it looks if it is that monument than if it is another."""
        return max(
            weigh_look_difference(compute_look_difference(look, known), self._monuments.weights)
            for known in self._monuments.list_looks(name)
        )

    def _extract_look(self, squares: Collection[Square]) -> Look:
        return Look(extract_look(self._view, self._empty, squares))


class LookWeights(NamedTuple):
    """How much each difference of two looks counts (`compute_look_difference`), and what speaks for one monument
    before: by `python -m models.calibration.printed.wonder_looks`."""

    offset: float
    hues: float
    lights: float
    parts: float


def load_look_weights() -> LookWeights:
    """Return the fitted weights; raises ScoringError as `scoring.calibration.load_weights` does."""
    row = load_weights("world_wonders", "looks")["monument"]
    return LookWeights(*(row[name] for name in LookWeights._fields))


def weigh_look_difference(differ: tuple[float, ...] | None, weights: LookWeights) -> float:
    """Return the nats for two looks being of one monument, by how they differ."""
    if differ is None:
        return -MAX_NATS
    nats = weights.offset + sum(weight * part for weight, part in zip(weights[1:], differ, strict=True))
    return min(max(nats, -MAX_NATS), MAX_NATS)


def may_be_monument(card: Monument, squares: Collection[Square]) -> bool:
    """Return whether squares may be a monument, or one of its pieces; one whose footprint is not known may be
    anything."""
    footprint = shift_to_origin(squares)
    return card.parts is None or any(footprint in _list_turns(part) for part in card.parts)


def list_monument_pieces(
    spots: Sequence[SpotReading], cards: Mapping[str, Monument]
) -> Iterator[tuple[str, list[Square]]]:
    """Yield the named monuments among a map's squares, and the squares of each of their pieces."""
    squares: dict[str, list[Square]] = defaultdict(list)
    for spot in spots:
        piece = parse_piece_name(spot.value)
        if piece is not None and piece.kind in cards:
            squares[piece.kind].append(parse_spot_square(spot.id))
    for name, own_squares in squares.items():
        for piece_squares in group_connected_squares(own_squares):
            for own_piece in _split_pieces(cards[name], piece_squares):
                yield name, sorted(own_piece)


def _split_pieces(card: Monument, squares: Collection[Square]) -> Sequence[Collection[Square]]:
    """The pieces that stand side by side on squares that touch, by what the card tells of their shapes."""
    anywhere = [dict.fromkeys(part, ANY_SQUARE) for part in card.parts or ()]
    pieces = split_among_parts(anywhere, dict.fromkeys(squares, LAND_SQUARE)) if len(anywhere) > 1 else None
    return (squares,) if pieces is None else pieces


def parse_spot_square(spot: str) -> Square:
    """Return the row and the column of a map's spot."""
    _, _, row, col = spot.split(".")
    return int(row), int(col)


def _rename_readings(readings: Sequence[SpotReading], namings: Mapping[Value, Naming]) -> list[SpotReading]:
    """Readings with the names given; monuments left without one are counted anew, as values are numbered."""
    calls: dict[Value, Value] = {value: value for value in namings if _is_tower(value)}
    calls |= {value: Numbered(namings[value].name, 1).value for value in calls if namings[value].name}
    unnamed = 0
    for value in sorted(namings.keys() - calls.keys(), key=_get_number):
        unnamed += not namings[value].name
        calls[value] = (
            Numbered(namings[value].name, 1).value if namings[value].name else Numbered(UNNAMED, unnamed).value
        )
    another = Numbered(UNNAMED, unnamed + 1).value

    def called(value: Value) -> Value:
        return calls.get(value, another if _is_unnamed(value) else value)

    return [
        _rename_reading(reading, called(reading.value), namings.get(reading.value), called, another)
        for reading in readings
    ]


def _rename_reading(
    reading: SpotReading, value: Value, naming: Naming | None, called: Callable[[Value], Value], another: Value
) -> SpotReading:
    """A reading whose values are called otherwise; a monument's has the other names it may have among its own."""
    others: dict[Value, float] = defaultdict(float)
    for other, likely in reading.alternatives:
        others[called(other)] += likely
    sure = reading.confidence
    if naming is not None:
        for name, likely in naming.names[:MAX_NAMES]:
            others[Numbered(name, 1).value] += likely * reading.confidence
        if naming.name:
            others[reading.value if _is_tower(reading.value) else another] += naming.none * reading.confidence
            sure *= naming.names[0][1]
        elif _is_tower(reading.value):
            sure *= naming.none
    others.pop(value, None)
    ranked = sorted(others.items(), key=lambda pair: -pair[1])
    likely_enough = tuple((other, likely) for other, likely in ranked if likely > MIN_ALTERNATIVE_PROBABILITY)
    return replace(reading, value=value, confidence=sure, alternatives=likely_enough)


def _exclude_name(naming: Naming, name: str) -> Naming:
    """A naming where that name is another monument's."""
    rest = [(other_name, likely) for other_name, likely in naming.names if other_name != name]
    whole = naming.none + sum(likely for _, likely in rest)
    return Naming(tuple((other_name, likely / whole) for other_name, likely in rest), naming.none / whole)


def _list_turns(part: Mapping[Square, str]) -> Iterator[frozenset[Square]]:
    for turned in list_orientations(part):
        yield shift_to_origin(turned)


def _is_unnamed(value: Value) -> bool:
    piece = parse_piece_name(value)
    return piece is not None and piece.kind == UNNAMED


def _is_monument(value: Value) -> bool:
    piece = parse_piece_name(value)
    return piece is not None and piece.is_monument


def _is_tower(value: Value) -> bool:
    piece = parse_piece_name(value)
    return piece is not None and piece.kind == TOWER


def _get_number(value: Value) -> int:
    piece = parse_piece_name(value)
    return 0 if piece is None else piece.number
