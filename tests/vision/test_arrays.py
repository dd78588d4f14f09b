"""Softmax, its logarithm and the sigmoid: as SciPy has them, and nowhere else in the reader."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from scipy import special

from vision.arrays import compute_log_softmax, compute_sigmoid, compute_softmax

ROOT = Path(__file__).parents[2]
COPY = re.compile(r"def _?(?:\w+_)?(?:softmax|sigmoid|expit)\b|1 / \(\s*1 \+ np\.exp\(|np\.exp\((\w+) - \1\.max\(axis")


@pytest.mark.parametrize("spread", [0.1, 3.0, 60.0])
def test_softmax_and_sigmoid_equal_those_of_scipy(spread: float) -> None:
    logits = np.random.default_rng(7).normal(0, spread, (40, 12))
    np.testing.assert_allclose(compute_softmax(logits, axis=1), special.softmax(logits, axis=1), rtol=1e-12)
    np.testing.assert_allclose(compute_softmax(logits), special.softmax(logits), rtol=1e-12)
    np.testing.assert_allclose(compute_log_softmax(logits), special.log_softmax(logits, axis=-1), atol=1e-12)
    np.testing.assert_allclose(compute_sigmoid(logits), special.expit(logits), rtol=1e-12)


def test_single_precision_is_kept() -> None:
    assert compute_sigmoid(np.zeros(3, np.float32)).dtype == np.float32


@pytest.mark.parametrize("folder", ["api", "models", "vision"])
def test_no_module_defines_its_own_softmax_or_sigmoid(folder: str) -> None:
    files = [file for file in (ROOT / folder).rglob("*.py") if file != ROOT / "vision" / "arrays.py"]
    assert [str(file) for file in files if COPY.search(file.read_text(encoding="utf-8"))] == []
