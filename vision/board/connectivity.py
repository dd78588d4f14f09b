"""Tiles apart from the board: every tile of a game is laid against another, so an isolated one is seldom a tile."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.reading.values import TileReading

MIN_GROUP_TILES = 3
"""Minimum number of tiles in a separate group. A guess."""
MIN_MEAN_CONFIDENCE = 0.7
"""Minimum mean confidence of a separate group; any other group is no part of the board. A guess."""


def exclude_islands(tiles: Sequence[TileReading]) -> tuple[TileReading, ...]:
    """Return the largest group of touching tiles, and other sure groups, whose connection was missed."""
    if not tiles:
        return ()
    squares = np.array([tile.square for tile in tiles])
    at = tuple((squares - squares.min(0)).T)
    occupied = np.zeros(np.ptp(squares, axis=0) + 1, bool)
    occupied[at] = True
    groups = cv2.connectedComponents(occupied.astype(np.uint8), connectivity=4)[1][at]
    largest = np.bincount(groups).argmax()
    sure = {
        g for g in set(groups.tolist()) if _is_sure([t for t, group in zip(tiles, groups, strict=True) if group == g])
    }
    return tuple(tile for tile, group in zip(tiles, groups.tolist(), strict=True) if group == largest or group in sure)


def _is_sure(group: Sequence[TileReading]) -> bool:
    confidence_sum = sum(tile.confidence for tile in group if tile.tile is not None)
    return len(group) >= MIN_GROUP_TILES and confidence_sum >= MIN_MEAN_CONFIDENCE * len(group)
