"""The decision between tiles that differ in a coat of arms alone, tempered by itself.

A coat of arms is the smallest mark that counts, and the one that a meeple hides or another printing draws elsewhere:
a net is surer of it than of all else that it tells. So the likelihood of two such twins together is left as it is, and
how it is shared between them takes a temperature of its own (`models.calibrate` fits it).
"""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
from numpy.typing import NDArray

from scoring.carcassonne.catalogue import Catalogue, turned_layouts
from scoring.carcassonne.geometry import SIDES, turned_edge
from scoring.carcassonne.layouts import TileLayout

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def coat_twins(catalogue: Catalogue) -> Ints:
    """(n, 2) classes, numbered as in `turned_layouts`, that are alike but for a coat of arms; the one without first."""
    alike: dict[object, list[tuple[int, int]]] = defaultdict(list)
    for number, (tile, turns) in enumerate(turned_layouts(catalogue)):
        layout = catalogue[tile]
        alike[_but_coats(layout, turns)].append((sum(part.shields for part in layout.segments), number))
    pairs = [sorted(both) for both in alike.values() if len({coats for coats, _ in both}) == len(both) == 2]
    return np.array([[number for _, number in both] for both in pairs], np.int64).reshape(-1, 2)


def coats_tempered(logits: Floats, twins: Ints, temperature: float) -> Floats:
    """Logits (n, classes) where what sets (m, 2) twins apart is divided by the temperature, and their sum is kept."""
    without, coat = logits[:, twins[:, 0]], logits[:, twins[:, 1]]
    together, apart = np.logaddexp(without, coat), (coat - without) / temperature
    tempered = logits.copy()
    tempered[:, twins[:, 0]] = together - np.logaddexp(0, apart)
    tempered[:, twins[:, 1]] = together - np.logaddexp(0, -apart)
    return tempered


def _but_coats(layout: TileLayout, turns: int) -> object:
    """What the rules see of a placed tile, but for its coats of arms."""
    parts = Counter(
        (p.kind, frozenset(turned_edge(e, turns) for e in p.edges), p.inn, p.cathedral, p.goods, p.pig_herd)
        for p in layout.segments
    )
    return frozenset(parts.items()), tuple(layout.edge(side, turns) for side in SIDES)
