"""The house: imports between packages run one way."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MAY_IMPORT = {
    "api": {"vision", "scoring", "datasets"},
    "models": {"datasets", "vision", "scoring"},
    "datasets": {"vision", "scoring"},
    "vision": {"scoring"},
    "scoring": set[str](),
}


def imported(path: Path) -> Iterator[str]:
    """The top-level packages that a module imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            yield node.module.split(".")[0]


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_imports_run_one_way(package: str) -> None:
    modules = list((ROOT / package).rglob("*.py"))
    assert modules
    forbidden = set(MAY_IMPORT) - MAY_IMPORT[package] - {package} | {"tests"}
    wrong = {str(path.relative_to(ROOT)): found for path in modules if (found := forbidden & set(imported(path)))}
    assert wrong == {}


def test_only_models_and_datasets_know_torch() -> None:
    modules = [path for package in ("api", "vision", "scoring") for path in (ROOT / package).rglob("*.py")]
    assert [path for path in modules if "torch" in set(imported(path))] == []
