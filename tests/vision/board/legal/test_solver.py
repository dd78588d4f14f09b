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
from tests.vision.board.legal.test_board import test_the_solver_finds_what_enumeration_finds as solve
solve()
assert "ortools.sat.python.cp_model_helper" in sys.modules, "nothing was solved"
"""


def test_a_board_is_solved_where_pandas_is_not_installed() -> None:
    subprocess.run([sys.executable, "-c", SOLVING], cwd=ROOT, check=True, timeout=300)


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock"])
def test_no_lock_file_holds_what_nobody_imports(lock: str) -> None:
    assert not re.search(r"^pandas==", (ROOT / lock).read_text(encoding="utf-8"), re.MULTILINE)
