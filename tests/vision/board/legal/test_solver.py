"""The solver without the packages that OR-tools' Python layer would load."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]
SOLVING = """
import sys
sys.modules["pandas"] = None  # importing it is an ImportError
import numpy as np
from tests.vision.board.legal.enumeration import CATALOGUE, SHAPES, few_candidates
from vision.board.legal import board, groups
board.MAX_GROUP_BOARDS = groups.MAX_GROUP_BOARDS = 0
board.find_legal_board(SHAPES[1], few_candidates(np.random.default_rng(1), len(SHAPES[1])), CATALOGUE)
assert "ortools.sat.python.cp_model_helper" in sys.modules, "nothing was solved"
"""


def test_a_board_is_solved_without_pandas() -> None:
    subprocess.run([sys.executable, "-c", SOLVING], cwd=ROOT, check=True, timeout=300)


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock"])
def test_no_lock_file_contains_pandas(lock: str) -> None:
    assert not re.search(r"^pandas==", (ROOT / lock).read_text(encoding="utf-8"), re.MULTILINE)
