"""Possible places of a piece on the board, and their plausibility: a piece with no plausible place is unlikely."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import shapely
from shapely import Point

from scoring.calibration import Platt, load_weights
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.features import FeatureMap
from scoring.carcassonne.board.locate import PLACED_BY_POSE, Standing, load_farmer_odds, locate_piece
from scoring.carcassonne.tiles.geometry import NO_PRINTED_ROADS, PrintedRoads, unplace_geometry
from scoring.carcassonne.tiles.layout import TileLayout
from vision.arrays import SUREST, Floats
from vision.colour.likeness import SURE
from vision.pieces.classifier import logit
from vision.pieces.ground_classifier import NO_EVIDENCE, Evidence, weigh_by_ground
from vision.reading.piece import Piece

COMPLETE_FEATURE_ODDS = 0.05
"""Odds of a piece on a complete feature, from which pieces return when it is scored. A guess."""
KIND_PLACE_ODDS = {"abbot": 5.0, "pig": 3.0, "builder": 1.6}
"""Odds of a piece of a kind on a feature it may stand on, relative to a meeple, which may stand on any: about 1 in 5 of
those is a monk and 1 in 3 a farmer. A guess.
"""
MIN_ODDS = 1e-3
"""Minimum odds of a kind for its places to be considered. Bounds time."""
USUAL_FIT = 0.7
"""Usual plausibility of a piece's place, from pose and foot together. A guess."""
CHANCE_FIT = 0.1
"""Floor of the plausibility, which limits the cost of a badly misread foot or pose. A guess."""

FOOT_SPREAD_TILES = 0.03
"""Standard deviation of a foot's position beside all tiles. A guess. Pieces are not placed there, but the lattice and
the foot are slightly inaccurate; false pieces on patterned cloth lie anywhere.
"""
LANDMARK_ODDS = 0.02
"""Odds of a piece where a spring, a lake or a volcano is printed, which may look like one. Measured: set on the 10
tables with expansions of "Calibration tables" in `docs/evaluation.md`, on which pieces beside a river become much more
certain.
"""
LANDMARK_REACH_TILES = 0.25
"""Maximum distance of such a landmark from the river's end. A guess."""


@dataclass(frozen=True, slots=True)
class Place:
    """A segment that a piece of some kind and pose may stand on; `odds` are not normalised, and at most 1 for a
    piece.
    """

    square: tuple[int, int]
    segment: int
    pose: str
    odds: float
    kind: str = "meeple"


def find_places(
    piece: Piece,
    board: Board,
    features: FeatureMap,
    poses: Sequence[str],
    kinds: Sequence[str] = ("meeple",),
    printed: PrintedRoads = NO_PRINTED_ROADS,
    evidence: Evidence = NO_EVIDENCE,
) -> tuple[Place, ...]:
    """Return the possible places of a piece from pose, kind and foot together: a lying meeple is a farmer and no other
    is.

    A piece may also stand on a field; the whole table determines how likely that is (`apply_farmer_habit`). A disc or a
    cube replaces a lost meeple, but no other kind. `printed` is the course of roads in the photo, `evidence` the
    photo's evidence about the ground beneath the piece.
    """
    places = tuple(_list_places(piece, board, features, poses, kinds, printed, evidence))
    usual = [place for place in places if not _is_standing_farmer(place, features)] or places
    total, weighed = sum(place.odds for place in usual), sum(place.odds * _get_place_odds(place) for place in usual)
    return tuple(replace(place, odds=place.odds * _get_place_odds(place) * total / weighed) for place in places)


def _get_place_odds(place: Place) -> float:
    return KIND_PLACE_ODDS.get(place.kind, 1.0)


def _list_places(
    piece: Piece,
    board: Board,
    features: FeatureMap,
    poses: Sequence[str],
    kinds: Sequence[str],
    printed: PrintedRoads,
    evidence: Evidence,
) -> Iterator[Place]:
    named = [
        (pose, kind, posed * cut)
        for pose, posed in zip(poses, piece.poses.tolist(), strict=True)
        for kind, cut in zip(kinds, piece.kinds.tolist(), strict=True)
        if cut >= MIN_ODDS and (pose != "disc" or kind == "meeple")
    ]
    total = sum(odds for _, _, odds in named) or 1.0
    for pose, kind, odds in named:
        standings = locate_piece(board, piece.at, pose, kind, printed)
        may_be_farmer = pose == "standing" and kind in PLACED_BY_POSE
        if may_be_farmer:
            standings += locate_piece(board, piece.at, "lying", kind, printed)
        weighed = weigh_by_ground(standings, features, evidence)
        for standing in _allow_for_strays(weighed, features, evidence) if may_be_farmer else weighed:
            place = Place(standing.square, standing.segment, pose, odds / total * standing.mass, kind)
            yield replace(place, odds=place.odds * get_complete_odds(place, features))


def get_complete_odds(place: Place, features: FeatureMap) -> float:
    """Return the odds that a piece is still on the feature at a place, which it leaves once the feature is complete."""
    return COMPLETE_FEATURE_ODDS if features.at(place.square, place.segment).complete else 1.0


def _allow_for_strays(standings: Sequence[Standing], features: FeatureMap, evidence: Evidence) -> Sequence[Standing]:
    """Return the possible places of a standing piece: some that seem to stand in a field belong to a feature beside it.

    Features covered by `evidence` are beside it; in the middle of a field there is none.
    """
    below = [features.at(standing.square, standing.segment) for standing in standings]
    in_field = sum(s.mass for s, feature in zip(standings, below, strict=True) if feature.kind == "field")
    beside = [feature.kind != "field" and feature.id in evidence for feature in below]
    near = sum(standing.mass for standing, is_beside in zip(standings, beside, strict=True) if is_beside)
    if near <= 0:
        return standings
    strays = load_weights("carcassonne", "habits")["pieces"]["strays"]
    gains = [
        1 - strays if feature.kind == "field" else 1 + is_beside * strays * in_field / near
        for feature, is_beside in zip(below, beside, strict=True)
    ]
    return [replace(standing, mass=standing.mass * gain) for standing, gain in zip(standings, gains, strict=True)]


def apply_farmer_habit(
    pieces: Sequence[Piece], places: Sequence[tuple[Place, ...]], features: FeatureMap
) -> list[tuple[Place, ...]]:
    """Return the pieces' places, with standing farmers weighted by the whole table's habit.

    Nearly all tables lay farmers down, with hardly any standing; a few leave all of them standing. All pieces together
    decide between these habits.
    """
    stand = estimate_standing_habit(pieces, places, features)
    return [_mix_habits(piece_places, features, stand) for piece_places in places]


def _mix_habits(places: Sequence[Place], features: FeatureMap, stand: float) -> tuple[Place, ...]:
    """Return the places of a piece, mixed over both habits of its table for standing farmers."""
    odds = np.array([place.odds for place in places])
    standing = np.array([_is_standing_farmer(place, features) for place in places], np.bool_)
    if not odds[standing].any():
        return tuple(places)
    _, seldom = load_farmer_odds()
    by_habit = ((stand, _weigh_standing(places, features)), (1 - stand, np.where(standing, odds * seldom, odds)))
    totals = [(chance, weighed, float(weighed.sum())) for chance, weighed in by_habit]
    shares = np.sum([chance * weighed / total for chance, weighed, total in totals], axis=0)
    mixed = shares * sum(chance * total for chance, _, total in totals)
    return tuple(replace(place, odds=float(new)) for place, new in zip(places, mixed, strict=True))


def _weigh_standing(places: Sequence[Place], features: FeatureMap) -> Floats:
    """Return the odds (n,) of n places of a piece if its table leaves farmers standing.

    The share of farmers among standing pieces is fitted; the probability of standing is unchanged.
    """
    usual, _ = load_farmer_odds()
    standing = np.array([_is_standing_farmer(place, features) for place in places], np.bool_)
    odds = np.array([place.odds for place in places]) * np.where(standing, usual, 1.0)
    farmers, rest = _sum_standing(places, features)
    if farmers > 0 and rest > 0:
        others = np.array([_may_be_farmer(place) for place in places], np.bool_) & ~standing
        share = load_standing_scaling().apply(farmers / (farmers + rest), SUREST)
        odds[standing] *= share * (farmers + rest) / farmers
        odds[others] *= (1 - share) * (farmers + rest) / rest
    return odds


def _sum_standing(places: Sequence[Place], features: FeatureMap) -> tuple[float, float]:
    """Return the odds of a standing farmer, on a table that leaves farmers standing, and of any other standing
    meeple.
    """
    usual, _ = load_farmer_odds()
    standing = [place for place in places if _may_be_farmer(place)]
    farmers = sum(place.odds for place in standing if _is_standing_farmer(place, features))
    return usual * farmers, sum(place.odds for place in standing if not _is_standing_farmer(place, features))


def load_standing_scaling() -> Platt:
    """Return the calibration of the share of farmers among standing pieces on a table that leaves its farmers standing.

    `python -m models.calibration.farmers` fits it. Raises ScoringError `models_missing` if the file is missing.
    """
    row = load_weights("carcassonne", "habits")["farmers_standing"]
    return Platt(row["slope"], row["offset"])


def compute_farmer_share(places: Sequence[Place], features: FeatureMap) -> float | None:
    """Return the uncalibrated probability that a piece is a farmer if it stands and its table's farmers do.

    It is None if there are only fields, or no field.
    """
    farmers, rest = _sum_standing(places, features)
    return farmers / (farmers + rest) if farmers > 0 and rest > 0 else None


def _may_be_farmer(place: Place) -> bool:
    """Return whether a place's pose and kind are possible for a standing farmer."""
    return place.pose == "standing" and place.kind in PLACED_BY_POSE


def list_standing_places(
    at: tuple[float, float], board: Board, features: FeatureMap, printed: PrintedRoads, evidence: Evidence
) -> tuple[Place, ...]:
    """Return the possible places of a meeple that certainly stands, as if farmers stood as often as they lie."""
    piece = Piece(at, 1.0, np.ones(1), np.ones(1))
    return tuple(_list_places(piece, board, features, ("standing",), ("meeple",), printed, evidence))


def _is_standing_farmer(place: Place, features: FeatureMap) -> bool:
    return _may_be_farmer(place) and features.at(place.square, place.segment).kind == "field"


def estimate_standing_habit(pieces: Sequence[Piece], places: Sequence[Sequence[Place]], features: FeatureMap) -> float:
    """Estimate the probability that the table of some pieces leaves its farmers standing.

    Their `places` are computed as if farmers stood as often as they lie. Each piece contributes the likelihood ratio of
    its places under both habits, with the usual share of farmers; some seem to be in a field by mistake. An uncertain
    piece contributes nothing, since things mistaken for a piece may be anywhere.
    """
    habits = load_weights("carcassonne", "habits")
    farmers, seldom, strays = (habits["pieces"][name] for name in ("farmers", "standing", "strays"))
    nats = float(logit(np.array(habits["tables"]["standing"])))
    for piece, piece_places in zip(pieces, places, strict=True):
        posed = [
            place for place in piece_places if place.kind in PLACED_BY_POSE and place.pose in ("standing", "lying")
        ]
        stands = sum(place.odds for place in posed if _is_standing_farmer(place, features))
        lies = sum(place.odds for place in posed if place.pose == "lying")
        none = sum(place.odds for place in posed) - stands - lies
        by_chance = strays * (stands + lies + none)
        if by_chance > 0 and piece.presence > SURE:
            usual, other = (
                (1 - farmers) * none + farmers * (stands * share + lies * (1 - share)) + by_chance
                for share in (seldom, 1 - seldom)
            )
            nats += piece.presence * math.log(other / usual)
    return 0.5 * (1 + math.tanh(nats / 2))


def apply_place_prior(piece: Piece, places: Sequence[Place], board: Board) -> Piece:
    """Return the piece with its presence updated by the plausibility of its places; unchanged if no known tile
    is near.
    """
    if not places:
        return piece
    fit = (sum(place.odds for place in places) + CHANCE_FIT) / (USUAL_FIT + CHANCE_FIT)
    fit *= math.erfc(_measure_tile_distance(piece, board) / (FOOT_SPREAD_TILES * math.sqrt(2)))
    fit *= LANDMARK_ODDS if is_at_landmark(piece.at, board) else 1.0
    return replace(piece, presence=piece.presence * fit / (piece.presence * fit + 1 - piece.presence))


def _measure_tile_distance(piece: Piece, board: Board) -> float:
    """Return the distance, in tiles, of a piece's foot from the nearest tile; 0 on one."""
    col, row = piece.at
    beside = ((max(c - col, 0.0, col - c - 1), max(r - row, 0.0, row - r - 1)) for r, c in board.occupied)
    return min(math.hypot(*offset) for offset in beside)


def is_at_landmark(at: tuple[float, float], board: Board) -> bool:
    """Return whether a foot at lattice units (col, row) stands at a river's spring or end."""
    square = (math.floor(at[1]), math.floor(at[0]))
    placement = board.tiles.get(square)
    if placement is None or placement.wonder is not None:
        return False
    foot = unplace_geometry(Point(at), placement.turns, square)
    return any(math.hypot(x - foot.x, y - foot.y) < LANDMARK_REACH_TILES for x, y in find_landmarks(placement.layout))


@lru_cache(maxsize=1024)
def find_landmarks(layout: TileLayout) -> tuple[tuple[float, float], ...]:
    """Return the ends (x, y) of a layout's only river in open country; none if it reaches a city or there are several
    rivers.
    """
    if len(layout.rivers) != 1:
        return ()
    ends = shapely.get_coordinates(layout.rivers[0].boundary).tolist()
    cities = [segment.geometry for segment in layout.segments if segment.kind == "city"]
    return tuple(
        (x, y)
        for x, y in ends
        if min(x, y, 1 - x, 1 - y) > SUREST and all(city.distance(Point(x, y)) > SUREST for city in cities)
    )
