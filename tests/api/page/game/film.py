"""A film of a game, as a camera on a stand sees it: hands lay tiles and take pieces home, and the light drifts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import cv2
import numpy as np

from datasets.render.compositor import compose
from datasets.render.photometric import photograph
from datasets.render.random_tables import Props, View, sample_table
from datasets.scene.table import Table
from scoring.carcassonne.board.board import Board, PlacedMeeple
from scoring.carcassonne.deal.strategy import simulate_game
from scoring.carcassonne.play.game import Game
from scoring.carcassonne.play.setup import Setup
from scoring.carcassonne.tiles.geometry import Square
from tests.drawn_boards import draw_art
from tests.kept import keep
from vision.arrays import Image

SHOWN_RATE, REPEATS = 30, 4
"""Pictures a second that a browser shows of such a film, and how often each one is repeated."""
RATE = SHOWN_RATE / REPEATS
SIZE = (1024, 768)
QUIET_S, HAND_S = 3.0, 1.1
"""Duration of a quiet moment, and of a hand over the table."""
SKIN = (120, 150, 205)
GROUND_PX = 1024


@dataclass(frozen=True)
class Moment:
    """The table after a hand was there: the squares with a tile, and the pieces that stand on these."""

    lying: frozenset[Square]
    standing: frozenset[PlacedMeeple]
    touched: Square


@dataclass(frozen=True)
class FilmedGame:
    """A game to be filmed: its quiet moments, the number of turns and the points at each of them, and its end."""

    moments: tuple[Moment, ...]
    turns_before: tuple[int, ...]
    points: tuple[Mapping[str, int], ...]
    end: Game
    whole: Board
    """All tiles, each with the piece that was ever set on it."""

    @property
    def players(self) -> tuple[str, ...]:
        """Return the players in turn order."""
        return self.end.setup.players

    @property
    def turns(self) -> int:
        """Return the number of turns."""
        return len(self.end.turns)

    @property
    def seconds(self) -> float:
        """Return the duration of the film up to its last moment."""
        return len(self.moments) * (QUIET_S + HAND_S)


def play_for_film(seed: int, turns: int) -> FilmedGame:
    """Play the first turns of a game; a turn in which pieces go home has a moment before and one after."""
    played = simulate_game(Random(seed), 2)
    game = Game(Setup(played.players, start=played.start))
    moments, points, pieces = [Moment(frozenset({(0, 0)}), frozenset(), (0, 0))], [game.scores], set[PlacedMeeple]()
    turns_before = [0]
    for number, move in enumerate(played.moves[:turns], 1):
        before = game.board()
        stood = {PlacedMeeple(move.player, s.square, s.segment) for s in move.stands}
        pieces |= stood
        turn = game.play(move)
        lying, touched = frozenset(game.board().tiles), next(iter(move.tile.placements))
        standing = frozenset({*before.meeples, *stood})
        moments.append(Moment(lying, standing, touched))
        points.append(game.scores)
        if turn.returned:
            moments.append(Moment(lying, standing - {*turn.returned}, turn.returned[0].square))
            points.append(game.scores)
        turns_before += [number] * (len(moments) - len(turns_before))
    return FilmedGame(
        tuple(moments),
        tuple(turns_before),
        tuple(points),
        game,
        replace(game.board(), meeples=tuple(sorted(pieces, key=lambda piece: piece.square))),
    )


@keep
def draw_moments(seed: int, turns: int) -> list[bytes]:
    """Draw the table at each quiet moment of a game, as PNG: one camera, one light."""
    game, rng = play_for_film(seed, turns), np.random.default_rng(seed)
    props = Props.gather([draw_art(game.whole)], [game.whole], ["wood"], rng, grounds=1, ground_px=GROUND_PX)
    view = View(SIZE, elevation=(65, 75), whole=(0.25, 0.3), roll=2)
    table = sample_table(props, view, rng)
    table = replace(table, frame=table.bounds, strays=(), clutter_seed=None, edge=None)
    return [cv2.imencode(".png", _draw_moment(table, moment))[1].tobytes() for moment in game.moments]


def _draw_moment(table: Table, moment: Moment) -> Image:
    standing = {(piece.square, piece.colour) for piece in moment.standing}
    tiles = tuple(tile for tile in table.tiles if tile.square in moment.lying)
    meeples = tuple(one for one in table.meeples if (one.square, one.piece.colour) in standing)
    return photograph(compose(replace(table, tiles=tiles, meeples=meeples)), np.random.default_rng(1), 0.2)


def write_film(file: Path, stills: list[bytes], last_s: float, seed: int = 0) -> None:
    """Write a film of the stills (MJPEG), with a hand between two; the last one stays for some seconds."""
    pictures = [decode_picture(still) for still in stills]
    rng = np.random.default_rng(seed)
    with file.open("wb") as film:
        for number, frame in enumerate(_list_frames(pictures)):
            film.write(_expose(frame, number, rng) * REPEATS)
        film.write(_expose(pictures[-1], 0, rng) * round(last_s * SHOWN_RATE))


def decode_picture(data: bytes) -> Image:
    return np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def _list_frames(pictures: list[Image]) -> Iterator[Image]:
    for before, after in zip([pictures[0], *pictures], pictures, strict=False):
        steps = round(HAND_S * RATE)
        target = _find_change(before, after)
        for step in range(steps) if before is not after else ():
            frame = (before if step < steps // 2 else after).copy()
            _draw_arm(frame, target, 1 - abs(2 * (step + 1) / (steps + 1) - 1))
            yield frame
        for _ in range(round(QUIET_S * RATE)):
            yield after


def _find_change(before: Image, after: Image) -> tuple[int, int]:
    """Return the pixel in the middle of what differs."""
    rows, cols = np.nonzero(cv2.absdiff(before, after).max(axis=2) > 40)
    return (int(np.median(cols)), int(np.median(rows))) if len(rows) else (SIZE[0] // 2, SIZE[1] // 2)


def _draw_arm(frame: Image, target: tuple[int, int], reach: float) -> None:
    """Draw an arm that comes from the lower border and reaches some share of its way."""
    width, height = SIZE
    start = np.array([0.3 * width + 0.5 * target[0], height + 80.0])
    hand = start + (np.array(target) - start) * (0.25 + 0.75 * reach)
    points = tuple(map(int, start)), tuple(map(int, hand))
    cv2.line(frame, *points, SKIN, 90, cv2.LINE_AA)
    for shift in (-45, -15, 15, 45):
        cv2.line(frame, points[1], (points[1][0] + shift, points[1][1] - 60), SKIN, 26, cv2.LINE_AA)


def _expose(frame: Image, number: int, rng: np.random.Generator) -> bytes:
    """Return a frame as JPEG, in light that drifts slowly, with the sensor's noise."""
    light = 1 + 0.12 * np.sin(number / 40)
    noise = rng.normal(0, 3, (SIZE[1] // 4, SIZE[0] // 4, 1)).astype(np.float32)
    grain = cv2.resize(noise, SIZE, interpolation=cv2.INTER_NEAREST)[..., None]
    exposed = np.clip(frame.astype(np.float32) * light + grain, 0, 255).astype(np.uint8)
    return cv2.imencode(".jpg", exposed, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes()
