"""Where on the board a piece may stand, and how much sense that makes: what stands nowhere is hardly a piece."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from scoring.carcassonne.board import Board
from scoring.carcassonne.features import FeatureMap
from scoring.carcassonne.locate import locate
from vision.pieces import Piece

COMPLETE = 0.05
"""How much less likely a piece stands on a feature that is complete: it went back when that was scored."""
USUAL_FIT = 0.7
"""How well a piece fits where it stands, pose and foot together, as a rule."""
CHANCE_FIT = 0.1
"""How much of that a foot or a pose that was badly misread may cost."""


@dataclass(frozen=True, slots=True)
class Place:
    """A segment that a piece may stand on in some pose; `odds` are not normalised, all of a piece's at most 1."""

    square: tuple[int, int]
    segment: int
    pose: str
    odds: float


def places_of(piece: Piece, board: Board, features: FeatureMap, poses: Sequence[str]) -> tuple[Place, ...]:
    """Where the piece may stand: its pose and its foot together, since a lying meeple is a farmer and no other is."""
    return tuple(_places(piece, board, features, poses))


def _places(piece: Piece, board: Board, features: FeatureMap, poses: Sequence[str]) -> Iterator[Place]:
    for pose, odds in zip(poses, piece.poses.tolist(), strict=True):
        for standing in locate(board, piece.at, pose):
            complete = features.at(standing.square, standing.segment).complete
            weight = standing.mass * (COMPLETE if complete else 1.0)
            yield Place(standing.square, standing.segment, pose, odds * weight)


def weighed_by_places(piece: Piece, places: Sequence[Place]) -> Piece:
    """The piece, likelier to be there the better it fits its places; as it was where no known tile is near."""
    if not places:
        return piece
    fit = (sum(place.odds for place in places) + CHANCE_FIT) / (USUAL_FIT + CHANCE_FIT)
    return replace(piece, presence=piece.presence * fit / (piece.presence * fit + 1 - piece.presence))
