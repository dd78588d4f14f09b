"""Helpers of tests stand in modules of their own: no test depends on the module of another."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parent
IMPORTING = re.compile(r"^\s*(?:from|import)\s+tests(?:\.\w+)*\.test_\w+", re.MULTILINE)


def test_no_module_imports_from_a_test_module() -> None:
    """Programs in strings are among the lines."""
    files = sorted(TESTS.rglob("*.py"))
    assert len(files) > 500
    assert [file.name for file in files if IMPORTING.search(file.read_text(encoding="utf-8"))] == []
