"""Places that show two pieces are distinguished from places that show one twice."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.art.procedural import draw_tile_set
from datasets.art.style import STYLES
from datasets.render.random_tables import sample_table
from datasets.render.shots import Manner, shoot
from datasets.scene.table import Table
from models.calibration.touching import Pair, collect_pairs, find_piled_places, fit_row, show_two_pieces
from scoring.carcassonne.board.board import Board, PlacedMeeple
from scoring.carcassonne.deal.boards import deal_random_board
from tests.readers import reader
from vision.evaluation.labels import load_truth
from vision.evaluation.matching import match_reading
from vision.photo.decoding import Photo
from vision.pieces.classifier import estimate_two

SHARES = st.floats(0, 1)


@given(pairs=st.lists(st.builds(Pair, SHARES, st.booleans()), max_size=12))
def test_a_row_states_the_cases_it_was_fitted_on(pairs: list[Pair]) -> None:
    row = fit_row(pairs)
    assert row.values["power"] >= 0
    assert 0 < row.values["share"] < 1
    assert (row.values["pairs"], row.values["two"]) == (len(pairs), sum(pair.are_two for pair in pairs))


@pytest.mark.parametrize(("power", "share"), [(1.6, 0.25), (4.0, 0.6)])
def test_the_distribution_of_agreements_is_recovered(power: float, share: float) -> None:
    rng = np.random.default_rng(3)
    two = rng.random(4000) < share
    agreements = np.where(two, rng.random(4000), rng.random(4000) ** (1 / (power + 1)))
    row = fit_row([Pair(a, t) for a, t in zip(agreements.tolist(), two.tolist(), strict=True)])
    assert row.values["power"] == pytest.approx(power, rel=0.1)
    assert row.values["share"] == pytest.approx(share, abs=0.03)


@given(agreements=st.tuples(SHARES, SHARES))
def test_places_with_more_different_poses_are_more_likely_two_pieces(agreements: tuple[float, float]) -> None:
    less, more = sorted(agreements)
    assert 0 < estimate_two(more) <= estimate_two(less) < 1


def test_two_places_at_separate_feet_show_two_pieces() -> None:
    assert show_two_pieces(np.array([0.05, 0.3]), np.array([0.28, 0.02]))
    assert not show_two_pieces(np.array([0.02, 0.4]), np.array([0.17, 0.22]))
    assert not show_two_pieces(np.array([0.05, 0.6]), np.array([0.2, 0.7]))
    assert not show_two_pieces(np.array([0.05, 0.3]), np.array([0.28, 0.25]))
    assert not show_two_pieces(np.zeros(0), np.zeros(0))


def lay_farmer_beside_knight(board: Board) -> Board:
    """Return the board with a farmer of the same player on the tile of a standing piece."""
    for meeple in board.meeples:
        placement = board.tiles[meeple.square]
        for number, segment in enumerate(placement.layout.segments if placement else ()):
            if meeple.pose == "standing" and segment.kind == "field":
                farmer = PlacedMeeple(meeple.colour, meeple.square, number, "lying")
                return replace(board, meeples=(*board.meeples, farmer))
    raise AssertionError("no piece stands on a tile with a field")


def sample_touching(*arguments: Any, **options: Any) -> Table:
    """Sample a table with the farmer, its last piece, laid behind the nearest one, so that they touch."""
    table = sample_table(*arguments, **options)
    *others, farmer = table.meeples
    nearest = min(others, key=lambda other: np.hypot(*np.subtract(other.at, farmer.at)))
    x, y = nearest.piece.at
    moved = replace(farmer, piece=replace(farmer.piece, at=(x, y - 0.27)))
    return replace(table, meeples=(*others, moved))


@pytest.mark.soak
def test_a_standing_piece_and_a_lying_one_touching_it_are_both_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("datasets.render.shots.sample_table", sample_touching)
    rng = np.random.default_rng(2)
    board = lay_farmer_beside_knight(deal_random_board(Random(2), tiles=16, players=2))
    manner = Manner((1400, 1050), (67, 69), (0.02, 0.08), strength=0.5)
    shoot(board, draw_tile_set(STYLES["ink"], 1, 320), "paper", manner, rng).save(tmp_path, "touching")
    truth, own = load_truth(tmp_path / "touching.json"), reader()
    (pair,) = collect_pairs(own, truth, tmp_path / "touching.jpg")
    assert pair.are_two
    assert estimate_two(pair.agreement) > 0.5
    matching = match_reading(own.read(Photo.from_path(tmp_path / "touching.jpg")), truth)
    assert not matching.missed_meeples
    assert not matching.extra_meeples


def test_places_on_a_pile_are_distinguished_from_others() -> None:
    feet = np.array([(3.0, 4.0), (3.0, 4.0), (8.0, 1.0)])
    distances = np.array([[0.05, 0.05, 2.0], [2.0, 2.0, 0.05], [0.9, 0.9, 0.9]])
    assert find_piled_places(distances, feet).tolist() == [True, False, False]
    assert find_piled_places(distances[:, 1:], feet[1:]).tolist() == [False] * 3
    assert find_piled_places(distances[:, :0], feet[:0]).tolist() == [False] * 3
