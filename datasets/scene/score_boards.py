"""Score boards on tables: where the sheet lies beside the tiles, and the pieces on its spaces and beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from shapely import Point

from datasets.art.score_designs import DESIGNS, Design
from datasets.art.style import Style
from datasets.scene.clutter import build_rectangle
from datasets.scene.pieces import Piece
from datasets.scene.tokens import LaidToken
from scoring.carcassonne.score_board.spaces import FIRST_EDITION, TILE_MM, ScoreLayout
from vision.arrays import Floats, Image

INWARD_MM = 5.0
"""Distance that a piece usually keeps from its space's border."""
LYING_SHARE = 0.2
MIN_DISTANCE_TILES = 12 / TILE_MM
"""Minimum distance between the centres of two pieces, in tiles."""
WAITING_SPACES = (10, 15, 20, 25)
"""Spaces beside which two pieces of each player wait for a wonder."""
WAITING_MM = (9.0, 20.0)
"""Distance of the first row of waiting pieces from the sheet's border, and between rows."""
WAITING_STEP_MM = 18.0


@dataclass(frozen=True, slots=True, eq=False)
class Sheets:
    """The score boards of several tables: the first edition's is drawn anew for each, any other is the one `printed`.

    With `waiting`, two pieces of each player stand beside the board. With `tokens`, which maps points to the picture of
    that side, players who completed laps have tokens in front of them.
    """

    style: Style
    design: Design = DESIGNS["first"]
    printed: Image | None = None
    waiting: bool = False
    tokens: Mapping[int, Image] | None = None

    def one(self, rng: np.random.Generator) -> Image:
        """Return the picture (h, w, 3) of one table's score board."""
        return self.design.drawn(self.style, rng) if self.printed is None else self.printed


@dataclass(frozen=True, slots=True)
class OnTrack:
    """A piece on a space of the score board."""

    piece: Piece
    space: int


@dataclass(frozen=True, slots=True, eq=False)
class LaidScoreBoard:
    """A score board on the table: (4, 2) corners in table units, its picture, its pieces and the tokens of its laps."""

    corners: Floats
    picture: Image
    pieces: tuple[OnTrack, ...] = ()
    layout: ScoreLayout = FIRST_EDITION
    tokens: tuple[LaidToken, ...] = ()

    @property
    def sheets(self) -> tuple[Floats, ...]:
        """(4, 2) corners of the board and of each of its tokens."""
        return (self.corners, *(token.corners for token in self.tokens))

    def holds(self, at: tuple[float, float]) -> bool:
        """Return whether a point of the table is under the board or a token."""
        return any(cv2.pointPolygonTest(sheet.astype(np.float32), at, False) >= 0 for sheet in self.sheets)

    def at(self, place: tuple[float, float]) -> tuple[float, float]:
        """Return the table position of a point of the sheet, given in millimetres."""
        nw, ne, _, sw = self.corners
        width, height = self.layout.size
        x, y = nw + place[0] / width * (ne - nw) + place[1] / height * (sw - nw)
        return float(x), float(y)


def place_score_board(
    bounds: tuple[float, float, float, float],
    picture: Image,
    rng: np.random.Generator,
    layout: ScoreLayout = FIRST_EDITION,
) -> LaidScoreBoard:
    """Lay the sheet beside the tiles' (x, y, x, y) rectangle at a random angle, without pieces."""
    x0, y0, x1, y1 = bounds
    angle = rng.uniform(0, 2 * np.pi)
    c, s = abs(np.cos(angle)), abs(np.sin(angle))
    wide, high = (side / TILE_MM for side in layout.size)
    reach = np.array([c * wide + s * high, s * wide + c * high]) / 2 + rng.uniform(0.2, 1.2)
    across, along = (0, 1) if rng.random() < 0.5 else (1, 0)
    first, last = np.array([x0, y0]), np.array([x1, y1])
    at = np.zeros(2)
    at[across] = first[across] - reach[across] if rng.random() < 0.5 else last[across] + reach[across]
    at[along] = rng.uniform(first[along], last[along])
    return LaidScoreBoard(build_rectangle((float(at[0]), float(at[1])), (wide, high), angle), picture, layout=layout)


def place_pieces(
    board: LaidScoreBoard,
    players: Sequence[str],
    bgr: Mapping[str, tuple[int, int, int]],
    scale: float,
    rng: np.random.Generator,
    lying: float = LYING_SHARE,
) -> tuple[OnTrack, ...]:
    """Set a piece of each player on a random space, a share of them lying, none overlapping another."""
    placed: list[OnTrack] = []
    for player in players:
        space = int(rng.integers(len(board.layout.areas)))
        pose = "lying" if rng.random() < lying else "standing"
        at = place_on_space(board, space, rng)
        while any(
            np.hypot(at[0] - other.piece.at[0], at[1] - other.piece.at[1]) < MIN_DISTANCE_TILES for other in placed
        ):
            space = int(rng.integers(len(board.layout.areas)))
            at = place_on_space(board, space, rng)
        piece = Piece(player, "meeple", pose, at, rng.uniform(0, 2 * np.pi), bgr[player], scale)
        placed.append(OnTrack(piece, space))
    return tuple(placed)


def place_on_space(board: LaidScoreBoard, space: int, rng: np.random.Generator) -> tuple[float, float]:
    """Return a random table position on a space, away from its border."""
    inner = board.layout.areas[space].buffer(-INWARD_MM)
    x0, y0, x1, y1 = inner.bounds
    while not inner.contains(Point(x := rng.uniform(x0, x1), y := rng.uniform(y0, y1))):
        pass
    return board.at((float(x), float(y)))


def place_waiting_pieces(
    board: LaidScoreBoard,
    players: Sequence[str],
    bgr: Mapping[str, tuple[int, int, int]],
    scale: float,
    rng: np.random.Generator,
) -> list[Piece]:
    """Set two pieces of each player off the board beside a space of its border, as they wait for a wonder."""
    width, height = board.layout.size
    x, y = board.layout.middle(int(rng.choice(WAITING_SPACES)))
    beside = [((0.0, y), (-1, 0)), ((width, y), (1, 0)), ((x, 0.0), (0, -1)), ((x, height), (0, 1))]
    (bx, by), out = min(beside, key=lambda side: abs(side[0][0] - x) + abs(side[0][1] - y))
    pieces = []
    for number, player in enumerate([*players, *players]):
        row, place = divmod(number, len(players))
        away = WAITING_MM[0] + row * WAITING_MM[1] + rng.uniform(0, 4)
        along = (place - (len(players) - 1) / 2) * WAITING_STEP_MM + rng.uniform(-2, 2)
        at = board.at((bx + away * out[0] + along * out[1], by + away * out[1] + along * out[0]))
        pieces.append(Piece(player, "meeple", "standing", at, rng.uniform(0, 2 * np.pi), bgr[player], scale))
    return pieces
