"""Borders are drawn through a photo, and the threshold for bare table is above the likeness of every tile's strip."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.calibration.borders import Strip, collect_strips, crop_reading, draw_border, fit_row
from tests.api.tables_read import HEIGHT, WIDTH, dealt, reading_of
from tests.readers import reader
from vision.evaluation.labels import load_truth

EXAMPLES = Path(__file__).parents[3] / "datasets" / "examples"
strips = st.builds(Strip, st.floats(0, 0.98), st.booleans())


@given(st.lists(strips, min_size=1, max_size=20))
def test_no_strip_of_a_tile_counts_as_bare_table(found: list[Strip]) -> None:
    if not any(strip.is_tile for strip in found):
        with pytest.raises(ValueError, match="cuts a tile"):
            fit_row(found)
        return
    row = fit_row(found)
    highest = max(strip.likeness for strip in found if strip.is_tile)
    assert highest < row.values["likeness"] <= highest + 0.0101
    assert row.values["tiles"] + row.values["table"] == len(found)
    assert row.values["found"] <= row.values["table"]


@given(st.integers(0, 1000), st.integers(0, 50))
def test_a_border_cuts_one_side_and_leaves_enough_of_the_board(seed: int, board: int) -> None:
    reading = reading_of(dealt(board, tiles=12))
    width, height = draw_border(reading, np.random.default_rng(seed))
    assert (width == WIDTH) != (height == HEIGHT) or (width, height) == (WIDTH, HEIGHT)
    part = crop_reading(reading, width, height)
    assert (part.width, part.height) == (width, height)
    assert {tile.square for tile in part.tiles} < {tile.square for tile in reading.tiles} or len(part.tiles) == 12
    for tile in part.tiles:
        middle = tile.corners_px.mean(axis=0)
        assert (middle <= (width + 1, height + 1)).all()


def test_table_and_tiles_of_one_photo_are_distinguished() -> None:
    found = list(collect_strips(reader(), load_truth(EXAMPLES / "test_level.json"), EXAMPLES / "test_level.jpg"))
    tiles = [strip.likeness for strip in found if strip.is_tile]
    table = [strip.likeness for strip in found if not strip.is_tile]
    assert tiles
    assert table
    assert np.median(table) > max(tiles)
