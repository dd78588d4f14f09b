"""The facts and the referee that the project is checked against; they lie beside the repository, not in it."""

from __future__ import annotations

import importlib.util
import json
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

SHARED = Path(__file__).resolve().parents[3] / "shared"
LABELS = sorted((SHARED / "labels").glob("*.json"))

needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="the folder 'shared' does not lie beside the repository")


@cache
def topology() -> dict[str, dict[str, Any]]:
    """Return the facts of every tile, by id."""
    files = (SHARED / "facts" / "topology.json", SHARED / "facts" / "topology-more.json")
    tables = [json.loads(file.read_text(encoding="utf-8")) for file in files]
    return {tile["id"]: tile for table in tables for key in ("tiles", "tiles_new_in_C3") for tile in table.get(key, ())}


@cache
def wonder_facts() -> dict[str, dict[str, Any]]:
    """Return the stated facts of the wonder tiles, by name."""
    facts = json.loads((SHARED / "facts" / "wonders.json").read_text(encoding="utf-8"))["wonders"]
    return {wonder["name"]: wonder for wonder in facts}


@cache
def referee() -> ModuleType:
    """Return the independent scorer, which works without geometry."""
    spec = importlib.util.spec_from_file_location("referee", SHARED / "referee" / "referee.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def label(path: Path) -> dict[str, Any]:
    """Return a label file's content."""
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content
