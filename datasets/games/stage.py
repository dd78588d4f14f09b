"""The table of a game, photo by photo: what lies stays where it was put, while players, camera and light move."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from random import Random

import numpy as np

from datasets.art.tileset import TileSet
from datasets.render.arrangements import draw_back, lay_spare
from datasets.render.compositor import compose
from datasets.render.photometric import photograph
from datasets.render.random_tables import Props, Shades, View, fit_camera, place_meeple, sample_table
from datasets.scene.camera import Camera
from datasets.scene.clutter import draw_hand, find_place_beside
from datasets.scene.pieces import COLOURS, Piece, sample_shade
from datasets.scene.score_boards import LaidScoreBoard, OnTrack, place_on_space, place_score_board
from datasets.scene.sloppy import set_on_print
from datasets.scene.table import LaidMeeple, LaidTile, Table
from scoring.carcassonne.board.board import Board, PlacedMeeple
from scoring.carcassonne.deal.boards import sample_foot_points
from scoring.carcassonne.play.game import Game
from scoring.carcassonne.score_board.spaces import FIRST_EDITION
from vision.arrays import Floats, Image

GROUND_PX = 1024
"""Side of the picture of the table top. A guess."""
ROOM_TILES = 2.5
"""Room around the board for hands, the stack and the pieces in hand. A guess."""
TILES_OF_PILE = 12
"""Number of tiles in each pile of the stack. A guess."""
NEW_LIGHT_SHARE = 0.12
"""Share of photos before which the light changes. A guess."""
BUMP_SHARE = 0.06
"""Share of photos before which somebody pushed the camera's stand. A guess."""
NUDGE_SHARE, NUDGE_TILES = 0.15, 0.02
"""Share of photos before which a few tiles are pushed, and how far. A guess."""
HAND_SHARE = 0.25
"""Share of photos with a hand over the table. A guess."""
DRAWN_SHARE = 0.5
"""Share of photos in which the next tile was drawn already and lies beside the board. A guess."""


@dataclass(frozen=True, slots=True)
class Habit:
    """How a game is photographed: `size` (width, height) px, range of the `elevation` in degrees, light's `strength`.

    The camera of a game on a `stand` hardly moves; otherwise it is held in a hand. The picture of a score board lies
    beside the tiles as `sheet`, and shows the points.
    """

    size: tuple[int, int] = (1600, 1200)
    elevation: tuple[float, float] = (50.0, 85.0)
    strength: float = 0.6
    stand: bool = True
    sheet: Image | None = None


@dataclass(frozen=True, slots=True)
class _Pose:
    """The pose of a camera: angles in degrees, and a shift of its aim in tiles."""

    elevation: float
    azimuth: float
    roll: float
    shift: tuple[float, float] = (0.0, 0.0)


class Stage:
    """The table of one game, whose photos are taken in order; `end` is the game after its last turn."""

    def __init__(self, end: Game, art: TileSet, tabletop: str, habit: Habit, rng: np.random.Generator) -> None:
        self._habit, self._rng = habit, rng
        board = replace(end.board(), meeples=())
        props = Props.gather([art], [board], [tabletop], rng, grounds=1, ground_px=GROUND_PX)
        view = View(habit.size, elevation=habit.elevation, whole=(0.05, 0.15))
        table = sample_table(props, view, rng)
        self._empty = replace(table, frame=table.bounds, strays=(), clutter_seed=None)
        self._tiles = {tile.square: tile for tile in table.tiles}
        self._back = draw_back(rng)
        self._bgr: Shades = {player: sample_shade(COLOURS[player], rng) for player in end.setup.players}
        self._scale = float(rng.uniform(0.9, 1.15))
        self._places = self._sample_places(len(end.setup.players))
        self._standing: dict[PlacedMeeple, LaidMeeple] = {}
        self._sheet = self._lay_sheet(habit.sheet) if habit.sheet is not None else None
        self._pose = _Pose(float(rng.uniform(*habit.elevation)), float(rng.uniform(0, 360)), float(rng.normal(0, 4)))
        self._field_of_view = float(rng.uniform(45, 70))
        self._light = int(rng.integers(2**31))

    def shoot(self, game: Game, drawn: str | None = None) -> Image:
        """Return a photo of the table at this point of the game; the `drawn` tile lies beside the board or is in a
        hand.
        """
        self._move_on()
        table = self._lay(game, drawn)
        clean = compose(table)
        if self._rng.random() < HAND_SHARE:
            at = find_place_beside(_compute_bounds(self._list_lying(game.board())), self._rng)
            draw_hand(clean, table.camera, at, self._rng)
        return photograph(clean, np.random.default_rng(self._light), self._habit.strength)

    def _move_on(self) -> None:
        """Let time pass: tiles are pushed, the light changes, and the camera moves a little."""
        rng, stand = self._rng, self._habit.stand
        if rng.random() < NEW_LIGHT_SHARE:
            self._light = int(rng.integers(2**31))
        if rng.random() < NUDGE_SHARE:
            for square in rng.permutation(len(self._tiles))[:4].tolist():
                tile = [*self._tiles.values()][square]
                self._tiles[tile.square] = replace(tile, corners=tile.corners + rng.normal(0, NUDGE_TILES, 2))
        size = (3.0 if rng.random() < BUMP_SHARE else 0.15) if stand else 5.0
        turn, tilt, roll = rng.normal(0, size, 3)
        low, high = self._habit.elevation
        x, y = (np.array(self._pose.shift) * (1.0 if stand else 0.0) + rng.normal(0, size / 10, 2)).tolist()
        self._pose = _Pose(
            float(np.clip(self._pose.elevation + tilt, low, high)),
            self._pose.azimuth + float(turn),
            (self._pose.roll if stand else 0.0) + float(roll) / 2,
            (x, y),
        )

    def _list_lying(self, board: Board) -> list[LaidTile]:
        return [self._tiles[square] for square in board.tiles]

    def _lay(self, game: Game, drawn: str | None) -> Table:
        board = game.board()
        lying = self._list_lying(board)
        self._set_pieces(board)
        sheet = self._sheet and replace(self._sheet, pieces=self._mark_points(self._sheet, game.scores))
        self._sheet = sheet
        spares = [*self._lay_stack(len(game.supply.stack)), *self._lay_drawn(drawn, lying)]
        return replace(
            self._empty,
            tiles=(*lying, *spares),
            meeples=tuple(self._standing[piece] for piece in board.meeples),
            strays=tuple(self._lay_hands(game)),
            camera=self._aim(lying),
            score_board=sheet,
        )

    def _aim(self, lying: Sequence[LaidTile]) -> Camera:
        """Return the camera: on a stand it sees the table of the whole game, in a hand the board with some room."""
        habit, pose = self._habit, self._pose
        x0, y0, x1, y1 = self._empty.bounds if habit.stand else _compute_bounds(lying)
        room = 1.0 if habit.stand else ROOM_TILES
        corners = np.array([(x, y) for x in (x0 - room, x1 + room) for y in (y0 - room, y1 + room)])
        if self._sheet is not None:
            corners = np.concatenate([corners, self._sheet.corners])
        focal = max(habit.size) / (2 * np.tan(np.deg2rad(self._field_of_view) / 2))
        look = partial(
            Camera.look_at,
            elevation=pose.elevation,
            azimuth=pose.azimuth,
            roll=pose.roll,
            focal_px=float(focal),
            size=habit.size,
        )
        return fit_camera(corners + np.array(pose.shift), 0.97, look)

    def _set_pieces(self, board: Board) -> None:
        """Set the pieces that are new on the board; the others stay where they stand."""
        feet = sample_foot_points(board, Random(int(self._rng.integers(2**62))))
        grounds = {square: tile.ground for square, tile in self._tiles.items() if tile.ground and square in board.tiles}
        if grounds:
            feet = set_on_print(board, grounds, feet, self._rng.spawn(1)[0])
        standing = {piece: self._standing.get(piece) for piece in board.meeples}
        for piece, at in zip(board.meeples, feet, strict=True):
            on = self._tiles.get((int(np.floor(at[1])), int(np.floor(at[0]))), self._tiles[piece.square])
            placed = place_meeple(piece, at, on, self._bgr, self._scale, self._rng)
            standing[piece] = standing[piece] or placed
        self._standing = {piece: laid for piece, laid in standing.items() if laid is not None}

    def _sample_places(self, players: int) -> list[tuple[float, float]]:
        """Sample where each player's pieces lie, at the sides of the table."""
        x0, y0, x1, y1 = self._empty.bounds
        sides = [
            ((x0 + x1) / 2, y1 + 1.5),
            ((x0 + x1) / 2, y0 - 1.5),
            (x0 - 1.5, (y0 + y1) / 2),
            (x1 + 1.5, (y0 + y1) / 2),
        ]
        return [(x + self._rng.uniform(-1, 1), y + self._rng.uniform(-1, 1)) for x, y in sides[:players]]

    def _lay_hands(self, game: Game) -> Iterator[Piece]:
        """Yield the pieces in each player's hand, in a loose heap that shrinks."""
        for number, player in enumerate(game.setup.players):
            (x, y), heap = self._places[number], np.random.default_rng(number)
            for _ in range(game.hands[player]["meeple"]):
                at = (x + float(heap.normal(0, 0.5)), y + float(heap.normal(0, 0.3)))
                pose = "standing" if heap.random() < 0.4 else "lying"
                yaw = float(heap.uniform(0, 2 * np.pi))
                yield Piece(player, "meeple", pose, at, yaw, self._bgr[player], self._scale)

    def _lay_stack(self, left: int) -> Iterator[LaidTile]:
        """Yield the piles of tiles that are left to draw, face down beside the board."""
        _, y0, x1, _ = self._empty.bounds
        for pile in range(-(-left // TILES_OF_PILE)):
            at = (x1 + 1.6, y0 + 1.15 * pile)
            yield lay_spare(pile, at, 0.1 * pile, self._back)

    def _lay_drawn(self, drawn: str | None, lying: Sequence[LaidTile]) -> Iterator[LaidTile]:
        """Yield the tile that the player on turn drew, if it lies beside the board already."""
        if drawn is None or self._rng.random() > DRAWN_SHARE:
            return
        x0, y0, x1, y1 = _compute_bounds(lying)
        at = find_place_beside((x0, y0, x1, y1), self._rng)
        clear = np.abs(np.array([tile.corners.mean(0) for tile in lying]) - at).max(axis=1).min()
        picture = next((tile.picture for tile in self._tiles.values() if tile.layout == drawn), None)
        if picture is not None and clear > 1.2:
            yield lay_spare(100, at, float(self._rng.uniform(0, 2 * np.pi)), picture)

    def _lay_sheet(self, picture: Image) -> LaidScoreBoard:
        return place_score_board(self._empty.bounds, picture, self._rng, FIRST_EDITION)

    def _mark_points(self, sheet: LaidScoreBoard, scores: Mapping[str, int]) -> tuple[OnTrack, ...]:
        """Return the pieces on the score board; one that has not moved stays where it stands."""
        before = {on.piece.colour: on for on in sheet.pieces}
        spaces = len(sheet.layout.areas)
        return tuple(
            before[player]
            if player in before and before[player].space == points % spaces
            else self._mark(sheet, player, points)
            for player, points in scores.items()
        )

    def _mark(self, sheet: LaidScoreBoard, player: str, points: int) -> OnTrack:
        laps, space = divmod(points, len(sheet.layout.areas))
        at = place_on_space(sheet, space, self._rng)
        yaw = float(self._rng.uniform(0, 2 * np.pi))
        pose = "lying" if laps else "standing"
        return OnTrack(Piece(player, "meeple", pose, at, yaw, self._bgr[player], self._scale), space)


def _compute_bounds(tiles: Sequence[LaidTile]) -> tuple[float, float, float, float]:
    corners: Floats = np.concatenate([tile.corners for tile in tiles])
    (x0, y0), (x1, y1) = corners.min(0), corners.max(0)
    return float(x0), float(y0), float(x1), float(y1)
