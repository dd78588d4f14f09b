"""Tokens of 50 and 100 points on tables, each in front of its player with the pieces left in that player's supply."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from shapely import Point, Polygon
from shapely.geometry.base import BaseGeometry

from datasets.art.score_designs import SIDE_MM
from datasets.scene.clutter import build_rectangle
from datasets.scene.pieces import Piece
from scoring.carcassonne.score_board.spaces import LAP_SPACES, TILE_MM
from vision.arrays import Floats, Image

LAP_PROBABILITIES = (0.35, 0.4, 0.2, 0.05)
"""Probability of each number of laps for a player, from 0."""
DISTANCE_TILES = (0.5, 1.6)
"""Range of distances between the board and a token, in tiles."""
MIN_DISTANCE_TILES = 0.15
"""Minimum distance between a token and anything else, in tiles."""
TRIES = 30
MAX_REMAINING_PIECES = 3
"""Maximum number of pieces beside a token; the rest are in the box or in a hand."""
REMAINING_DISTANCE_TILES = (0.75, 1.25)
"""Range of distances from a token's centre to those pieces, in tiles."""


@dataclass(frozen=True, slots=True, eq=False)
class LaidToken:
    """A token on the table: (4, 2) corners in table units, its picture, its points and its player's colour."""

    corners: Floats
    picture: Image
    points: int
    colour: str


def sample_laps(players: Sequence[str], rng: np.random.Generator) -> dict[str, int]:
    """Sample each player's number of laps around the score board."""
    return {player: int(rng.choice(len(LAP_PROBABILITIES), p=LAP_PROBABILITIES)) for player in players}


def place_tokens(
    bounds: tuple[float, float, float, float],
    occupied: Sequence[Floats],
    laps: Mapping[str, int],
    printed: Mapping[int, Image],
    rng: np.random.Generator,
) -> tuple[LaidToken, ...]:
    """Lay players' tokens around the tiles' (x, y, x, y) rectangle, each player's in as few tokens as possible.

    No token overlaps an area of `occupied`, (4, 2) corners each. If a token finds no room, it and the player's further
    tokens are left out.
    """
    free = [Polygon(corners).buffer(MIN_DISTANCE_TILES) for corners in occupied]
    placed: list[LaidToken] = []
    for place, (player, gone) in enumerate(laps.items()):
        seat = (place + rng.uniform(0.2, 0.8)) / len(laps)
        for points in _shown(gone * LAP_SPACES):
            corners = next((place for place in _tries(bounds, seat, rng) if _is_clear(place, free)), None)
            if corners is None:
                break
            free.append(Polygon(corners).buffer(MIN_DISTANCE_TILES))
            placed.append(LaidToken(corners, printed[points], points, player))
    return tuple(placed)


def place_remaining_pieces(
    tokens: Sequence[LaidToken],
    occupied: Sequence[Floats],
    hands: Mapping[str, int],
    bgr: Mapping[str, tuple[int, int, int]],
    scale: float,
    rng: np.random.Generator,
) -> Iterator[Piece]:
    """Yield some of each player's remaining pieces beside the first of their tokens, clear of `occupied`."""
    lying = [
        Polygon(corners).buffer(MIN_DISTANCE_TILES) for corners in (*occupied, *(token.corners for token in tokens))
    ]
    owners = {token.colour: token for token in reversed(tokens)}
    for colour, token in owners.items():
        for _ in range(min(MAX_REMAINING_PIECES, hands.get(colour, 0))):
            angle = rng.uniform(0, 2 * np.pi)
            x, y = token.corners.mean(0) + rng.uniform(*REMAINING_DISTANCE_TILES) * np.array(
                [np.cos(angle), np.sin(angle)]
            )
            pose = "standing" if rng.random() < 0.5 else "lying"
            if not any(area.contains(Point(x, y)) for area in lying):
                at = (float(x), float(y))
                yield Piece(colour, "meeple", pose, at, rng.uniform(0, 2 * np.pi), bgr[colour], scale)


def _shown(points: int) -> list[int]:
    """Return the token values that add up to `points`, hundreds first."""
    hundreds, rest = divmod(points, 2 * LAP_SPACES)
    return [2 * LAP_SPACES] * hundreds + [LAP_SPACES] * (rest // LAP_SPACES)


def _tries(bounds: tuple[float, float, float, float], seat: float, rng: np.random.Generator) -> Iterator[Floats]:
    """Yield candidate (4, 2) corners in front of a seat, which is given as a fraction of the way around the table."""
    x0, y0, x1, y1 = bounds
    middle, half = np.array([x0 + x1, y0 + y1]) / 2, np.array([x1 - x0, y1 - y0]) / 2
    side = SIDE_MM / TILE_MM
    for _ in range(TRIES):
        angle = 2 * np.pi * seat + rng.normal(0, 0.25)
        way = np.array([np.cos(angle), np.sin(angle)])
        out = min(half / np.maximum(np.abs(way), 1e-9)) + side / 2 + rng.uniform(*DISTANCE_TILES)
        x, y = middle + out * way
        yield build_rectangle((float(x), float(y)), (side, side), angle + np.pi / 2 + rng.normal(0, 0.3))


def _is_clear(corners: Floats, free: Sequence[BaseGeometry]) -> bool:
    outline = Polygon(corners)
    return not any(outline.intersects(other) for other in free)
