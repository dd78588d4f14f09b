"""Nearly hidden squares of a World Wonders map: whether they are doubted as often as they are wrong.

    python -m datasets.evaluation.hidden_squares FOLDER ...

FOLDER is the output of `python -m datasets.world_wonders`. Reports four groups: all squares, those behind a tower or a
monument in the camera's view, those among them that are read as empty, and those whitened by glare. Prints for each how
many are right in kind and piece, and how many were expected to be by the reader's probabilities.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from datasets.render.empty_boards import load_enrolment
from scoring.spots.text import SpotLabel, parse_label
from scoring.world_wonders.game import GAME
from scoring.world_wonders.kinds import NOTHING, TOWER, UNNAMED
from vision.arrays import Flags, Floats
from vision.colour.glare import CLIPPED_GREY
from vision.errors import ReadingError
from vision.evaluation.reliability import format_share
from vision.evaluation.world_wonders import SquareRead, compare_squares
from vision.flat_boards.board import BoardLie
from vision.flat_boards.detector import rectify_enrolled_board
from vision.photo.decoding import Photo
from vision.world_wonders.layout import Grid
from vision.world_wonders.monuments import parse_spot_square
from vision.world_wonders.reader import WondersReader, build_reader
from vision.world_wonders.squares import SQUARE_PX

TALL_MM, STEP_MM = 30.0, 3.0
"""Maximum height of objects on a map, and the step of the search for them along the line from a square to the
camera."""
MIN_WHITE_SHARE = 0.1
ALL, BEHIND, BEHIND_EMPTY, WHITE = (
    "all squares",
    "behind a tower or a monument",
    "of these, with nothing on them as it is read",
    "whitened by glare",
)

Square = tuple[int, int]
Judged = tuple[bool, float]
"""Whether a square is right, and its stated probability of being so."""


def judge_folder(folder: Path) -> Iterator[tuple[str, Judged]]:
    """Yield every square of a folder's maps with each of the groups that it belongs to."""
    reader = build_reader(load_enrolment(folder, GAME.name))
    for file in sorted(folder.glob("table_*.json")):
        label = parse_label(file.read_text(encoding="utf-8"))
        try:
            yield from _judge_photo(reader, Photo.from_path(folder / label.photo), label)
        except ReadingError as error:
            print(f"# {label.photo}: {error.code}")


def _judge_photo(reader: WondersReader, photo: Photo, label: SpotLabel) -> Iterator[tuple[str, Judged]]:
    read = {spot.id: spot for spot in reader.read([photo]).spots}
    for lie, grid, colour in reader.maps_in(photo):
        squares = {parse_spot_square(square.spot): square for square in compare_squares(colour, label.table.laid, read)}
        behind = {*find_squares_behind(squares, lie.camera(photo.halves.size), grid)}
        white = find_white_squares(reader, photo, lie, grid, colour)
        for at, square in squares.items():
            if square.confidence is None:
                continue
            judged = square.right, square.confidence
            yield ALL, judged
            if at in behind:
                yield BEHIND, judged
                if square.read == NOTHING:
                    yield BEHIND_EMPTY, judged
            if white[at]:
                yield WHITE, judged


def find_squares_behind(squares: Mapping[Square, SquareRead], camera: Floats, grid: Grid) -> Iterator[Square]:
    """Yield the squares that a tall object read between their centre and the camera may hide.

    `camera` is (3,) in millimetres of the board, as `BoardLie.camera` returns it.
    """
    tall = {at for at, square in squares.items() if square.read in (TOWER, UNNAMED)}
    for at in squares:
        middle = grid.corners[at].mean(axis=0)
        away = camera[:2] - middle
        reach = TALL_MM * float(np.linalg.norm(away)) / camera[2]
        line = middle + np.arange(0, reach, STEP_MM)[:, None] * away / max(float(np.linalg.norm(away)), 1e-9)
        cells = np.floor((line - grid.first) / grid.square).astype(int)
        if tall & {(int(row), int(col)) for col, row in cells} - {at}:
            yield at


def find_white_squares(reader: WondersReader, photo: Photo, lie: BoardLie, grid: Grid, colour: str) -> Flags:
    """Return a mask (rows, cols) of squares with a minimum share of pixels that are white in all channels in the
    photo."""
    board, px_mm = reader.maps.get(colour) or reader.maps[""], SQUARE_PX / grid.square
    view, _ = rectify_enrolled_board(photo.halves, lie.homography, board, px_mm)
    left, top = (round(px_mm * at) for at in grid.first)
    inside = view[top : top + grid.rows * SQUARE_PX, left : left + grid.cols * SQUARE_PX].min(axis=2) > CLIPPED_GREY
    shares = inside.reshape(grid.rows, SQUARE_PX, grid.cols, SQUARE_PX).mean(axis=(1, 3))
    return np.asarray(shares > MIN_WHITE_SHARE)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("folders", type=Path, nargs="+", help="what `python -m datasets.world_wonders` wrote")
    groups = defaultdict[str, list[Judged]](list)
    for folder in parser.parse_args(arguments).folders:
        for group, judged in judge_folder(folder):
            groups[group].append(judged)
    for name in (ALL, BEHIND, BEHIND_EMPTY, WHITE):
        squares = groups[name]
        right, expected = sum(so for so, _ in squares), sum(likely for _, likely in squares)
        print(f"{name}: {format_share(right, len(squares))} right, {expected:.1f} by what was said")


if __name__ == "__main__":
    main()
