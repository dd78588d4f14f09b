"""Pictures with more tiles than a board has are refused early, and no others."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from datasets.art.procedural import draw_tile_set
from datasets.art.style import STYLES
from scoring.connected_squares import MAX_BOARD_SQUARES
from vision.errors import ReadingError
from vision.localise.detector import TileSpots
from vision.localise.lattice import MAX_LATTICE_SQUARES, Lattice, _find_links, is_too_large
from vision.localise.search import find_lattice
from vision.photo.decoding import Photo
from vision.photo.pyramid import Halves
from vision.reader import Reader
from vision.runtime.onnx import Net

SHARED = Path(__file__).parents[4] / "shared" / "photos" / "failing" / "mosaic_927_squares.jpg"
TILE_PX = 44
SECONDS_MOST = 5.0
BYTES_A_TILE_MOST = 10_000
EXAMPLES = Path(__file__).parents[3] / "datasets" / "examples"
BLANK_PX = 4000
COST_MOST = 5.5
"""Three views, against one for a normal table; comparing each cell with each possible tile took seven times as long."""


@cache
def reader() -> Reader:
    return Reader(threads=1)


@cache
def mosaic(rows: int, cols: int) -> Photo:
    """Return drawn tiles, edge to edge in rows and columns, as no game lays them, with a grey border."""
    art = draw_tile_set(STYLES["meadow"], 1, 96, variants=1)
    tiles = [
        cv2.resize(pictures[0], (TILE_PX, TILE_PX), interpolation=cv2.INTER_AREA) for pictures in art.pictures.values()
    ]
    rng = Random(1)
    picked = [[np.rot90(rng.choice(tiles), rng.randrange(4)) for _ in range(cols)] for _ in range(rows)]
    whole: NDArray[np.uint8] = np.vstack([np.hstack(row) for row in picked])
    framed = np.pad(whole, ((2 * TILE_PX,) * 2, (2 * TILE_PX,) * 2, (0, 0)), constant_values=128)
    return Photo.from_bytes(cv2.imencode(".png", framed)[1].tobytes(), "mosaic.png")


def refused(photo: Photo) -> tuple[ReadingError, float, Lattice]:
    """Return the reason of a refusal, the processor seconds until then, and the lattice that was found first."""
    reader().survey(mosaic(3, 3))  # one-time set-up does not count
    lattices: list[Lattice | None] = []

    def find(net: Net, picture: Halves, first_px: int) -> Lattice | None:
        lattices.append(find_lattice(net, picture, first_px))
        return lattices[-1]

    started = time.process_time()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("vision.survey.surveyor.find_lattice", find)
        with pytest.raises(ReadingError) as error:
            reader().read(photo)
    assert lattices[0]
    return error.value, time.process_time() - started, lattices[0]


def test_a_mosaic_of_far_too_many_tiles_is_refused_before_they_are_classified() -> None:
    error, seconds, lattice = refused(mosaic(28, 26))
    assert is_too_large(lattice)
    assert error.code == "board_too_large"
    assert error.details["most"] == MAX_BOARD_SQUARES < error.details["squares"] <= 1.2 * 28 * 26
    assert seconds < SECONDS_MOST


def test_a_mosaic_of_a_few_too_many_is_refused_before_the_rules_are_asked() -> None:
    error, seconds, lattice = refused(mosaic(21, 21))
    assert MAX_BOARD_SQUARES < len(lattice.corners) <= MAX_LATTICE_SQUARES
    assert (error.code, error.details["most"]) == ("board_too_large", MAX_BOARD_SQUARES)
    assert seconds < SECONDS_MOST


def test_boards_of_the_maximum_number_of_tiles_are_examined() -> None:
    survey = reader().survey(mosaic(20, 20))
    assert survey.found >= 0.9 * MAX_BOARD_SQUARES
    assert len(survey.squares) <= MAX_LATTICE_SQUARES


@pytest.mark.soak
def test_several_photos_together_show_no_more_tiles_than_a_board_has() -> None:
    """Two halves, each small enough, that overlap in a few rows."""
    whole = mosaic(24, 20).pixels
    middle, more = whole.shape[0] // 2, 4 * TILE_PX
    halves = [whole[: middle + more], whole[middle - more :]]
    surveys = [
        reader().survey(Photo.from_bytes(cv2.imencode(".png", half)[1].tobytes(), f"{n}.png"))
        for n, half in enumerate(halves)
    ]
    assert all(len(survey.squares) < MAX_BOARD_SQUARES for survey in surveys)
    with pytest.raises(ReadingError) as error:
        reader().join(surveys)
    assert error.value.code == "board_too_large"


@pytest.mark.skipif(not SHARED.is_file(), reason=f"{SHARED.name} of the shared photos is not at hand")
def test_the_mosaic_that_took_minutes_is_refused_in_seconds() -> None:
    error, seconds, _ = refused(Photo.from_path(SHARED))
    assert error.code == "board_too_large"
    assert seconds < SECONDS_MOST


def test_ten_thousand_tiles_are_linked_in_little_memory() -> None:
    n = 100
    centres = np.array([(10.0 * col, 10.0 * row) for row in range(n) for col in range(n)])
    spots = TileSpots(centres, np.tile(np.eye(2) * 10.0, (n * n, 1, 1)), np.ones(n * n))
    tracemalloc.start()
    links = _find_links(spots)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert sum(map(len, links)) == 4 * n * (n - 1)
    assert most < BYTES_A_TILE_MOST * n * n


def draw_blank() -> NDArray[np.uint8]:
    return np.full((BLANK_PX, BLANK_PX, 3), 255, np.uint8)


def draw_small_squares() -> NDArray[np.uint8]:
    """Return squares of random colours, each of which looks like the middle of a tile."""
    colours = np.random.default_rng(0).integers(0, 255, (BLANK_PX // 10, BLANK_PX // 10, 3), np.uint8)
    return np.asarray(cv2.resize(colours, (BLANK_PX, BLANK_PX), interpolation=cv2.INTER_NEAREST), np.uint8)


@pytest.mark.soak
@pytest.mark.parametrize("draw", [draw_blank, draw_small_squares])
def test_a_picture_without_a_board_costs_at_most_a_few_times_a_table(draw: Callable[[], NDArray[np.uint8]]) -> None:
    """Both are of sixteen megapixels, decoded beforehand, and measured alternately, each at its best of two."""
    table = Photo.from_path(EXAMPLES / "table.jpg").pixels
    enlarged = cv2.resize(table, None, fx=BLANK_PX / table.shape[1], fy=BLANK_PX / table.shape[1])
    board, nothing = (
        Photo.from_bytes(cv2.imencode(".jpg", picture)[1].tobytes(), "photo.jpg") for picture in (enlarged, draw())
    )
    with pytest.raises(ReadingError, match="board_not_found"):
        reader().read(nothing)
    costs = [(measure_reading(nothing), measure_reading(board)) for _ in range(2)]
    assert min(cost for cost, _ in costs) < COST_MOST * min(cost for _, cost in costs)


def measure_reading(photo: Photo) -> float:
    """Return the processor seconds that reading a photo takes, or refusing it."""
    started = time.process_time()
    with suppress(ReadingError):
        reader().read(photo)
    return time.process_time() - started
