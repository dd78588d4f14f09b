"""Whole games of sensible players as series of photos, with their record: a folder for each game.

    python -m datasets.games --out DIR --count 3 --seed 65 --procedural ink autumn winter \
        --tabletops marble herringbone rosettes
    python -m datasets.evaluation.games DIR/game_*

Two to four players play the base game, and a photo is taken after each turn (`--every 3`: after every third), from the
start tile on. Hands reach over the table's edge; the stack, the drawn tile and the pieces in hand lie beside the board;
camera and tiles are nudged, and the light changes. Every second game is photographed from a stand, the others from the
hand; every third has a score board beside it. `record.txt` is the record, and `game.json` holds the number of turns
that each photo follows. `--turns 20` ends each game early.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import cv2
import numpy as np

from datasets.art.score_board import draw_score_board
from datasets.art.style import STYLES
from datasets.games.stage import Habit, Stage
from datasets.generate import gather_art, parse_size
from datasets.render.tabletops import HELD_OUT_KINDS, KINDS
from scoring.carcassonne.deal.strategy import simulate_game
from scoring.carcassonne.play.game import Game
from scoring.carcassonne.play.moves import Move
from scoring.carcassonne.play.setup import Setup
from scoring.carcassonne.record.record import Record
from scoring.carcassonne.record.text import format_record
from vision.arrays import Image

MAX_PLAYERS = 4
"""Maximum number of players of a drawn game: one at each side of the table."""


@dataclass(frozen=True, slots=True)
class Dealt:
    """A game to be photographed: its setup and its moves."""

    setup: Setup
    moves: tuple[Move, ...]

    @classmethod
    def play(cls, rng: Random, turns: int | None = None) -> Dealt:
        """Play a game of two to four sensible players, at most so many turns of it."""
        game = simulate_game(rng, rng.randint(2, MAX_PLAYERS), thrifty=True)
        return cls(Setup(game.players, start=game.start), game.moves[:turns])

    def replay(self) -> Iterator[tuple[Game, str | None]]:
        """Yield the game before its first turn and after each, with the tile that is drawn next."""
        game = Game(self.setup)
        for move in self.moves:
            yield game, next(iter(move.tile.placements.values())).tile
            game.play(move)
        yield game, None

    def play_out(self) -> Game:
        """Return the game after its last turn."""
        *_, (game, _) = self.replay()
        return game


def draw_game(dealt: Dealt, stage: Stage, folder: Path, every: int = 1) -> None:
    """Write the photos of a game, its record and the turns before each photo to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    photos = []
    for turns, (game, drawn) in enumerate(dealt.replay()):
        if turns % every == 0 or drawn is None:
            name = f"{turns:03}.jpg"
            save_photo(stage.shoot(game, drawn), folder / name)
            photos.append({"photo": name, "turns": turns})
    (folder / "record.txt").write_text(format_record(Record.of(dealt.play_out())), encoding="utf-8")
    (folder / "game.json").write_text(json.dumps({"photos": photos}, indent=1) + "\n", encoding="utf-8")


def save_photo(image: Image, path: Path) -> None:
    """Write a photo as a camera would."""
    cv2.imwrite(str(path), image, [cv2.IMWRITE_JPEG_QUALITY, 92])


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m datasets.games", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--out", type=Path, required=True, help="folder to write to")
    parser.add_argument("--count", type=int, default=1, help="number of games")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="number of the first game")
    parser.add_argument("--seed", type=int, default=65)
    parser.add_argument("--turns", type=int, help="number of turns after which a game ends early")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take a photo after every Nth turn")
    parser.add_argument("--size", type=parse_size, default=(1600, 1200), help="size of a photo: WIDTHxHEIGHT")
    parser.add_argument("--procedural", nargs="+", default=["meadow"], choices=sorted(STYLES), help="styles of the art")
    parser.add_argument("--tabletops", nargs="+", default=["wood"], choices=(*KINDS, *HELD_OUT_KINDS))
    options = parser.parse_args(arguments)
    for number in range(options.first, options.first + options.count):
        rng = np.random.default_rng([options.seed, number])
        dealt = Dealt.play(Random(int(rng.integers(2**62))), options.turns)
        style = options.procedural[number % len(options.procedural)]
        (art,) = gather_art([], [style], options.seed, grounds=True)
        tabletop = options.tabletops[number // len(options.procedural) % len(options.tabletops)]
        sheet = draw_score_board(STYLES[style], rng) if number % 3 == 0 else None
        habit = Habit(options.size, stand=number % 2 == 0, sheet=sheet)
        draw_game(
            dealt, Stage(dealt.play_out(), art, tabletop, habit, rng), options.out / f"game_{number:03}", options.every
        )


if __name__ == "__main__":
    main()
