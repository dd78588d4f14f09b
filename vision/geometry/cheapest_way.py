"""The cheapest way through the pixels of a picture (Cohen and Kimmel, 1997), computed by scikit-image."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.arrays import Floats, Ints

Pixel = tuple[int, int]
"""A row and a column."""
CLOSED = -1.0
"""The cost of an impassable pixel. By the rule of scikit-image, for which negative costs are impassable."""


def find_cheapest_way(costs: Floats, starts: Sequence[Pixel], ends: Sequence[Pixel]) -> Ints | None:
    """Find (n, 2) the pixels of the cheapest way from any start to any end; None if there is none.

    `costs` (height, width) are those of each pixel, `CLOSED` for impassable ones.
    """
    from skimage.graph import MCP_Geometric  # slow to load, and seldom needed

    first, last = ([pixel for pixel in some if costs[pixel] != CLOSED] for some in (starts, ends))
    if not first or not last:
        return None
    graph = MCP_Geometric(costs)
    totals, _ = graph.find_costs(first, last, find_all_ends=False)
    nearest = min(last, key=lambda pixel: float(totals[pixel]))
    return np.array(graph.traceback(nearest)).reshape(-1, 2) if np.isfinite(totals[nearest]) else None
