"""The row of the scoring table on which the marker lies."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Flags
from vision.flat_boards.board import lift_from_board
from vision.tower_of_babel.colour_likelihood import UNEXPLAINED, Paints
from vision.tower_of_babel.layout import ScoringTableLayout
from vision.tower_of_babel.view import PAD_MM, STAND_SPREAD_MM, BoardView

MIN_PIECE_SHARE, MAX_PIECE_SHARE = 0.35, 4.0
"""Range of a candidate's area relative to the marker's top; anything outside it is another object. A guess."""
ELSEWHERE_PROBABILITY = 0.05
"""Probability that the object found is not the marker. A guess."""
LIGHT = "light"


def locate_marker(view: BoardView, paints: Paints, table: ScoringTableLayout, hidden: Flags) -> dict[int | str, float]:
    """Return the probability of each row, 0 first, and of the light space; empty if no marker is seen."""
    rows = (*table.rows, table.light)
    outlines = np.concatenate([row.outline for row in rows])
    low, high = outlines.min(axis=0), outlines.max(axis=0)
    around = np.array([low, (high[0], low[1]), high, (low[0], high[1])])
    differs = (paints.board > UNEXPLAINED) & view.filled(around, 3.0) & view.board & ~hidden
    opened = cv2.morphologyEx(differs.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, _, stats, middles = cv2.connectedComponentsWithStats(opened)
    wide, tall = table.marker
    top = np.pi * (wide / 2 * view.px_mm) ** 2
    weights = np.full(len(rows), ELSEWHERE_PROBABILITY / len(rows))
    weight_sum = 0.0
    for number in range(1, count):
        size = stats[number, cv2.CC_STAT_AREA] / top
        if not MIN_PIECE_SHARE <= size <= MAX_PIECE_SHARE:
            continue
        place = (middles[number] + 0.5) / view.px_mm - PAD_MM
        foot = lift_from_board(view.camera, place[None], tall / 2)[0]
        away = np.array([_measure_distance(foot, row.outline) for row in rows])
        near = np.exp(-(away**2) / (2 * STAND_SPREAD_MM**2))
        weight = min(1.0, size) ** 2
        weight_sum += weight
        weights += weight * near / max(near.sum(), 1e-9)
    if not weight_sum:
        return {}
    weights /= weights.sum()
    names: tuple[int | str, ...] = (*range(len(table.rows)), LIGHT)
    return {name: float(weight) for name, weight in zip(names, weights, strict=True)}


def _measure_distance(place: NDArray[np.float64], outline: NDArray[np.float64]) -> float:
    """Return the distance from a row's centre line in millimetres."""
    low, high = outline.min(axis=0), outline.max(axis=0)
    beyond = max(low[0] - place[0], 0.0, place[0] - high[0])
    return float(np.hypot(place[1] - (low[1] + high[1]) / 2, beyond))
