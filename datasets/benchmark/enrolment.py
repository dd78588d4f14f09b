"""What teaching a set is worth: tiles read before, with the set's own art taught, and with another's.

    python -m datasets.benchmark.enrolment --procedural ink --taught meadow --tabletops checks

One photo of all tiles laid out without a piece is enrolled, other tables of the same tiles are read; every layout has
one print. `--taught` is the art that another enrolment shows: it should change nothing.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import cv2
import numpy as np

from datasets.art.style import STYLES
from datasets.art.tileset import TileSet
from datasets.generate import gather_art, generate
from datasets.render.shots import Manner, Shot, shoot
from datasets.render.tabletops import HELD_OUT_KINDS, KINDS
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.deal.boards import deal_random_board
from scoring.percent import format_percent
from vision.enrolment.prints import Enrolment
from vision.evaluation.judge import Verdict, judge_reading
from vision.evaluation.labels import read_truth
from vision.photo.decoding import Photo
from vision.reader import Reader
from vision.teaching.tiles import enrol_board

MANNER = Manner((1600, 1200))


def one_print_each(art: TileSet) -> TileSet:
    """The set with one picture of each layout: the same cardboard lies on every table."""
    return replace(art, pictures={tile: several[:1] for tile, several in art.pictures.items()})


def laid_out(art: TileSet, tabletop: str, seed: int) -> tuple[Shot, Board]:
    """A photo of all tiles of the base game, without a piece, and the board that they form."""
    board = Board(deal_random_board(Random(seed), 72).tiles)
    return shoot(board, art, tabletop, MANNER, np.random.default_rng(seed)), board


def enrolled(reader: Reader, shot: Shot, board: Board) -> Enrolment:
    """The prints of a laid-out photo, as `wondertally enrol tiles` takes them."""
    return enrol_board(reader.look(photo_of(shot)), board, reader.catalogue, "laid-out").enrolment


def photo_of(shot: Shot) -> Photo:
    """The photo of a shot, as a camera would have stored it."""
    return Photo.from_bytes(cv2.imencode(".jpg", shot.image)[1].tobytes())


def verdicts(reader: Reader, shots: Sequence[Shot]) -> Iterator[Verdict]:
    """Each shot's reading held against its label."""
    for shot in shots:
        yield judge_reading(reader.read(photo_of(shot)), read_truth({"photo": "", **shot.label}, "table"), {})


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m datasets.benchmark.enrolment", description=__doc__)
    parser.add_argument(
        "--art", type=Path, nargs="+", default=[], help="folders of scans, with manifest.csv beside them"
    )
    parser.add_argument("--procedural", nargs="+", choices=list(STYLES), default=[], help="styles of the project's own")
    parser.add_argument("--taught", choices=list(STYLES), default="meadow", help="the style of another enrolment")
    parser.add_argument("--tabletops", nargs="+", choices=[*KINDS, *HELD_OUT_KINDS], default=["checks"], metavar="KIND")
    parser.add_argument("--count", type=int, default=3, help="tables of each art")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    plain = Reader()
    [other_art] = gather_art([], [options.taught], options.seed + 100)
    other = enrolled(plain, *laid_out(one_print_each(other_art), options.tabletops[0], options.seed))
    for art in map(one_print_each, gather_art(options.art, options.procedural, options.seed)):
        own = enrolled(plain, *laid_out(art, options.tabletops[0], options.seed + 1))
        shots = [shot for _, shot in generate([art], options.tabletops, MANNER, options.count, options.seed + 2)]
        for taught, known in (("nothing", []), ("its own art", [own]), (options.taught, [other])):
            found = list(verdicts(Reader(enrolments=known), shots))
            exact, tiles = sum(v.tiles_exact for v in found), sum(v.tiles for v in found)
            sure, boards = sum(v.sure_wrong for v in found), sum(v.board_exact for v in found)
            told = f"{exact} of {tiles} tiles exact ({format_percent(exact / tiles, 1)}), {sure} wrong and sure"
            print(f"{art.name}, taught {taught}: {told}; {boards} of {len(found)} boards exact", flush=True)


if __name__ == "__main__":
    main()
