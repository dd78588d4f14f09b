"""Identification of monuments on a map by comparison with the enrolled ones, with "none of these" among the answers.

The similarity of two looks gives the log-likelihood ratio of one monument against two; a card's footprint can rule a
monument out. A monument that was not enrolled is one of the others with a matching footprint.

A user enrols monuments by naming them in a reading: its photo shows their appearance (`extract_monument_looks`).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, product
from typing import NamedTuple

import cv2
import numpy as np

from scoring.calibration import load_weights
from scoring.confidence import CONFIDENCE_SURE
from scoring.connected_squares import group_connected_squares
from scoring.disjoint_sets import DisjointSets
from scoring.spots.game import Value
from scoring.world_wonders.components import ANY_SQUARE, LAND_SQUARE, Monument
from scoring.world_wonders.kinds import ROADS, UNNAMED, Numbered, parse_piece_name
from scoring.world_wonders.shapes import list_orientations, shift_to_origin, split_among_parts
from vision.arrays import EVEN_ODDS, Flags, Floats, Image, compute_softmax
from vision.errors import EnrolmentError
from vision.flat_boards.board import BoardLie, EnrolledBoard, normalise_homography
from vision.flat_boards.reading import MAX_ALTERNATIVES, MIN_ALTERNATIVE_PROBABILITY, SpotReading
from vision.photo.decoding import Photo
from vision.world_wonders.layout import Grid
from vision.world_wonders.monument_features import Look, compute_look_difference, extract_look, rectify_map
from vision.world_wonders.pieces import MIN_KIND_PROBABILITY

Square = tuple[int, int]

MAX_NATS = -math.log(MIN_KIND_PROBABILITY)
"""Maximum nats of a comparison of looks, in either direction: no surer than a kind is on a square."""
UNKNOWN_MONUMENTS = 0.02
"""Expected number of further monuments with the footprint: pieces of another box, or a reading error. A guess."""
MAX_OFFSET_SQUARES = 0.2
"""Maximum distance of outlines from a map's grid; beyond it, they belong to another map. A guess."""
MIN_NAME_PROBABILITY = EVEN_ODDS
"""Minimum probability of a name that is assigned."""


@dataclass(frozen=True, slots=True)
class Naming:
    """The probabilities of a monument being each of the enrolled ones, most likely first, and none of them."""

    names: tuple[tuple[str, float], ...]
    none: float

    @property
    def name(self) -> str:
        """The name to assign; "" if none is likely enough."""
        return self.names[0][0] if self.names and self.names[0][1] > MIN_NAME_PROBABILITY else ""


class Monuments:
    """The enrolled monuments: `looks` by name, (h, w, 4) each; `cards` are all of the game's."""

    def __init__(self, looks: Mapping[str, Sequence[Image]], cards: Mapping[str, Monument]) -> None:
        self.cards, self.weights, self.tower_weights = cards, load_look_weights(), load_tower_weights()
        self._looks = {name: [Look(look) for look in looks[name]] for name in cards if looks.get(name)}

    def __bool__(self) -> bool:
        return bool(self._looks)

    def look_at(self, view: Image, empty: Image) -> MapMonuments:
        """Return a comparer for one map, given its squares from above as returned by `split_views`."""
        return MapMonuments(self, view, empty)

    @cached_property
    def narrow_parts(self) -> tuple[int, ...]:
        """The number of parts of each of the game's monuments that stand on one square, or may."""
        return tuple(
            card.pieces or 1 if card.parts is None else sum(len(part) == 1 for part in card.parts)
            for card in self.cards.values()
        )

    def list_looks(self, name: str) -> Sequence[Look]:
        """Return the enrolled looks of a monument, () if there are none."""
        return self._looks.get(name, ())

    def resolve_claims(self, namings: Mapping[Value, Naming]) -> dict[Value, Naming]:
        """Resolve multiple claims to one monument: only the most likely keeps its name."""
        remaining = dict(namings)
        for name in self._looks:
            parts = self.cards[name].parts
            claims = sorted(
                (value for value in remaining if remaining[value].name == name), key=lambda v: -remaining[v].names[0][1]
            )
            for value in claims[1 if parts is None else len(parts) :]:
                remaining[value] = _exclude_name(remaining[value], name)
        return remaining


class NarrowPieces(NamedTuple):
    """The narrow pieces of a table: their looks, and in nats (n,) the `odds` of a tower against a monument without
    them, and in favour of an enrolled monument by its look (`MapMonuments.weigh_place`)."""

    looks: Sequence[Look]
    odds: Floats
    places: Floats


def weigh_towers(pieces: NarrowPieces, parts: Sequence[int], weights: LookWeights, towers: TowerWeights) -> Floats:
    """Return the nats (n, 2) that the looks of some narrow pieces add in favour of each being a tower, and a monument.

    A piece that looks like another one is no flat tile. The towers of a table look alike, and may be of the monuments'
    material. Monuments are unlike each other, except for the narrow parts of one: `parts` are their numbers for each of
    the game's monuments. All ways to divide the pieces are weighed. `pieces.places` are not among the nats returned,
    since each possible monument has its own.
    """
    looks, odds, places = pieces
    several = [number for number in parts if number > 1]
    most, rarity = (max(several), math.log(sum(several) / sum(parts))) if several else (1, 0.0)
    alike = np.zeros((len(looks), len(looks)))
    for i, j in combinations(range(len(looks)), 2):
        alike[i, j] = alike[j, i] = weigh_look_difference(compute_look_difference(looks[i], looks[j]), weights)
    priors = odds - places + np.log(1 + towers.like_monuments * np.expm1(places))
    divisions = np.array([*product((False, True), repeat=len(looks))], bool)
    nats = np.array(
        [
            priors[chosen].sum()
            + towers.alike * alike[np.ix_(chosen, chosen)].sum() / max(1, chosen.sum())
            + max(0.0, sum(_span(np.maximum(alike, 0), ~chosen)[: most - 1]) + rarity)
            for chosen in divisions
        ]
    )
    likely = compute_softmax(nats)
    tower = np.clip((likely[:, None] * divisions).sum(axis=0), MIN_KIND_PROBABILITY, 1 - MIN_KIND_PROBABILITY)
    more = np.clip(np.log(tower / (1 - tower)) - odds + places, -MAX_NATS, MAX_NATS)
    standing = alike.max(axis=1, initial=0.0)
    return np.stack([standing, standing - more], axis=1)


def _span(alike: Floats, chosen: Flags) -> list[float]:
    """Return the weights of the maximum spanning tree of the chosen pieces, largest first."""
    members = np.flatnonzero(chosen).tolist()
    groups, edges = DisjointSets[int](), list[float]()
    for i, j in sorted(combinations(members, 2), key=lambda pair: -alike[pair]):
        if groups.root(i) != groups.root(j):
            groups.join(i, j)
            edges.append(float(alike[i, j]))
    return edges


class MapMonuments:
    """The places (tuples of squares) of one map compared with the enrolled monuments, each once."""

    def __init__(self, monuments: Monuments, view: Image, empty: Image) -> None:
        self._monuments, self._view, self._empty = monuments, view, empty
        self._nats: dict[tuple[Square, ...], tuple[dict[str, float], int]] = {}

    def weigh_place(self, squares: Collection[Square]) -> float:
        """Return the nats in favour of one monument on exactly these squares, by its appearance.

        It is one of the enrolled ones with a matching footprint, each equally likely, or any other.
        """
        says, others = self._weigh_names(squares)
        unknown = others + UNKNOWN_MONUMENTS
        return float(np.logaddexp.reduce([math.log(unknown), *says.values()])) - math.log(len(says) + unknown)

    def name_place(self, squares: Collection[Square]) -> Naming:
        """Return the probabilities of each enrolled monument on some squares."""
        says, others = self._weigh_names(squares)
        unknown = math.log(others + UNKNOWN_MONUMENTS)
        whole = np.logaddexp.reduce([unknown, *says.values()])
        likely = sorted(((name, math.exp(nats - whole)) for name, nats in says.items()), key=lambda nats: -nats[1])
        return Naming(tuple(likely), math.exp(unknown - whole))

    def split_names(self, squares: Collection[Square], another: Value) -> dict[Value, float]:
        """Return the probability of each enrolled monument on some squares by its value; `another` stands for none of
        them."""
        naming = self.name_place(squares)
        shares: dict[Value, float] = {
            Numbered(name, 1).value: likely for name, likely in naming.names[:MAX_ALTERNATIVES]
        }
        return shares | {another: naming.none}

    def name_readings(self, readings: Sequence[SpotReading]) -> list[SpotReading]:
        """Return the squares of the map with names for its enrolled monuments."""
        squares: dict[Value, list[Square]] = defaultdict(list)
        for reading in readings:
            if _parse(reading.value).kind == UNNAMED:
                squares[reading.value].append(parse_spot_square(reading.id))
        namings = {value: self.name_place(where) for value, where in squares.items()}
        return _rename_readings(readings, self._monuments.resolve_claims(namings))

    def _weigh_names(self, squares: Collection[Square]) -> tuple[dict[str, float], int]:
        """Return the nats in favour of each enrolled monument with a matching footprint on some squares, and the number
        of other monuments with it."""
        key = tuple(sorted(squares))
        if key not in self._nats:
            fitting = [name for name, card in self._monuments.cards.items() if may_be_monument(card, key)]
            known = [name for name in fitting if self._monuments.list_looks(name)]
            look = self._extract_look(key) if known else None
            says = {name: self._compute_nats(look, name) for name in known if look is not None}
            self._nats[key] = says, len(fitting) - len(known)
        return self._nats[key]

    def _compute_nats(self, look: Look, name: str) -> float:
        """Return the log-likelihood ratio of the look for that monument against another."""
        return max(
            weigh_look_difference(compute_look_difference(look, known), self._monuments.weights)
            for known in self._monuments.list_looks(name)
        )

    def _extract_look(self, squares: Collection[Square]) -> Look:
        return Look(extract_look(self._view, self._empty, squares))


class LookWeights(NamedTuple):
    """Weights of the differences of two looks (`compute_look_difference`) and the prior nats of one monument, fitted by
    `python -m models.calibration.printed.wonder_looks`."""

    offset: float
    hues: float
    lights: float
    parts: float


def load_look_weights() -> LookWeights:
    """Return the fitted weights; raises ScoringError as `scoring.calibration.load_weights` does."""
    row = load_weights("world_wonders", "looks")["monument"]
    return LookWeights(*(row[name] for name in LookWeights._fields))


class TowerWeights(NamedTuple):
    """The weight of the mean likeness of towers, and the probability that they are of the monuments' material."""

    alike: float
    like_monuments: float


def load_tower_weights() -> TowerWeights:
    """Return the weights of towers; raises ScoringError as `scoring.calibration.load_weights` does."""
    row = load_weights("world_wonders", "looks")["tower"]
    return TowerWeights(*(row[name] for name in TowerWeights._fields))


def weigh_look_difference(differ: tuple[float, ...] | None, weights: LookWeights) -> float:
    """Return the nats in favour of two looks being of one monument, given their differences."""
    if differ is None:
        return -MAX_NATS
    nats = weights.offset + sum(weight * part for weight, part in zip(weights[1:], differ, strict=True))
    return min(max(nats, -MAX_NATS), MAX_NATS)


def may_be_monument(card: Monument, squares: Collection[Square]) -> bool:
    """Return whether squares may be a monument or one of its pieces; one with an unknown footprint may be anywhere."""
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
    """Return the adjacent pieces of a monument on connected squares, split by the shapes on its card."""
    anywhere = [dict.fromkeys(part, ANY_SQUARE) for part in card.parts or ()]
    pieces = split_among_parts(anywhere, dict.fromkeys(squares, LAND_SQUARE)) if len(anywhere) > 1 else None
    return (squares,) if pieces is None else pieces


def parse_spot_square(spot: str) -> Square:
    """Return the row and the column of a map's spot."""
    _, _, row, col = spot.split(".")
    return int(row), int(col)


def _rename_readings(readings: Sequence[SpotReading], namings: Mapping[Value, Naming]) -> list[SpotReading]:
    """Return the readings with names assigned; monuments without one are renumbered."""
    calls: dict[Value, Value] = {}
    unnamed = 0
    for value in sorted(namings, key=_parse):
        unnamed += not namings[value].name
        calls[value] = (
            Numbered(namings[value].name, 1).value if namings[value].name else Numbered(UNNAMED, unnamed).value
        )
    another = Numbered(UNNAMED, unnamed + 1).value

    def called(value: Value) -> Value:
        return calls.get(value, another if _parse(value).kind == UNNAMED else value)

    return [
        _rename_reading(reading, called(reading.value), namings.get(reading.value), called, another)
        for reading in readings
    ]


def _rename_reading(
    reading: SpotReading, value: Value, naming: Naming | None, called: Callable[[Value], Value], another: Value
) -> SpotReading:
    """Return a reading with renamed values; a monument's gets the other possible names among its alternatives."""
    others: dict[Value, float] = defaultdict(float)
    for other, likely in reading.alternatives:
        others[called(other)] += likely
    sure = reading.confidence
    if naming is not None:
        for name, likely in naming.names[:MAX_ALTERNATIVES]:
            others[Numbered(name, 1).value] += likely * reading.confidence
        if naming.name:
            others[another] += naming.none * reading.confidence
            sure *= naming.names[0][1]
    others.pop(value, None)
    ranked = sorted(others.items(), key=lambda pair: -pair[1])
    likely_enough = tuple((other, likely) for other, likely in ranked if likely > MIN_ALTERNATIVE_PROBABILITY)
    return replace(reading, value=value, confidence=sure, alternatives=likely_enough)


def _exclude_name(naming: Naming, name: str) -> Naming:
    """Return the naming without a name that belongs to another monument."""
    rest = [(other_name, likely) for other_name, likely in naming.names if other_name != name]
    whole = naming.none + sum(likely for _, likely in rest)
    return Naming(tuple((other_name, likely / whole) for other_name, likely in rest), naming.none / whole)


def _list_turns(part: Mapping[Square, str]) -> Iterator[frozenset[Square]]:
    for turned in list_orientations(part):
        yield shift_to_origin(turned)


def _parse(value: Value) -> Numbered:
    """Return the piece on a square; that of an empty one is no monument."""
    return parse_piece_name(value) or Numbered(ROADS[0], 0)


def extract_monument_looks(
    photo: Photo,
    spots: Sequence[SpotReading],
    cards: Mapping[str, Monument],
    map_of: Callable[[str], tuple[EnrolledBoard, Grid]],
) -> dict[str, list[Image]]:
    """Extract the looks, (h, w, 4) each, of the monuments on the certain squares of a reading.

    `spots` are those in the photo, with their outlines in it; `map_of` returns a player's map. Raises EnrolmentError
    `nothing_to_enrol`, `piece_does_not_fit`, and the errors of `map_of`.
    """
    maps: dict[str, list[SpotReading]] = defaultdict(list)
    for spot in spots:
        if spot.id.startswith("map.") and len(spot.outline_px) == 4:
            maps[spot.id.split(".")[1]].append(spot)
    looks: dict[str, list[Image]] = defaultdict(list)
    for colour, map_spots in maps.items():
        sure = [spot for spot in map_spots if spot.confidence >= CONFIDENCE_SURE]
        named = list(list_monument_pieces(sure, cards))
        if not named:
            continue
        board, grid = map_of(colour)
        view, empty = rectify_map(photo.halves, _fit_map_lie(map_spots, board, grid), board, grid)
        for name, squares in named:
            if not may_be_monument(cards[name], squares):
                details = {"piece": name, "squares": [list(square) for square in squares]}
                raise EnrolmentError("piece_does_not_fit", details=details)
            looks[name].append(extract_look(view, empty, squares))
    if not looks:
        raise EnrolmentError("nothing_to_enrol", "The reading has no monument that has a name and shows in the photo.")
    return dict(looks)


def _fit_map_lie(spots: Sequence[SpotReading], board: EnrolledBoard, grid: Grid) -> BoardLie:
    """Return a map's pose in a photo from the outlines of its squares; raises EnrolmentError `report_disagrees`."""
    at = [parse_spot_square(spot.id) for spot in spots]
    homography = None
    if all(row < grid.rows and col < grid.cols for row, col in at):
        there = np.concatenate([grid.corners[square] for square in at])
        outlines = np.concatenate([spot.outline_px for spot in spots])
        homography = cv2.findHomography(there, outlines)[0]
    if homography is not None:
        lie = BoardLie(
            normalise_homography(np.asarray(homography, np.float64), np.array(board.size_mm) / 2), 0, 0.0, 1.0, 1.0
        )
        off = np.linalg.norm(lie.to_mm(outlines) - there, axis=1)
        if float(np.median(off)) < MAX_OFFSET_SQUARES * grid.square:
            return lie
    text = "The reading's squares are not those of the map that was enrolled: read the photo anew."
    raise EnrolmentError("report_disagrees", text)
