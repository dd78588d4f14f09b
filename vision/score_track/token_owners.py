"""Whose a token is: it lies before its owner, as do the pieces that are left in hand.

What seems to stand on a token tells nothing: it may be printed there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from shapely import Point, Polygon

from scoring.carcassonne.tiles.geometry import Square
from vision.geometry.rectification import apply_homography
from vision.localise.lattice import Lattice, build_flat_lattice
from vision.localise.refinement import compute_square_corners
from vision.photo.crops import compute_tile_px
from vision.photo.pyramid import Halves
from vision.pieces.classifier import Piece
from vision.pieces.crops import STAND_TILE_PX
from vision.pieces.meeples import (
    MIN_COUNTED_PRESENCE,
    MIN_SURE_PRESENCE,
    PLACE_SURE,
    Names,
    find_possible_pieces,
    select_shown_pieces,
)
from vision.reading.values import TrackToken
from vision.score_track.pieces import PieceNets
from vision.score_track.token_detector import FoundToken

REACH = 1.0
"""Tiles from a token's border: what stands farther off is not before the same player, or lies there by chance."""
SEVERAL = 2
"""A piece alone may lie there by chance."""
ABOUT = 2
"""So many squares each way about a token's middle are looked at."""
FAR = 1000.0
"""Tiles: the pieces of the board are none of those about a token."""
ON_TILE, ON_TOKEN = 0.2, 0.1
"""Tiles: so near to a tile a piece may be one of the board's, and so near to a token it may be printed there."""


@dataclass(frozen=True, slots=True, eq=False)
class SeenTable:
    """What is known of a photo: its own lattice, on which `squares` tiles lie, and the pieces on these."""

    nets: PieceNets
    photo: Halves
    lattice: Lattice
    squares: Collection[Square]
    pieces: Sequence[Piece] = ()


@dataclass(frozen=True, slots=True)
class _Beside:
    """What stands `at` a place in lattice units: its colour, and whether that and it are sure."""

    at: Point
    colour: str
    sure: bool

    def away(self, area: Polygon) -> float:
        """Tiles from a token."""
        return float(self.at.distance(area))

    def is_off(self, tiles: Sequence[Polygon], tokens: Sequence[Polygon]) -> bool:
        """Whether it stands on no tile and no token."""
        off_tokens = all(self.away(token) > ON_TOKEN for token in tokens)
        return off_tokens and all(self.away(tile) > ON_TILE for tile in tiles)


def assign_owners(table: SeenTable, tokens: Sequence[FoundToken], players: Collection[str]) -> tuple[TrackToken, ...]:
    """The tokens of a table with their owners among the `players`."""
    to_lattice = np.asarray(np.linalg.inv(table.lattice.homography))
    areas = [Polygon(apply_homography(to_lattice, token.corners_px)) for token in tokens]
    tiles = [Polygon(compute_square_corners(square)) for square in table.squares]
    read = []
    for token, area in zip(tokens, areas, strict=True):
        found = [own for own in _about(table, area) if own.is_off(tiles, areas)]
        mine = [own for own in found if min(areas, key=own.away) is area and own.away(area) <= REACH]
        read.append(_token(token, area, [own for own in mine if own.colour in players], players))
    return doubt_duplicate_tokens(read)


def doubt_duplicate_tokens(tokens: Sequence[TrackToken]) -> tuple[TrackToken, ...]:
    """The same, doubtful where one player would have the same token twice: two of 50 are one of 100."""
    count = Counter((token.colour, token.points) for token in tokens)
    return tuple(replace(own, doubtful=own.doubtful or count[own.colour, own.points] > 1) for own in tokens)


def _token(found: FoundToken, area: Polygon, beside: Sequence[_Beside], players: Collection[str]) -> TrackToken:
    """Sure where its print tells the owner, or all pieces beside it are of one colour, and several of them surely."""
    printed = found.taught.colour
    nearest = min(beside, key=lambda own: own.away(area)).colour if beside else None
    alone = len({own.colour for own in beside}) == 1 and sum(own.sure for own in beside) >= SEVERAL
    return TrackToken(
        points=found.taught.points,
        colour=printed or nearest,
        corners_px=found.corners_px,
        taught=found.taught.name,
        confidence=found.alike,
        doubtful=not (found.sure and (printed in players if printed else alone)),
    )


def _about(table: SeenTable, area: Polygon) -> list[_Beside]:
    """What stands about a token, whose `area` is in lattice units, as squares of its own see it.

    The tiles tell the lamp, since the table may have any colour; the pieces on them how a player's paint looks in it.
    """
    nets, lattice = table.nets, table.lattice
    x, y = area.centroid.x - 0.5, area.centroid.y - 0.5
    steps = range(-ABOUT, ABOUT + 1)
    around = [(row, col) for row in steps for col in steps]
    about = build_flat_lattice(lattice.homography @ np.array([(1, 0, x), (0, 1, y), (0, 0, 1.0)]), around)
    image, scale = table.photo.sized(
        STAND_TILE_PX / float(np.median(compute_tile_px(np.array(list(about.corners.values())))))
    )
    tiles = np.array([lattice.corners[square] for square in table.squares])
    places = find_possible_pieces(nets.finder, nets.classifier, image, scale, about, around, tiles=tiles)
    elsewhere = [replace(piece, at=(piece.at[0] + FAR, piece.at[1])) for piece in table.pieces]
    pieces = select_shown_pieces([*places, *elsewhere], nets.classifier.metadata["colours"])
    names = Names.of(nets.classifier)
    return [
        _Beside(
            Point(piece.at[0] + x, piece.at[1] + y),
            names.colours[int(piece.colours.argmax())],
            piece.presence >= MIN_SURE_PRESENCE and float(piece.colours.max()) >= PLACE_SURE,
        )
        for piece in pieces
        if piece.presence >= MIN_COUNTED_PRESENCE and piece.at[0] < FAR / 2
    ]
