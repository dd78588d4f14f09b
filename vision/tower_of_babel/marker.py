"""On which row of the scoring table the marker lies."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Flags
from vision.printed.board import lift_from_board
from vision.tower_of_babel.colour_likelihood import Paints
from vision.tower_of_babel.layout import ScoringTableLayout
from vision.tower_of_babel.view import PAD_MM, BoardView

DIFFERS = 2.0
"""Nats from which a place does not look like the empty board."""
PIECE_LEAST, PIECE_MOST = 0.35, 4.0
"""Of the marker's own top: what is smaller or larger is something else."""
STANDS_MM = 3.5
"""How far beside a row's middle line the marker lies, about."""
ELSEWHERE = 0.05
"""The chance that what was found is not the marker."""
LIGHT = "light"


def locate_marker(view: BoardView, paints: Paints, table: ScoringTableLayout, hidden: Flags) -> dict[int | str, float]:
    """The chance of each row, 0 first, and of the light space; empty where no marker is seen."""
    rows = (*table.rows, table.light)
    outlines = np.concatenate([row.outline for row in rows])
    low, high = outlines.min(axis=0), outlines.max(axis=0)
    around = np.array([low, (high[0], low[1]), high, (low[0], high[1])])
    differs = (paints.board > DIFFERS) & view.filled(around, 3.0) & view.board & ~hidden
    opened = cv2.morphologyEx(differs.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, _, stats, middles = cv2.connectedComponentsWithStats(opened)
    wide, tall = table.marker
    top = np.pi * (wide / 2 * view.px_mm) ** 2
    weights = np.full(len(rows), ELSEWHERE / len(rows))
    found = 0.0
    for number in range(1, count):
        size = stats[number, cv2.CC_STAT_AREA] / top
        if not PIECE_LEAST <= size <= PIECE_MOST:
            continue
        seen = (middles[number] + 0.5) / view.px_mm - PAD_MM
        foot = lift_from_board(view.camera, seen[None], tall / 2)[0]
        away = np.array([_off(foot, row.outline) for row in rows])
        near = np.exp(-(away**2) / (2 * STANDS_MM**2))
        weight = min(1.0, size) ** 2
        found += weight
        weights += weight * near / max(near.sum(), 1e-9)
    if not found:
        return {}
    weights /= weights.sum()
    names: tuple[int | str, ...] = (*range(len(table.rows)), LIGHT)
    return {name: float(weight) for name, weight in zip(names, weights, strict=True)}


def _off(place: NDArray[np.float64], outline: NDArray[np.float64]) -> float:
    """Millimetres from a row's middle line."""
    low, high = outline.min(axis=0), outline.max(axis=0)
    beyond = max(low[0] - place[0], 0.0, place[0] - high[0])
    return float(np.hypot(place[1] - (low[1] + high[1]) / 2, beyond))
