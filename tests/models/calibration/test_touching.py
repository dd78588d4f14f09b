"""Places that show two pieces are told from places that show one twice."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.art.procedural import draw_tile_set
from datasets.art.style import STYLES
from datasets.render.shots import Manner, compose_table, shoot
from datasets.scene.table import Table
from models.calibration.touching import Pair, collect_pairs, find_piled_places, fit_bound, fit_row, show_two_pieces
from scoring.calibration import load_weights
from scoring.carcassonne.board.board import Board, PlacedMeeple
from scoring.carcassonne.deal.boards import deal_random_board
from vision.arrays import Image
from vision.evaluation.labels import load_truth
from vision.evaluation.matching import match_reading
from vision.photo.decoding import Photo
from vision.reader import Reader

SHARES = st.floats(0, 1)


@given(below=st.lists(SHARES, max_size=8), above=st.lists(SHARES, max_size=8))
def test_no_bound_misjudges_fewer(below: list[float], above: list[float]) -> None:
    def count_misjudged(bound: float) -> int:
        return sum(value >= bound for value in below) + sum(value < bound for value in above)

    bound = fit_bound(below, above)
    assert 0 <= bound <= 1
    assert count_misjudged(bound) <= min(count_misjudged(other) for other in np.linspace(0.005, 0.995, 100))


def test_the_bound_lies_in_the_middle_of_the_gap() -> None:
    assert fit_bound([0.1, 0.2], [0.4, 0.9]) == pytest.approx(0.3)
    row = fit_row([Pair(0.2, True), Pair(0.1, False), Pair(0.4, False), Pair(0.9, False)])
    assert row.format_line() == '"same_pose" = {agreement = 0.3, pairs = 4, two = 1, misjudged = 1}'


def test_two_places_show_two_pieces_where_each_is_at_a_foot_of_its_own() -> None:
    assert show_two_pieces(np.array([0.05, 0.3]), np.array([0.28, 0.02]))
    assert not show_two_pieces(np.array([0.02, 0.4]), np.array([0.17, 0.22]))
    assert not show_two_pieces(np.array([0.05, 0.6]), np.array([0.2, 0.7]))
    assert not show_two_pieces(np.array([0.05, 0.3]), np.array([0.28, 0.25]))
    assert not show_two_pieces(np.zeros(0), np.zeros(0))


def lay_farmer_beside_knight(board: Board) -> Board:
    """Return the board with a farmer of the same player on the tile of a piece that stands."""
    for meeple in board.meeples:
        placement = board.tiles[meeple.square]
        for number, segment in enumerate(placement.layout.segments if placement else ()):
            if meeple.pose == "standing" and segment.kind == "field":
                farmer = PlacedMeeple(meeple.colour, meeple.square, number, "lying")
                return replace(board, meeples=(*board.meeples, farmer))
    raise AssertionError("no piece stands on a tile with a field")


def render_touching(table: Table, rng: np.random.Generator) -> tuple[Table, Image]:
    """Photograph the table with the farmer, its last piece, laid behind the nearest one, so that they touch."""
    *others, farmer = table.meeples
    nearest = min(others, key=lambda other: np.hypot(*np.subtract(other.at, farmer.at)))
    x, y = nearest.piece.at
    moved = replace(farmer, piece=replace(farmer.piece, at=(x, y - 0.27)))
    return compose_table(replace(table, meeples=(*others, moved)), rng)


def test_a_piece_that_stands_and_one_that_lies_and_touches_it_are_two_and_are_read(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    board = lay_farmer_beside_knight(deal_random_board(Random(2), tiles=16, players=2))
    manner = Manner((1400, 1050), (67, 69), (0.02, 0.08), strength=0.5)
    shoot(board, draw_tile_set(STYLES["ink"], 1, 320), "paper", manner, rng, render_touching).save(tmp_path, "touching")
    truth, reader = load_truth(tmp_path / "touching.json"), Reader()
    bound = load_weights("carcassonne", "touching")["same_pose"]["agreement"]
    (pair,) = collect_pairs(reader, truth, tmp_path / "touching.jpg")
    assert pair.are_two
    assert pair.agreement < bound
    matching = match_reading(reader.read(Photo.from_path(tmp_path / "touching.jpg")), truth)
    assert not matching.missed_meeples
    assert not matching.extra_meeples


def test_places_on_a_pile_are_told_from_others() -> None:
    feet = np.array([(3.0, 4.0), (3.0, 4.0), (8.0, 1.0)])
    distances = np.array([[0.05, 0.05, 2.0], [2.0, 2.0, 0.05], [0.9, 0.9, 0.9]])
    assert find_piled_places(distances, feet).tolist() == [True, False, False]
    assert find_piled_places(distances[:, 1:], feet[1:]).tolist() == [False] * 3
    assert find_piled_places(distances[:, :0], feet[:0]).tolist() == [False] * 3
