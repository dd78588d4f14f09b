"""The nearest of some points: few are held against all, many are kept in a tree, which takes long to load."""

from __future__ import annotations

import numpy as np

from vision.arrays import Floats, Ints

MAX_COMPARED_PAIRS = 500_000
"""For more pairs a tree is quicker, though SciPy's takes longer to load than most photos take to be localised."""


def find_nearest(points: Floats, others: Floats) -> tuple[Floats, Ints]:
    """Find how far the nearest of (m, 2) others is from each of (n, 2) points, and which it is; both are (n,)."""
    distances, nearest = find_nearest_few(points, others, 1)
    return distances[:, 0], nearest[:, 0]


def find_nearest_few(points: Floats, others: Floats, count: int) -> tuple[Floats, Ints]:
    """Find how far the `count` nearest of (m, 2) others are from each of (n, 2) points, and which; the nearest first.

    Both are (n, count); there must be so many others.
    """
    if len(points) * len(others) > MAX_COMPARED_PAIRS:
        from scipy.spatial import KDTree

        distances, nearest = KDTree(others).query(points, k=list(range(1, count + 1)))
        return np.asarray(distances, np.float64), np.asarray(nearest, np.int64)
    squares = sum((points[:, None, axis] - others[:, axis]) ** 2 for axis in range(2))
    nearest = np.argsort(squares, axis=1, kind="stable")[:, :count] if count > 1 else squares.argmin(axis=1)[:, None]
    return np.sqrt(np.take_along_axis(squares, nearest, axis=1)), np.asarray(nearest, np.int64)
