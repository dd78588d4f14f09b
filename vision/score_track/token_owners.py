"""Owners of tokens: a token lies before its owner, as do the pieces that are left in hand.

A piece that seems to stand on a token is no evidence: it may be printed there.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from shapely import Point, Polygon

from scoring.carcassonne.tiles.geometry import Square
from vision.geometry.rectification import apply_homography
from vision.localise.lattice import Lattice, build_flat_lattice
from vision.localise.refinement import compute_square_corners
from vision.photo.pyramid import Halves
from vision.pieces.crops import STAND_TILE_PX
from vision.pieces.kind_classifier import Names
from vision.pieces.meeples import (
    MIN_COUNTED_PRESENCE,
    MIN_SURE_PRESENCE,
    PLACE_SURE,
    select_shown_pieces,
)
from vision.pieces.piece_reader import find_possible_pieces
from vision.reading.piece import Piece
from vision.reading.values import TrackToken
from vision.score_track.pieces import PieceNets
from vision.score_track.token_detector import FoundToken

MAX_OWNER_DISTANCE_TILES = 1.0
"""Pieces farther than this from a token's border belong to another player, or lie there by chance. A guess."""
MIN_SURE_PIECES = 2
"""Number of sure pieces that determine the owner: a single one may lie there by chance. A guess."""
SEARCH_RADIUS_SQUARES = math.ceil(MAX_OWNER_DISTANCE_TILES) + 1
"""Number of squares in each direction about a token's middle that are searched: a token is no larger than a tile."""
FAR_TILES = 1000.0
"""Distance by which the pieces of the board are moved, so that none of them is near a token. A guess."""
OFF_DISTANCE_TILES = 0.2
"""A piece nearer to a tile may be one of the board's; one nearer to a token may be printed there. A guess."""


@dataclass(frozen=True, slots=True, eq=False)
class SeenTable:
    """The contents of a photo: its own lattice, the `squares` of it with tiles, and the pieces on these."""

    nets: PieceNets
    photo: Halves
    lattice: Lattice
    squares: Collection[Square]
    pieces: Sequence[Piece] = ()


@dataclass(frozen=True, slots=True)
class _Beside:
    """A piece `at` a place in lattice units: its colour, and whether piece and colour are sure."""

    at: Point
    colour: str
    sure: bool

    def away(self, area: Polygon) -> float:
        """Return the distance from a token in tiles."""
        return float(self.at.distance(area))

    def is_off(self, tiles: Sequence[Polygon], tokens: Sequence[Polygon]) -> bool:
        """Return whether it stands on no tile and no token."""
        return all(self.away(area) > OFF_DISTANCE_TILES for area in (*tiles, *tokens))


def assign_owners(table: SeenTable, tokens: Sequence[FoundToken], players: Collection[str]) -> tuple[TrackToken, ...]:
    """Return the tokens of a table with their owners among the `players`."""
    to_lattice = np.asarray(np.linalg.inv(table.lattice.homography))
    areas = [Polygon(apply_homography(to_lattice, token.corners_px)) for token in tokens]
    tiles = [Polygon(compute_square_corners(square)) for square in table.squares]
    read = []
    for token, area in zip(tokens, areas, strict=True):
        pieces = [piece for piece in _find_surrounding_pieces(table, area) if piece.is_off(tiles, areas)]
        mine = [
            piece
            for piece in pieces
            if min(areas, key=piece.away) is area and piece.away(area) <= MAX_OWNER_DISTANCE_TILES
        ]
        read.append(_build_track_token(token, area, [piece for piece in mine if piece.colour in players], players))
    return doubt_duplicate_tokens(read)


def doubt_duplicate_tokens(tokens: Sequence[TrackToken]) -> tuple[TrackToken, ...]:
    """Return the tokens, doubtful if one player would have the same token twice: 2 of 50 are one of 100."""
    count = Counter((token.colour, token.points) for token in tokens)
    return tuple(replace(token, doubtful=token.doubtful or count[token.colour, token.points] > 1) for token in tokens)


def _build_track_token(
    token: FoundToken, area: Polygon, beside: Sequence[_Beside], players: Collection[str]
) -> TrackToken:
    """Build a token, sure by its printed owner, or by several sure pieces of one colour beside it."""
    printed = token.enrolled.colour
    nearest = min(beside, key=lambda piece: piece.away(area)).colour if beside else None
    alone = len({piece.colour for piece in beside}) == 1 and sum(piece.sure for piece in beside) >= MIN_SURE_PIECES
    return TrackToken(
        points=token.enrolled.points,
        colour=printed or nearest,
        corners_px=token.corners_px,
        taught=token.enrolled.name,
        confidence=token.alike,
        doubtful=not (token.sure and (printed in players if printed else alone)),
    )


def _find_surrounding_pieces(table: SeenTable, area: Polygon) -> list[_Beside]:
    """Find the pieces about a token, whose `area` is in lattice units, on squares laid around it.

    The light is estimated from the tiles, since the table may have any colour, and the look of a player's paint from
    the pieces on them.
    """
    nets, lattice = table.nets, table.lattice
    x, y = area.centroid.x - 0.5, area.centroid.y - 0.5
    steps = range(-SEARCH_RADIUS_SQUARES, SEARCH_RADIUS_SQUARES + 1)
    around = [(row, col) for row in steps for col in steps]
    about = build_flat_lattice(lattice.homography @ np.array([(1, 0, x), (0, 1, y), (0, 0, 1.0)]), around)
    image, scale = table.photo.sized(STAND_TILE_PX / about.tile_px)
    tiles = np.array([lattice.corners[square] for square in table.squares])
    places = find_possible_pieces(nets.finder, nets.classifier, image, scale, about, around, tiles=tiles)
    elsewhere = [replace(piece, at=(piece.at[0] + FAR_TILES, piece.at[1])) for piece in table.pieces]
    names = Names.of(nets.classifier)
    pieces = select_shown_pieces([*places, *elsewhere], names.colours)
    return [
        _Beside(
            Point(piece.at[0] + x, piece.at[1] + y),
            names.colours[int(piece.colours.argmax())],
            piece.presence >= MIN_SURE_PRESENCE and float(piece.colours.max()) >= PLACE_SURE,
        )
        for piece in pieces
        if piece.presence >= MIN_COUNTED_PRESENCE and piece.at[0] < FAR_TILES / 2
    ]
