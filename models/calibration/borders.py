"""Fit the likeness from which a square cut by the photo's border is bare table: `python -m models.calibration.borders
LABEL.json ... --photos DIR`.

Borders are drawn at random through each photo, so that they cut the board. For every square beside the remaining tiles
of which a strip remains, its likeness to the table is measured (`vision.survey.photo_border`). A strip of a tile
mistaken for bare table would hide that the board goes on, so the threshold is the first hundredth that no tile's strip
reaches. The command prints the row of `[carcassonne.borders]` in `models/calibration.toml`, with the numbers of strips
of tiles and of the table it rests on and how many of the latter it finds; `--write` writes it there.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import shapely

from models.calibration.file import FittedRow, TooFewCasesError, fit_row_of_photos
from vision.evaluation.labels import Truth
from vision.photo.decoding import Photo
from vision.reader import Reader
from vision.reading.values import Reading
from vision.survey.photo_border import SEEN_SHARE, STRIP, find_cut_squares, measure_likeness_to_table

BORDERS, SEED = 12, 5
"""Borders drawn through each photo, and the seed. A guess."""
MIN_TILES = 4
"""Boards of fewer tiles are skipped: a photo's border hardly ever cuts a board this small. A guess."""


class Strip(NamedTuple):
    """The part of a square beside the board that a border leaves: its likeness to the table, and whether it is tile."""

    likeness: float
    is_tile: bool


def main() -> None:
    fit_row_of_photos(__doc__, collect_strips, fit_row)


def collect_strips(reader: Reader, truth: Truth, file: Path) -> Iterator[Strip]:
    """Yield the strips that borders leave of a photo if all its tiles were found in place; raises ReadingError.

    Squares cut by the photo's own border are left out, since their contents beyond it are unknown.
    """
    photo = Photo.from_path(file)
    reading = reader.read(photo)
    occupied = {tile.square for tile in reading.tiles}
    if len(occupied) != len(truth.board.tiles):
        return
    unknown = find_cut_squares(reading).keys()
    rng = np.random.default_rng(SEED)
    for _ in range(BORDERS):
        width, height = draw_border(reading, rng)
        part = crop_reading(reading, width, height)
        if len(part.tiles) >= MIN_TILES:
            strips = [square for square, share in find_cut_squares(part).items() if share >= STRIP]
            likeness = measure_likeness_to_table(photo.pixels[:height, :width], part, {*strips} - unknown)
            yield from (Strip(mean, square in occupied) for square, mean in likeness.items())


def draw_border(reading: Reading, rng: np.random.Generator) -> tuple[int, int]:
    """Draw the width and height, in pixels, of a photo whose right or lower border (equally often) cuts the board."""
    corners = np.concatenate([tile.corners_px for tile in reading.tiles])
    nearest, farthest = corners.min(axis=0), corners.max(axis=0)
    size = np.array([reading.width, reading.height])
    axis = int(rng.integers(2))
    cut = nearest[axis] + rng.random() * (farthest[axis] - nearest[axis])
    size[axis] = np.clip(round(float(cut)), 1, size[axis])
    width, height = size.tolist()
    return width, height


def crop_reading(reading: Reading, width: int, height: int) -> Reading:
    """Return the reading of the upper left part of a photo: the tiles of which enough is seen there."""
    frame = shapely.box(0, 0, width, height)
    outlines = [shapely.Polygon(tile.corners_px) for tile in reading.tiles]
    enough = [outline.intersection(frame).area >= SEEN_SHARE * outline.area for outline in outlines]
    tiles = tuple(tile for tile, is_enough in zip(reading.tiles, enough, strict=True) if is_enough)
    return replace(reading, tiles=tiles, meeples=(), possible_meeples=(), width=width, height=height)


def fit_row(strips: Sequence[Strip]) -> FittedRow:
    """Return the row with the minimum likeness of bare table; raises TooFewCasesError if no border cuts a tile."""
    tiles = [strip.likeness for strip in strips if strip.is_tile]
    table = [strip.likeness for strip in strips if not strip.is_tile]
    if not tiles:
        raise TooFewCasesError("no border cuts a tile")
    least = math.floor(max(tiles) * 100 + 1) / 100
    counts = {"tiles": len(tiles), "table": len(table), "found": sum(likeness >= least for likeness in table)}
    return FittedRow("borders", "bare", {"likeness": least}, counts, len(strips))


if __name__ == "__main__":
    main()
