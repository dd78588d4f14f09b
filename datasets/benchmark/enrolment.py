"""Benefit of enrolling a set: tiles read without, with the set's own art enrolled, and with another's.

    python -m datasets.benchmark.enrolment --procedural ink --taught meadow --tabletops checks

One photo of all tiles without pieces is enrolled, and other tables of the same tiles are read; every layout has one
print. `--taught` is the art of another enrolment, which should change nothing.
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


def keep_one_print(art: TileSet) -> TileSet:
    """Return the set with one picture of each layout, as if all tables used the same tiles."""
    return replace(art, pictures={tile: several[:1] for tile, several in art.pictures.items()})


def shoot_all_tiles(art: TileSet, tabletop: str, seed: int) -> tuple[Shot, Board]:
    """Return a photo of all tiles of the base game without pieces, and the board that they form."""
    board = Board(deal_random_board(Random(seed), 72).tiles)
    return shoot(board, art, tabletop, MANNER, np.random.default_rng(seed)), board


def enrol_prints(reader: Reader, shot: Shot, board: Board) -> Enrolment:
    """Enrol the prints of a laid-out photo, as `wondertally enrol tiles` does."""
    return enrol_board(reader.look(encode_photo(shot)), board, reader.square_reader.catalogue, "laid-out").enrolment


def encode_photo(shot: Shot) -> Photo:
    """Return the photo of a shot, as a camera would have stored it."""
    return Photo.from_bytes(cv2.imencode(".jpg", shot.image)[1].tobytes())


def judge_shots(reader: Reader, shots: Sequence[Shot]) -> Iterator[Verdict]:
    """Yield the comparison of each shot's reading with its label."""
    for shot in shots:
        yield judge_reading(reader.read(encode_photo(shot)), read_truth({"photo": "", **shot.label}, "table"), {})


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
    other = enrol_prints(plain, *shoot_all_tiles(keep_one_print(other_art), options.tabletops[0], options.seed))
    for art in map(keep_one_print, gather_art(options.art, options.procedural, options.seed)):
        same_art = enrol_prints(plain, *shoot_all_tiles(art, options.tabletops[0], options.seed + 1))
        shots = [shot for _, shot in generate([art], options.tabletops, MANNER, options.count, options.seed + 2)]
        for taught, enrolments in (("nothing", []), ("its own art", [same_art]), (options.taught, [other])):
            judged = list(judge_shots(Reader(enrolments=enrolments), shots))
            exact, tiles = sum(v.tiles_exact for v in judged), sum(v.tiles for v in judged)
            sure, boards = sum(v.sure_wrong for v in judged), sum(v.board_exact for v in judged)
            summary = f"{exact} of {tiles} tiles exact ({format_percent(exact / tiles, 1)}), {sure} wrong and sure"
            print(f"{art.name}, taught {taught}: {summary}; {boards} of {len(judged)} boards exact", flush=True)


if __name__ == "__main__":
    main()
