"""Boards and tables with one special property have it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.render.arrangements import (
    MAX_HOLES,
    SPARE_ROW,
    TRAY_PITCH_TILES,
    add_spares,
    bend_rows,
    cut_holes,
    join_by_one,
    spread_tiles,
    turn_tiles,
)
from datasets.render.random_tables import Props, View, sample_table
from datasets.scene.table import Table
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.deal.boards import deal_random_board
from scoring.carcassonne.tiles.geometry import SIDES, Square, get_neighbour
from tests.datasets.tables import cheap_art

SEEDS = st.integers(0, 10_000)
ART = cheap_art()


def laid(seed: int) -> Table:
    """Return a perfect lattice of a short game."""
    board, rng = deal_random_board(Random(seed), 24), np.random.default_rng(seed)
    props = Props.gather([ART], [board], ["plain"], rng, grounds=1, ground_px=32)
    return sample_table(props, View((400, 300), whole=(0.1, 0.2)), rng, sloppiness=0.0)


def reached(squares: set[Square], start: Square) -> set[Square]:
    """Return everything connected with a square."""
    reached, near = {start}, [start]
    for square in near:
        new = {get_neighbour(square, side) for side in SIDES} & squares - reached
        reached |= new
        near += new
    return reached


@pytest.mark.parametrize("arranged", [bend_rows, spread_tiles, turn_tiles])
@settings(max_examples=5, deadline=None)
@given(seed=SEEDS)
def test_tiles_keep_their_size_and_meeples_their_place(
    arranged: Callable[[Table, np.random.Generator], Table], seed: int
) -> None:
    before = laid(seed)
    after = arranged(before, np.random.default_rng(seed))
    tiles = {tile.square: tile for tile in after.tiles}
    assert tiles.keys() == {tile.square for tile in before.tiles}
    for tile in tiles.values():
        sides = np.linalg.norm(tile.corners - np.roll(tile.corners, 1, axis=0), axis=1)
        np.testing.assert_allclose(sides, 1.0, atol=1e-9)
    for meeple in after.meeples:
        row, col = meeple.square
        assert meeple.piece.at == pytest.approx(tiles[meeple.square].at(meeple.at[0] - col, meeple.at[1] - row))
    assert any((tiles[tile.square].corners != tile.corners).any() for tile in before.tiles)


@settings(max_examples=5, deadline=None)
@given(SEEDS)
def test_a_bent_lattice_stays_closed_but_no_homography_fits_it(seed: int) -> None:
    tiles = {tile.square: tile.corners for tile in bend_rows(laid(seed), np.random.default_rng(seed)).tiles}
    gaps = [
        np.linalg.norm(corners[1] - tiles[row, col + 1][0])
        for (row, col), corners in tiles.items()
        if (row, col + 1) in tiles
    ]
    assert max(gaps) < 0.12
    middles = np.array([(*corners.mean(0), col, row) for (row, col), corners in tiles.items()])
    plane = np.column_stack([middles[:, 2:], np.ones(len(middles))])
    rest = np.linalg.lstsq(plane, middles[:, :2], rcond=None)[1]
    assert rest.sum() > 1e-3


@settings(max_examples=5, deadline=None)
@given(SEEDS)
def test_trays_leave_gaps(seed: int) -> None:
    table = spread_tiles(laid(seed), np.random.default_rng(seed))
    middles = {tile.square: tile.corners.mean(0) for tile in table.tiles}
    steps = [middles[r, c + 1] - at for (r, c), at in middles.items() if (r, c + 1) in middles]
    assert (
        TRAY_PITCH_TILES[0] - 1e-9 <= min(s[0] for s in steps) <= max(s[0] for s in steps) <= TRAY_PITCH_TILES[1] + 1e-9
    )


@settings(max_examples=5, deadline=None)
@given(SEEDS)
def test_a_board_with_holes_is_connected(seed: int) -> None:
    whole = deal_random_board(Random(seed), 40)
    board = cut_holes(whole, Random(seed))
    assert len(whole.tiles) - MAX_HOLES <= len(board.tiles) <= len(whole.tiles)
    assert reached(set(board.tiles), next(iter(board.tiles))) == set(board.tiles)
    assert all(meeple.square in board.tiles for meeple in board.meeples)


@settings(max_examples=3, deadline=None)
@given(SEEDS)
def test_one_tile_connects_two_parts_of_a_board(seed: int) -> None:
    board: Board = join_by_one(lambda rng: deal_random_board(rng, 40), Random(seed))
    squares = set(board.tiles)
    assert reached(squares, next(iter(squares))) == squares
    assert any(len(reached(squares - {s}, next(iter(squares - {s})))) < len(squares) - 1 for s in squares)
    assert (min(row for row, _ in squares), min(col for _, col in squares)) == (0, 0)


@settings(max_examples=5, deadline=None)
@given(SEEDS)
def test_spare_tiles_lie_beside_the_board_without_touching_it(seed: int) -> None:
    table = laid(seed)
    full = add_spares(table, np.random.default_rng(seed))
    spares = full.tiles[len(table.tiles) :]
    assert full.tiles[: len(table.tiles)] == table.tiles
    assert all(tile.square[0] == SPARE_ROW and tile.layout is None for tile in spares)
    middles = np.array([tile.corners.mean(0) for tile in table.tiles])
    for spare in spares:
        assert np.linalg.norm(middles - spare.corners.mean(0), axis=1).min() > 1.2
