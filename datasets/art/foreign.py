"""What lies at the sides of the tiles that are not scored here: they lie among the others all the same."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

EDGES = {"F": "field", "R": "road", "C": "city", "I": "river"}


@cache
def load_foreign_edges() -> Mapping[str, tuple[str, ...]]:
    """Return what lies N, E, S, W on each tile in its canonical orientation, by its id."""
    text = files("datasets.art").joinpath("foreign_edges.csv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines())
    return {row["tile"]: tuple(EDGES[letter] for letter in row["edges"]) for row in rows}
