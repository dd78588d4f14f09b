"""Names describe their object: functions begin with a verb, local names are nouns, types of arrays have one module."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("vision", "scoring", "api", "models", "datasets")
MIN_VERB_SHARE = 0.9
VERBS = frozenset(Path(__file__).with_name("verbs.txt").read_text(encoding="utf-8").split())
VAGUE = frozenset({"own", "told", "said", "held", "seen", "shown", "asked", "taken", "kept"})
"""Participles and adjectives that do not describe the thing they name."""


@cache
def _parse_modules(package: str) -> list[tuple[str, ast.Module]]:
    files = sorted((ROOT / package).rglob("*.py"))
    return [(str(file.relative_to(ROOT)), ast.parse(file.read_text(encoding="utf-8"))) for file in files]


def _list_public_functions(package: str) -> Iterator[str]:
    """Yield the functions that stand alone in modules; routes are named by the interface that they serve."""
    for file, module in _parse_modules(package):
        if "/routes/" not in file and "/migrations/" not in file:
            for node in module.body:
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
                    yield node.name


def _list_local_names(module: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield parameters and variables of functions, of lambdas and of comprehensions, with their lines."""
    for node in ast.walk(module):
        if isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.comprehension):
            for part in ast.walk(node.target if isinstance(node, ast.comprehension) else node):
                if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                    yield part.lineno, part.id


@pytest.mark.parametrize("package", PACKAGES)
def test_public_functions_begin_with_a_verb(package: str) -> None:
    names = [name for name in _list_public_functions(package) if name != "main"]
    assert len(names) > 100
    others = [name for name in names if name.split("_")[0] not in VERBS]
    assert len(others) <= (1 - MIN_VERB_SHARE) * len(names), others


@pytest.mark.parametrize("package", PACKAGES)
def test_local_names_are_nouns(package: str) -> None:
    vague = {
        f"{file}:{line} {name}"
        for file, module in _parse_modules(package)
        for line, name in _list_local_names(module)
        if name in VAGUE
    }
    assert vague == set()


@pytest.mark.parametrize("package", PACKAGES)
def test_array_types_shared_between_modules_are_defined_in_one(package: str) -> None:
    """An alias within one module, for a type the shared ones lack, is no second home of theirs."""
    shared = {"float64", "float32", "uint8", "bool_", "int64"}
    aliases = [
        (file, ast.unparse(node))
        for file, module in _parse_modules(package)
        for node in module.body
        if isinstance(node, ast.Assign) and ast.unparse(node.value) in {f"NDArray[np.{kind}]" for kind in shared}
    ]
    assert [alias for alias in aliases if alias[0] not in MAY_NAME_ARRAYS] == []


MAY_NAME_ARRAYS = {
    "vision/arrays.py",
    "scoring/carcassonne/tiles/topology.py",  # scoring imports nothing of vision
}
