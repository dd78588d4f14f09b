"""The evidence for standing farmers is fitted on tables that have them, and counts on tables that stand them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from datasets.art.procedural import draw_tile_set
from datasets.art.style import STYLES
from datasets.generate import Deal
from datasets.render.shots import Manner, shoot
from models.calibration.standing import StandingPiece, collect_pieces, fit_row
from tests.readers import reader
from vision.evaluation.labels import load_truth


@pytest.mark.parametrize(("slope", "offset"), [(1.0, 0.0), (0.5, 1.0)])
def test_slope_and_offset_are_found(slope: float, offset: float) -> None:
    rng = np.random.default_rng(1)
    logits = rng.normal(0, 3, 4000)
    outcomes = rng.random(4000) < 1 / (1 + np.exp(-slope * logits - offset))
    pieces = [
        StandingPiece(float(1 / (1 + np.exp(-logit))), bool(so)) for logit, so in zip(logits, outcomes, strict=True)
    ]
    values = fit_row(pieces).values
    assert values["slope"] == pytest.approx(slope, abs=0.1)
    assert values["offset"] == pytest.approx(offset, abs=0.15)
    assert (values["pieces"], values["farmers"]) == (4000, int(outcomes.sum()))


def test_standing_farmers_of_a_drawn_table_are_held_against_the_others(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    board = Deal(played=True, players=3, standing=True).board(rng)
    art = draw_tile_set(STYLES["ink"], 1, 160)
    shoot(board, art, "plain", Manner((2000, 1500), (70, 90), strength=0.3), rng).save(tmp_path, "table")
    pieces = list(collect_pieces(reader(), load_truth(tmp_path / "table.json"), tmp_path / "table.jpg"))
    farmers, others = ([p.probability for p in pieces if p.is_farmer == farmer] for farmer in (True, False))
    assert len(farmers) >= 2
    assert len(others) >= 2
    assert np.mean(farmers) > np.mean(others) + 0.3
