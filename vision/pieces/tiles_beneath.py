"""The tiles of a board, weighed again by the pieces on them: hardly any piece stands on a complete feature.

A piece returns to its player when its feature is scored, so a road that would be complete with a piece still on it is
evidence against the tile that completes it, above all if a piece hides that tile. Each alternative of a tile becomes as
much more likely as it makes the places of all pieces more plausible. If it wins, the pieces are placed on it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import prod

from scoring.carcassonne.board.board import Board, PlacedMeeple, Placement
from scoring.carcassonne.board.features import FeatureMap, build_feature_map
from scoring.carcassonne.doubt.alternatives import MIN_ASKED_PROBABILITY
from scoring.carcassonne.doubt.kinds.base import transfer_meeple
from scoring.carcassonne.doubt.kinds.tile import OtherTile
from scoring.carcassonne.tiles.geometry import Square
from vision.geometry.lattice_transform import turn_quad
from vision.pieces.placement import COMPLETE_FEATURE_ODDS, USUAL_FIT, Place, get_complete_odds
from vision.reading.values import DOUBT_BELOW, TileAlternative, TileReading


@dataclass(frozen=True, slots=True)
class PossiblePlaces:
    """The places of a possible piece on the board as read, and the probability of its presence by its look."""

    presence: float
    places: tuple[Place, ...]


def weigh_tiles_by_pieces(
    tiles: Sequence[TileReading], board: Board, pieces: Sequence[PossiblePlaces]
) -> tuple[TileReading, ...]:
    """Return the tiles of a board with their alternatives weighed by the pieces.

    Each tile is weighed as if all others were read correctly.
    """
    features = build_feature_map(board)
    return tuple(tile if tile.cell is not None else _weigh_tile(tile, board, features, pieces) for tile in tiles)


def rename_likeliest_tile(
    tiles: Sequence[TileReading], weighed: Sequence[TileReading]
) -> tuple[TileReading, ...] | None:
    """Return the tiles, one of them renamed: the one whose best alternative leads most once it is `weighed`.

    All keep their own probabilities, so that they can be weighed again on the resulting board. None if every tile is
    more likely than its alternatives.
    """
    number = max(range(len(tiles)), key=lambda i: _measure_lead(weighed[i]), default=None)
    if number is None or _measure_lead(weighed[number]) <= 0:
        return None
    best = max(weighed[number].alternatives, key=lambda other: other.probability)
    return tuple(_rename_tile(tile, best) if i == number else tile for i, tile in enumerate(tiles))


def _measure_lead(tile: TileReading) -> float:
    """Return by how much a tile's most likely alternative is likelier than the tile as named; none of a wonder's is."""
    lead = max((other.probability for other in tile.alternatives), default=0.0) - tile.confidence
    return lead if tile.cell is None and tile.tile is not None else 0.0


def _weigh_tile(tile: TileReading, board: Board, features: FeatureMap, pieces: Sequence[PossiblePlaces]) -> TileReading:
    """Return a tile with its confidence and alternatives weighed by the pieces on the features that run through it."""
    read = board.tiles.get(tile.square)
    likely = [
        other for other in tile.alternatives if other.probability >= MIN_ASKED_PROBABILITY * COMPLETE_FEATURE_ODDS
    ]
    if read is None or not likely:
        return tile
    through = {features.at(tile.square, index).id for index in range(len(read.layout.segments))}
    concerned = [piece for piece in pieces if any(features.at(p.square, p.segment).id in through for p in piece.places)]
    if not concerned:
        return tile
    ratios = {other: _compare(other, tile.square, board, features, concerned) for other in likely}
    total = 1 + sum(other.probability * (ratio - 1) for other, ratio in ratios.items())
    others = (replace(o, probability=o.probability * ratios.get(o, 1.0) / total) for o in tile.alternatives)
    confidence = tile.confidence / total
    return replace(
        tile,
        confidence=confidence,
        doubtful=tile.doubtful or confidence < DOUBT_BELOW,
        alternatives=tuple(sorted(others, key=lambda other: -other.probability)),
    )


def _compare(
    other: TileAlternative, square: Square, board: Board, features: FeatureMap, pieces: Sequence[PossiblePlaces]
) -> float:
    """Return the likelihood of the pieces if a square holds another tile, relative to that of the board as read."""
    placed = Placement(other.tile, other.turns)
    changed = build_feature_map(OtherTile(square, placed, other.probability).on(replace(board, meeples=())))
    old = board.tiles[square]
    likelihoods = [
        (_estimate_likelihood(piece, lambda place: _move_place(place, square, old, placed), changed))
        / _estimate_likelihood(piece, lambda place: place, features)
        for piece in pieces
    ]
    return prod(likelihoods)


def _move_place(place: Place, square: Square, old: Placement | None, new: Placement) -> Place | None:
    """Return a place once a square holds a new tile; None if that tile lacks it."""
    if place.square != square:
        return place
    meeple = transfer_meeple(PlacedMeeple("any", square, place.segment, place.pose), old, new)
    return None if meeple.segment is None else replace(place, segment=meeple.segment)


def _estimate_likelihood(piece: PossiblePlaces, move: Callable[[Place], Place | None], features: FeatureMap) -> float:
    """Return the likelihood of a piece's look and foot on a board with these features, where its places `move` to.

    A place that the board lacks is as unlikely as a complete feature.
    """
    moved = ((place.odds, move(place)) for place in piece.places)
    odds = sum(
        odds * (COMPLETE_FEATURE_ODDS if place is None else get_complete_odds(place, features)) for odds, place in moved
    )
    return piece.presence * odds / USUAL_FIT + 1 - piece.presence


def _rename_tile(tile: TileReading, best: TileAlternative) -> TileReading:
    """Return a tile with one of its alternatives as its name, and the name it had as an alternative."""
    assert tile.tile is not None
    (new,) = (other for other in tile.alternatives if (other.tile, other.turns) == (best.tile, best.turns))
    others = [TileAlternative(tile.tile, tile.turns, tile.confidence), *(o for o in tile.alternatives if o is not new)]
    return replace(
        tile,
        tile=new.tile,
        turns=new.turns,
        corners_px=turn_quad(turn_quad(tile.corners_px, tile.turns), -new.turns),
        confidence=new.probability,
        doubtful=True,
        alternatives=tuple(sorted(others, key=lambda other: -other.probability)),
    )
