"""Pieces set with human imprecision stand on the printed feature that their label names."""

from __future__ import annotations

from functools import cache
from math import floor
from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from datasets.art.printed_ground import PrintedGround
from datasets.art.procedural import draw_grounds
from datasets.scene.sloppy import (
    DEPTHS,
    DISC_DEPTHS,
    MAX_OVER_SEAM_TILES,
    list_spots,
    measure_depth,
    set_on_print,
    use_as_people_do,
)
from scoring.carcassonne.board.board import Board, PlacedMeeple, Placement
from scoring.carcassonne.board.features import build_feature_map
from scoring.carcassonne.board.problems import NEVER_TRUE, find_problems
from scoring.carcassonne.deal.boards import deal_random_board, sample_foot_points
from scoring.carcassonne.tiles.geometry import unplace_point

REACH_TILES = max(-band.low for depths in (DEPTHS, DISC_DEPTHS) for bands in depths.values() for band in bands) + 0.02


@cache
def load_grounds() -> dict[str, tuple[PrintedGround, ...]]:
    return draw_grounds(1, variants=1)


def lay_sloppily(seed: int) -> tuple[Board, tuple[tuple[float, float], ...]]:
    rng = np.random.default_rng(seed)
    board = use_as_people_do(deal_random_board(Random(seed), 24, 3), rng)
    grounds = {square: load_grounds()[placement.tile][0] for square, placement in board.known}
    return board, set_on_print(board, grounds, sample_foot_points(board, Random(seed)), rng)


@given(st.integers(0, 10_000))
def test_a_foot_stands_on_the_printed_feature_of_its_label_or_near_it(seed: int) -> None:
    board, feet = lay_sloppily(seed)
    features = build_feature_map(board)
    for meeple, (x, y) in zip(board.meeples, feet, strict=True):
        square = (floor(y), floor(x))
        placement, feature = board.tiles[square], features.under(meeple)
        assert placement is not None
        assert feature is not None
        at = unplace_point((x, y), placement.turns, square)
        ground = load_grounds()[placement.tile][0]
        own = [index for other, index in feature.members if other == square]
        col, row = (min(int(value * 96), 95) for value in at)
        assert max(measure_depth(ground, index)[row, col] for index in own) >= -REACH_TILES


@given(st.integers(0, 10_000))
def test_no_piece_slides_too_far_over_a_seam(seed: int) -> None:
    board, feet = lay_sloppily(seed)
    for meeple, (x, y) in zip(board.meeples, feet, strict=True):
        row, col = meeple.square
        beyond = max(col - x, x - col - 1, row - y, y - row - 1, 0.0)
        assert beyond <= MAX_OVER_SEAM_TILES


def test_habits_occur_occasionally() -> None:
    laid = [lay_sloppily(seed) for seed in range(15)]
    slid = discs = piled = shared = 0
    for board, feet in laid:
        squares = [(floor(y), floor(x)) for x, y in feet]
        slid += sum(square != meeple.square for square, meeple in zip(squares, board.meeples, strict=True))
        discs += any(meeple.pose == "disc" for meeple in board.meeples)
        piled += len(board.meeples) - len(set(board.meeples))
        shared += len(squares) - len(set(squares))
    assert 0 < slid < sum(len(feet) for _, feet in laid) / 5
    assert 0 < discs < 20
    assert 0 < piled < shared


@given(st.integers(0, 10_000))
def test_piles_respect_the_box_and_their_players_fields(seed: int) -> None:
    board = deal_random_board(Random(seed), 24, 2)
    used = use_as_people_do(board, np.random.default_rng(seed))
    assert not {problem.code for problem in find_problems(used)} & NEVER_TRUE
    before = {feature.id: set(feature.meeples) for feature in build_feature_map(board)}
    assert before == {feature.id: set(feature.meeples) for feature in build_feature_map(used)}


def test_farmers_of_one_player_are_gathered_on_one_tile() -> None:
    meadow = {(0, col): Placement("B") for col in range(3)}
    farmers = tuple(PlacedMeeple("red", (0, col), 1, "lying") for col in (0, 2))
    other = PlacedMeeple("blue", (0, 1), 1, "lying")
    board = Board(meadow, (*farmers, other))
    piled = [use_as_people_do(board, np.random.default_rng(seed)).meeples for seed in range(15)]
    squares = {tuple(meeple.square for meeple in meeples if meeple.colour == "red") for meeples in piled}
    assert {((0, 0), (0, 2)), ((0, 0), (0, 0))} <= squares
    assert all(meeple.square == (0, 1) for meeples in piled for meeple in meeples if meeple.colour == "blue")


def test_thieves_stand_at_the_rim_and_knights_on_walls() -> None:
    ground = load_grounds()["BA/RCr"][0]
    kinds = [part.kind for part in ground.layout.segments]
    for kind in ("road", "city"):
        index = kinds.index(kind)
        inside, rim = (
            measure_depth(ground, index)[
                tuple((list_spots(ground, index, False, at_border)[:, ::-1] * 96).astype(int).T)
            ]
            for at_border in (False, True)
        )
        assert inside.min() > rim.max() - 0.02
        assert rim.min() < 0
