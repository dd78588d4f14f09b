"""Finds the squares of a map on its straightened picture by their regularity, and tells their terrain by colour."""

from __future__ import annotations

import cv2
import numpy as np

from scoring.world_wonders.terrain import LAND, NATURAL, WATER
from vision.arrays import Floats, Image
from vision.printed.draft import BoxMark
from vision.printed.outlines import load_shape_rules, measure_edges

SIDE_SHARES = (0.03, 0.13)
"""A square's side is looked for between these shares of the picture's longer side."""
STEP_PX = 0.5
PROFILE_BLUR_PX = 15.0
INNER_SHARE = 0.2
"""So much of a square is left out on each side when it is looked at."""


def find_grid(picture: Image) -> tuple[BoxMark, int, int]:
    """Find the box of a map's grid on a (h, w, 3) picture of it from above, and how many rows and columns it has."""
    strength = np.sqrt(measure_edges(np.asarray(cv2.bilateralFilter(picture, 7, 30, 5), np.uint8)))
    profiles = [_flatten(np.asarray(np.median(strength, axis=axis), np.float64)) for axis in (0, 1)]
    longer = max(picture.shape[:2])
    sides = np.arange(SIDE_SHARES[0] * longer, SIDE_SHARES[1] * longer, STEP_PX)
    side = max(sides, key=lambda each: sum(_find_phase(profile, each)[0] for profile in profiles))
    (left, cols), (top, rows) = (_find_extent(profile, float(side)) for profile in profiles)
    return (round(left, 1), round(top, 1), round(cols * float(side), 1), round(rows * float(side), 1)), rows, cols


def read_terrain(picture: Image, box: BoxMark, rows: int, cols: int, naturals: int) -> tuple[str, ...]:
    """Read what the squares of a grid show, a text a row: so many natural resources, which are drawn with most lines,
    water where it is bluer, and land."""
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
    """A profile (n,) without what is broader than a line."""
    return np.asarray(profile - cv2.GaussianBlur(profile[None], (0, 0), PROFILE_BLUR_PX)[0], np.float64)


def _find_phase(profile: Floats, side: float) -> tuple[float, float]:
    """How strong the lines are on the whole that lie a side apart, and where the first of them lies."""
    phases = np.arange(0, side, 1.0)
    strengths = [_sample(profile, phase, side).mean() for phase in phases]
    best = int(np.argmax(strengths))
    return float(strengths[best]), float(phases[best])


def _find_extent(profile: Floats, side: float) -> tuple[float, int]:
    """Where the first line of a grid lies, and how many squares lie between it and the last."""
    phase = _find_phase(profile, side)[1]
    lines = _sample(profile, phase, side)
    strong = np.flatnonzero(lines > load_shape_rules("grid")["end"] * np.median(lines))
    first, last = int(strong[0]), int(strong[-1])
    return phase + first * side, max(1, last - first)


def _sample(profile: Floats, phase: float, side: float) -> Floats:
    """(n,) the strongest within a pixel of each of the lines that lie a side apart."""
    at = np.arange(phase, len(profile), side)
    places = np.arange(len(profile)) + 0.5
    return np.asarray(np.max([np.interp(at + off, places, profile) for off in (-1.0, 0.0, 1.0)], axis=0), np.float64)
