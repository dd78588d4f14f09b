"""The probability of a table of Carcassonne is fitted so that tables and other pictures are kept apart."""

from __future__ import annotations

from dataclasses import astuple

import numpy as np
import pytest

from models.calibration.board.tables import fit_row
from models.calibration.file import TooFewCasesError
from vision.arrays import compute_sigmoid
from vision.board.table_likelihood import TableLook


def sample_looks(mean: float, count: int, seed: int) -> list[TableLook]:
    rng = np.random.default_rng(seed)
    return [TableLook(*(mean * rng.uniform(0.5, 1.5, 4)).tolist()) for _ in range(count)]


def test_every_share_distinguishes_tables_from_other_pictures() -> None:
    ours, others = sample_looks(0.02, 30, 1), sample_looks(0.5, 8, 2)
    fitted = fit_row(ours, others).fitted
    weights = [fitted[name] for name in TableLook.__slots__]
    assert max(weights) <= 0
    likely = [compute_sigmoid(float(np.dot(weights, astuple(look))) + fitted["offset"]) for look in (*ours, *others)]
    assert min(likely[:30]) > 0.98
    assert max(likely[30:]) < 0.02


def test_tables_and_other_pictures_are_both_required() -> None:
    with pytest.raises(TooFewCasesError):
        fit_row(sample_looks(0.02, 3, 3), [])
