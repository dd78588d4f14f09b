"""Tiles apart from the board are accepted only if they are certainly tiles."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vision.board.connectivity import exclude_islands
from vision.reading.values import TileReading


def tile(row: int, col: int, confidence: float = 0.99, name: str | None = "BA/RCr") -> TileReading:
    return TileReading(row, col, name, 0, np.zeros((4, 2)), confidence, False)


BOARD = [tile(row, col) for row in range(3) for col in range(4)]


def test_a_single_tile_apart_is_none() -> None:
    assert exclude_islands([*BOARD, tile(7, 7)]) == tuple(BOARD)


def test_tiles_that_touch_at_a_corner_alone_do_not_touch() -> None:
    assert exclude_islands([*BOARD, tile(3, 4)]) == tuple(BOARD)


def test_sure_tiles_apart_stay() -> None:
    apart = [tile(7, col) for col in range(3)]
    assert exclude_islands([*BOARD, *apart]) == (*BOARD, *apart)


def test_doubtful_or_unknown_tiles_apart_are_none() -> None:
    doubtful = [tile(7, col, 0.4) for col in range(4)]
    unknown = [tile(9, col, 0.99, None) for col in range(4)]
    assert exclude_islands([*doubtful, *BOARD, *unknown]) == tuple(BOARD)


@given(st.sets(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), max_size=20))
def test_what_is_kept_was_there_and_keeps_its_order(squares: set[tuple[int, int]]) -> None:
    tiles = [tile(row, col) for row, col in sorted(squares)]
    mainland = exclude_islands(tiles)
    assert [t for t in tiles if t in mainland] == list(mainland)
    assert bool(mainland) == bool(tiles)
