"""The nearest of some points: few pairs are compared directly, many through a tree, whose import is slow."""

from __future__ import annotations

import numpy as np

from vision.arrays import Floats, Ints

MAX_COMPARED_PAIRS = 4_000_000
"""Number of pairs from which SciPy's tree saves more time than its import takes. Bounds time."""
CHUNK_PAIRS = 2**17
"""Number of pairs compared at once, so that they fit a processor's cache. Bounds memory."""


def find_nearest(points: Floats, others: Floats) -> tuple[Floats, Ints]:
    """Find the distance from each of (n, 2) points to the nearest of (m, 2) others, and its index; both are (n,)."""
    distances, nearest = find_nearest_few(points, others, 1)
    return distances[:, 0], nearest[:, 0]


def find_nearest_few(points: Floats, others: Floats, count: int) -> tuple[Floats, Ints]:
    """Find the distances from each of (n, 2) points to the `count` nearest of (m, 2) others, and their indices.

    Both are (n, count); there must be at least `count` others.
    """
    if len(points) * len(others) > MAX_COMPARED_PAIRS:
        from scipy.spatial import KDTree

        distances, nearest = KDTree(others).query(points, k=list(range(1, count + 1)))
        return np.asarray(distances, np.float64), np.asarray(nearest, np.int64)
    squares, nearest = np.empty((len(points), count)), np.empty((len(points), count), np.int64)
    step = max(CHUNK_PAIRS // len(others), 1)
    for first in range(0, len(points), step):
        chunk = slice(first, first + step)
        squares[chunk], nearest[chunk] = _compare_all(points[chunk], others, count)
    return np.sqrt(squares), nearest


def _compare_all(points: Floats, others: Floats, count: int) -> tuple[Floats, Ints]:
    """Return the squared distances (n, count) of the nearest, and their indices."""
    squares = (points[:, 0, None] - others[:, 0]) ** 2
    squares += (points[:, 1, None] - others[:, 1]) ** 2
    rows, nearest = np.arange(len(points)), np.empty((len(points), count), np.int64)
    least = np.empty((len(points), count))
    for place in range(count):
        nearest[:, place] = squares.argmin(axis=1)
        least[:, place] = squares[rows, nearest[:, place]]
        squares[rows, nearest[:, place]] = np.inf
    return least, nearest
