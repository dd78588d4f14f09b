"""The weights of both sources of evidence for a feature are recovered, and the fit uses a reading's own values."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from datasets.art.procedural import draw_grounds, draw_tile_set
from datasets.art.style import STYLES
from datasets.render.shots import Manner, shoot
from datasets.scene.sloppy import use_as_people_do
from models.calibration.features import WitnessedPiece, collect_pieces, describe_witnesses, fit_factors, fit_row
from scoring.carcassonne.deal.boards import deal_random_board
from tests.readers import reader
from vision.evaluation.labels import load_truth


def sample_pieces(count: int, factors: tuple[float, float], rng: np.random.Generator) -> list[WitnessedPiece]:
    """Return pieces whose sources of evidence have the given weights."""
    pieces = []
    for _ in range(count):
        nats = rng.normal(0, 2, (int(rng.integers(2, 5)), 2))
        odds = np.exp(nats @ factors)
        number = int(rng.choice(len(nats), p=odds / odds.sum()))
        pieces.append(WitnessedPiece(nats, number, bool(rng.random() < 0.5)))
    return pieces


@pytest.mark.parametrize("factors", [(0.7, 1.2), pytest.param((1.0, 0.3), marks=pytest.mark.soak)])
def test_the_factors_are_recovered(factors: tuple[float, float]) -> None:
    pieces = sample_pieces(3000, factors, np.random.default_rng(1))
    assert fit_factors(pieces) == pytest.approx(factors, abs=0.1)
    row = fit_row(pieces)
    assert row.values["pieces"] == 3000
    assert 0 < row.values["misplaced"] < 1500


@pytest.mark.soak
def test_real_tables_count_as_much_as_drawn_ones() -> None:
    rng = np.random.default_rng(2)
    drawn = [replace(piece, is_photographed=False) for piece in sample_pieces(2000, (1.0, 0.2), rng)]
    real = [replace(piece, is_photographed=True) for piece in sample_pieces(200, (0.2, 1.0), rng)]
    alone = fit_factors(drawn)
    drawing, net = fit_factors([*drawn, *real])
    assert drawing < alone[0] - 0.1
    assert net > alone[1] + 0.1
    with pytest.raises(ValueError, match="no piece"):
        fit_row([])


def test_each_witnesss_results_are_printed_for_each_kind_of_table() -> None:
    plain = WitnessedPiece(np.array([(0.0, 0.0), (-9.0, -9.0)]), 0, is_photographed=True)
    misdrawn = WitnessedPiece(np.array([(0.0, -9.0), (-1.0, 0.0)]), 1, is_photographed=True)
    real = [*describe_witnesses([plain, misdrawn])]
    assert [line.split(",")[:2] for line in real] == [
        ["# real", " drawing: 1 of 2 right"],
        ["# real", " both: 2 of 2 right"],
    ]
    assert [line.split(", ")[-1] for line in real] == ["1 surer than 0.98", "2 surer than 0.98"]
    assert [*describe_witnesses([])] == []


def test_both_witnesses_distinguish_pieces_set_on_the_print(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    board = use_as_people_do(deal_random_board(Random(3), tiles=30, players=3), rng)
    art = replace(draw_tile_set(STYLES["meadow"], 3, 240), grounds=draw_grounds(3))
    shoot(board, art, "paper", Manner((1600, 1200), (70, 88), strength=0.5), rng).save(tmp_path, "sloppy")
    pieces = list(collect_pieces(reader(), load_truth(tmp_path / "sloppy.json"), tmp_path / "sloppy.jpg"))
    assert len(pieces) > 5
    assert not any(piece.is_photographed for piece in pieces)
    right = sum(int(np.argmax(piece.nats @ (0.7, 1.2))) == piece.true_number for piece in pieces)
    assert right >= len(pieces) - 1
