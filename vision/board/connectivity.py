"""Tiles apart from the board: every tile of a game is laid against another, so what lies alone is seldom one."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.reading.values import TileReading

TILES_LEAST = 3
CONFIDENCE_LEAST = 0.7
"""Fewer tiles, or such as are read with less confidence on average, are no part of the board."""


def exclude_islands(tiles: Sequence[TileReading]) -> tuple[TileReading, ...]:
    """The largest group of touching tiles, and such others as are surely tiles: what joins them was overlooked."""
    if not tiles:
        return ()
    squares = np.array([(tile.row, tile.col) for tile in tiles])
    at = tuple((squares - squares.min(0)).T)
    laid = np.zeros(np.ptp(squares, axis=0) + 1, bool)
    laid[at] = True
    groups = cv2.connectedComponents(laid.astype(np.uint8), connectivity=4)[1][at]
    largest = np.bincount(groups).argmax()
    sure = {g for g in set(groups.tolist()) if _is_sure([t for t, own in zip(tiles, groups, strict=True) if own == g])}
    return tuple(tile for tile, own in zip(tiles, groups.tolist(), strict=True) if own == largest or own in sure)


def _is_sure(group: Sequence[TileReading]) -> bool:
    known = sum(tile.confidence for tile in group if tile.tile is not None)
    return len(group) >= TILES_LEAST and known >= CONFIDENCE_LEAST * len(group)
