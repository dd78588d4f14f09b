"""Detection of a map's squares on its straightened picture by their regularity, and of their terrain by colour."""

from __future__ import annotations

import cv2
import numpy as np

from scoring.world_wonders.terrain import LAND, NATURAL, WATER
from vision.arrays import Floats, Image
from vision.showing.draft import BoxMark
from vision.showing.outlines import load_shape_rules, measure_edges

SIDE_SHARES = (0.03, 0.13)
"""Range of a square's side, relative to the picture's longer side. A guess."""
STEP_PX = 0.5
"""Step of the search in pixels. Bounds time."""
PROFILE_BLUR_PX = 15.0
"""Standard deviation of the background removed from a profile. A guess."""
INNER_SHARE = 0.2
"""Share of a square that is left out on each side of it. A guess."""


def find_grid(picture: Image) -> tuple[BoxMark, int, int]:
    """Find the box of a map's grid on its (h, w, 3) picture from above, and its numbers of rows and columns."""
    strength = np.sqrt(measure_edges(np.asarray(cv2.bilateralFilter(picture, 7, 30, 5), np.uint8)))
    profiles = [_flatten(np.asarray(np.median(strength, axis=axis), np.float64)) for axis in (0, 1)]
    longer = max(picture.shape[:2])
    sides = np.arange(SIDE_SHARES[0] * longer, SIDE_SHARES[1] * longer, STEP_PX)
    side = max(sides, key=lambda each: sum(_find_phase(profile, each)[0] for profile in profiles))
    (left, cols), (top, rows) = (_find_extent(profile, float(side)) for profile in profiles)
    return (round(left, 1), round(top, 1), round(cols * float(side), 1), round(rows * float(side), 1)), rows, cols


def read_terrain(picture: Image, box: BoxMark, rows: int, cols: int, naturals: int) -> tuple[str, ...]:
    """Read the terrain of a grid's squares, one text per row.

    The `naturals` squares with the most lines are natural resources, the bluer ones water, the rest land.
    """
    x, y, w, h = box
    rules = load_shape_rules("grid")
    lab = cv2.cvtColor(picture, cv2.COLOR_BGR2LAB).astype(np.float64)
    edges = measure_edges(np.asarray(cv2.bilateralFilter(picture, 7, 30, 5), np.uint8))
    bluer, lined = np.zeros((rows, cols)), np.zeros((rows, cols))
    for row in range(rows):
        for col in range(cols):
            low_x, high_x = (round(x + (col + share) * w / cols) for share in (INNER_SHARE, 1 - INNER_SHARE))
            low_y, high_y = (round(y + (row + share) * h / rows) for share in (INNER_SHARE, 1 - INNER_SHARE))
            inside = np.s_[max(0, low_y) : max(1, high_y), max(0, low_x) : max(1, high_x)]
            if edges[inside].size:
                bluer[row, col] = -np.median(lab[inside][..., 2])
                lined[row, col] = np.quantile(edges[inside], rules["lined"])
    is_natural = lined >= np.sort(lined.ravel())[-min(naturals, lined.size)]
    water = ~is_natural & (bluer - np.median(bluer[~is_natural]) > rules["bluer"])
    letters = np.where(is_natural, NATURAL, np.where(water, WATER, LAND))
    return tuple("".join(row) for row in letters)


def _flatten(profile: Floats) -> Floats:
    """Return a profile (n,) without structures broader than a line."""
    return np.asarray(profile - cv2.GaussianBlur(profile[None], (0, 0), PROFILE_BLUR_PX)[0], np.float64)


def _find_phase(profile: Floats, side: float) -> tuple[float, float]:
    """Return the mean strength of the lines at intervals of one side, and the position of the first of them."""
    phases = np.arange(0, side, 1.0)
    strengths = [_sample(profile, phase, side).mean() for phase in phases]
    best = int(np.argmax(strengths))
    return float(strengths[best]), float(phases[best])


def _find_extent(profile: Floats, side: float) -> tuple[float, int]:
    """Return the position of a grid's first line, and the number of squares up to the last."""
    phase = _find_phase(profile, side)[1]
    lines = _sample(profile, phase, side)
    strong = np.flatnonzero(lines > load_shape_rules("grid")["end"] * np.median(lines))
    first, last = int(strong[0]), int(strong[-1])
    return phase + first * side, max(1, last - first)


def _sample(profile: Floats, phase: float, side: float) -> Floats:
    """Return the strongest value (n,) within a pixel of each of the lines at intervals of one side."""
    at = np.arange(phase, len(profile), side)
    places = np.arange(len(profile)) + 0.5
    return np.asarray(np.max([np.interp(at + off, places, profile) for off in (-1.0, 0.0, 1.0)], axis=0), np.float64)
