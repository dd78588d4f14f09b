"""The laid table: tiles as laid by hand, pieces on and beside them, a camera and a light; nothing is drawn here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from datasets.art.printed_ground import PrintedGround
from datasets.scene.camera import Camera
from datasets.scene.pieces import Finish, Piece
from datasets.scene.score_boards import LaidScoreBoard
from scoring.carcassonne.tiles.geometry import Square
from scoring.carcassonne.wonders.tiles import WonderLayout
from vision.arrays import Floats, Image

TILE_THICKNESS_TILES = 2 / 45
"""Thickness relative to a tile's width: cardboard of 2 mm, tiles of 45 mm."""


@dataclass(frozen=True, slots=True, eq=False)
class LaidTile:
    """A tile on the table; `layout` is its catalogue id, or None if it is `foreign`, from another expansion.

    `corners` is (4, 2): NW, NE, SE, SW of the square as placed, in table units (a tile is about 1); `picture` is its
    art in canonical orientation, as a pyramid of halving sizes.

    A square of a wonder tile has the wonder's id and the number of the square (`cell`); all five squares share the
    `picture` of the whole wonder and its layout, `wonder`. `ground` maps the print, for code that sets pieces by it.
    """

    square: Square
    layout: str | None
    turns: int
    corners: Floats
    picture: tuple[Image, ...]
    foreign: str | None = None
    cell: int | None = None
    ground: PrintedGround | None = None
    wonder: WonderLayout | None = None

    @property
    def canonical_corners(self) -> Floats:
        """(4, 2) NW, NE, SE, SW corners of the printed tile in its canonical orientation."""
        return np.roll(self.corners, -self.turns, axis=0)

    def at(self, u: float, v: float) -> tuple[float, float]:
        """Return the table position of the point (u, v) of the placed square, both 0 to 1 from its north-west
        corner."""
        nw, ne, se, sw = self.corners
        x, y = nw + u * (ne - nw) + v * (sw - nw) + u * v * (se - ne - sw + nw)
        return float(x), float(y)


@dataclass(frozen=True, slots=True)
class LaidMeeple:
    """A piece on the board: its square, its foot in lattice units (col, row), and the segment it was placed on."""

    piece: Piece
    square: Square
    at: tuple[float, float]
    segment: int | None


@dataclass(frozen=True, slots=True, eq=False)
class Thing:
    """An object on the tiles that is no player's piece: a prism like a piece, optionally with a picture on its top
    face."""

    piece: Piece
    face: Image | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Everything needed to draw a picture of one table.

    `rim` describes a tile's worn or pressed border: its darkening (negative is paler) and its width in tiles. `light`
    is a unit vector (x, y, z up) towards the lamp. `ground` is a picture of the table top that covers `ground_tiles`
    tiles. `edge` holds the (4, 2) corners of the table, or is None if the table fills the picture. `things` lie on the
    tiles and are no player's pieces. `frame` is the (x, y, x, y) rectangle that the board keeps to as it grows.
    """

    tiles: tuple[LaidTile, ...]
    meeples: tuple[LaidMeeple, ...]
    strays: tuple[Piece, ...]
    camera: Camera
    light: Floats
    ground: Image
    ground_tiles: float
    room: Image
    edge: Floats | None
    cardboard: tuple[int, int, int]
    finish: Finish
    rim: tuple[float, float]
    clutter_seed: int | None
    score_board: LaidScoreBoard | None = None
    things: tuple[Thing, ...] = ()
    frame: tuple[float, float, float, float] | None = None

    @property
    def loose(self) -> tuple[Piece, ...]:
        """All pieces, on the board, on the score board and beside them."""
        on_track = self.score_board.pieces if self.score_board else ()
        return (*(m.piece for m in self.meeples), *self.strays, *(on.piece for on in on_track))

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """The board's (x, y, x, y) rectangle in table units, as far as it will grow."""
        if self.frame is not None:
            return self.frame
        corners = np.concatenate([t.corners for t in self.tiles])
        (x0, y0), (x1, y1) = corners.min(0), corners.max(0)
        return float(x0), float(y0), float(x1), float(y1)


def lay_by_hand(squares: Sequence[Square], rng: np.random.Generator, sloppiness: float = 1.0) -> dict[Square, Floats]:
    """Return the (4, 2) corners (NW, NE, SE, SW) of each square as laid by hand: gaps, drift, small turns.

    `sloppiness` scales all of it: 1 spans the range seen on real tables, 0 gives a perfect lattice.
    """
    pitch = 1 + sloppiness * np.array([abs(rng.normal(0, 0.018)), abs(rng.normal(0, 0.018))])
    if rng.random() < 0.04 * sloppiness:  # a tile tray
        pitch = np.full(2, rng.uniform(1.06, 1.16))
    shift = sloppiness * abs(rng.normal(0, 0.018))
    turn = sloppiness * abs(rng.normal(0, 0.012))
    wave = sloppiness * rng.normal(0, 0.010, (2, 2, 2))
    loose = set(rng.permutation(len(squares))[: rng.binomial(len(squares), 0.015 * sloppiness)].tolist())
    middle = np.mean(np.array(squares, float), axis=0)[::-1] + 0.5
    placed = {}
    for i, (row, col) in enumerate(squares):
        centre = np.array([col + 0.5, row + 0.5])
        away = centre - middle
        drift = np.einsum("ijk,j,k->i", wave, away, away) * 0.25
        centre = middle + away * pitch + np.clip(drift, -0.3, 0.3) + rng.normal(0, shift, 2)
        angle = rng.normal(0, turn) + (rng.normal(0, 0.05) if i in loose else 0.0)
        c, s = np.cos(angle), np.sin(angle)
        half = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) / 2
        placed[row, col] = half @ np.array([[c, s], [-s, c]]) + centre
    return placed


def align_as_one(squares: Sequence[Square], corners: dict[Square, Floats]) -> dict[Square, Floats]:
    """Fit the (4, 2) corners of squares on one piece of cardboard to `corners`, without gaps or drift."""
    lattice = [[(col, row), (col + 1, row), (col + 1, row + 1), (col, row + 1)] for row, col in squares]
    flat, wanted = np.array(lattice, float).reshape(-1, 2), np.concatenate([corners[square] for square in squares])
    centred, there = flat - flat.mean(0), wanted - wanted.mean(0)
    angle = np.arctan2((centred[:, 0] * there[:, 1] - centred[:, 1] * there[:, 0]).sum(), (centred * there).sum())
    c, s = np.cos(angle), np.sin(angle)
    moved = centred @ np.array([[c, s], [-s, c]]) + wanted.mean(0)
    return dict(zip(squares, moved.reshape(-1, 4, 2), strict=True))
