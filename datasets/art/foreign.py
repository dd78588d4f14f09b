"""Edges of the tiles that are not scored here but may still lie among the others."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

EDGES = {"F": "field", "R": "road", "C": "city", "I": "river"}


@cache
def load_foreign_edges() -> Mapping[str, tuple[str, ...]]:
    """Return the kinds of edge at N, E, S, W of each tile in its canonical orientation, by tile id."""
    text = files("datasets.art").joinpath("foreign_edges.csv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines())
    return {row["tile"]: tuple(EDGES[letter] for letter in row["edges"]) for row in rows}
